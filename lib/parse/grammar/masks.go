package grammar

import (
	"cortex/lib/parse/mask"
)

// This file has the masks of the table of grammars: parts of a text that a grammar cannot parse.

// sqlBody matches the text behind BEGIN in functions that are not in quotes.
const sqlBody = `+(?:SET|SELECT|INSERT|UPDATE|DELETE|REPLACE|DECLARE|IF|CALL|RETURN|WHILE|FOR|LOOP|RAISE)\b.*?\bEND\s*(?:;|//|\$\$)`

// batsMasks turn the head of a test and its body into one command, a pipe.
var batsMasks = []mask.Mask{
	{Match: `(?m)^[ \t]*@test[ \t]+(?:"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[^\s"']+)[ \t]+\{`, As: "…|{"},
}

// makeConfigured masks the variables that configure replaces.
var makeConfigured = mask.Mask{Match: `@\w+@`, As: "_"}

// makeAssign separates an operator from the name before it, since the grammar takes it for a part of the name.
var makeAssign = mask.Mask{Match: `\?=|\+=`, As: " ="}

// makeContinued separates the name of a function from the line end behind it.
var makeContinued = mask.Mask{Match: `\$\([a-z]+\\\n`, As: "$(or…\\\n", Blank: true}

// nested matches a character or brackets, which may have others inside to a depth.
func nested(depth int) string {
	if depth == 0 {
		return `[^()]`
	}
	return `(?:[^()]|\(` + nested(depth-1) + `*\))`
}

// makeArgument matches a part of an argument: a character or a reference.
const makeArgument = `(?:[^$()\n]|\$[^(\n]|\$\((?:[^()\n]|\((?:[^()\n]|\([^()\n]*\))*\))*\))`

// makeRetry masks shell code that the grammar cannot parse.
var makeRetry = []mask.Mask{
	{Match: `\\\r?\n[ \t]*`}, // a continuation of a line is no recipe
	{Match: `(?m)^\t+(?:ifeq|ifneq|ifdef|ifndef|else|endif|include|export)\b[^\n]*|^\t+[\w.-]+[ \t]*[:?+]?=[^\n]*`},
	{Match: `(?m)^\t(?:[^\\\n]|\\.|\\\r?\n)*`, As: "\t:"},
	// Calls that are lines of their own.
	{Match: `(?m)^ *(?:\$\((?:error|eval|info|shell|warning)\b` + nested(5) + `*\)[ \t]*)+`, As: " "},
	{Match: `\$\(shell\b` + nested(3) + `*\)`, As: "_"},
	// Variables of one target; order-only prerequisites behind a pattern.
	{Match: `(?m)^[^\s:=#][^:=#\n]*::?[ \t]*(?:(?:export|override|private)[ \t]+)*[\w.-]+[ \t]*(?:[?+!]|::?)?=(?:[^\\\n]|\\.|\\\r?\n)*`, As: " "},
	{Match: `(?m)^[^\s:=#][^:=#\n]*:[^:=#\n]+:[^|=#\n]*\|`, As: "…_"},
	// Calls with parentheses among their arguments, and with an empty one at the end.
	{Match: `#[^\n]*|(?m)^[ \t]*(?:else[ \t]+)?(?:ifeq|ifneq)\b[^\n]*|\$\$|\$\{[^{}\n]*\}`},
	{Match: `\$\([a-z-]+[ \t]` + makeArgument + `*(?:\([^()\n]*\)` + makeArgument + `*)+\)`, As: "_", Fill: '_'},
	{Match: `\$\(` + makeArgument + `*[, \t]\)`, As: "…_)"},
	{Match: `\$\(` + nested(6) + `*\)|\$\([^\\\n]*`},
	// Parentheses in values and prerequisites.
	{Match: `[()]`, As: "_"},
}

var csharpRetry = []mask.Mask{
	// The second branch of a condition that opens a block in each: a head of a class or function.
	{Match: `(?m)^[ \t]*#(?:else|elif)\b[^\n]*\n(?:[^#{}\n]*\n)*[^#{}\n]*\{[^{}\n]*\n(?:[^#{}\n]*\n)*[ \t]*#endif\b[^\n]*`, As: " "},
	// Conditions within a declaration or statement, of which all branches are read; directives of scripts.
	{Match: `(?m)^[ \t]*#(?:if|elif|else|endif|load|r|addin|tool|module)\b[^\n]*`, As: " "},
	// The name "async", and names of targets of attributes at the start of a list.
	{Match: `\basync\s*(?:[),;?:.!&|}\]]|=[^>])`, As: "_sync…"},
	{Match: `\[(?:assembly|event|field|method|module|param|property|return|type)(?:[ \t]*[.\]]|,[ \t]*)`, As: "[_…"},
	// A pattern for a list of no or one element.
	{Match: `\[_?\][ \t]+when\b`, As: "_…when", Blank: true},
	// What a pointer points to.
	{Match: `(?m)^[ \t]+`},
	{Match: `\A\*\w+(?:\+\+|--)[ \t]*=`, As: "_…=", Blank: true},
	{Match: `\A\*\(\w+[ \t]*\*\)`, As: " "},
	{Match: `\A\*[\w(]`, As: " …"},
	{Match: `[=(!{][ \t]*|&&[ \t]*|\|\|[ \t]*`},
	// The rest of a list in a pattern.
	{Match: `[\[,][ \t]*`},
	{Match: `\A\.\.[ \t]*[,\]]`, As: "_ …"},
	{Match: `\A\.\.[ \t]*(?:\w|[{\["])`, As: "  …"},
	{Match: `\bref[ \t]+partial\b`, As: "…partial", Blank: true},
	// An assignment to a member or element of what may be null.
	{Match: `\?(?:\.\w+|\[[^\[\]\n]*\])(?:\.\w+|\[[^\[\]\n]*\])*\s*(?:[-+*/%&|^]|<<|>>|\?\?)?=[^=>]`, As: " …"},
}

