package read

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"cortex/lib/database/schema"
	"cortex/lib/record"
	"cortex/lib/search/index"
)

// manyTrees is the number of trees above which lexemes are looked up in all trees of the database, and the rows of
// other trees are dropped here: each pair of a lexeme and a tree costs a descent into the index.
const manyTrees = 16

// among returns the trees as an argument of a statement, nil if the statement may return rows of other trees too.
func (s *Session) among() []int32 {
	if len(s.state.ids) > manyTrees {
		return nil
	}
	return append([]int32{}, s.state.ids...)
}

// only adds to a statement and its arguments the condition that rows are of the session's trees. It adds nothing if all
// trees are searched: row-level security hides the others, and each named tree takes time to plan.
func (s *Session) only(args []any) (clause string, with []any) {
	if len(s.reader.opts.Trees) == 0 {
		return "", args
	}
	args = append(args, s.state.ids)
	return fmt.Sprintf(" AND tree_id = ANY($%d)", len(args)), args
}

// lexemes returns the lexemes of the terms in the dictionaries, and the term and dictionary of each.
func lexemes(terms []string, dicts uint64) (list []string, of map[string]lexeme) {
	of = map[string]lexeme{}
	for i, term := range terms {
		for dict := range 64 {
			if dicts&(1<<dict) != 0 {
				text := schema.Lexeme(dict, term)
				of[text] = lexeme{i, dict}
				list = append(list, text)
			}
		}
	}
	return list, of
}

type lexeme struct{ term, dict int }

// Postings implements index.Source.
func (s *Session) Postings(terms []string, dicts uint64, places bool, visit func(p index.Postings) error) error {
	list, of := lexemes(terms, dicts)
	statement := `SELECT lexeme, tree_id, first, data FROM cortex.postings WHERE lexeme = ANY($1) AND tree_id = ANY($2)`
	args := []any{list, s.among()}
	if args[1].([]int32) == nil {
		statement, args = `SELECT lexeme, tree_id, first, data FROM cortex.postings WHERE lexeme = ANY($1)`, args[:1]
	}
	if places {
		statement = strings.Replace(statement, "data", "data, places", 1)
	}
	var text, data, where pgtype.DriverBytes // valid until the next row
	var tree int32
	var first int
	columns := []any{&text, &tree, &first, &data}
	if places {
		columns = append(columns, &where)
	}
	var spans []index.Span
	return s.query(statement, func(rows pgx.Rows) error {
		if err := rows.Scan(columns...); err != nil {
			return err
		}
		from, ok := of[string(text)]
		at, known := s.state.place[tree]
		if !ok || !known {
			return nil
		}
		return visit(index.Postings{Term: from.term, Dict: from.dict, Tree: at, Each: func(visit func(number uint32, times int, spans []index.Span)) error {
			if !places {
				return schema.EachPosting(first, data, func(number, times int) { visit(uint32(number), times, nil) })
			}
			return schema.EachPlace(first, data, where, func(number int, list []schema.Place) {
				spans = spans[:0]
				for _, p := range list {
					spans = append(spans, index.Span{From: p.From, To: p.To})
				}
				visit(uint32(number), len(list), spans)
			})
		}})
	}, args...)
}

