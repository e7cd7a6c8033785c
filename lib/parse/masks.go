package parse

// The masks of the rows of the table of grammars: what each grammar cannot read.

// sqlBody is what follows BEGIN in functions that are not in quotes.
const sqlBody = `+(?:SET|SELECT|INSERT|UPDATE|DELETE|REPLACE|DECLARE|IF|CALL|RETURN|WHILE|FOR|LOOP|RAISE)\b.*?\bEND\s*(?:;|//|\$\$)`

// batsMasks make the body of a test one command with its head: a pipe.
var batsMasks = []mask{
	{match: `(?m)^[ \t]*@test[ \t]+(?:"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[^\s"']+)[ \t]+\{`, as: "…|{"},
}

// makeConfigured is what configure puts in.
var makeConfigured = mask{match: `@\w+@`, as: "_"}

// makeAssign parts an operator from the name in front, which the grammar takes it for a part of.
var makeAssign = mask{match: `\?=|\+=`, as: " ="}

// makeRetry hides shell code in which the grammar gets lost.
var makeRetry = []mask{
	{match: `\\\r?\n[ \t]*`}, // what continues a line is no recipe
	{match: `(?m)^\t+(?:ifeq|ifneq|ifdef|ifndef|else|endif|include|export)\b[^\n]*|^\t+[\w.-]+[ \t]*[:?+]?=[^\n]*`},
	{match: `(?m)^\t(?:[^\\\n]|\\.|\\\r?\n)*`, as: "\t:"},
	{match: `\$\(shell\b(?:[^()]|\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))*\)`, as: "_"},
}

var csharpRetry = []mask{
	// Conditions that part a declaration or statement, of which all branches are read; directives of scripts.
	{match: `(?m)^[ \t]*#(?:if|elif|else|endif|load|r|addin|tool|module)\b[^\n]*`, as: " "},
}

var dartMasks = []mask{
	{match: `(?m)^library;`, as: " "},
	{match: `\bdeferred as\b`, as: "as"},
	{match: `(?m)^extension type (?:const )?[\w$]+`, as: "class         …"},
	{match: `\A<[^{}()]*>`},
	{match: `\A(?:\.\w+)?\([^()]*\)`, as: " "},
}

var dockerfileMasks = []mask{
	// A command at the start of a line that continues another, which the grammar takes for an array.
	{match: `\\\n[ \t]*\[|\\\r\n[ \t]*\[`, as: "…_"},
	// A label without an equals sign, as they once were written.
	{match: `(?mi)^LABEL[ \t]+[\w.-]+ "`, as: `…="`},
}

var dockerfileRetry = []mask{
	{match: `--link\b`, as: " "},
	// A path that blanks follow.
	{match: `(?mi)^(?:COPY|ADD)\b[^\n]*[^\\\s][ \t]+$`, as: "…/"},
}

var fortranFixedMasks = []mask{
	// Fixed form: a mark in column 6 continues the line before, a letter or star in column 1 makes a comment.
	{match: `!?\n(?:[*cC!][^\n]*\n|[ \t]*(?:![^\n]*)?\n){1,2} {5}[^ 0\n\t]`, as: "&\n…&", blank: true},
	{match: `\n {5}[^ 0\n\t][ \t]*[*\w]*`, as: "&\n    &…"},
	{match: `\n\t[1-9][ \t]*[*\w]*`, as: "&\n&…"},
	{match: `\n(?i:contains|call|character|complex|common|continue|cycle|class|case)\b`},
	{match: `\n[*cC][^\n]*`, as: "\n!…"},
	{match: `\A[*cC][^\n]*`, as: "!…"},
	{match: `![^\n]*\n {5}[^ 0\n\t]`, as: "&…&", blank: true},
	{match: `['"!][^\n]*`},
}

var fortranFyppMasks = []mask{
	// The lines of fypp say which code there is and how often; ${...}$ is a part of a name or a type.
	{match: `\n[ \t]*[#@$]:(?:[^\n]*&[ \t]*\n)*[^\n]*`, as: "\n"},
	{match: `\A[#@$]:(?:[^\n]*&[ \t]*\n)*[^\n]*`, as: " "},
	{match: `\n[ \t]*#![^\n]*`, as: "\n!…"},
	{match: `\n[ \t]*\$\{[^}\n]*\}\$[ \t]*::`, as: "\nreal…::", blank: true},
	{match: `\n[ \t]*\$\{[^}\n]*\}\$[ \t]*,`, as: "\nreal…,", blank: true},
	{match: `\$\{[^}\n]*\}\$[ \t]+function`, as: "real…function", blank: true},
	{match: `\b\d+\.?\d*_\$\{[^}\n]*\}\$`, as: "0_", fill: 'k'},
	{match: `\[\$\{[^}\n]*\}\$[ \t]*::`, as: "[real…::", blank: true},
	{match: `\$\{\w+\}\$`, as: "__…__"},
	{match: `\$\{[^}\n]*\}\$`, fill: '_'},
	{match: `[#@$]\{[^}\n]*\}[#@$]`, as: " "},
}