var cssMasks = []mask.Mask{
	{Match: `/\*(?s:.*?)\*/|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'`},
	{Match: `@container[ \t]+[\w-]+[ \t]+\(`, As: "@container…(", Blank: true},
	// Declarations for old browsers.
	{Match: `(?m)^[ \t]*\*[a-z-]+[ \t]*:(?:[^;{}\n'"]|'[^'\n]*'|"[^"\n]*")*;`, As: " "},
	{Match: `\bprogid:[^;}\n]*`, As: "none"},
	{Match: `\\9[ \t]*;`, As: "…;", Blank: true},
	{Match: `! +important\b`, As: "!important"},
	// An address that begins with a dot.
	{Match: `url\([ \t]*\.[^'")\n]*\)`, As: `url("…")`},
}

var dartMasks = []mask.Mask{
	{Match: `(?m)^library;`, As: " "},
	{Match: `\bdeferred as\b`, As: "as"},
	// A field without a value, and a pattern without fields.
	{Match: `(?m)^[ \t]+abstract `, As: " "},
	{Match: `\bcase [\w.]+\(\)`, As: "…  "},
	{Match: `(?m)^extension type (?:const )?[\w$]+`, As: "class         …"},
	{Match: `\A<[^{}()]*>`},
	{Match: `\A(?:\.\w+)?\([^()]*\)`, As: " "},
}

var dockerfileMasks = []mask.Mask{
	// A "[" at the start of a continuation line, which the grammar takes for an array.
	{Match: `\\\n[ \t]*\[|\\\r\n[ \t]*\[`, As: "…_"},
	// A label without an equals sign, in the old form.
	{Match: `(?mi)^LABEL[ \t]+[\w.-]+ "`, As: `…="`},
}

var dockerfileRetry = []mask.Mask{
	{Match: `--link\b`, As: " "},
	// A path with trailing blanks.
	{Match: `(?mi)^(?:COPY|ADD)\b[^\n]*[^\\\s][ \t]+$`, As: "…/"},
}

var fortranFixedMasks = []mask.Mask{
	// Fixed form: a mark in column 6 continues the line before, a letter or star in column 1 makes a comment.
	{Match: `!?\n(?:[*cC!][^\n]*\n|[ \t]*(?:![^\n]*)?\n){1,2} {5}[^ 0\n\t]`, As: "&\n…&", Blank: true},
	{Match: `\n {5}[^ 0\n\t][ \t]*[*\w]*`, As: "&\n    &…"},
	{Match: `\n\t[1-9][ \t]*[*\w]*`, As: "&\n&…"},
	{Match: `\n(?i:contains|call|character|complex|common|continue|cycle|class|case)\b`},
	{Match: `\n[*cC][^\n]*`, As: "\n!…"},
	{Match: `\A[*cC][^\n]*`, As: "!…"},
	{Match: `![^\n]*\n {5}[^ 0\n\t]`, As: "&…&", Blank: true},
	{Match: `['"!][^\n]*`},
}

var fortranFyppMasks = []mask.Mask{
	// Lines of fypp are conditions and loops around code; ${...}$ is a part of a name or a type.
	{Match: `\n[ \t]*[#@$]:(?:[^\n]*&[ \t]*\n)*[^\n]*`, As: "\n"},
	{Match: `\A[#@$]:(?:[^\n]*&[ \t]*\n)*[^\n]*`, As: " "},
	{Match: `\n[ \t]*#![^\n]*`, As: "\n!…"},
	{Match: `\n[ \t]*\$\{[^}\n]*\}\$[ \t]*::`, As: "\nreal…::", Blank: true},
	{Match: `\n[ \t]*\$\{[^}\n]*\}\$[ \t]*,`, As: "\nreal…,", Blank: true},
	{Match: `\$\{[^}\n]*\}\$[ \t]+function`, As: "real…function", Blank: true},
	{Match: `\b\d+\.?\d*_\$\{[^}\n]*\}\$`, As: "0_", Fill: 'k'},
	{Match: `\[\$\{[^}\n]*\}\$[ \t]*::`, As: "[real…::", Blank: true},
	{Match: `\$\{\w+\}\$`, As: "__…__"},
	{Match: `\$\{[^}\n]*\}\$`, Fill: '_'},
	{Match: `[#@$]\{[^}\n]*\}[#@$]`, As: " "},
}

var fortranMasks = []mask.Mask{
	{Match: `'[^'\n]*'|"[^"\n]*"|![^\n]*`},
	// A format with the name of the keyword.
	{Match: `(?i),[ \t]*fmt[ \t]*\)`, As: ",f…)", Blank: true},
	{Match: `(?i),[ \t]*fmt[ \t]*,`, As: ",f…,", Blank: true},
}

var fortranRetry = []mask.Mask{
	// Conditions within a statement: of two branches of one line each, the first is read, of others all.
	{Match: `(?m)^#[ \t]*else\b[^\n]*\n[^#\n]*\n#[ \t]*endif\b[^\n]*`, As: " "},
	{Match: `(?m)^#[ \t]*(?:if|ifdef|ifndef|elif|else|endif)\b[^\n]*`, As: " "},
}

