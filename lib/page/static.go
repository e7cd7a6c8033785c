package page

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
)

//go:embed templates/*.html
var content embed.FS

var (
	//go:embed static/page.css
	styleSheet string
	//go:embed static/page.js
	script string
	//go:embed static/icon.svg
	icon string
)

// statics returns the name, type and content of the static files.
func statics() [][3]string {
	return [][3]string{
		{"page.css", "text/css; charset=utf-8", styleSheet}, {"page.js", "text/javascript; charset=utf-8", script}, {"icon.svg", "image/svg+xml", icon},
	}
}

// versioned returns the URL of a static file. The URL has the beginning of the file's digest, so that browsers may
// cache each version forever.
func versioned(name string) (string, error) {
	for _, file := range statics() {
		if file[0] == name {
			sum := sha256.Sum256([]byte(file[2]))
			return "/static/" + name + "?v=" + hex.EncodeToString(sum[:4]), nil
		}
	}
	return "", fmt.Errorf("no file %q", name)
}
