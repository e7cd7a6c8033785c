package source

import "strings"

// These are the built-in exclusions. Ignore files are asked first, so a pattern such as "!/vendor/" includes a folder
// again, except those in neverFolders.

// neverFolders are folders of version control systems and of Cortex.
var neverFolders = nameSet(".git", ".hg", ".svn", ".bzr", ".jj", "_darcs", "CVS", ".cortex")

// productFolders are names of folders that hold dependencies or build products. Walk lists them as skipped, since users
// may look for a file there.
var productFolders = nameSet(
	"node_modules", "bower_components", "jspm_packages", "vendor", "dist", "dist-newstyle",
	"Pods", "elm-stuff", "storybook-static", "zig-out", "__pypackages__", ".venv", ".eggs", ".yarn", ".bundle",
)

// cacheFolders are names of folders in which tools keep their own state. Walk does not list them.
var cacheFolders = nameSet(
	"__pycache__", "htmlcov", ".tox", ".nox", ".mypy_cache", ".pytest_cache", ".ruff_cache", ".hypothesis",
	".ipynb_checkpoints", ".cache", ".parcel-cache", ".turbo", ".nx", ".npm", ".pnpm-store",
	".next", ".nuxt", ".svelte-kit", ".angular", ".docusaurus", ".nyc_output",
	".gradle", ".bsp", ".bloop", ".metals", ".stack-work", ".build", ".dart_tool", ".zig-cache", "zig-cache",
	".terraform", ".terragrunt-cache", ".serverless", ".vagrant", ".direnv",
	".idea", ".vs",
)

// productSkip returns the reason to skip a folder of products, with the line of an ignore file that includes it.
func productSkip(path string) string {
	return Product + ": the line !/" + patternEscapes.Replace(path) + "/ in .cortexignore includes them"
}

// patternEscapes turns a path into a pattern of an ignore file.
var patternEscapes = strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`)

// buildFiles are the files of build tools that put products into folders next to them.
var buildFiles = nameSet(
	"package.json", "Cargo.toml", "pom.xml", "build.gradle", "build.gradle.kts", "build.sbt", "project.clj",
	"setup.py", "setup.cfg", "pyproject.toml", "CMakeLists.txt", "meson.build", "configure.ac", "Makefile", "makefile", "GNUmakefile",
	"go.mod", "pubspec.yaml", "mix.exs", "rebar.config", "dune-project", "stack.yaml", "composer.json", "Gemfile", "Package.swift",
	"foundry.toml", "conf.py", "global.json",
)

// isBuildFile reports whether the name is in buildFiles or is that of a .NET project.
func isBuildFile(name string) bool {
	return buildFiles[name] || strings.HasSuffix(name, "proj") && (strings.HasSuffix(name, ".csproj") ||
		strings.HasSuffix(name, ".fsproj") || strings.HasSuffix(name, ".vbproj") || strings.HasSuffix(name, ".vcxproj"))
}

// productFiles are files that desktop systems write.
var productFiles = nameSet(".DS_Store", "Thumbs.db", "desktop.ini")

// never reports whether the name is excluded regardless of ignore files. In a linked worktree ".git" is a file. A file
// named ".cortex" has a path that no record may have. A folder such as .cortex.newer is a store that was set aside.
func never(name string, dir bool) bool {
	return dir && strings.HasPrefix(name, ".cortex.") || neverFolders[name] && (dir || name == ".git" || name == ".cortex")
}