var graphqlMasks = []mask.Mask{
	{Match: `"""(?s:.*?)"""|#[^\n]*|"[^"\n#\\]*"`},
	// An extension of the schema that has directives only.
	{Match: `\bextend\s+schema\s+(?:@\w+\s*(?:\((?:[^()"]|"[^"\n]*")*\)\s*)?)+`, As: " "},
	// A string with a number sign or an escape.
	{Match: `"(?:[^"\\\n]|\\.)*"`, As: `"…"`, Blank: true},
}

var haskellMasks = []mask.Mask{
	// Both branches of a condition are read.
	{Match: `(?m)^#[ \t]*(?:if|ifdef|ifndef|elif|else|endif)\b[^\n]*`, Fill: ' '},
}

var htmlMasks = []mask.Mask{
	// Templates: Jinja, Liquid, Go, PHP, ERB.
	{Match: `\{\{(?s:.*?)\}\}|\{[%#](?s:.*?)[%#]\}|<[?%](?s:.*?)[?%]>`, As: "_"},
}

var jsonRetry = []mask.Mask{
	// Trailing commas, as in JSON with comments.
	{Match: `"(?:[^"\\\n]|\\.)*"|//[^\n]*|/\*(?s:.*?)\*/`},
	{Match: `,(?:\s|//[^\n]*\n|/\*(?s:.*?)\*/)*[}\]]`, As: " …"},
}

// kotlinAnnotations matches annotations with their arguments, each with the blanks behind it.
const kotlinAnnotations = `(?:@[\w.]+(?:\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))?\s+)+`

var kotlinMasks = []mask.Mask{
	// Annotations of a primary constructor on lines of their own, as a comment: a line end would end the class.
	{Match: `\bclass \w+(?:<[^<>\n]*>)?`},
	{Match: `\A\n\s*` + kotlinAnnotations + `constructor\b`, As: "/*…*/ constructor", Blank: true},
	{Match: `\A\n\s*` + kotlinAnnotations + `internal constructor\b`, As: "/*…*/ internal constructor", Blank: true},
	{Match: `\A\n\s*` + kotlinAnnotations + `private constructor\b`, As: "/*…*/ private constructor", Blank: true},
	{Match: `\A\n\s*` + kotlinAnnotations + `protected constructor\b`, As: "/*…*/ protected constructor", Blank: true},
	// A call of get or set behind a declaration, which is no accessor.
	{Match: `(?m)^[ \t]+(?:va[lr] [^\n/]*[^\s/({,=]|[})]+)`},
	{Match: `\A\n[ \t]+get\([^)\s]|\A\n[ \t]+set\((?:["\d]|[^\n):]*,[ \t]*[^\s)])`, As: "\n;…"},
	// A delegate of a class is no part of what is parsed: the body of the class could be taken for its last argument.
	{Match: `\bva[lr]\s[^\n(){}=]*[ \t]by\b[^\n]*|` + "`[^`\\n]*`" + `|[:,]\s*(?:\w+\.)*[A-Z]\w*(?:<[^()\n]*>)?`},
	{Match: `\A by (?:[^\n(){},]|\((?:[^()\n]|\([^()\n]*\))*\))+\s\{[ \t]*\n`, As: "…{\n", Blank: true},
}

// kotlinModifiers matches modifiers that are names of functions too.
const kotlinModifiers = `abstract|actual|data|expect|external|final|infix|inline|inner|internal|open|operator|override|private|protected|public|sealed|suspend|value`

var kotlinRetry = []mask.Mask{
	// Strings with several dollars in front.
	{Match: `\$\$+"""(?s:.*?)"""`, As: `"""…"""`, Blank: true},
	{Match: `\$\$+"(?:[^"\\\n]|\\.)*"`, As: `"…"`, Blank: true},
	// An annotation in front of a type in parentheses, and of an accessor.
	{Match: `:[ \t]*@[\w.]+[ \t]+\(`, As: ":…(", Blank: true},
	{Match: `(?m)^[ \t]*@[\w.]+\s+get\(\)`, As: "…get()", Blank: true},
	// A call of a function with the name of a modifier at the start of a statement: an operator makes it an expression.
	{Match: `->[ \t]+(?:` + kotlinModifiers + `)\(`, As: "->+…"},
	{Match: `(?m)^[ \t]{2,}(?:` + kotlinModifiers + `)\(`, As: "0+…"},
	{Match: `\bsuspend[ \t]*\{`, As: "_…"}, // a call
	// The visibility of an accessor on the line of the property, context parameters, and a name that is a keyword.
	{Match: `;[ \t]*(?:internal|private|protected)[ \t]+set\b`, As: " "},
	// Both accessors on one line.
	{Match: `\bget\(\)(?:: [\w.?]+)? = [^;{}\n]*;[ \t]*set\(`, As: "…set(", Blank: true},
	{Match: `(?m)^[ \t]*context\((?:[^()]|\([^()]*\))*\)`, As: " "},
	{Match: `\bwhere\?`, As: "_here?"},
	// An empty list as the argument of an annotation.
	{Match: `\[\]`, As: "0"},
	// A condition behind a type in "when".
	{Match: `(?m)^[ \t]+!?i[sn] [\w.]+(?:<[\w.*, ?]*>)?`},
	{Match: `\A[ \t]+if\b[^\n]*?->`, As: "…->", Blank: true},
	{Match: `\belse if [\w.!?]+ ->`, As: "else…->", Blank: true},
}

