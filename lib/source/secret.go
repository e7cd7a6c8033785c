package source

import (
	"bytes"
	"path"
	"slices"
	"strings"
)

// Files that hold secrets are skipped, since an index is shared, and an embedding service may see the texts. The names
// are those of files in which programs keep passwords, keys and tokens, taken from public lists. Ordinary sources,
// public keys and certificates are not among them. Other secrets are found by the beginning of the file.

// secretNames are whole file names, in lower case.
var secretNames = nameSet(
	// Private keys of SSH.
	"id_rsa", "id_dsa", "id_ecdsa", "id_ecdsa_sk", "id_ed25519", "id_ed25519_sk", "id_xmss",
	// Logins and tokens of programs.
	".netrc", "_netrc", ".authinfo", ".npmrc", ".pypirc", ".git-credentials", ".htpasswd", ".htdigest", "proftpdpasswd", ".pgpass", "pgpass.conf",
	".my.cnf", ".mylogin.cnf", ".dockercfg", ".s3cfg", ".boto", ".vault-token", ".terraformrc", "terraform.rc", "credentials.tfrc.json", ".databrickscfg", ".edgerc",
	".msmtprc", ".esmtprc", ".fetchmailrc", ".tugboat", ".wakatime.cfg", "kaggle.json", "rclone.conf",
	"filezilla.xml", "recentservers.xml", "sitemanager.xml", "sftp-config.json", ".ftpconfig", ".dbeaver-data-sources.xml",
	"kubeconfig", "kubeconfig.yaml", "kubeconfig.yml", ".envrc",
	"credentials", ".credentials", "credentials.json", "application_default_credentials.json",
	"service-account.json", "service_account.json", "serviceaccount.json", "service-account-key.json", "service_account_key.json", "serviceaccountkey.json",
	// OpenPGP key rings.
	"secring.gpg",
	// Shell histories whose names do not begin with a dot.
	".history", "fish_history", "consolehost_history.txt",
)

// secretPlaces are file names that indicate secrets only together with the folder's name, in lower case.
var secretPlaces = nameSet(
	".ssh/identity", ".aws/credentials", ".kube/config", "kubernetes/admin.conf", ".docker/config.json", ".gem/credentials", ".cargo/credentials", ".cargo/credentials.toml",
	".composer/auth.json", ".m2/settings.xml", ".m2/settings-security.xml", ".streamlit/secrets.toml", ".config/hub", "gh/hosts.yml", ".vscode/sftp.json",
	".vnc/passwd", "etc/shadow", "etc/gshadow", "config/secrets.yml", ".oci/config", ".snowsql/config", ".aliyun/config.json",
	".azure/accesstokens.json", ".azure/msal_token_cache.json",
)

// secretEndings are endings of file names, in lower case: of keys, of stores of keys and passwords, and of files about
// a deployment.
var secretEndings = nameSet(
	".pem", ".key", ".p8", ".p12", ".pfx", ".pkcs12", ".jks", ".keystore", ".bks", ".bcfks", ".ppk", ".keytab",
	".kdb", ".kdbx", ".psafe3", ".agilekeychain", ".keychain", ".keychain-db",
	".ovpn", ".kubeconfig", ".publishsettings", ".tfstate",
)

// copyEndings are endings of copies that editors and people make.
var copyEndings = []string{"~", ".bak", ".backup", ".copy", ".old", ".orig", ".save"}

// secretByName returns the reason to skip a file because of its name, or "".
func secretByName(filePath string) string {
	filePath = strings.ToLower(filePath)
	folder, name := path.Base(path.Dir(filePath)), path.Base(filePath)
	for _, ending := range copyEndings {
		name = strings.TrimSuffix(name, ending)
	}
	switch {
	case isEnvironmentFile(name):
		return Secret + ": environment"
	case secretEndings[path.Ext(name)], isTerraform(name):
		return Secret + ": " + path.Ext(name)
	case secretNames[name], secretPlaces[folder+"/"+name], isHistory(name), isCredentials(name):
		return Secret + ": " + name
	}
	return ""
}

// isEnvironmentFile reports whether the file sets environment variables: .env, .env.local, prod.env, but not
// .env.example.
func isEnvironmentFile(name string) bool {
	return (name == ".env" || strings.HasPrefix(name, ".env.") || path.Ext(name) == ".env") && !isExample(name)
}

