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

// statics are the files that pages load: their names, types and contents.
func statics() [][3]string {
	return [][3]string{
		{"page.css", "text/css; charset=utf-8", styleSheet}, {"page.js", "text/javascript; charset=utf-8", script}, {"icon.svg", "image/svg+xml", icon},
	}
}

// versioned is the URL of a file that pages load. It has the beginning of its digest, so that a browser keeps each version as long as it likes.
func versioned(name string) (string, error) {
	for _, file := range statics() {
		if file[0] == name {
			sum := sha256.Sum256([]byte(file[2]))
			return "/static/" + name + "?v=" + hex.EncodeToString(sum[:4]), nil
		}
	}
	return "", fmt.Errorf("no file %q", name)
}
