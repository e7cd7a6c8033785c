package clients

import (
	"bytes"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"cortex/lib/hint"
)

// machine returns a Machine with an empty home folder.
func machine(t *testing.T, variables map[string]string) Machine {
	return Machine{OS: "linux", Home: t.TempDir(), Getenv: func(name string) string { return variables[name] }}
}

var (
	local = Server{Name: "cortex", Command: "/opt/cortex/bin/cortex-serve", Args: []string{"--root", "/home/ann/web"}}
	here  = Server{Name: "cortex", URL: "http://127.0.0.1:8137/mcp"}
	there = Server{Name: "cortex", URL: "https://cortex.example.com/mcp", Token: true}
)

func find(t *testing.T, name string) Client {
	t.Helper()
	c, err := Find(name)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestGoldens sets every client up, for a server on standard input and output and for local and remote servers on HTTP,
// and removes the entry again.
func TestGoldens(t *testing.T) {
	for _, name := range append(Names(), "odd") {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join("testdata", name+".txtar")
			golden, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			client := name
			if name == "odd" {
				client = "cursor"
			}
			c := find(t, client)
			before := map[string][]byte{}
			var cases []string
			if name != "odd" {
				cases = append(cases, "missing")
			}
			for _, f := range golden.Files {
				if path.Base(f.Name) == "before" {
					before[path.Dir(f.Name)] = f.Data
					cases = append(cases, path.Dir(f.Name))
				}
			}
			got := &txtar.Archive{Comment: golden.Comment}
			for _, each := range cases {
				data, there := before[each]
				if there {
					got.Files = append(got.Files, txtar.File{Name: each + "/before", Data: data})
				}
				got.Files = append(got.Files, results(t, c, each, data, there)...)
			}
			if os.Getenv("UPDATE_GOLDEN") != "" {
				if err := os.WriteFile(file, txtar.Format(got), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if want, is := txtar.Format(golden), txtar.Format(got); !bytes.Equal(want, is) {
				t.Errorf("%s: got\n%s\nwant\n%s", file, is, want)
			}
		})
	}
}

// results returns the files after each step.
func results(t *testing.T, c Client, name string, before []byte, exists bool) (files []txtar.File) {
	m := machine(t, nil)
	reset := func() string {
		file := c.files(m)[0]
		if !exists {
			os.Remove(file)
			return file
		}
		put := func() error { return os.WriteFile(file, before, 0o640) }
		if put() != nil {
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := put(); err != nil {
				t.Fatal(err)
			}
		}
		return file
	}
	read := func(file string) []byte {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if len(data) > 0 && data[len(data)-1] != '\n' {
			data = append(data, "(no line break)\n"...)
		}
		return data
	}
	for _, kind := range []struct {
		name   string
		server Server
	}{{"stdio", local}, {"http", here}, {"token", there}} {
		file := reset()
		_, done, err := c.Setup(m, kind.server)
		if err != nil {
			files = append(files, txtar.File{Name: name + "/" + kind.name + " fails", Data: []byte(err.Error() + "\nhint: " + hint.Of(err) + "\n")})
			if exists && !bytes.Equal(readAll(t, file), before) {
				t.Errorf("%s: changed by a call that fails", name)
			}
			continue
		}
		if exists && done == Created || !exists && done != Created {
			t.Errorf("%s, %s: outcome %d", name, kind.name, done)
		}
		first := readAll(t, file)
		files = append(files, txtar.File{Name: name + "/" + kind.name, Data: read(file)})
		if _, done, err := c.Setup(m, kind.server); err != nil || done != Unchanged || !bytes.Equal(readAll(t, file), first) {
			t.Errorf("%s, %s: a second time: %d, %v", name, kind.name, done, err)
		}
		if kind.name != "stdio" {
			continue
		}
		if _, done, err := c.Remove(m, "cortex"); err != nil || done != Changed {
			t.Errorf("%s: remove: %d, %v", name, done, err)
		}
		files = append(files, txtar.File{Name: name + "/removed", Data: read(file)})
		if _, done, err := c.Remove(m, "cortex"); err != nil || done != Unchanged {
			t.Errorf("%s: remove again: %d, %v", name, done, err)
		}
	}
	return files
}

func readAll(t *testing.T, file string) []byte {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestBrokenFilesAreLeft uses files that cannot be parsed: the error has the position, and no byte changes.
func TestBrokenFilesAreLeft(t *testing.T) {
	for _, test := range []struct{ client, text, want string }{
		{"cursor", `{"mcpServers": {`, "line 1, column 17: expected a key in quotes"},
		{"cursor", "{\n  \"a\": 1\n  \"b\": 2\n}", "line 3, column 3: expected a comma or }"},
		{"cursor", `{"a": tru}`, "line 1, column 7: expected a value"},
		{"cursor", `{"a": 01}`, "expected a value"},
		{"cursor", `{"a": "b`, "the text has no end"},
		{"cursor", `{"a": "\q"}`, "not written as JSON writes it"},
		{"cursor", "{\"a\": \"\n\"}", "not written as JSON writes it"},
		{"cursor", `{} {}`, "behind the end"},
		{"cursor", `{/* }`, "the comment has no end"},
		{"cursor", `[]`, "it holds no object"},
		{"cursor", `"mcpServers"`, "it holds no object"},
		{"cursor", `{"mcpServers": []}`, "mcpServers is no object"},
		{"cursor", `{"mcpServers": {"cortex": "x"}}`, "mcpServers.cortex is no object"},
		{"cursor", `{"mcpServers": {}, "mcpServers": {}}`, `the key "mcpServers" is there twice`},
		{"cursor", `{"mcpServers": {"cortex": {}, "cortex": {}}}`, `the key "cortex" is there twice`},
		{"cursor", strings.Repeat(`{"a":`, 300) + "1" + strings.Repeat("}", 300), "more than 200 values"},
		{"cursor", "{\"a\": \"\xff\"}", "no UTF-8"},
		{"cursor", "\x00\x01", "expected a value"},
		{"cursor", "<<<<<<< HEAD\n{}\n", "expected a value"},
		{"codex", "model = \n", ": line 1: expected value but found '\\n' instead"},
		{"codex", "[a]\n[a]\n", "line 2"},
		{"codex", "a = 'b", "unexpected EOF"},
		{"codex", "[mcp_servers]\ncortex = {command = \"x\"}\n", "mcp_servers.cortex is not written as a table"},
		{"codex", "mcp_servers.cortex.command = \"x\"\n", "mcp_servers.cortex is not written as a table"},
		{"codex", "mcp_servers = {other = {command = \"x\"}}\n", "mcp_servers.cortex is not written as a table"},
		{"codex", "[[mcp_servers.cortex]]\ncommand = \"x\"\n", "mcp_servers.cortex is not written as a table"},
		{"codex", "mcp_servers = 1\n", ": mcp_servers is no table"},
		{"codex", "[[mcp_servers]]\ncommand = \"x\"\n", ": mcp_servers is no table"},
	} {
		c, m := find(t, test.client), machine(t, nil)
		file := c.File(m)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(test.text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, _, err := c.Setup(m, local)
		if err == nil || !strings.Contains(err.Error(), test.want) || !strings.Contains(err.Error(), file) || hint.Of(err) == "" {
			t.Errorf("%.60q: %v, want %q", test.text, err, test.want)
		}
		if got := readAll(t, file); string(got) != test.text {
			t.Errorf("%.60q: changed to %.60q", test.text, got)
		}
		if left, _ := os.ReadDir(filepath.Dir(file)); len(left) != 1 {
			t.Errorf("%.60q: %v are left", test.text, left)
		}
	}
}

// TestOddPlaces: the configuration file is a link or a folder, or cannot be written.
func TestOddPlaces(t *testing.T) {
	c := find(t, "cursor")
	t.Run("link", func(t *testing.T) {
		m := machine(t, nil)
		real := filepath.Join(m.Home, "dotfiles.json")
		if err := os.WriteFile(real, []byte("{}\n"), 0o604); err != nil {
			t.Fatal(err)
		}
		os.MkdirAll(filepath.Join(m.Home, ".cursor"), 0o755)
		if err := os.Symlink(real, c.File(m)); err != nil {
			t.Fatal(err)
		}
		if _, done, err := c.Setup(m, local); err != nil || done != Changed {
			t.Fatalf("%d, %v", done, err)
		}
		if info, err := os.Lstat(filepath.Join(m.Home, ".cursor", "mcp.json")); err != nil || info.Mode()&os.ModeSymlink == 0 {
			t.Error("the link was replaced")
		}
		if info, err := os.Stat(real); err != nil || info.Mode().Perm() != 0o604 || !bytes.Contains(readAll(t, real), []byte("cortex-serve")) {
			t.Errorf("%v, %v", info.Mode(), err)
		}
	})
	t.Run("link to nothing", func(t *testing.T) {
		m := machine(t, nil)
		os.MkdirAll(filepath.Join(m.Home, ".cursor"), 0o755)
		if err := os.Symlink("nowhere", filepath.Join(m.Home, ".cursor", "mcp.json")); err != nil {
			t.Fatal(err)
		}
		if _, _, err := c.Setup(m, local); hint.Of(err) == "" {
			t.Errorf("%v", err)
		}
	})
	t.Run("read-only", func(t *testing.T) {
		m := machine(t, nil)
		os.MkdirAll(filepath.Join(m.Home, ".cursor"), 0o755)
		if err := os.WriteFile(c.File(m), []byte("{}\n"), 0o400); err != nil {
			t.Fatal(err)
		}
		if _, _, err := c.Setup(m, local); hint.Of(err) == "" || string(readAll(t, c.File(m))) != "{}\n" {
			t.Errorf("%v", err)
		}
	})
	t.Run("home that is no folder", func(t *testing.T) {
		m := machine(t, nil)
		m.Home = "/dev/null"
		if found := Mentions(m); found != nil {
			t.Errorf("%v", found)
		}
	})
	t.Run("null", func(t *testing.T) {
		m := machine(t, nil)
		os.MkdirAll(filepath.Join(m.Home, ".cursor"), 0o755)
		for _, text := range []string{"{\"a\": 1, \"mcpServers\": null}\n", "{\"a\": 1, \"mcpServers\": {\"cortex\": null}}\n"} {
			if err := os.WriteFile(c.File(m), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			if _, done, err := c.Setup(m, local); err != nil || done != Changed || !bytes.Contains(readAll(t, c.File(m)), []byte("cortex-serve")) {
				t.Errorf("%s: %v", text, err)
			}
		}
	})
	t.Run("folder", func(t *testing.T) {
		m := machine(t, nil)
		os.MkdirAll(filepath.Join(m.Home, ".cursor", "mcp.json"), 0o755)
		if _, _, err := c.Setup(m, local); err == nil {
			t.Error("no error")
		}
	})
	t.Run("file in the place of the folder", func(t *testing.T) {
		m := machine(t, nil)
		os.WriteFile(filepath.Join(m.Home, ".cursor"), nil, 0o644)
		if _, _, err := c.Setup(m, local); err == nil {
			t.Error("no error")
		}
	})
	t.Run("new", func(t *testing.T) {
		m := machine(t, nil)
		file, done, err := c.Setup(m, local)
		info, statErr := os.Stat(file)
		if err != nil || statErr != nil || done != Created || info.Mode().Perm() != 0o600 {
			t.Errorf("%d, %v, %v", done, err, info.Mode())
		}
	})
	t.Run("nothing to remove", func(t *testing.T) {
		m := machine(t, nil)
		file, done, err := c.Remove(m, "cortex")
		if _, statErr := os.Stat(filepath.Dir(file)); err != nil || done != Unchanged || statErr == nil {
			t.Errorf("%d, %v", done, err)
		}
	})
}

// TestLinesKeepTheirEnds edits files with the line ends of another system.
func TestLinesKeepTheirEnds(t *testing.T) {
	for name, before := range map[string]string{
		"cursor": "\ufeff{\r\n  \"mcpServers\": {\r\n    \"a\": {} // x\r\n  }\r\n}\r\n",
		"codex":  "a = 1\r\n\r\n[b]\r\nc = 2\r\n",
	} {
		c := find(t, name)
		change := func(t text, path []string) error { return t.set(path, must(c.members(local)), nil) }
		data, err := c.edit([]byte(before), "cortex", change)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if n := bytes.Count(data, []byte("\n")); n != bytes.Count(data, []byte("\r\n")) || n < 6 {
			t.Errorf("%s: %q", name, data)
		}
		back, err := c.edit(data, "cortex", func(t text, path []string) error { _, err := t.unset(path); return err })
		if err != nil || strings.TrimSpace(string(back)) != strings.TrimSpace(before) {
			t.Errorf("%s: %v, back to %q", name, err, back)
		}
	}
}

func must(members []member, err error) []member {
	if err != nil {
		panic(err)
	}
	return members
}

// TestPlaces lists the files of all clients, on two systems and with the variables that move them.
func TestPlaces(t *testing.T) {
	variables := map[string]string{
		"XDG_CONFIG_HOME": "/x", "CODEX_HOME": "/codex", "CLAUDE_CONFIG_DIR": "/claude", "CLINE_MCP_SETTINGS_PATH": "/cline.json",
	}
	var got []string
	for _, c := range table() {
		line := c.Name
		for _, m := range []Machine{
			{OS: "linux", Home: "/home/ann", Getenv: func(string) string { return "" }},
			{OS: "darwin", Home: "/Users/ann", Getenv: func(string) string { return "" }},
			{OS: "linux", Home: "/home/ann", Getenv: func(name string) string { return variables[name] }},
		} {
			line += "\n  " + strings.Join(c.files(m), " or ")
		}
		got = append(got, line)
	}
	file := filepath.Join("testdata", "places")
	text := strings.Join(got, "\n") + "\n"
	if os.Getenv("UPDATE_GOLDEN") != "" {
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if want := string(readAll(t, file)); text != want {
		t.Errorf("got\n%s\nwant\n%s", text, want)
	}
}

// TestDocument compares docs/clients.md with the table: the entry of each client, on standard input and output and on
// HTTP.
func TestDocument(t *testing.T) {
	file := filepath.Join("..", "..", "docs", "clients.md")
	const mark = "\n<!-- What follows is written by UPDATE_GOLDEN=1 go test ./lib/clients from the table. -->\n"
	text := string(readAll(t, file))
	head, _, found := strings.Cut(text, mark)
	if !found {
		t.Fatalf("%s has no line %q", file, mark)
	}
	var b strings.Builder
	b.WriteString(head + mark)
	for _, c := range table() {
		b.WriteString("\n## " + c.Title + "\n\n    cortex-serve setup " + c.Name + "\n\n")
		m := Machine{OS: "linux", Home: "~", Getenv: func(string) string { return "" }}
		mac := m
		mac.OS = "darwin"
		place := "`" + c.files(m)[0] + "`"
		if other := c.files(mac)[0]; other != c.files(m)[0] {
			place += " (macOS: `" + other + "`)"
		}
		server := Server{Name: "cortex", Command: "/path/to/cortex-serve"}
		started := "starts servers in the folder of the project"
		if !c.Inside {
			server.Args = []string{"--root", "/path/to/repository"}
			started = "starts servers elsewhere, so the entry names the folder"
		}
		b.WriteString(place + "; " + c.Title + " " + started + ". Then: " + c.Then + ".\n")
		kind := "json"
		if c.syntax == tomlSyntax {
			kind = "toml"
		}
		shown := []Server{server}
		if c.http != nil {
			shown = append(shown, here)
		}
		if c.http != nil && (c.variable != "" || c.syntax == tomlSyntax) {
			shown = append(shown, there)
		}
		for _, s := range shown {
			text, err := c.Print(s)
			if err != nil {
				t.Fatal(err)
			}
			b.WriteString("\n```" + kind + "\n" + text + "```\n")
		}
	}
	if os.Getenv("UPDATE_GOLDEN") != "" {
		if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if text != b.String() {
		t.Errorf("%s: not what the table says", file)
	}
}

// TestHeadersStay: headers that the user has added stay when the entry is written again.
func TestHeadersStay(t *testing.T) {
	c := find(t, "cursor")
	before := "{\"mcpServers\": {\"cortex\": {\"url\": \"http://a/mcp\", \"headers\": {\"X-Team\": \"core\"}}}}\n"
	for _, s := range []Server{here, there} {
		after, err := c.edit([]byte(before), "cortex", func(t text, path []string) error { return t.set(path, must(c.members(s)), c.foreign(s)) })
		if err != nil || !strings.Contains(string(after), `"X-Team": "core"`) || strings.Contains(string(after), "Authorization") != s.Token {
			t.Errorf("%v: %s", err, after)
		}
	}
	after, err := c.edit([]byte(before), "cortex", func(t text, path []string) error { return t.set(path, must(c.members(local)), c.foreign(local)) })
	if err != nil || strings.Contains(string(after), "headers") {
		t.Errorf("%v: %s", err, after)
	}
}

// TestMentions finds entries in all forms, and files that cannot be read.
func TestMentions(t *testing.T) {
	m := machine(t, nil)
	for i, name := range Names() {
		server := local
		if c := find(t, name); i%2 == 1 && c.http != nil {
			server = here
		}
		if _, _, err := find(t, name).Setup(m, server); err != nil {
			t.Fatal(err)
		}
	}
	broken := find(t, "gemini").File(m)
	if err := os.WriteFile(broken, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, found := range Mentions(m) {
		if (found.Err != nil) != (found.File == broken) || found.Err == nil && found.Command != local.Command && found.URL != here.URL {
			t.Errorf("%+v", found)
		}
		names = append(names, found.Client.Name)
	}
	if !slices.Equal(names, Names()) {
		t.Errorf("found %v", names)
	}
}

func TestFind(t *testing.T) {
	if _, err := Find("cursr"); err == nil || !strings.Contains(hint.Of(err), "did you mean cursor?") {
		t.Errorf("%v: %s", err, hint.Of(err))
	}
	for _, bad := range []string{"127.0.0.1:8137", "ftp://a/b", "http://", "http://user:word@host/mcp", "://"} {
		s := here
		s.URL = bad
		if _, err := find(t, "cursor").members(s); err == nil {
			t.Errorf("%s: no error", bad)
		}
	}
}

// FuzzEdit edits any text that can be parsed. The result can be parsed again and differs only in the entry, which edit
// itself checks.
func FuzzEdit(f *testing.F) {
	for _, name := range append(Names(), "odd") {
		archive, err := txtar.ParseFile(filepath.Join("testdata", name+".txtar"))
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range archive.Files {
			f.Add(string(file.Data), name == "codex")
		}
	}
	f.Fuzz(func(t *testing.T, before string, isTOML bool) {
		name := "cursor"
		if isTOML {
			name = "codex"
		}
		c := find(t, name)
		after, err := c.edit([]byte(before), "cortex", func(t text, path []string) error { return t.set(path, must(c.members(local)), []string{"url"}) })
		var fault *syntaxError
		if err != nil {
			if !asSyntax(err, &fault) {
				t.Fatalf("%q: %v", before, err)
			}
			return
		}
		entries, err := c.entries(after)
		if err != nil || entries["cortex"]["command"] != local.Command {
			t.Fatalf("%q became %q: %v", before, after, err)
		}
		if _, err := c.edit(after, "cortex", func(t text, path []string) error { _, err := t.unset(path); return err }); err != nil {
			t.Fatalf("remove from %q: %v", after, err)
		}
	})
}

func asSyntax(err error, fault **syntaxError) bool {
	f, ok := err.(*syntaxError)
	*fault = f
	return ok
}