// isTerraform reports whether the file holds variables of Terraform, or a copy of its state such as
// terraform.tfstate.1700000000.backup.
func isTerraform(name string) bool {
	if strings.Contains(name, ".tfstate.") {
		return true
	}
	return path.Ext(strings.TrimSuffix(name, ".json")) == ".tfvars" && !isExample(name)
}

// isExample reports whether a part of the name marks the file as an example or template.
func isExample(name string) bool {
	return slices.ContainsFunc(strings.FieldsFunc(name, func(r rune) bool { return strings.ContainsRune("._-", r) }), func(part string) bool {
		switch part {
		case "example", "examples", "sample", "template", "tmpl", "tpl", "dist", "default", "defaults", "schema":
			return true
		}
		return false
	})
}

// isHistory reports whether the file is a shell history, such as .bash_history or .irb-history.
func isHistory(name string) bool {
	return strings.HasPrefix(name, ".") && (strings.HasSuffix(name, "_history") || strings.HasSuffix(name, "-history"))
}

// isCredentials reports whether the file has a name that Google gives to credentials of its clients.
func isCredentials(name string) bool {
	return path.Ext(name) == ".json" && (strings.HasPrefix(name, "client_secret") || strings.Contains(name, "-firebase-adminsdk-"))
}

// maxPreface is the number of lines that may precede a key: comments and attributes written by openssl.
const maxPreface = 64

// secretByContent returns the reason to skip a text that begins with a private key, or that is a list of certificates
// and keys including a private one; otherwise "".
func secretByContent(text []byte) string {
	const reason = Secret + ": private key"
	rest := text
	for range maxPreface {
		var line []byte
		line, rest, _ = bytes.Cut(rest[:min(len(rest), headSize)], []byte("\n"))
		indented := bytes.HasPrefix(line, []byte(" ")) || bytes.HasPrefix(line, []byte("\t"))
		line = bytes.TrimSpace(line)
		switch {
		case isKeyLine(line):
			return reason
		case bytes.HasPrefix(line, []byte("-----BEGIN ")):
			// A certificate or the parameters of a curve may precede the key.
			for line := range bytes.Lines(text) {
				if isKeyLine(bytes.TrimSpace(line)) {
					return reason
				}
			}
			return ""
		case bytes.HasPrefix(line, []byte("{")):
			if hasKeyMember(text) {
				return reason
			}
			return ""
		case len(line) == 0, line[0] == '#', indented, isAttribute(line):
		default:
			return ""
		}
		if len(rest) == 0 {
			return ""
		}
	}
	return ""
}

// isKeyLine reports whether the line, without surrounding space, begins a private key.
func isKeyLine(line []byte) bool {
	if begin, ok := bytes.CutPrefix(line, []byte("-----BEGIN ")); ok {
		return bytes.HasSuffix(begin, []byte("PRIVATE KEY-----")) || bytes.HasSuffix(begin, []byte("PRIVATE KEY BLOCK-----"))
	}
	if begin, ok := bytes.CutPrefix(line, []byte("---- BEGIN ")); ok {
		return bytes.HasSuffix(begin, []byte("PRIVATE KEY ----"))
	}
	if comment, ok := bytes.CutPrefix(line, []byte("untrusted comment: ")); ok {
		return bytes.Contains(comment, []byte("secret key")) // minisign, signify
	}
	return bytes.HasPrefix(line, []byte("PuTTY-User-Key-File-")) || bytes.HasPrefix(line, []byte("AGE-SECRET-KEY-")) ||
		bytes.Contains(line, []byte("Private-Key: (")) // openssl pkey -text
}

// isAttribute reports whether the line is one that openssl writes before a key or certificate.
func isAttribute(line []byte) bool {
	for _, start := range [...]string{"Bag Attributes", "Key Attributes", "subject=", "issuer="} {
		if bytes.HasPrefix(line, []byte(start)) {
			return true
		}
	}
	return false
}

// hasKeyMember reports whether a JSON text has a private key, as Google's files for service accounts do.
func hasKeyMember(text []byte) bool {
	_, value, found := bytes.Cut(text, []byte(`"private_key"`))
	value, ok := bytes.CutPrefix(bytes.TrimSpace(value), []byte(":"))
	return found && ok && bytes.HasPrefix(bytes.TrimSpace(value), []byte(`"-----BEGIN `))
}
