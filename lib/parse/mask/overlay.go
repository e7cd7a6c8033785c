package mask

// An overlay is a text of which some bytes are replaced.
type overlay struct {
	text string
	// out is the result, nil until something is replaced.
	out []byte
}

// result returns the text with what was replaced.
func (o *overlay) result() string {
	if o.out == nil {
		return o.text
	}
	return string(o.out)
}

// bytes returns the result to be written to.
func (o *overlay) bytes() []byte {
	if o.out == nil {
		o.out = []byte(o.text)
	}
	return o.out
}

// fill replaces the text from start to end with c, except line ends.
func (o *overlay) fill(start, end int, c byte) {
	b := o.bytes()
	for i := start; i < end; i++ {
		if b[i] != '\n' && b[i] != '\r' {
			b[i] = c
		}
	}
}

// blank replaces the text from start to end with blanks, except line ends.
func (o *overlay) blank(start, end int) { o.fill(start, end, ' ') }