var makefileAmMasks = []mask.Mask{
	{Match: `(?m)^(?:if|else|endif)\b[^\n]*`, As: " "}, // Automake's conditions
	makeConfigured, makeAssign, makeContinued,
}

var luaRetry = []mask.Mask{
	{Match: `--\[\[(?s:.*?)\]\]|--[^\n]*|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|\[\[(?s:.*?)\]\]`},
	// Comments, operators and a statement of dialects.
	{Match: `/\*(?s:.*?)\*/`, As: "--[[…]]"},
	{Match: `//[^\n]*`, As: "--…"},
	{Match: `!=`, As: "~="},
	{Match: `&&`, As: "=="},
	{Match: `\|\|`, As: ".."},
	{Match: `!`, As: "-"},
	{Match: `\bcontinue\b`, As: "break"},
}

var nixMasks = []mask.Mask{
	// A comma behind the last parameter.
	{Match: `,(?:\s|#[^\n]*\n)*\}\s*[:@]`, As: " …"},
}

// Masks of Objective-C have the name of a macro, its arguments, what may stand between the parts of a list, and names of
// macros that stand for attributes.
const (
	objectiveCMacro     = `[A-Z][A-Z0-9]*_[A-Z0-9_]+`
	objectiveCArguments = `\((?:[^()"]|"(?:[^"\\\n]|\\.)*"|\((?:[^()"]|"(?:[^"\\\n]|\\.)*"|\((?:[^()]|\([^()]*\))*\))*\))*\)`
	objectiveCDeclare   = `[A-Z][A-Z0-9]*_[A-Z0-9_]*DECLARE[A-Z0-9_]*[ \t]*` + objectiveCArguments + `\s*;`
	objectiveCGap       = `(?:\s|//[^\n]*|/\*(?s:.*?)\*/)*`
	objectiveCAttribute = `(?:__attribute__\s*\(\((?:[^()]|` + objectiveCArguments + `)*\)\)|` + objectiveCMacro + `(?:` + objectiveCArguments + `)?)`
)

// objectiveCLiterals steps over comments, strings and characters.
var objectiveCLiterals = mask.Mask{Match: `/\*(?s:.*?)\*/|//[^\n]*|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'`}

var objectiveCMasks = []mask.Mask{
	objectiveCLiterals,
	{Match: `\A[ \t]*PRI[a-zA-Z]+\b`, As: " "}, // the rest of a format
	{Match: `(?m)^[ \t]*#[ \t]*(?:[^\\\n]|\\.|\\\r?\n)*`},
	// Macros that declare an enum.
	{Match: `\b(?:NS|CF)_(?:CLOSED_)?(?:ENUM|OPTIONS)\s*\([^(),;{}]*,\s*|\btypedef\s+[A-Z][A-Z0-9]*_(?:CLOSED_|ERROR_)?(?:ENUM|OPTIONS)\s*\([^(),;{}]*,\s*`, As: "enum…", Blank: true},
	{Match: `\A\w+\s*\)`, As: "… "},
	// Macros that stand for attributes.
	{Match: `\b[A-Z][A-Z0-9]*_[A-Z0-9_]*(?:AVAILABLE|AVAILABILITY|DEPRECATED|SWIFT_NAME|FORMAT_FUNCTION)[A-Z0-9_]*[ \t]*` + objectiveCArguments, As: " "},
	{Match: `\b(?:NS|CF|UI|API|CG|CA)_(?:SWIFT|AVAILABLE|UNAVAILABLE|DEPRECATED|DESIGNATED|REFINED|REQUIRES|RETURNS|RELEASES|TYPED|STRING_ENUM|EXTENSIBLE|ROOT_CLASS|AUTOMATED|NOESCAPE|APPEARANCE|CLASS|EXTENSION|PROTOCOL|FORMAT|CONSUMED)[A-Z_]*\b(?:` + objectiveCArguments + `)?`, As: " "},
	{Match: `\b[A-Z][A-Z0-9]*_WARN_UNUSED_RESULT\b`, As: " "},
	// Functions that a macro heads, and names that continue a list or are its only element.
	{Match: `(?m)^[A-Z][A-Z0-9_]+[ \t]*` + objectiveCArguments + `\s*\{`},
	{Match: `[,=|&(:?+]` + objectiveCGap + `\n` + objectiveCGap + objectiveCMacro + `|\{\s*` + objectiveCMacro + `\s*\}`},
	{Match: `\)\s+` + objectiveCMacro + `\s*;`, As: ")…;", Blank: true},
	{Match: `@onExit\b`, As: "^"}, // a block that a macro of libextobjc runs later
	// Macros alone in a line.
	{Match: `(?m)^[ \t]*(?:` + objectiveCMacro + `[ \t]*)+(?://[^\n]*)?\r?$|(?m)^[ \t]*[A-Z][A-Z0-9_]{3,}[ \t]*` + objectiveCArguments + `[ \t]*\r?$|(?m)^[A-Z]\w*(?:Begin[ \t]*\([^()\n]*\)|End)[ \t]*\r?$`, As: " "},
	{Match: `\b_Pragma\s*\("(?:[^"\\\n]|\\.)*"\)[ \t]*\\?`, As: " "},
	// Code of another language in the argument of a macro.
	{Match: `\b[A-Z][A-Z0-9_]{3,}\s*\(` + objectiveCGap + `(?:attribute|varying|uniform|precision|kernel|highp|mediump|lowp)\s` + nested(6) + `*\)`, As: "0"},
	{Match: `\A\s+` + objectiveCDeclare + `|(?m)^[ \t]*` + objectiveCDeclare, As: " "},
	// Macros in front of a declaration.
	{Match: `(?m)^(?:` + objectiveCAttribute + `\s+)+@interface\b`, As: "…@interface", Blank: true},
	{Match: `(?m)^(?:` + objectiveCAttribute + `\s+)+@protocol\b`, As: "…@protocol", Blank: true},
	{Match: `(?m)^(?:` + objectiveCAttribute + `\s+)+@implementation\b`, As: "…@implementation", Blank: true},
	{Match: `(?m)^[A-Z][A-Z0-9]*_[A-Z0-9_]*(?:EXTERN|EXPORT|IMPORT|PUBLIC|PRIVATE|VISIBLE|VISIBILITY|API)[A-Z_]*[ \t]`, As: "extern"},
	{Match: `(?m)^[A-Z][A-Z0-9]*_[A-Z0-9_]*(?:DECLARE|INLINE|SCOPE)[A-Z_]*[ \t]`, As: " "},
	{Match: `(?m)^@interface[^\n;{}@]*;`, As: "… "},
	// Macros behind the head of a method.
	{Match: `(?m)^[ \t]*[-+][ \t]*` + objectiveCArguments + `\s*\w+`},
	{Match: `\A[ \t]*:\s*` + objectiveCArguments + `\s*\w+|\A\s+\w*[a-z]\w*\s*:\s*` + objectiveCArguments + `\s*\w+|\A\s*,\s*\.\.\.`},
	{Match: `\A(?:\s+` + objectiveCAttribute + `)+\s*;`, As: "…;", Blank: true},
	{Match: `\A(?:\s+` + objectiveCAttribute + `)+\s*\{`, As: "…{", Blank: true},
}

