package chunk

import (
	"cmp"
	"slices"
	"strings"

	"cortex/lib/chunk/label"
	"cortex/lib/notation"
	"cortex/lib/record"
)

// implementations adds a chunk for every function, and chunks without a symbol for all lines that no other chunk shows.
func (c *cutter) implementations() {
	regions := c.bodies(nil, 0)
	for _, r := range regions {
		c.cover(r.first, r.last)
	}
	regions = c.loose(regions)
	slices.SortStableFunc(regions, func(a, b region) int { return cmp.Compare(a.first, b.first) })
	c.regions = regions
	bases := c.bases(regions)
	for i, r := range regions {
		if r.node > 0 {
			c.body(r, &bases[i])
		} else {
			c.looseText(r)
		}
	}
}

// bodies appends the regions of the functions in node i.
func (c *cutter) bodies(out []region, i int) []region {
	for k := range c.children(i) {
		n := &c.nodes[k]
		switch {
		case !n.hasBody() || c.incidental(k):
			out = c.bodies(out, k)
		case c.isContainer(k):
			out = c.around(out, k)
		default:
			out = append(out, region{k, n.lead, n.end})
		}
	}
	return out
}

// incidental reports whether a function is a few characters among other statements, such as a callback in a list of
// arguments, and reads best there.
func (c *cutter) incidental(k int) bool {
	const small = 160
	n := &c.nodes[k]
	return n.parent == 0 && n.lead == n.first && !n.hasFunctions() && c.src.Size(n.first, n.last) <= small &&
		strings.IndexByte(" \t", c.src.Text[c.src.Start[n.first]]) >= 0
}

// around appends the regions of a container: the functions inside it, and the lines between them.
func (c *cutter) around(out []region, k int) []region {
	n := &c.nodes[k]
	inside := c.bodies(nil, k)
	at := n.lead
	for _, r := range inside {
		if first, last := c.src.Trim(at, r.first); first < last {
			out = append(out, region{k, first, last})
		}
		out = append(out, r)
		at = r.last
	}
	if first, last := c.src.Trim(at, n.end); first < last {
		out = append(out, region{k, first, last})
	}
	return out
}

// largeOpening is the size in characters up to which lines that open a bracket are added to the function that follows.
const largeOpening = 200

// shortLine is the size in characters up to which a single line after a function, such as an export of it, is added to
// the function.
const shortLine = 100

// loose appends the regions of lines that no chunk shows. Trivial lines, or a single short line, are added to the
// function before them. Lines that end with an opening bracket are added to the function after them.
func (c *cutter) loose(regions []region) []region {
	starts, ends := make(map[int]int, len(regions)), make(map[int]int, len(regions))
	for i, r := range regions {
		starts[r.first], ends[r.last] = i, i
	}
	n := c.src.Count()
	for first := 0; first < n; {
		if c.covered[first] || c.src.Blank(first) {
			first++
			continue
		}
		last := first
		for last < n && !c.covered[last] {
			last++
		}
		start, end := c.src.Trim(first, last)
		first = last
		alone := c.allTrivial(start, end) || end == start+1 && c.src.Size(start, end) <= shortLine
		if before, ok := c.before(ends, start); ok && alone {
			regions[before].last = end
			continue
		}
		if after, ok := starts[last]; ok && c.opensGroup(end-1) && c.src.Size(start, last) <= largeOpening {
			regions[after].first = start
			continue
		}
		regions = append(regions, region{0, start, end})
	}
	return regions
}

// before returns the region that ends just before a line, apart from blank lines.
func (c *cutter) before(ends map[int]int, line int) (int, bool) {
	for line > 0 && c.src.Blank(line-1) {
		line--
	}
	i, ok := ends[line]
	return i, ok
}

// A base is the beginning of the identifiers of one function's chunks, and the number of chunks so far. All regions of
// a function share it.
type base struct {
	id    string
	count *int
}

// bases returns the base of each region. If a name is declared several times, each declaration gets a number, and its
// parts get numbers behind it, so that a declaration that grows does not rename the next one.
func (c *cutter) bases(regions []region) []base {
	byNode := make(map[int]base, len(regions))
	times := make(map[string]int, len(regions))
	for _, r := range regions {
		if _, ok := byNode[r.node]; !ok && r.node > 0 {
			byNode[r.node] = base{count: new(int)}
			times[label.Of(c.nodes[r.node].sym)]++
		}
	}
	seen := make(map[string]int)
	out := make([]base, len(regions))
	for i, r := range regions {
		if r.node == 0 {
			continue
		}
		b := byNode[r.node]
		if b.id == "" {
			name := label.Of(c.nodes[r.node].sym)
			b.id = "code-impl-" + record.IDPath(c.path) + "#" + name
			if times[name] > 1 {
				seen[name]++
				b.id += notation.Number(seen[name])
			}
			byNode[r.node] = b
		}
		out[i] = b
	}
	return out
}

// next returns the identifier of the next part.
func (b *base) next() string {
	*b.count++
	id := b.id
	if *b.count == 1 {
		return strings.TrimSuffix(id, notation.Number(1))
	}
	return notation.PartID(id, *b.count)
}

// body adds the chunks of one region of a function.
func (c *cutter) body(r region, b *base) {
	n := &c.nodes[r.node]
	test := c.isTest(r.node)
	name := label.Of(n.sym)
	title := c.f.FilePath + ": " + name + " (" + string(n.sym.Kind) + ")"
	for _, at := range c.src.split(r.first, r.last, c.opts.CodeSize) {
		id := b.next()
		part := title
		head := ""
		if *b.count == 1 {
			if name != n.sym.Name {
				head = c.comment(name) + "\n"
			}
		} else {
			part = notation.PartTitle(title, *b.count)
			head = c.continuation(r.node)
		}
		c.add(record.Implementations, id, part, head+c.src.Slice(at), at, n, test)
	}
}

// maxDoc is the greatest size in characters of the documentation that a further part of a function repeats.
const maxDoc = 200

// continuation returns the head of the second and later parts of a function.
func (c *cutter) continuation(k int) string {
	n := &c.nodes[k]
	head := notation.Continued(c.lang, label.Of(n.sym)) + "\n"
	if n.sym.Signature != "" {
		head += c.comment(c.signatureLine(k)) + "\n"
	}
	if doc := firstSentence(n.sym.Doc, maxDoc); doc != "" {
		head += c.comment(doc) + "\n"
	}
	return head
}

// looseText adds the chunks of lines without a symbol. Their identifier is made from their first words, so that it
// stays the same when code is inserted elsewhere. The beginning of the file needs no such suffix.
func (c *cutter) looseText(r region) {
	id := "code-impl-" + record.IDPath(c.path)
	words := c.firstWords(c.src.Span(r.first, r.last))
	title := c.title(words)
	start, _ := c.src.Trim(0, r.last)
	if r.first == start {
		title = c.title(c.opening())
	} else {
		id += "#:" + wordSlug(words)
	}
	for i, at := range c.src.split(r.first, r.last, c.opts.CodeSize) {
		if i > 0 {
			title = c.title(c.firstWords(at))
		}
		c.add(record.Implementations, id, title, c.src.Slice(at), at, nil, false)
	}
}

// opening returns the title of the beginning of a file.
func (c *cutter) opening() string {
	var parts []string
	if c.f.Package != "" {
		parts = append(parts, "package "+c.f.Package)
	}
	if len(c.f.Imports) > 0 {
		parts = append(parts, "imports "+nameList(c.f.Imports, label.MaxTitle/2))
	}
	if len(parts) == 0 {
		return "beginning of the file"
	}
	return strings.Join(parts, ", ")
}
