// Package notation defines the marks that cortex-chunk adds to a chunk to say which part of a file or definition it is,
// and that search recognises later. Each mark has its writer and its reader here, side by side.
//
// A chunk goes in, and out comes what its marks say. Package chunk writes the marks; the packages of lib/search read
// them. Begin with continued.go, which has the head of a chunk that continues another one.
package notation

import (
	"strings"

	"cortex/lib/language"
)

// WithComment returns the language with the marks of a comment. Languages without comments get those of a shell.
func WithComment(l language.Language) language.Language {
	if l.Comment == "" {
		l.Comment, l.CommentEnd = "#", ""
	}
	return l
}

// Comment returns text, which has no line breaks, as a comment on one line. The language has the marks of a comment
// (WithComment).
func Comment(l language.Language, text string) string {
	if l.CommentEnd == "" {
		return l.Comment + " " + text
	}
	return l.Comment + " " + strings.ReplaceAll(text, l.CommentEnd, " ") + " " + l.CommentEnd
}

// languageOf returns the language with the given name, with the marks of a comment.
func languageOf(name string) language.Language {
	l, _ := language.ByName(name)
	return WithComment(l)
}