// Counts implements index.Source.
func (s *Session) Counts(terms []string, dicts uint64, visit func(term, dict, count int)) error {
	all, of := lexemes(terms, dicts)
	k := s.state.facts
	counts := make(map[string]int, len(all))
	var missing []string
	k.mu.Lock()
	for _, text := range all {
		count, ok := k.counts[text]
		if counts[text] = count; !ok {
			missing = append(missing, text)
		}
	}
	k.mu.Unlock()
	if len(missing) > 0 {
		statement := `SELECT lexeme, tree_id, chunks FROM cortex.lexemes WHERE lexeme = ANY($1)`
		args := []any{missing}
		if ids := s.among(); ids != nil {
			statement, args = statement+` AND tree_id = ANY($2)`, append(args, ids)
		}
		var text pgtype.DriverBytes
		var tree int32
		var count int
		err := s.query(statement, func(rows pgx.Rows) error {
			if err := rows.Scan(&text, &tree, &count); err != nil {
				return err
			}
			if _, ok := s.state.place[tree]; ok {
				counts[string(text)] += count
			}
			return nil
		}, args...)
		if err != nil {
			return err
		}
		k.mu.Lock()
		k.room(len(missing))
		for _, text := range missing {
			k.counts[text] = counts[text]
		}
		k.mu.Unlock()
	}
	for _, text := range all {
		visit(of[text].term, of[text].dict, counts[text])
	}
	return nil
}

// afterAll sorts after everything that can follow a prefix in a term.
const afterAll = "\U0010FFFF"

// Terms implements index.Source.
func (s *Session) Terms(dicts uint64, prefix string, visit func(term string, in uint64) bool) error {
	k := s.state.facts
	lists := make([][]string, 64)
	var missing []string
	k.mu.Lock()
	for dict := range lists {
		if dicts&(1<<dict) == 0 {
			continue
		}
		from := schema.Lexeme(dict, prefix)
		list, ok := k.terms[from]
		if lists[dict] = list; !ok {
			missing = append(missing, from)
		}
	}
	k.mu.Unlock()
	if len(missing) > 0 {
		// The planner estimates separate ranges well; for a list of ranges it would read the whole table.
		var ranges []string
		only, args := s.only(nil)
		for _, from := range missing {
			args = append(args, from, from+afterAll)
			ranges = append(ranges, fmt.Sprintf(`SELECT DISTINCT lexeme FROM cortex.lexemes WHERE lexeme >= $%d AND lexeme < $%d%s`, len(args)-1, len(args), only))
		}
		found, err := s.lexemes(strings.Join(ranges, " UNION ALL "), args...)
		if err != nil {
			return err
		}
		for _, text := range found {
			dict, term := schema.Term(text)
			lists[dict] = append(lists[dict], term)
		}
		k.mu.Lock()
		k.room(len(missing) + len(found))
		for _, from := range missing {
			dict, _ := schema.Term(from)
			k.terms[from] = lists[dict]
		}
		k.mu.Unlock()
	}
	for dict, list := range lists {
		for _, term := range list {
			if !visit(term, 1<<dict) {
				return nil
			}
		}
	}
	return nil
}

// lexemes runs a statement that returns lexemes, and sorts them.
func (s *Session) lexemes(statement string, args ...any) (list []string, err error) {
	var text pgtype.DriverBytes
	err = s.query(statement, func(rows pgx.Rows) error {
		if err := rows.Scan(&text); err != nil || len(text) == 0 {
			return cmp.Or(err, errRow)
		}
		if dict := int(text[0]) - 'A'; dict < 0 || dict >= 64 {
			return errRow
		}
		list = append(list, string(text))
		return nil
	}, args...)
	slices.Sort(list)
	return list, err
}

