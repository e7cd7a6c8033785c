package main

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"cortex/lib/embed"
	"cortex/lib/language"
	"cortex/lib/record"
)

// A candidate is a passage among which the answer to a question is sought.
type candidate struct {
	Name, Language, Passage string
}

// A question has the indexes of its answers among the candidates of its task.
type question struct {
	Query    string
	Language string
	Answers  []int
}

// A task is a set of questions about candidates.
type task struct {
	Candidates []candidate
	Questions  []question
}

// data has the tasks made from one repository.
type data struct {
	Repository repository
	// The candidates of Commits are chunks; those with the same Name are of one file.
	Functions, Sections, Commits, Names task
}

// Bounds of a task.
const (
	maxCandidates = 4000
	maxQuestions  = 400
)

// collect returns the data of a repository, from the file in cache if there is one.
func collect(r repository, repos, bin, cache string) (*data, error) {
	d, err := cached(filepath.Join(cache, r.folder()+".gob"), func() (*data, error) {
		c := &collector{
			data:     &data{Repository: r},
			root:     filepath.Join(repos, r.folder()),
			outlined: map[string]bool{},
		}
		if err := c.records(bin); err != nil {
			return nil, fmt.Errorf("records of %s: %w", r.Name, err)
		}
		if err := c.commits(); err != nil {
			return nil, fmt.Errorf("commits of %s: %w", r.Name, err)
		}
		c.ask()
		return c.data, nil
	})
	if err != nil {
		return nil, err
	}
	d.Repository = r
	d.prune()
	return d, nil
}

var history = regexp.MustCompile(`(?i)change|history|news|release|upgrad|whatsnew|migrat|contributors|authors`)

// prune removes headings of change logs and the like, which say nothing about the text below them. It also removes
// documents as answers to commits, since such documents repeat the subjects of commits.
func (d *data) prune() {
	d.Sections.Questions = slices.DeleteFunc(d.Sections.Questions, func(q question) bool {
		title, _, _ := strings.Cut(d.Sections.Candidates[q.Answers[0]].Passage, "\n")
		return history.MatchString(title)
	})
	at := make([]int, len(d.Commits.Candidates))
	kept := d.Commits.Candidates[:0]
	for i, c := range d.Commits.Candidates {
		at[i] = len(kept)
		if lang, _ := language.ByName(c.Language); lang.Class != language.Document {
			kept = append(kept, c)
		}
	}
	d.Commits.Candidates = kept
	for _, q := range d.Commits.Questions {
		for i := range q.Answers {
			q.Answers[i] = at[q.Answers[i]]
		}
	}
}

// A collector collects the data of one repository.
type collector struct {
	*data
	root      string
	functions []*function
	outlined  map[string]bool // the files that have an outline
	sections  []*section
}

// A function is a function or method with a body.
type function struct {
	path, name, language string
	doc                  string // the first sentence of its documentation, without the name
	title                string
	bare                 string // without comments
}

// passage returns the text that is embedded for code with a title.
func passage(title, text string) string {
	return embed.Text(&record.Chunk{Title: title, Text: text})
}

// maxCode is the greatest size of a passage of code or of a section, in bytes.
const maxCode = 2000

// minSection is the least size of a section that is used, in bytes.
const minSection = 150

func shorten(text string) string {
	if len(text) > maxCode {
		text = strings.ToValidUTF8(text[:maxCode], "")
	}
	return text
}

// records collects from the files and chunks of the tree.
func (c *collector) records(bin string) error {
	files, err := parseTree(bin, c.root)
	if err != nil {
		return err
	}
	err = read(files, func(rec record.Record) {
		if f, ok := rec.(*record.File); ok {
			c.file(f)
		}
	})
	if err != nil {
		return err
	}
	chunks, err := cut(bin, files)
	for _, ch := range chunks {
		c.chunk(ch)
	}
	return err
}

func (c *collector) file(f *record.File) {
	if slices.Contains(f.Tags, record.TagTest) || slices.Contains(f.Tags, record.TagGenerated) {
		return
	}
	strip := commenterOf(f.Language)
	for _, s := range f.Symbols {
		if s.Kind != record.Function && s.Kind != record.Method || s.Test || s.BodyByte == 0 || s.EndLine-s.StartLine < 2 {
			continue
		}
		fn := &function{
			path: f.FilePath, name: s.Name, language: f.Language,
			doc:   withoutName(firstSentence(s.Doc), s.Name),
			title: f.FilePath + ": " + s.QualifiedName + " (" + string(s.Kind) + ")",
			bare:  shorten(strip.strip(withoutDoc(f.Text[s.StartByte:s.EndByte], s.Doc))),
		}
		c.functions = append(c.functions, fn)
	}
}

func (c *collector) chunk(ch *record.Chunk) {
	m := &ch.Metadata
	if slices.Contains(ch.Tags, record.TagGenerated) {
		return
	}
	if ch.ChunkType == record.Symbols {
		c.outlined[m.FilePath] = true
	}
	if !slices.Contains(ch.Tags, record.TagTest) && len(c.Commits.Candidates) < 60_000 {
		c.Commits.Candidates = append(c.Commits.Candidates, candidate{m.FilePath, m.Language, embed.Text(ch)})
	}
	if ch.ChunkType == record.Documentation {
		c.section(ch)
	}
}

// A section is the text below a heading of a document, up to the next heading.
type section struct {
	path, language string
	above, heading string // above has the headings above the section, heading its own
	body           string // without the heading
	about          uint32
}

// breadcrumbSeparator separates headings.
const breadcrumbSeparator = " › "