// objectiveCRetry has masks for C too, and for C++: headers of Objective-C may be for both.
var objectiveCRetry = []mask.Mask{
	objectiveCLiterals,
	// The second of two heads of a method.
	{Match: `(?m)^[ \t]*#[ \t]*else\b[^\n]*\n[-+][^;{}#]*#[ \t]*endif\b[^\n]*`, As: " "},
	// Conditions within a declaration or statement, of which all branches are read.
	{Match: `(?m)^[ \t]*#[ \t]*(?:if|ifdef|ifndef|elif|else|endif|pragma)\b(?:[^\\\n]|\\.|\\\r?\n)*`, As: " "},
	{Match: `(?m)^[ \t]*#[ \t]*(?:[^\\\n]|\\.|\\\r?\n)*`},
	{Match: `(?m)^[ \t]*` + objectiveCMacro + `[ \t]*(?:` + objectiveCArguments + `)?[ \t]*;`, As: " "},
	{Match: `=\s*[A-Z][A-Z0-9_]{3,}\s*\([^();]*(?:\(` + nested(5) + `*\)[^();]*)*;` + nested(6) + `*\)`, As: "=0"},
	{Match: `\b__attribute__\s*\(\((?:[^()]|` + objectiveCArguments + `)*\)\)|\b(?:__unused|__nullable|__nonnull|cg_nullable|cg_nonnull|UNUSED|__used)\b|\b__deprecated\w*` + objectiveCArguments + `|\b__deprecated\b`, As: " "},
	// Templates, casts, qualified names and other words of C++.
	{Match: `@\w+(?:\s*\([^()]*\))?[ \t]*`},
	{Match: `\btemplate\s*<[^<>(){};]*>|\b(?:static|dynamic|const|reinterpret)_cast<[^<>(){};]*>|\busing\s+[\w:\s]+;|\bconstexpr\b|\bnamespace\b[\w:\s]*`, As: " "},
	{Match: `\)\s*(?:const\s*)?(?:noexcept|override|final)\b`, As: ")"},
	{Match: `\bnew[ \t]+\w`, As: "   …"},
	{Match: `\btry\s*\{`, As: "…{", Blank: true},
	{Match: `\bcatch\s*\([^()]*\)`, As: "if(0)"},
	{Match: `\b\w+(?:<[\w\s:*,]*>)?::|::|\bthrow\b`, As: " "},
	{Match: `\bdelete[ \t]+\w`, As: "      …"},
	// Loops over the values of a container, and conditions that declare a variable.
	{Match: `\bfor\s*\((?:const\s+)?[\w:]+(?:<[\w\s:*,<>]*>)?[\s*&]+(?:\w+|\[[\w\s,]*\])\s*:[ \t]`, As: "for(…;;", Blank: true},
	{Match: `\bif\s*\((?:const\s+)?[\w:]+(?:<[\w\s:*,<>]*>)?[\s*&]+\w+\s*=\s`, As: "if(_…= ", Blank: true},
	{Match: `\bauto\s*&{0,2}\s*\[[\w\s,]*\]`, As: "int _"},
	{Match: `\bauto\b\s*&{0,2}`, As: "int"},
	// Values in braces.
	{Match: `\b\{[^{};\n]*\}`, As: "(…)"},
	{Match: `:[ \t]*\{[^{};\n]*\}`, As: ":0"},
	{Match: `,[ \t]*\{[^{};\n]*\}`, As: ",0"},
	{Match: `\breturn[ \t]*\{[^{};\n]*\}`, As: "return 0"},
	// References, and values of parameters.
	{Match: `\bconst\s*&`, As: "*"},
	{Match: `&&?[ \t]*\)`, As: "*…)", Blank: true},
	{Match: `[\w>]&[ \t]`, As: "…* "},
	{Match: `[\w>]&&[ \t]`, As: "…*  "},
	{Match: `&&?\w+[ \t]*[=,)]`, As: "*…"},
	{Match: `(?:,[^,;:(){}=!<>]*\w[ \t]*=[ \t]*[\w.]+[ \t]*)+\)`, As: " …)", Blank: true},
	// Closures.
	{Match: `\B\[[\w\s,=&*]*\]\s*\(`, As: "^…(", Blank: true},
	{Match: `\[(?:[&=][\w\s,=&]*)?\]\s*\{`, As: "^…{", Blank: true},
	{Match: `\)\s*->\s*[\w\s:*<>]+\{`, As: ")…{", Blank: true},
	// A variable with arguments for its constructor, as a call.
	{Match: `(?m)^[ \t]+[A-Z]\w+`},
	{Match: `\A [a-z]\w*\([^()\n]*(?:\bself\b|\b_|@"|\*[a-z_]|->|\.)`, As: ".…"},
}