// Near implements index.Source. For one edit it queries all candidate terms by name. No index finds terms two edits
// away, so for these the dictionary's terms are kept in memory, unless there are too many.
func (s *Session) Near(dict int, term string, edits int, visit func(term string) bool) error {
	letters := utf8.RuneCountInString(term)
	list, known := s.knownWhole(dict)
	var err error
	switch {
	case known && list != nil:
	case edits == 1:
		list, err = s.afterOneEdit(dict, term)
	default:
		list, err = s.whole(dict)
	}
	if err != nil {
		return err
	}
	if list == nil {
		from := schema.Lexeme(dict, "")
		statement := `SELECT DISTINCT lexeme FROM cortex.lexemes WHERE lexeme >= $1 AND lexeme < $2 AND char_length(lexeme) BETWEEN $3 AND $4`
		args := []any{from, from + afterAll, 1 + letters - edits, 1 + letters + edits}
		if parts := partsLeft([]rune(schema.Lexeme(dict, term))[1:]); parts != nil {
			statement += ` AND (strpos(lexeme, $5) > 0 OR strpos(lexeme, $6) > 0 OR strpos(lexeme, $7) > 0 OR strpos(lexeme, $8) > 0 OR strpos(lexeme, $9) > 0 OR strpos(lexeme, $10) > 0)`
			for _, part := range parts {
				args = append(args, part)
			}
		}
		only, args := s.only(args)
		if list, err = s.lexemes(statement+only, args...); err != nil {
			return err
		}
		terms(list)
	}
	for _, other := range list {
		if n := utf8.RuneCountInString(other); n >= letters-edits && n <= letters+edits && !visit(other) {
			break
		}
	}
	return nil
}

// partsLeft returns parts of a word at least one of which is in each word that is two edits away; nil for a short word.
// Two edits change at most two of three thirds, except that a transposition across a boundary changes two thirds at
// once.
func partsLeft(word []rune) []string {
	if len(word) < 5 {
		return nil
	}
	a, b := len(word)/3, 2*len(word)/3
	exchanged := func(list []rune, at ...int) string {
		list = slices.Clone(list)
		for _, i := range at {
			list[i-1], list[i] = list[i], list[i-1]
		}
		return string(list)
	}
	return []string{string(word[:a]), string(word[a:b]), string(word[b:]), exchanged(word[:b], a), exchanged(word[a:], b-a), exchanged(word, a, b)}
}

// nextLetters finds the letters that follow prefixes: for each prefix it finds the first lexeme, then the first lexeme
// after all with the same next letter, and so on. The bounds of comparisons are columns, since under row-level security
// a function in a comparison would keep the server from using the index.
const nextLetters = `WITH RECURSIVE found AS (
	SELECT asked.prefix, asked.most, x.lexeme, left(x.lexeme, char_length(asked.prefix) + 1) || $3 AS after FROM unnest($1::text[], $2::text[]) AS asked (prefix, most),
		LATERAL (SELECT l.lexeme FROM cortex.lexemes l WHERE l.lexeme > asked.prefix AND l.lexeme < asked.most ORDER BY l.lexeme LIMIT 1) x
	UNION ALL
	SELECT found.prefix, found.most, x.lexeme, left(x.lexeme, char_length(found.prefix) + 1) || $3 FROM found,
		LATERAL (SELECT l.lexeme FROM cortex.lexemes l WHERE l.lexeme >= found.after AND l.lexeme < found.most ORDER BY l.lexeme LIMIT 1) x
) SELECT char_length(prefix), substr(lexeme, char_length(prefix) + 1, 1) FROM found`

// afterOneEdit returns the terms of a dictionary that are at most one edit away from the term. A substituted or
// inserted letter is always one that follows the letters before it in some lexeme.
func (s *Session) afterOneEdit(dict int, term string) ([]string, error) {
	word := []rune(schema.Lexeme(dict, term))
	asked := map[string]bool{}
	add := func(before int, letter string, after int) {
		asked[string(word[:before])+letter+string(word[after:])] = true
	}
	var prefixes, most []string
	for i := 1; i <= len(word); i++ { // the first letter stands for the dictionary
		prefixes, most = append(prefixes, string(word[:i])), append(most, string(word[:i])+afterAll)
		add(i, "", i)
		if i < len(word) {
			add(i, "", i+1)
		}
		if i+1 < len(word) {
			add(i, string([]rune{word[i+1], word[i]}), i+2)
		}
	}
	// There may be thousands of first letters beyond ASCII, but few lexemes have one, so all of these are read.
	const afterASCII = "\u0080"
	most[0] = prefixes[0] + afterASCII
	var at int
	var letter string
	err := s.query(nextLetters, func(rows pgx.Rows) error {
		if err := rows.Scan(&at, &letter); err != nil {
			return err
		}
		if at < 1 || at > len(word) {
			return errRow
		}
		add(at, letter, at)
		if at < len(word) {
			add(at, letter, at+1)
		}
		return nil
	}, prefixes, most, afterAll)
	if err != nil {
		return nil, err
	}
	only, args := s.only([]any{slices.Sorted(maps.Keys(asked)), most[0], prefixes[0] + afterAll, []string{string(word[1:]), string(word[min(2, len(word)):])}})
	list, err := s.lexemes(`SELECT lexeme FROM cortex.lexemes WHERE lexeme = ANY($1)`+only+
		` UNION SELECT lexeme FROM cortex.lexemes WHERE lexeme >= $2 AND lexeme < $3 AND substr(lexeme, 3) = ANY($4)`+only, args...)
	if list == nil {
		list = []string{}
	}
	terms(list)
	return list, err
}

