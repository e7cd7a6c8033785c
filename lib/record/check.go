package record

import (
	"errors"
	"fmt"
	"slices"
)

// Check reports an unknown schema version, an unknown mode and an invalid tree name.
func (b *Begin) Check() error {
	if b.Schema != Schema {
		return fmt.Errorf("schema %d, this version reads %d", b.Schema, Schema)
	}
	if b.Mode != Full && b.Mode != Incremental {
		return fmt.Errorf("mode %q is neither %q nor %q", b.Mode, Full, Incremental)
	}
	return CheckTree(b.Tree)
}

// Check returns nil: all values of an End are valid.
func (e *End) Check() error { return nil }

// Check reports missing or unknown values, paths that leave the tree, and symbols outside the text.
func (f *File) Check() error {
	if f.FilePath == "" {
		return errors.New("no file_path")
	}
	if err := CheckTreePath("", f.FilePath); err != nil {
		return err
	}
	if !slices.Contains(Statuses, f.Status) {
		return fmt.Errorf("unknown status %q", f.Status)
	}
	for _, m := range f.Mappings {
		if err := CheckFolder(m.Path); err != nil {
			return fmt.Errorf("mapping of %q to %q: %w", m.Module, m.Path, err)
		}
	}
	return f.checkSpans()
}

// checkSpans reports symbols whose spans lie outside of Text, so that callers can slice Text by them.
func (f *File) checkSpans() error {
	for i := range f.Symbols {
		s := &f.Symbols[i]
		if s.StartByte < 0 || s.EndByte < s.StartByte || s.EndByte > len(f.Text) ||
			s.BodyByte < 0 || s.BodyByte > len(f.Text) ||
			s.StartLine < 1 || s.EndLine < s.StartLine || s.DocLine < 0 || s.DocLine > s.StartLine {
			return fmt.Errorf("symbol %q: span outside the text", s.QualifiedName)
		}
	}
	return nil
}

// Check reports missing or unknown values and a path that leaves the tree.
func (c *Chunk) Check() error {
	switch {
	case c.ID == "":
		return errors.New("no id")
	case c.Metadata.FilePath == "":
		return fmt.Errorf("chunk %q: no metadata.file_path", c.ID)
	case !slices.Contains(ChunkTypes, c.ChunkType):
		return fmt.Errorf("chunk %q: unknown chunk_type %q", c.ID, c.ChunkType)
	}
	if err := CheckTreePath(c.Metadata.Tree, c.Metadata.FilePath); err != nil {
		return fmt.Errorf("chunk %q: %w", c.ID, err)
	}
	return nil
}
