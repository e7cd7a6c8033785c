package excerpt

import (
	"slices"
	"strings"

	"cortex/lib/record"
	"cortex/lib/shorten"
)

// MaxMarkLines is how many lines from the start of a declaration Marks should get.
const MaxMarkLines = 9

// Bounds of Marks: the most marks, and the most characters of a mark.
const (
	maxMarks = 3
	maxMark  = 60
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

// Marks returns the decorators, annotations or attributes with which the lines of a declaration begin, such as
// @app.route("/x"), except plainMarks.
func Marks(lines []string, language string) (marks []string) {
	for _, line := range lines {
		line = strings.TrimSpace(line)
		if !strings.HasPrefix(line, "@") && !strings.HasPrefix(line, "#[") && !(strings.HasPrefix(line, "[") && language == "csharp") || len(marks) == maxMarks {
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