func (s *Session) knownWhole(dict int) (list []string, known bool) {
	k := s.state.facts
	k.mu.Lock()
	defer k.mu.Unlock()
	list, known = k.whole[dict]
	return list, known
}

// whole returns the terms of a dictionary, nil if there are more than maxWhole.
func (s *Session) whole(dict int) ([]string, error) {
	k := s.state.facts
	if list, known := s.knownWhole(dict); known || s.state.chunks > s.reader.maxWhole {
		return list, nil
	}
	from := schema.Lexeme(dict, "")
	only, args := s.only([]any{from, from + afterAll})
	list, err := s.lexemes(fmt.Sprintf(`SELECT DISTINCT lexeme FROM cortex.lexemes WHERE lexeme >= $1 AND lexeme < $2%s LIMIT %d`, only, maxWhole+1), args...)
	if err != nil {
		return nil, err
	}
	if len(list) > maxWhole {
		list = nil
	} else if list == nil {
		list = []string{}
	}
	terms(list)
	k.mu.Lock()
	defer k.mu.Unlock()
	k.room(len(list))
	k.whole[dict] = list
	return list, nil
}

// terms replaces the lexemes by their terms.
func terms(list []string) {
	for i, text := range list {
		_, list[i] = schema.Term(text)
	}
}

const (
	// searchWidth is the number of candidates of the vector index (hnsw.ef_search, at most 1000).
	searchWidth = 400
	// maxScanned bounds the number of vectors that the index visits if a filter rejects candidates.
	maxScanned = 200_000
)

// Nearest implements index.Source.
func (s *Session) Nearest(vector []float32, wanted int, only []index.Ref, visit func(r index.Ref, values []int8) bool) error {
	if s.state.modelID == 0 || len(vector) != s.state.dimensions {
		return nil
	}
	distance := distanceText(s.state.dimensions)
	text := vectorText(vector)
	among, args := s.only([]any{text})
	statement := nearestStatement(s.state.modelID, s.state.dimensions, among)
	switch {
	case only != nil:
		trees, numbers := split(s.state, only)
		// Adding 0 to the distance keeps the server from using the vector index.
		statement = fmt.Sprintf(`SELECT tree_id, number, embedding FROM cortex.embeddings JOIN unnest($2::int[], $3::int[]) AS asked (tree_id, number) USING (tree_id, number)
			WHERE model_id = %d ORDER BY %s + 0 LIMIT $4`, s.state.modelID, distance)
		_, _, err := s.nearest(statement, visit, text, trees, numbers, wanted)
		return err
	case s.state.chunks <= s.reader.maxExact:
		statement += " + 0"
	default:
		if err := s.tune(); err != nil {
			return err
		}
	}
	// visit may reject vectors, so ask for more until it returns false.
	seen := 0
	for limit := wanted; ; limit *= 4 {
		skip := seen
		found, enough, err := s.nearest(fmt.Sprintf("%s LIMIT $%d", statement, len(args)+1), func(r index.Ref, values []int8) bool {
			if skip > 0 {
				skip--
				return true
			}
			seen++
			return visit(r, values)
		}, append(slices.Clone(args), limit)...)
		if err != nil || enough || found < limit {
			return err
		}
	}
}