var ocamlMasks = []mask.Mask{
	{Match: `'"'|'\\"'|"(?:[^"\\]|\\(?s:.))*"|\{\|(?s:.*?)\|\}`},
	// Directives of preprocessors. All branches of a condition are read, unless the others are parts of an expression.
	{Match: `(?m)(?:^[ \t]*#[ \t]*(?:else|elif)\b[^\n]*\n(?:[ \t]+[^# \t\n][^\n]*\n|[|()\]};][^\n]*\n|[ \t]*\n)*)+[ \t]*#[ \t]*endif\b[^\n]*`, As: " "},
	{Match: `(?m)^[ \t]*#[ \t]*(?:if|ifdef|ifndef|elif|else|endif|define|enddef|undef|include|error|warning)\b[^\\\n]*(?:\\\r?\n[^\\\n]*)*`, As: " "},
}

var pascalMasks = []mask.Mask{
	{Match: `(?i)\bin\s+'[^'\n]*'`, As: " "},
	{Match: `(?i);[ \t]*deprecated[ \t]+'[^'\n]*'[ \t]*;`, As: ";"},
	{Match: `(?i)\bdeprecated[ \t]+'[^'\n]*'|\bdependency[ \t]+'[^'\n]*'`, As: " "},
	{Match: `'[^'\n]*'|//[^\n]*|\{[^$}][^}]*\}|(?s:\(\*.*?\*\))`},
	// A package is like a library.
	{Match: `(?mi)^package\b`, As: "library"},
	{Match: `(?mi)^(?:requires|contains)\b`, As: "uses"},
	// A property that is only redeclared with another visibility or default; calling conventions and other directives.
	{Match: `(?i)\n[ \t]*property[ \t]+\w+(?:[ \t]+(?:default|nodefault|stored|read|write)\b[^;\n]*)?[ \t]*;`, As: "\n"},
	{Match: `(?i);(?:[ \t]*(?:stdcall|cdecl|register|safecall|winapi|assembler|final|varargs)[ \t]*;)+`, As: ";"},
	{Match: `(?i);[ \t]*(?:stdcall|cdecl|safecall|winapi)[ \t]*=[ \t]*\w+[ \t]*;`, As: ";"},
	{Match: `(?i)[;\n][ \t]*(?:stdcall|cdecl|safecall|winapi|varargs)\b`},
	{Match: `(?i)\b(?:stdcall|cdecl|safecall|winapi|varargs)(?:[ \t]*;?[ \t]*(?:cdecl|varargs))?[ \t]*;`, As: " …;", Blank: true},
	{Match: `(?i)\bclass[ \t]+sealed\b`, As: "class"},
	{Match: `(?i)\bfor[ \t]+var[ \t]+\w+(?:[ \t]*:[ \t]*[\w.<>]+)?`, As: "for x"},
	{Match: `(?i)\bend[ \t]+align[ \t]+\d+`, As: "end"},
	{Match: `(?i)\bexternal\s+framework\b`, As: "external"},
	{Match: `(?i)\braise[ \t]*;`, As: ";"},
	{Match: `(?i)\[(?:ref|weak|unsafe)\]`, As: " "},
	{Match: `(?i)\b\d+E[-+]?\d+`, Fill: '0'},
	// Constraints of type parameters.
	{Match: `(?i):[ \t]*(?:class|record|constructor)(?:[ \t]*,[ \t]*constructor)?[ \t]*>`, As: " …>", Blank: true},
	{Match: `(?i),[ \t]*constructor[ \t]*>`, As: " …>", Blank: true},
	{Match: `(?i)\{\$IF[^}\n]*\}[ \t]*\w+;?[ \t]*\{\$(?:ENDIF|IFEND)[^}\n]*\}`, As: " "},
	{Match: `(?is)\{\$ELSE[^}]*\}\s*asm\s.*?\n[ \t]*end[ \t]*;`, As: " "},
	{Match: `(?is)\n[ \t]*asm\s.*?\n[ \t]*end[ \t]*;`, As: "\nbegin…end;", Blank: true},
	// A short condition, whose branches may be headers: only the first branch is read.
	{Match: `(?i)(?:\{\$ELSE[^}]*\}[^{]{0,400})+\{\$(?:ENDIF|IFEND)[^}]*\}`, As: " "},
	// Other conditions: all branches are read, since the grammar cannot parse a condition between a header and its
	// declarations.
	{Match: `(?i)\{\$(?:IF|ELSE|ENDIF)[^}]*\}`, As: " "},
	{Match: `;\s*\)`, As: " …)", Blank: true},
}