var haskellMasks = []mask{
	// Both branches of a condition are read.
	{match: `(?m)^#[ \t]*(?:if|ifdef|ifndef|elif|else|endif)\b[^\n]*`, fill: ' '},
}

var htmlMasks = []mask{
	// Templates: Jinja, Liquid, Go, PHP, ERB.
	{match: `\{\{(?s:.*?)\}\}|\{[%#](?s:.*?)[%#]\}|<[?%](?s:.*?)[?%]>`, as: "_"},
}

var jsonRetry = []mask{
	// Commas that trail, as JSON with comments may have them.
	{match: `"(?:[^"\\\n]|\\.)*"|//[^\n]*|/\*(?s:.*?)\*/`},
	{match: `,(?:\s|//[^\n]*\n|/\*(?s:.*?)\*/)*[}\]]`, as: " …"},
}

var makefileAmMasks = []mask{
	{match: `(?m)^(?:if|else|endif)\b[^\n]*`, as: " "}, // Automake's conditions
	makeConfigured, makeAssign,
}

var pascalMasks = []mask{
	{match: `(?i)\bin\s+'[^'\n]*'`, as: " "},
	{match: `'[^'\n]*'|//[^\n]*|\{[^$}][^}]*\}|(?s:\(\*.*?\*\))`},
	// A property that is only made more visible; how a procedure is called.
	{match: `(?i)\n[ \t]*property[ \t]+\w+[ \t]*;`, as: "\n"},
	{match: `(?i);[ \t]*(?:stdcall|cdecl|register|safecall|winapi|assembler)[ \t]*;`, as: ";"},
	{match: `(?i)\{\$IF[^}\n]*\}[ \t]*\w+;?[ \t]*\{\$(?:ENDIF|IFEND)[^}\n]*\}`, as: " "},
	{match: `(?is)\{\$ELSE[^}]*\}\s*asm\s.*?\n[ \t]*end[ \t]*;`, as: " "},
	{match: `(?is)\n[ \t]*asm\s.*?\n[ \t]*end[ \t]*;`, as: "\nbegin…end;", blank: true},
	// Of a short choice, which may be of headers, only the first part.
	{match: `(?i)\{\$ELSE[^}]*\}[^{]{0,400}\{\$(?:ENDIF|IFEND)[^}]*\}`, as: " "},
	// Else all are read: a condition between a header and its declarations makes the grammar lose its way.
	{match: `(?i)\{\$(?:IF|ELSE|ENDIF)[^}]*\}`, as: " "},
	{match: `;\s*\)`, as: " …)", blank: true},
}

var sqlMasks = []mask{
	{match: `--[^\n]*|/\*[^!](?s:.*?)\*/|'(?:[^']|'')*'|"[^"\n]*"|` + "`[^`\n]*`"},
	// MySQL: code in comments, dumps, other ends of statements.
	{match: `/\*!\d*|\*/`, as: " "},
	{match: `(?mi)^[ \t]*(?:DELIMITER|LOCK TABLES|UNLOCK TABLES|GRANT|REVOKE)\b[^;\n]*;?`, as: " "},
	{match: `(?m)^[ \t]*#[^\n]*`, as: "--…"},
	{match: `(?i)\b(?:DETERMINISTIC|(?:READS|MODIFIES) SQL DATA|(?:NO|CONTAINS) SQL|SQL SECURITY (?:DEFINER|INVOKER))\b|\bDEFINER\s*=\s*\S+`, as: " "},
	{match: `(?is)\bFOR\s+EACH\s+ROW\s+(?:(?:SET|INSERT|UPDATE|DELETE|CALL)\b[^;]*|BEGIN\b.*?\bEND\s*(?:;|//|\$\$))`, as: "EXECUTE FUNCTION f();"},
	{match: `(?is)\)\s*BEGIN\s` + sqlBody, as: ") RETURNS int AS '…';", blank: true},
	{match: `(?is)\bBEGIN\s` + sqlBody, as: "AS '…';", blank: true},
	// PostgreSQL: data and commands to its shell; bodies in any language; what is said of few statements.
	{match: `(?mi)^COPY\b[^;]*\bFROM\s+stdin\b[^;]*;(?s:.*?)^\\\.$`, as: " "},
	{match: `(?m)^\\[^\n]*`, as: " "},
	{match: `\$\w*\$`, paired: true, as: "'…'", blank: true},
	{match: `(?i)\bPROCEDURE\b`, as: "FUNCTION"},
	{match: `(?i)\bFOREIGN\s+TABLE\b`, as: "TABLE"},
	{match: `(?i)\bCREATE\s+DOMAIN\b`, as: "CREATE TYPE"},
	// SQL Server: bodies, parameters, names, batches.
	{match: `(?is)\bAS\s+BEGIN\b.*?\bEND;?\s*\nGO\b`, as: "AS ''…;", blank: true},
	{match: `(?m)^[ \t]*@\w+[ \t][^\n]*`, as: " "},
	{match: `\[[A-Za-z_][^\]\n]*\]`, as: `"…"`},
	{match: `(?mi)^GO[ \t]*\r?$`, as: ";"},
}

