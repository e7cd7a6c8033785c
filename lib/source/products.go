package source

import "strings"

// The built-in exclusions. Ignore files come first, so a pattern such as "!/vendor/" in
// one of them brings a folder back, except those in neverFolders.

// neverFolders belong to version control systems and to Cortex.
var neverFolders = nameSet(".git", ".hg", ".svn", ".bzr", ".jj", "_darcs", "CVS", ".cortex")

// productFolders hold dependencies, build products and caches by their very name.
var productFolders = nameSet(
	"node_modules", "bower_components", "jspm_packages", "vendor", "dist", "dist-newstyle",
	"Pods", "elm-stuff", "htmlcov", "storybook-static", "zig-out",
	"__pycache__", "__pypackages__",
	".venv", ".tox", ".nox", ".eggs", ".mypy_cache", ".pytest_cache", ".ruff_cache", ".hypothesis",
	".ipynb_checkpoints", ".cache", ".parcel-cache", ".turbo", ".nx", ".npm", ".pnpm-store", ".yarn",
	".next", ".nuxt", ".svelte-kit", ".angular", ".docusaurus", ".nyc_output",
	".gradle", ".bsp", ".bloop", ".metals", ".stack-work", ".build", ".dart_tool", ".zig-cache", "zig-cache",
	".terraform", ".terragrunt-cache", ".serverless", ".vagrant", ".direnv", ".bundle",
	".idea", ".vs",
)

// buildFiles are what tools that leave products beside them are controlled by.
var buildFiles = nameSet(
	"package.json", "Cargo.toml", "pom.xml", "build.gradle", "build.gradle.kts", "build.sbt", "project.clj",
	"setup.py", "setup.cfg", "pyproject.toml", "CMakeLists.txt", "meson.build", "configure.ac", "Makefile", "makefile", "GNUmakefile",
	"go.mod", "pubspec.yaml", "mix.exs", "rebar.config", "dune-project", "stack.yaml", "composer.json", "Gemfile", "Package.swift",
	"foundry.toml", "conf.py", "global.json",
)

// isBuildFile reports whether the name is one of buildFiles or has the ending of a project
// of .NET.
func isBuildFile(name string) bool {
	return buildFiles[name] || strings.HasSuffix(name, "proj") && (strings.HasSuffix(name, ".csproj") ||
		strings.HasSuffix(name, ".fsproj") || strings.HasSuffix(name, ".vbproj") || strings.HasSuffix(name, ".vcxproj"))
}

// productFiles are written by the desktop.
var productFiles = nameSet(".DS_Store", "Thumbs.db", "desktop.ini")

// never reports whether no ignore file can bring the name back. In a linked work tree ".git" is a file. A file in the place of a store
// has a path that no record may have.
func never(name string, dir bool) bool {
	return neverFolders[name] && (dir || name == ".git" || name == ".cortex")
}
