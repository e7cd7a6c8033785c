package source

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"

	"cortex/lib/record"
)

// keyText returns a private key in the given format.
func keyText(form string) string {
	return "-----BEGIN " + form + "-----\nMIIEpAIBAAKCAQEA0Z3VS5JJcds3xfn/ygWyF8PbnGy0AHB7MaU=\n-----END " + form + "-----\n"
}

// skipsOf writes the files and returns why each is skipped.
func skipsOf(t *testing.T, texts map[string]string, opts Options) map[string]string {
	t.Helper()
	opts.Root = t.TempDir()
	for path, text := range texts {
		path = filepath.Join(opts.Root, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	entries, err := Walk(context.Background(), opts)
	if err != nil {
		t.Fatal(err)
	}
	tree, err := OpenFolder(opts.Root)
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	skips := map[string]string{}
	for _, e := range entries {
		if want := opts.Secrets || secretByName(e.Path) == ""; want != (e.Skip == "") {
			t.Errorf("%s is listed with %q", e.Path, e.Skip) // status compares what is listed
		}
		data, _, skip, err := tree.Read(e, 0)
		if err != nil {
			t.Fatal(err)
		}
		if skip != "" && data != nil {
			t.Errorf("%s: skipped, and read", e.Path)
		}
		skips[e.Path] = skip
		// List gives the same.
		if listed, err := List(context.Background(), opts, []string{e.Path}); err != nil || len(listed) != 1 || listed[0] != e {
			t.Errorf("%s: listed as %+v, want %+v: %v", e.Path, listed, e, err)
		}
	}
	if len(skips) != len(texts) {
		t.Errorf("%d files of %d are listed", len(skips), len(texts))
	}
	return skips
}

// Files with names of secrets are left out, unless the user wants them.
func TestSecretsByName(t *testing.T) {
	names := strings.Fields(`.env app/.env .ENV .env.local .env.production .env.test .env.backup prod.env .envrc
		.ssh/id_rsa id_dsa deploy/id_ecdsa id_ecdsa_sk id_ed25519 id_ed25519_sk .ssh/identity
		server.pem SERVER.PEM tls/server.key config/master.key AuthKey_ABC.p8 a.p12 a.pfx a.pkcs12 a.jks release.keystore a.bks putty.ppk http.keytab
		passwords.kdbx a.kdb a.psafe3 login.keychain login.keychain-db
		.netrc _netrc .authinfo .npmrc web/.npmrc .pypirc .git-credentials .htpasswd .htdigest .pgpass pgpass.conf .my.cnf .mylogin.cnf .dockercfg .s3cfg .boto
		.vault-token .terraformrc credentials.tfrc.json .databrickscfg .edgerc .msmtprc .credentials credentials
		.aws/credentials home/.aws/credentials .kube/config kubeconfig kubeconfig.yaml prod.kubeconfig .docker/config.json .gem/credentials .cargo/credentials.toml
		.composer/auth.json .m2/settings.xml .streamlit/secrets.toml config/secrets.yml .config/hub gh/hosts.yml etc/shadow .oci/config .azure/accessTokens.json
		terraform.tfstate terraform.tfstate.backup terraform.tfstate.1700000000.backup prod.tfvars prod.auto.tfvars.json
		.bash_history .zsh_history .sh_history .psql_history .mysql_history .python_history .node_repl_history .irb-history .history fish_history ConsoleHost_history.txt
		credentials.json application_default_credentials.json client_secret.json client_secrets.json client_secret_12-ab.apps.googleusercontent.com.json
		service-account.json serviceAccountKey.json app-firebase-adminsdk-a1b2c.json kaggle.json
		.gnupg/secring.gpg office.ovpn azure.publishsettings sftp-config.json .vscode/sftp.json .ftpconfig filezilla.xml recentservers.xml sitemanager.xml rclone.conf
		.netrc~ .npmrc.bak credentials.json.old id_rsa.orig testdata/fixtures/key.pem`)
	texts := map[string]string{}
	for _, name := range names {
		texts[name] = "token=1\n"
	}
	if len(texts) < 39 {
		t.Fatalf("%d kinds", len(texts))
	}
	for path, skip := range skipsOf(t, texts, Options{}) {
		if record.ReasonOf(skip) != Secret {
			t.Errorf("%s: %q", path, skip)
		}
	}
	for path, skip := range skipsOf(t, texts, Options{Secrets: true}) {
		if skip != "" {
			t.Errorf("%s is wanted: %q", path, skip)
		}
	}
}

// Ordinary sources whose names are like those of secrets are indexed.
func TestOrdinaryNames(t *testing.T) {
	names := strings.Fields(`secrets.go secret.py credentials.py credentials.go credentials.ts token.ts tokens.json keys.go key.ts keystore.go keychain.swift password.rb auth.json
		id_rsa.pub id_ed25519.pub id_rsa.go deploy.pub server.crt ca.cer root.csr known_hosts .ssh/config .ssh/authorized_keys .aws/config
		.env.example .env.sample .env.template .env.dist .env.defaults .env.local.example .env.production.sample example.env sample.env env.ts env.d.ts environment.rb .environment
		docker/config.json config.json kube/config kubeconfig.go config/credentials.yml.enc templates/secrets.yaml secrets.yaml locales/en/credentials.ts
		terraform.tf example.tfvars terraform.tfvars.example state.go tfstate.go history.go HISTORY history.md bash_history.go shell_history.txt
		netrc.go npmrc.md htpasswd.py pgpass.go service-account.yaml service_account.go client_secret.go settings.xml hosts.yml monkey shadow hub.go
		.gitconfig .bashrc .profile pip.conf database.yml pem.go x509.pem.go`)
	texts := map[string]string{}
	for _, name := range names {
		texts[name] = "x = 1\n"
	}
	for path, skip := range skipsOf(t, texts, Options{}) {
		if skip != "" {
			t.Errorf("%s: %q", path, skip)
		}
	}
}

// Files that begin as private keys are left out whatever their names.
func TestSecretsByContent(t *testing.T) {
	utf16le := func(s string) string {
		var b bytes.Buffer
		for _, u := range append([]uint16{0xfeff}, utf16.Encode([]rune(s))...) {
			b.Write([]byte{byte(u), byte(u >> 8)})
		}
		return b.String()
	}
	certificate := keyText("CERTIFICATE")
	secrets := map[string]string{
		"pkcs8.txt":      keyText("PRIVATE KEY"),
		"rsa.txt":        keyText("RSA PRIVATE KEY"),
		"dsa":            keyText("DSA PRIVATE KEY"),
		"ec.md":          keyText("EC PARAMETERS") + keyText("EC PRIVATE KEY"),
		"openssh":        keyText("OPENSSH PRIVATE KEY"),
		"encrypted.go":   keyText("ENCRYPTED PRIVATE KEY"),
		"crlf":           strings.ReplaceAll(keyText("PRIVATE KEY"), "\n", "\r\n"),
		"bom":            "\ufeff" + keyText("PRIVATE KEY"),
		"utf16":          utf16le(keyText("PRIVATE KEY")),
		"indented":       "\n\n  " + keyText("PRIVATE KEY"),
		"pgp.asc":        keyText("PGP PRIVATE KEY BLOCK"),
		"ssh2":           "---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----\nAAAA\n---- END SSH2 ENCRYPTED PRIVATE KEY ----\n",
		"putty":          "PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\nComment: me\n",
		"keys.txt":       "# created: 2026-01-01T00:00:00Z\n# public key: age1qqq\nAGE-SECRET-KEY-1QQQQ\n",
		"minisign":       "untrusted comment: minisign encrypted secret key\nRWRTY0Iy\n",
		"bundle.crt":     certificate + keyText("PRIVATE KEY"),
		"pkcs12.out":     "Bag Attributes\n    localKeyID: 01 02\n    friendlyName: me\nKey Attributes: <No Attributes>\n" + keyText("PRIVATE KEY"),
		"text.out":       "Private-Key: (2048 bit, 2 primes)\nmodulus:\n    00:aa\n",
		"comments":       "# the key of the test server\n\n" + keyText("RSA PRIVATE KEY"),
		"project-a.json": "{\n  \"type\": \"service_account\",\n  \"private_key_id\": \"1\",\n  \"private_key\": \"-----BEGIN PRIVATE KEY-----\\nMIIE\\n-----END PRIVATE KEY-----\\n\"\n}\n",
	}
	for path, skip := range skipsOf(t, secrets, Options{}) {
		if record.ReasonOf(skip) != Secret {
			t.Errorf("%s: %q", path, skip)
		}
	}
	for path, skip := range skipsOf(t, secrets, Options{Secrets: true}) {
		if skip != "" {
			t.Errorf("%s is wanted: %q", path, skip)
		}
	}
	ordinary := map[string]string{
		"server.crt":  certificate,
		"chain.crt":   "subject=CN = a\nissuer=CN = b\n" + certificate + certificate,
		"public.asc":  keyText("PGP PUBLIC KEY BLOCK"),
		"key.pub":     "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI me@here\n",
		"rsa.pub":     keyText("PUBLIC KEY"),
		"minisign.pk": "untrusted comment: minisign public key\nRWQ\n",
		"main.go":     "package a\n\nconst key = `" + keyText("RSA PRIVATE KEY") + "`\n",
		"key.md":      "Keys look so:\n\n" + keyText("RSA PRIVATE KEY"),
		"a.json":      `{"type": "service_account", "private_key": ""}`,
		"schema.json": `{"properties": {"private_key": {"type": "string"}}}`,
		"empty":       "",
		"dashes":      "-----BEGIN",
	}
	for path, skip := range skipsOf(t, ordinary, Options{}) {
		if skip != "" {
			t.Errorf("%s: %q", path, skip)
		}
	}
}
