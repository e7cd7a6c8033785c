package table

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"cortex/lib/language"
	"cortex/lib/record"
	"cortex/lib/shorten"
)

// unfollowed returns a text that says that the graph knows nothing of uses in the language of the target, or of a file
// that is not in the graph; "" if it knows of some.
func (q *question) unfollowed() string {
	a, g := q.answer, q.g
	lang := ""
	switch {
	case a.Target != nil:
		i := slices.IndexFunc(g.files, func(f fileRow) bool { return g.strings.Get(f.path) == a.Target.FilePath })
		if i >= 0 {
			lang = g.strings.Get(g.files[i].language)
		}
	case path.Ext(a.NotFound) != "":
		if lang = language.Detect(a.NotFound, nil).Name; lang == "other" {
			return ""
		}
	}
	if lang == "" || g.hasUses(lang) {
		return ""
	}
	return fmt.Sprintf("uses in %s are not followed%s", lang, searchInstead)
}

// hasUses reports whether the graph follows a language: whether a node in a file of it refers to another or can be
// called.
func (g *Graph) hasUses(lang string) bool {
	for n := range uint32(len(g.nodes)) {
		if g.language(n) == lang && (g.kind(n).IsCallable() || len(g.linksOf(n, true)) > 0) {
			return true
		}
	}
	return false
}

// Bounds of marks: the most marks of a callable, the most lines that are read, and the most characters of a mark.
const (
	maxMarks     = 3
	maxMarkLines = 8
	maxMark      = 60
)

// plainMarks has the last names of marks of the languages and their standard libraries that let no other code call what they
// mark.
var plainMarks = strings.Fields(`
	abstractmethod abstractproperty asynccontextmanager cache cached_property classmethod contextmanager deleter final getter
	lru_cache overload override property setter staticmethod wraps
	CheckReturnValue Contract Deprecated JvmName JvmOverloads JvmStatic NonNull Nonnull NotNull Nullable Override SafeVarargs
	Suppress SuppressWarnings Synchronized Throws VisibleForTesting
	DebuggerHidden DebuggerStepThrough EditorBrowsable MethodImpl Obsolete Pure SuppressMessage
	allow cfg cold deny deprecated doc expect inline must_use target_feature track_caller warn`)

// marks returns the decorators, annotations or attributes with which the target begins, such as @app.route("/x"), except
// plainMarks, if the target is a callable and a question about its callers has no results.
func (q *question) marks() (marks []string) {
	n := q.answer.target
	if n == None || q.req.Lines == nil || q.answer.TotalFound+q.answer.TestsFound > 0 || !slices.Contains([]Operation{Callers, References, Impact}, q.req.Operation) {
		return nil
	}
	row := &q.g.nodes[n]
	if row.file == None || !q.g.kind(n).IsCallable() {
		return nil
	}
	lines, err := q.req.Lines(q.g.path(n), int(row.start), int(min(row.end, row.start+maxMarkLines)))
	if err != nil {
		return nil
	}
	for _, line := range lines {
		line = strings.TrimSpace(line)
		if !strings.HasPrefix(line, "@") && !strings.HasPrefix(line, "#[") && !(strings.HasPrefix(line, "[") && q.g.language(n) == "csharp") || len(marks) == maxMarks {
			break
		}
		depth := 0
		end := strings.IndexFunc(line, func(r rune) bool {
			switch r {
			case '(', '[':
				depth++
			case ')', ']':
				depth--
			}
			return depth == 0 && (r == ' ' || r == '\t')
		})
		if end < 0 {
			end = len(line)
		}
		name, _, _ := strings.Cut(strings.Trim(line[:end], "@#[]"), "(")
		if !slices.Contains(plainMarks, record.LastName(name)) {
			marks = append(marks, shorten.End(line[:end], maxMark))
		}
	}
	return marks
}