var scalaMasks = []mask.Mask{
	// A self type without a name; arrows of Scala 2.
	{Match: `\{\s*_\s*:[ \t]`, As: "{…x: ", Blank: true},
	{Match: `←`, As: "<-"},
	{Match: `⇒`, As: "=>"},
}

var scalaRetry = []mask.Mask{
	// Several lists of arguments of a base, which become one, and a function without a body.
	{Match: `\bextends\s+[\w.]+(?:\[[^()\n]*\])?`},
	{Match: `\A\(\)[ \t]*\(`, As: "…(", Blank: true},
	{Match: `\A\(?(?:[^()]|\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))*\)\(`, As: "…, "},
	{Match: `=>[ \t]+\}`, As: "=>0…}"},
}

var solidityMasks = []mask.Mask{
	// A library that is attached to a type outside of contracts.
	{Match: `(?m)^using\b[^;]*;`, As: " "},
}

var sqlMasks = []mask.Mask{
	{Match: `--[^\n]*|/\*[^!](?s:.*?)\*/|'(?:[^']|'')*'|"[^"\n]*"|` + "`[^`\n]*`"},
	// MySQL: code in comments, dumps, other ends of statements.
	{Match: `/\*!\d*|\*/`, As: " "},
	{Match: `(?mi)^[ \t]*(?:DELIMITER|LOCK TABLES|UNLOCK TABLES|GRANT|REVOKE)\b[^;\n]*;?`, As: " "},
	{Match: `(?m)^[ \t]*#[^\n]*`, As: "--…"},
	{Match: `(?i)\b(?:DETERMINISTIC|(?:READS|MODIFIES) SQL DATA|(?:NO|CONTAINS) SQL|SQL SECURITY (?:DEFINER|INVOKER))\b|\bDEFINER\s*=\s*\S+`, As: " "},
	{Match: `(?is)\bFOR\s+EACH\s+ROW\s+(?:(?:SET|INSERT|UPDATE|DELETE|CALL)\b[^;]*|BEGIN\b.*?\bEND\s*(?:;|//|\$\$))`, As: "EXECUTE FUNCTION _…();", Blank: true},
	{Match: `(?is)\bON\s+["\w.]+\s+BEGIN\s` + sqlBody, As: "ON t EXECUTE FUNCTION _…();", Blank: true},
	{Match: `(?is)\)\s*BEGIN\s` + sqlBody, As: ") RETURNS int AS '…';", Blank: true},
	{Match: `(?is)\bBEGIN\s` + sqlBody, As: "AS '…';", Blank: true},
	// PostgreSQL: data and commands for psql; function bodies in any language; rare statements.
	{Match: `(?mi)^COPY\b[^;]*\bFROM\s+stdin\b[^;]*;(?s:.*?)^\\\.$`, As: " "},
	{Match: `(?m)^\\[^\n]*`, As: " "},
	{Match: `(?mi)^DO\s+(?:LANGUAGE\s+\w+\s+)?\$\w*\$(?s:.*?)\$\w*\$(?:[^;$\n]*;)?`, As: " "},
	{Match: `\$\w*\$`, Paired: true, As: "'…'", Blank: true},
	{Match: `(?i)\bALTER\s+(?:TYPE|FUNCTION|PROCEDURE|AGGREGATE)\s[^;]*\bOWNER\s+TO\b[^;]*;`, As: " "},
	{Match: `(?i)\bGENERATED\s+(?:BY\s+DEFAULT|ALWAYS)\s+AS\s+IDENTITY(?:\s*\([^()]*\))?`, As: " "},
	// Placeholders: that of a schema is no part of the name.
	{Match: `\$\{\w+\}\.`, As: " "},
	{Match: `\$\{\w+\}`, Fill: '_'},
	// SQLite: tables of modules, keys that count.
	{Match: `(?i)\bCREATE\s+VIRTUAL\s+TABLE\b`, As: "CREATE TABLE"},
	{Match: `(?i)\bUSING\s+(?:fts[345]|rtree|geopoly)\s*\([^;]*\)`, As: "(x int…)", Blank: true},
	{Match: `(?i)\bAUTOINCREMENT\s*\)`, As: " …)", Blank: true},
	{Match: `(?i)\bPROCEDURE\b`, As: "FUNCTION"},
	{Match: `(?i)\bFOREIGN\s+TABLE\b`, As: "TABLE"},
	{Match: `(?i)\bCREATE\s+DOMAIN\b`, As: "CREATE TYPE"},
	// SQL Server: bodies, parameters, names, batches.
	{Match: `(?is)\bAS\s+BEGIN\b.*?\bEND;?\s*\nGO\b`, As: "AS ''…;", Blank: true},
	{Match: `(?m)^[ \t]*@\w+[ \t][^\n]*`, As: " "},
	{Match: `\[[A-Za-z_][^\]\n]*\]`, As: `"…"`},
	{Match: `(?mi)^GO[ \t]*\r?$`, As: ";"},
}