// section adds a chunk of a document to its section.
func (c *collector) section(ch *record.Chunk) {
	m := &ch.Metadata
	if m.SymbolName == "" {
		return
	}
	about := draw(m.FilePath, m.SymbolName)
	if n := len(c.sections); n == 0 || c.sections[n-1].about != about || m.ChunkIndex <= 1 {
		s := &section{path: m.FilePath, language: m.Language, heading: m.SymbolName, about: about}
		if at := strings.LastIndex(s.heading, breadcrumbSeparator); at >= 0 {
			s.above, s.heading = s.heading[:at], s.heading[at+len(breadcrumbSeparator):]
		}
		c.sections = append(c.sections, s)
	}
	if s := c.sections[len(c.sections)-1]; len(s.body) < maxCode {
		// The chunk's text begins with a breadcrumb and names of sections, which are not in the file.
		s.body += withoutHeading(ch.Text[max(0, len(ch.Text)-(m.ByteEnd-m.ByteStart)):], s.heading) + "\n"
	}
}

// withoutHeading returns the text of a section without its heading.
func withoutHeading(text, heading string) string {
	lines := strings.Split(text, "\n")
	said := letters(plainText(heading))
	for i, line := range lines[:min(len(lines), 12)] {
		if letters(plainText(line)) == said {
			lines[i] = ""
		}
	}
	return strings.TrimLeft(strings.Join(lines, "\n"), "\n")
}

// ask makes the tasks.
func (c *collector) ask() {
	functions := c.functions
	if len(functions) > maxCandidates {
		slices.SortStableFunc(functions, func(a, b *function) int { return cmp.Compare(draw(a.path, a.name), draw(b.path, b.name)) })
		functions = functions[:maxCandidates]
	}
	docs, names := map[string][]int{}, map[string][]int{}
	for i, fn := range functions {
		c.Functions.Candidates = append(c.Functions.Candidates, candidate{fn.name, fn.language, passage(fn.title, fn.bare)})
		if asks(fn.doc) {
			docs[strings.ToLower(fn.doc)] = append(docs[strings.ToLower(fn.doc)], i)
		}
		names[fn.name] = append(names[fn.name], i)
	}
	for i, fn := range functions {
		if answers := docs[strings.ToLower(fn.doc)]; len(answers) == 1 {
			c.Functions.Questions = append(c.Functions.Questions, question{fn.doc, fn.language, []int{i}})
		}
		if answers := names[fn.name]; len(fn.name) >= 4 && len(answers) <= 3 && answers[0] == i {
			c.Names.Questions = append(c.Names.Questions, question{fn.name, fn.language, answers})
		}
	}
	for _, s := range c.sections {
		if heading := plainText(s.heading); headingAsks(heading) && len(s.body) >= minSection {
			text := embed.Text(&record.Chunk{Title: s.above, Text: shorten(s.body), Metadata: record.Metadata{FilePath: s.path}})
			c.Sections.Candidates = append(c.Sections.Candidates, candidate{heading, s.language, text})
		}
	}
	headings := map[string][]int{}
	for i, s := range c.Sections.Candidates {
		headings[strings.ToLower(s.Name)] = append(headings[strings.ToLower(s.Name)], i)
	}
	for i, s := range c.Sections.Candidates {
		if len(headings[strings.ToLower(s.Name)]) == 1 {
			c.Sections.Questions = append(c.Sections.Questions, question{s.Name, s.Language, []int{i}})
		}
	}
	for _, t := range []*task{&c.Functions, &c.Names, &c.Sections} {
		slices.SortStableFunc(t.Questions, func(a, b question) int { return cmp.Compare(draw(a.Query, ""), draw(b.Query, "")) })
		t.Questions = t.Questions[:min(len(t.Questions), maxQuestions)]
	}
}

// draw returns a hash of two strings, which serves as a reproducible random number.
func draw(a, b string) uint32 {
	h := fnv.New64a()
	io.WriteString(h, a)
	h.Write([]byte{0})
	io.WriteString(h, b)
	return uint32(h.Sum64() >> 20)
}

var (
	markup    = regexp.MustCompile(`<[^>]{1,60}>|\{@\w+|[{}*` + "`" + `]|\[|\]\([^)]*\)|\]`)
	sentences = regexp.MustCompile(`[.!?](\s|$)|\n\s*\n|\n\s*[@:\\]\w|\n\s*-`)
	useless   = regexp.MustCompile(`(?i)^(todo|fixme|deprecated|copyright|see |inherit|@|note that this file|auto-?generated|nodoc|:nodoc)`)
)

// plainText removes markup and line breaks.
func plainText(s string) string {
	return strings.Join(strings.Fields(markup.ReplaceAllString(s, " ")), " ")
}

// firstSentence returns the first sentence of a comment.
func firstSentence(doc string) string {
	doc = strings.TrimSpace(doc)
	if at := sentences.FindStringIndex(doc); at != nil && at[0] > 0 {
		doc = doc[:at[0]]
	}
	return plainText(doc)
}

// withoutName removes a name from a sentence.
func withoutName(s, name string) string {
	if s == "" || name == "" {
		return s
	}
	words := strings.Fields(s)
	kept := words[:0]
	for _, w := range words {
		if strings.Trim(w, "().,:;'\"#&") != name && !strings.HasSuffix(strings.Trim(w, "().,:;'\"#&"), "."+name) {
			kept = append(kept, w)
		}
	}
	return strings.Join(kept, " ")
}

// asks reports whether a sentence is informative enough to be a question.
func asks(s string) bool {
	n := len(strings.Fields(s))
	return n >= 3 && n <= 60 && len(s) >= 15 && !useless.MatchString(s)
}

func headingAsks(s string) bool {
	n := len(strings.Fields(s))
	return n >= 2 && n <= 15 && len(s) >= 8 && !strings.ContainsAny(s[:1], "0123456789[")
}