var svelteMasks = []mask{
	{match: `<!--(?s:.*?)-->|(?i)<script\b(?s:.*?)</script>|(?i)<style\b(?s:.*?)</style>`},
	{match: `\{(?:[^{}]|\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\})*\}`, as: "_"},
}

var swiftMasks = []mask{
	{match: `\) +//[^\n]*`, as: ")"},
	{match: `//[^\n]*|/\*(?s:.*?)\*/|"""(?s:.*?)"""|"(?:[^"\\\n]|\\.)*"|@unsafe\b`},
	{match: `(?m)^[ \t]*#(?:if|elseif|else|endif|warning|error)\b[^\n]*`, as: " "},
	{match: `#(?:isolation|_sourceLocation)\b`, as: "x"},
	{match: `\bnonisolated\((?:unsafe|nonsending)\)|@_(?:lifetime|specialize)\([^()\n]*\)`, as: " "},
	{match: `\bwhere\s+\w+\.\w+ == [\w.]+(?:,\s+\w+\.\w+ == [\w.]+)+`, as: " "},
	{match: `\btypealias [^\n=]*= [^\n]*? where\b`, as: "…   //"},
	{match: `\bcase \.\w+\(\):`, as: "…  :"},
	{match: `\(\([\w, ]+\)\):`, as: "( … ):"},
	{match: "`self`", as: "_…_"},
	{match: `(?m)= /[^ \n][^\n]*/$|^[ \t]+/[^/*\s][^\n]*/$`, as: "= 1"},
	{match: `\bthrows\([\w.]+\)`, as: "throws"},
	{match: `:[ \t]*(?:(?:consuming|borrowing|sending|isolated)[ \t]+)+`, as: ":"},
	{match: `-> sending `, as: "->"},
	{match: `\b(?:try[?!]? +await|unsafe|consume) `, as: " "},
	{match: `\bset \(`, as: "set("},
	// The value () is read only in calls.
	{match: `\(\(\)[,)]`, as: "(x …"},
	{match: `, \(\)[,)]`, as: ", x …"},
	{match: `: \(\)[,)]`, as: ": x …"},
	{match: `\breturn \(\)`, as: "return x"},
	{match: `\bin \(\)`, as: "in x"},
	{match: `(?m)^[ \t]+\(\)[ \t\r]*$|\(\) +//[^\n]*`, as: "x"},
}

var vueMasks = []mask{
	{match: `\{\{(?s:.*?)\}\}`, as: "_"},
}

var yamlRetry = []mask{
	// Templates: lines of their own, and values.
	{match: `(?m)^[ \t]*\{\{[^\n]*\}\}[ \t]*$|^[ \t]*\{%[^\n]*%\}[ \t]*$`, as: " "},
	{match: `\{\{(?s:.*?)\}\}|\{%(?s:.*?)%\}`, as: "_"},
}

// typescriptRetry hides what is younger than the grammar.
var typescriptRetry = []mask{
	{match: `\bexport type \* as `, as: "export * as"},
	{match: `\bexport type \*`, as: "export *"},
	{match: `\btypeof\s+import\([^()]*\)`, as: "_"},
	// In types, import("module").Name with type arguments.
	{match: `\bimport\([^()]*\)\.[a-z]`},
	{match: `\bimport\('[^'\n]*'\)\.|\bimport\("[^"\n]*"\)\.`, as: "_….", blank: true},
	// Parameters in the address that an attribute of JSX holds.
	{match: `\?\w+=[^&"\n]*&\w+=[^"\n]*"`, as: `…"`, blank: true},
}

// javascriptRetry hides names that only exports may have.
var javascriptRetry = []mask{
	{match: `\bas (?:break|case|catch|class|const|continue|delete|do|else|enum|export|extends|false|finally|for|function|if|import|in|instanceof|` +
		`let|new|null|return|super|switch|this|throw|true|try|typeof|var|void|while|with|yield)\b`, as: "as _"},
}

// zonMasks make the keys at the top of a formatted file the fields of a container.
var zonMasks = []mask{
	{match: `(?m)^\.\{|^\}`, as: " "},
	{match: `(?m)^(?: {4}|\t)\.`, as: "… "},
}