// distanceText and nearestStatement contain the model's number and dimensions literally, since the vector index is for
// one model.
func distanceText(dimensions int) string {
	return fmt.Sprintf("(embedding::halfvec(%d) <=> $1::halfvec(%d))", dimensions, dimensions)
}

func nearestStatement(model int32, dimensions int, among string) string {
	return fmt.Sprintf(`SELECT tree_id, number, embedding FROM cortex.embeddings WHERE model_id = %d%s ORDER BY %s`, model, among, distanceText(dimensions))
}

// tune sets the parameters of the vector index for the transaction.
func (s *Session) tune() error {
	if s.tuned {
		return nil
	}
	s.tuned = true
	return s.query(`SELECT set_config('hnsw.ef_search', $1, true), set_config('hnsw.iterative_scan', 'strict_order', true), set_config('hnsw.max_scan_tuples', $2, true)`,
		func(pgx.Rows) error { return nil }, strconv.Itoa(searchWidth), strconv.Itoa(maxScanned))
}

var errEnough = errors.New("enough")

// nearest visits the rows of a statement of Nearest until visit returns false, which enough reports.
func (s *Session) nearest(statement string, visit func(r index.Ref, values []int8) bool, args ...any) (found int, enough bool, err error) {
	var values []int8
	err = s.query(statement, func(rows pgx.Rows) error {
		var id, number int32
		var vector pgtype.DriverBytes
		if err := rows.Scan(&id, &number, &vector); err != nil {
			return err
		}
		found++
		if values, err = appendInts(values[:0], vector); err != nil {
			return err
		}
		if at, ok := s.state.place[id]; ok && !visit(index.Ref{Tree: at, Number: uint32(number)}, values) {
			return errEnough
		}
		return nil
	}, args...)
	if errors.Is(err, errEnough) {
		return found, true, nil
	}
	return found, false, err
}

// Vectors implements index.Source.
func (s *Session) Vectors(refs []index.Ref, visit func(r index.Ref, values []int8)) error {
	trees, numbers := split(s.state, refs)
	_, _, err := s.nearest(`SELECT tree_id, number, embedding FROM cortex.embeddings JOIN unnest($1::int[], $2::int[]) AS asked (tree_id, number) USING (tree_id, number)
		WHERE model_id = $3`, func(r index.Ref, values []int8) bool {
		visit(r, values)
		return true
	}, trees, numbers, s.state.modelID)
	return err
}

// Records implements index.Source.
func (s *Session) Records(refs []index.Ref) ([]*record.Chunk, error) {
	trees, numbers := split(s.state, refs)
	list := make([]*record.Chunk, len(refs))
	err := s.query(`SELECT asked.at, f.head, c.text, c.record FROM unnest($1::int[], $2::int[]) WITH ORDINALITY AS asked (tree_id, number, at)
		JOIN cortex.chunks c USING (tree_id, number) JOIN cortex.files f ON f.tree_id = c.tree_id AND f.path = c.path`, func(rows pgx.Rows) error {
		var at int
		var head string
		var row schema.Chunk
		if err := rows.Scan(&at, &head, &row.Text, &row.Record); err != nil {
			return err
		}
		file, err := schema.File(head)
		if err != nil {
			return err
		}
		list[at-1], err = row.Chunk(file, nil, "")
		return err
	}, trees, numbers)
	if err != nil {
		return nil, fmt.Errorf("read chunks: %w", err)
	}
	if slices.Contains(list, nil) {
		return nil, fmt.Errorf("read chunks: %w: a chunk is missing", errRow)
	}
	return list, nil
}
