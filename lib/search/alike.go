package search

import (
	"path"
	"slices"
	"strings"

	"cortex/lib/record"
	"cortex/lib/search/answer"
	"cortex/lib/search/corpus"
	"cortex/lib/search/show"
)

// maxAlike bounds the hits whose texts are read to join those that show the same. alikeAhead is the number of them that a
// remote index reads in one round trip.
const maxAlike, alikeAhead = 200, 40

// A shown is what a hit shows, to find others that show the same.
type shown struct {
	// places are the matching lines, lines those that the place of a twin has.
	places []place
	lines  record.LineRange
	// groups are those that the hit is in, the closest first.
	groups []group
}

type place struct {
	file uint32
	line int
	text string
}

// A group is a set of hits that may show the same. They have the same key.
type group struct {
	key string
	// apart says that the members are in different files, least the least Dice coefficient of their word trigrams.
	apart bool
	least float64
}

// joinAlike makes the hits that show the same lines as a better one its twins, as far as the request needs hits, and
// drops those that show no other places than better ones, since parts of a long text overlap. Neither count as hits any
// more.
func (f *Found) joinAlike() error {
	gen := f.x.corpus.Generation
	list, err := f.matches.Ranked(gen, min(f.total, maxAlike+min(f.req.Bound(), f.total)))
	if err != nil || len(list) < 2 {
		return err
	}
	f.chunks = map[int]*record.Chunk{}
	shingles := corpus.NewShingles(f.chunk)
	elders := map[string][]int{} // the chunks that are kept, by the keys of their groups
	elderOf := func(chunk int, groups []group) (int, error) {
		for _, g := range groups {
			for _, elder := range elders[g.key] {
				if g.apart && gen.File(elder) == gen.File(chunk) {
					continue
				}
				if g.least == 0 {
					return elder, nil
				}
				a, err := shingles.Of(elder, elder)
				if err != nil {
					return -1, err
				}
				b, err := shingles.Of(chunk, chunk)
				if err != nil || corpus.Dice(a, b) >= g.least {
					return elder, err
				}
			}
		}
		return -1, nil
	}
	f.twins = map[int][]answer.Twin{}
	seen := map[place]bool{}
	var kept []corpus.Scored
	at := 0
	for ; at < min(len(list), maxAlike) && len(kept) < f.req.Bound(); at++ {
		chunk := list[at].Chunk
		if at%alikeAhead == 0 {
			var ahead []int
			for _, s := range list[at:min(at+alikeAhead, len(list))] {
				ahead = append(ahead, s.Chunk)
			}
			if err := gen.Prepare(ahead); err != nil {
				return err
			}
		}
		if err := f.ctx.Err(); err != nil {
			return err
		}
		own, err := f.shownBy(chunk)
		if err != nil {
			return err
		}
		if own.places != nil && !slices.ContainsFunc(own.places, func(p place) bool { return !seen[p] }) {
			continue
		}
		elder, err := elderOf(chunk, own.groups)
		if err != nil {
			return err
		}
		for _, p := range own.places {
			seen[p] = true
		}
		if elder >= 0 {
			f.twins[elder] = append(f.twins[elder], answer.Twin{
				ID: gen.ID(chunk), FilePath: gen.FilePath(chunk), Tree: gen.Tree(chunk), StartLine: own.lines[0], EndLine: own.lines[1],
			})
			continue
		}
		kept = append(kept, list[at])
		for _, g := range own.groups {
			elders[g.key] = append(elders[g.key], chunk)
		}
	}
	for _, twins := range f.twins {
		answer.SortTwins(twins)
	}
	f.total -= at - len(kept)
	f.joined = append(kept, list[at:]...)
	return nil
}

// chunk reads a chunk, once for all that joinAlike and Each do with it.
func (f *Found) chunk(i int) (c *record.Chunk, err error) {
	if c = f.chunks[i]; c == nil {
		if c, err = f.x.corpus.Generation.Chunk(i); err == nil {
			f.chunks[i] = c
		}
	}
	return c, err
}

// shownBy returns what a hit shows. The places in a group have the same matching lines. If these begin different
// definitions or sections, or are in named code, the text around them must be alike too. Of the lines of translations,
// only what stands before the end of the match must be the same: the key. A file may begin its keys with the name of
// its language.
func (f *Found) shownBy(chunk int) (own shown, err error) {
	gen := f.x.corpus.Generation
	c, err := f.chunk(chunk)
	if err != nil {
		return own, err
	}
	tier, file := gen.ChunkType(chunk), gen.FilePath(chunk)
	var text, begins, names strings.Builder
	known, matches := map[string]bool{}, map[int]bool{}
	for _, l := range show.MatchedLines(c, f.needles, f.finder) {
		matches[l.Number] = true
		t := strings.TrimSpace(l.Text)
		own.places = append(own.places, place{gen.File(chunk), l.Number, t})
		if !known[t] {
			known[t] = true
			text.WriteString("\x00" + t)
			if len(l.Matches) > 0 {
				begins.WriteString("\x00" + strings.TrimSpace(l.Text[:l.Matches[0][1]]))
			}
		}
	}
	if own.places == nil {
		return own, nil
	}
	own.lines = record.LineRange{own.places[0].line, own.places[0].line}
	inCode, least := tier == record.Implementations || tier == record.Definitions, 0.0
	symbols := slices.Collect(gen.Symbols(chunk))
	owners := map[int]bool{} // of lines of data: a symbol may begin with annotations
	for line := range matches {
		owner := -1
		for n, s := range symbols {
			if tier == record.Data && s.Line <= line && (owner < 0 || s.Line >= symbols[owner].Line) {
				owner = n
			}
		}
		owners[owner] = true
	}
	for n, s := range symbols {
		if !inCode && !matches[s.Line] && !owners[n] {
			continue
		}
		names.WriteString("\x00" + corpus.WithoutDigits(s.Name))
		if inCode || s.Type == record.Heading {
			least = corpus.TwinShare
			own.lines[0], own.lines[1] = gen.Lines(chunk)
		}
	}
	own.groups = []group{{string(tier) + names.String() + "\x00" + text.String(), least > 0, least}}
	if common := corpus.Untranslated(file); common != file {
		language, _, _ := strings.Cut(path.Base(file), ".")
		keys := strings.ReplaceAll(names.String(), "\x00"+language+".", "\x00")
		own.groups = append(own.groups, group{string(tier) + "\x00\x00" + common + keys + "\x00" + begins.String(), true, least})
	}
	return own, nil
}