var svelteMasks = []mask.Mask{
	{Match: `<!--(?s:.*?)-->|(?i)<script\b(?s:.*?)</script>|(?i)<style\b(?s:.*?)</style>`},
	{Match: `\{(?:[^{}]|\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\})*\}`, As: "_"},
}

var shellRetry = []mask.Mask{
	// A loop over the arguments, on one line.
	{Match: `#[^\n]*|'[^']*'|"(?:[^"\\]|\\(?s:.))*"`},
	{Match: `\bfor[ \t]+\w+[ \t]+do\b`, As: "…;do"},
}

var swiftMasks = []mask.Mask{
	{Match: `\) +//[^\n]*`, As: ")"},
	{Match: `//[^\n]*|/\*(?s:.*?)\*/|"""(?s:.*?)"""|"(?:[^"\\\n]|\\.)*"|@unsafe\b`},
	{Match: `(?m)^[ \t]*#(?:if|elseif|else|endif|warning|error)\b[^\n]*`, As: " "},
	{Match: `#(?:isolation|_sourceLocation)\b`, As: "x"},
	{Match: `\bnonisolated\((?:unsafe|nonsending)\)|@_(?:lifetime|specialize)\([^()\n]*\)`, As: " "},
	{Match: `\bwhere\s+\w+\.\w+ == [\w.]+(?:,\s+\w+\.\w+ == [\w.]+)+`, As: " "},
	{Match: `\btypealias [^\n=]*= [^\n]*? where\b`, As: "…   //"},
	{Match: `\bcase \.\w+\(\):`, As: "…  :"},
	{Match: `\(\([\w, ]+\)\):`, As: "( … ):"},
	{Match: "`self`", As: "_…_"},
	{Match: `\b(?:is|true|false):`, As: "_…:", Blank: true}, // a label
	{Match: `(?m)= /[^ \n][^\n]*/$|^[ \t]+/[^/*\s][^\n]*/$`, As: "= 1"},
	{Match: `\bthrows\([\w.]+\)`, As: "throws"},
	{Match: `:[ \t]*(?:(?:consuming|borrowing|sending|isolated|__owned|__shared)[ \t]+)+`, As: ":"},
	{Match: `-> sending `, As: "->"},
	// Words in front of an expression, which the grammar takes only in some places.
	{Match: `\.(?:try|await|unsafe|consume)\b|\b(?:var|let) (?:unsafe|consume)\b`},
	{Match: `\b(?:(?:try[?!]?|await|unsafe|consume) +)+`, As: " "},
	{Match: `\bset \(`, As: "set("},
	// The grammar parses the value () only in calls.
	{Match: `\(\(\)[,)]`, As: "(x …"},
	{Match: `, \(\)[,)]`, As: ", x …"},
	{Match: `: \(\)[,)]`, As: ": x …"},
	{Match: `\breturn \(\)`, As: "return x"},
	{Match: `\?\? \(\)`, As: "?? x"},
	{Match: `= \(\),`, As: "= x…,", Blank: true},
	{Match: `\bin \(\)`, As: "in x"},
	{Match: `(?m)^[ \t]+\(\)[ \t\r]*$|\(\) +//[^\n]*`, As: "x"},
}

var vueMasks = []mask.Mask{
	{Match: `\{\{(?s:.*?)\}\}`, As: "_"},
}

var yamlRetry = []mask.Mask{
	// Templates: lines of their own, and values.
	{Match: `(?m)^[ \t]*\{\{[^\n]*\}\}[ \t]*$|^[ \t]*\{%[^\n]*%\}[ \t]*$`, As: " "},
	{Match: `\{\{(?s:.*?)\}\}|\{%(?s:.*?)%\}`, As: "_"},
}

// typescriptRetry masks syntax that is newer than the grammar.
var typescriptRetry = []mask.Mask{
	// The variance of a type parameter.
	{Match: `[<,][ \t]*`},
	{Match: `\A(?:in[ \t]+out|in|out)[ \t]+`, As: " "},
	{Match: `\bexport type \* as `, As: "export * as"},
	{Match: `\bexport type \*`, As: "export *"},
	{Match: `\btypeof\s+import\([^()]*\)`, As: "_"},
	// In types, import("module").Name with type arguments.
	{Match: `\bimport\([^()]*\)\.[a-z]`},
	{Match: `\bimport\('[^'\n]*'\)\.|\bimport\("[^"\n]*"\)\.`, As: "_….", Blank: true},
	// Query parameters of a URL in an attribute of JSX.
	{Match: `\?\w+=[^&"\n]*&\w+=[^"\n]*"`, As: `…"`, Blank: true},
}

// javascriptRetry masks keywords as names of exports.
var javascriptRetry = []mask.Mask{
	{Match: `\bas (?:break|case|catch|class|const|continue|delete|do|else|enum|export|extends|false|finally|for|function|if|import|in|instanceof|` +
		`let|new|null|return|super|switch|this|throw|true|try|typeof|var|void|while|with|yield)\b`, As: "as _"},
}

var zigMasks = []mask.Mask{
	// What an assembly expression overwrites, as a struct.
	{Match: `:\s*\.\{[^{}]*\}\s*\)`, As: ` …)`, Blank: true},
}

// zonMasks turn the top-level keys of a formatted file into fields of a container.
var zonMasks = []mask.Mask{
	{Match: `(?m)^\.\{|^\}`, As: " "},
	{Match: `(?m)^(?: {4}|\t)\.`, As: "… "},
}
