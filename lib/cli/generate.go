package cli

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"
)

// generate returns the man page or shell completions that scripts/install puts beside the commands. They come from the
// same tables as the help.
func (cmd Command) generate(form string) (string, error) {
	forms := map[string]func(Command) string{"man": Command.manual, "bash": Command.bash, "zsh": Command.zsh, "fish": Command.fish}
	write, ok := forms[form]
	if !ok {
		return "", Usagef("--generate %q: expected man, bash, zsh or fish", form)
	}
	return write(cmd), nil
}

// A shownFlag is a flag as help and completion show it.
type shownFlag struct {
	name, letter string
	// value is the placeholder of the flag's value, "" if it takes none. attached says that the value is optional and
	// follows a "=".
	value    string
	attached bool
	usage    string
	common   bool
	// choices are the words that the value may be; nil if it may be anything.
	choices []string
}

// A chooser is a pflag.Value that may be one of a few words.
type chooser interface{ Choices() []string }

// shownFlags returns the flags of the command in the order of the help.
func (cmd Command) shownFlags() []shownFlag {
	flags, _ := cmd.flags()
	common := true
	var shown []shownFlag
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		value, usage := pflag.UnquoteUsage(f)
		if f.Value.Type() == "bool" {
			value = ""
		}
		if !slices.Contains([]string{"", "0", "false", "[]"}, f.DefValue) {
			usage += " (default " + strings.Trim(f.DefValue, "[]") + ")"
		}
		one := shownFlag{name: f.Name, letter: f.Shorthand, value: value, attached: f.NoOptDefVal != "" && value != "", usage: usage}
		if c, ok := f.Value.(chooser); ok {
			one.choices = c.Choices()
		}
		shown = append(shown, one)
	})
	// The common flags come last.
	for i := len(shown) - 1; i >= 0 && common; i-- {
		shown[i].common = true
		common = shown[i].name != "jobs"
	}
	return shown
}

// takesFile reports whether the value names a file, takesFolder whether it names a folder.
func (f shownFlag) takesFile() bool   { return f.value == "FILE" }
func (f shownFlag) takesFolder() bool { return f.value == "DIR" || f.value == "FOLDER" }

// identifier returns the name of the command as a shell function.
func (cmd Command) identifier() string { return "_" + strings.ReplaceAll(cmd.Name, "-", "_") }

func (cmd Command) subcommands() []string {
	var names []string
	for _, sub := range cmd.Commands {
		names = append(names, sub.Name)
	}
	return names
}

// bash returns completions of commands, flags and words. For everything else the shell completes file names.
func (cmd Command) bash() string {
	values, commands, texts := cmd.bashValues(":"), "", ""
	if len(cmd.Commands) > 0 {
		commands = fmt.Sprintf(bashCommands, strings.Join(cmd.subcommands(), " | "))
	}
	for _, sub := range cmd.Commands {
		values += sub.bashValues(sub.Name + ":")
		texts += sub.bashTexts(sub.Name)
	}
	texts += cmd.bashTexts("*")
	return fmt.Sprintf(bashScript, cmd.Name, cmd.identifier(), values, commands, texts)
}

// bashScript is formatted with the name of the command, the name of the function, the branches of bashValues,
// bashCommands, and the branches of bashTexts. The shell splits --limit=3 into three words.
const bashScript = `# completion of %[1]s for bash
%[2]s() {
	local word=${COMP_WORDS[COMP_CWORD]} command= arguments=0 value= flags= words= i
	for ((i = 1; i < COMP_CWORD; i++)); do
		if [ -n "$value" ]; then
			[ "${COMP_WORDS[i]}" = = ] || value=
			continue
		fi
		case $command:${COMP_WORDS[i]} in
%[3]s		esac
		case ${COMP_WORDS[i]} in
		-*) ;;
%[4]s		*) arguments=1 ;;
		esac
	done
	case $command in
%[5]s	esac
	if [ -n "$value" ]; then
		[ "$value" = '*' ] || mapfile -t COMPREPLY < <(compgen -W "$value" -- "${word#=}")
	elif [[ $word == -* ]]; then
		mapfile -t COMPREPLY < <(compgen -W "$flags" -- "$word")
	elif ((arguments == 0)); then
		mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
	fi
}
complete -o default -F %[2]s %[1]s
`

// bashCommands is the branch that notes the subcommand.
const bashCommands = `		%s)
			[ -n "$command" ] && arguments=1
			command=${command:-${COMP_WORDS[i]}}
			;;
`

// bashValues returns the branches that set value to the choices of each flag that takes a value, or to "*".
func (cmd Command) bashValues(prefix string) string {
	var b strings.Builder
	for _, f := range cmd.shownFlags() {
		if f.value == "" || f.attached {
			continue
		}
		pattern := prefix + "--" + f.name
		if f.letter != "" {
			pattern += " | " + prefix + "-" + f.letter
		}
		fmt.Fprintf(&b, "\t\t%s) value=%q ;;\n", pattern, cmp.Or(strings.Join(f.choices, " "), "*"))
	}
	return b.String()
}

// bashTexts returns the branch that sets flags and words to those of the command.
func (cmd Command) bashTexts(pattern string) string {
	var flags []string
	for _, f := range cmd.shownFlags() {
		flags = append(flags, "--"+f.name)
	}
	words := slices.Concat(cmd.subcommands(), cmd.Words)
	return fmt.Sprintf("\t%s)\n\t\tflags=%q\n\t\twords=%q\n\t\t;;\n", pattern, strings.Join(flags, " "), strings.Join(words, " "))
}

// zsh returns completions with a description of each command and flag.
func (cmd Command) zsh() string {
	var b strings.Builder
	fmt.Fprintf(&b, "#compdef %s\n# completion of %s for zsh\n%s() {\n", cmd.Name, cmd.Name, cmd.identifier())
	arguments := func(c Command, skip bool) {
		b.WriteString("\t\t_arguments -s")
		for _, f := range c.shownFlags() {
			fmt.Fprintf(&b, " \\\n\t\t\t%s", f.zsh())
		}
		first := 1
		if skip { // argument 1 is the name of the subcommand
			b.WriteString(" \\\n\t\t\t'1: :'")
			first = 2
		}
		var words []string
		for _, sub := range c.Commands {
			words = append(words, zshEscaper.Replace(sub.Name)+`\:`+zshQuoted(sub.Summary))
		}
		for _, word := range c.Words {
			words = append(words, zshEscaper.Replace(word))
		}
		switch {
		case len(c.Commands) > 0:
			fmt.Fprintf(&b, " \\\n\t\t\t'%d:command:((%s))'", first, strings.Join(words, " "))
		case len(words) > 0:
			fmt.Fprintf(&b, " \\\n\t\t\t'%d:word:(%s)'", first, strings.Join(words, " "))
		}
		b.WriteString(" \\\n\t\t\t'*:file:_files'\n")
	}
	if len(cmd.Commands) > 0 {
		fmt.Fprintf(&b, "\tcase ${words[(r)(%s)]} in\n", strings.Join(cmd.subcommands(), "|"))
		for _, sub := range cmd.Commands {
			fmt.Fprintf(&b, "\t%s)\n", sub.Name)
			arguments(sub, true)
			b.WriteString("\t\t;;\n")
		}
		b.WriteString("\t*)\n")
		arguments(cmd, false)
		b.WriteString("\t\t;;\n\tesac\n")
	} else {
		arguments(cmd, false)
	}
	fmt.Fprintf(&b, "}\n%s \"$@\"\n", cmd.identifier())
	return b.String()
}

// zshEscaper escapes the characters that are special to _arguments within single quotes.
var zshEscaper = strings.NewReplacer(`\`, `\\`, "[", `\[`, "]", `\]`, ":", `\:`, "'", `'\''`)

// zshQuoted quotes the description of a word in a list of words, which the shell parses twice.
func zshQuoted(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "$", `\$`, "`", "\\`", "'", `'\''`, ":", `\:`).Replace(s) + `"`
}

// zsh returns the flag in the syntax of _arguments.
func (f shownFlag) zsh() string {
	text := "[" + zshEscaper.Replace(f.usage) + "]"
	long, letter := "--"+f.name, "-"+f.letter
	if f.value != "" {
		action := " "
		if f.takesFile() {
			action = "_files"
		} else if f.takesFolder() {
			action = "_files -/"
		} else if f.choices != nil {
			action = "(" + zshEscaper.Replace(strings.Join(f.choices, " ")) + ")"
		}
		message := ":" + zshEscaper.Replace(f.value) + ":" + action
		if f.attached {
			message = ":" + message
			long += "=-"
		} else {
			long += "="
			letter += "+"
		}
		text += message
	}
	if f.letter == "" {
		return "'" + long + text + "'"
	}
	return fmt.Sprintf("'(-%s --%s)'{%s,%s}'%s'", f.letter, f.name, letter, long, text)
}

// fish returns completions with a description of each command and flag.
func (cmd Command) fish() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# completion of %s for fish\n", cmd.Name)
	line := func(format string, args ...any) {
		fmt.Fprintf(&b, "complete -c %s %s\n", cmd.Name, fmt.Sprintf(format, args...))
	}
	top := ""
	if len(cmd.Commands) > 0 {
		top = "-n '__fish_use_subcommand' "
	}
	flags := func(condition string, c Command) {
		for _, word := range c.Words {
			line("%s-f -a %s", condition, word)
		}
		for _, f := range c.shownFlags() {
			text := condition
			if f.letter != "" {
				text += "-s " + f.letter + " "
			}
			text += "-l " + f.name + " "
			switch {
			case f.value == "" || f.attached:
			case f.takesFile():
				text += "-r "
			case f.takesFolder():
				text += "-x -a '(__fish_complete_directories)' "
			case f.choices != nil:
				text += "-x -a " + fishQuoted(strings.Join(f.choices, " ")) + " "
			default:
				text += "-x "
			}
			line("%s-d %s", text, fishQuoted(f.usage))
		}
	}
	for _, sub := range cmd.Commands {
		line("%s-f -a %s -d %s", top, sub.Name, fishQuoted(sub.Summary))
	}
	flags(top, cmd)
	for _, sub := range cmd.Commands {
		flags("-n '__fish_seen_subcommand_from "+sub.Name+"' ", sub)
	}
	return b.String()
}

func fishQuoted(s string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, "'", `\'`).Replace(s) + "'"
}

// manual returns the man page.
func (cmd Command) manual() string {
	var b strings.Builder
	fmt.Fprintf(&b, ".TH %s 1 \"\" \"cortex %s\" Cortex\n", roff(strings.ToUpper(cmd.Name)), roff(Version))
	fmt.Fprintf(&b, ".SH NAME\n%s \\- %s\n.SH SYNOPSIS\n", roff(cmd.Name), roff(cmd.Summary))
	call := func(name string, c Command) string {
		return fmt.Sprintf("\\fB%s\\fR %s", roff(name), roff(c.synopsis()))
	}
	b.WriteString(call(cmd.Name, cmd) + "\n")
	for _, sub := range cmd.Commands {
		b.WriteString(".br\n" + call(cmd.Name+" "+sub.Name, sub) + "\n")
	}
	options := func(c Command, common bool) {
		for _, f := range c.shownFlags() {
			if f.common == common {
				b.WriteString(f.roff())
			}
		}
	}
	examples := func(c Command) {
		b.WriteString(".nf\n")
		for line := range strings.Lines(strings.Trim(c.Examples, "\n")) {
			b.WriteString(roff(strings.TrimSpace(line)) + "\n")
		}
		b.WriteString(".fi\n")
	}
	b.WriteString(".SH OPTIONS\n")
	options(cmd, false)
	options(cmd, true)
	if cmd.Examples != "" {
		b.WriteString(".SH EXAMPLES\n")
		examples(cmd)
	}
	if len(cmd.Commands) > 0 {
		b.WriteString(".SH COMMANDS\n")
	}
	for _, sub := range cmd.Commands {
		fmt.Fprintf(&b, ".SS %s\n%s.\n", roff(sub.Name), roff(upperFirst(sub.Summary)))
		options(sub, false)
		if sub.Examples != "" {
			b.WriteString(".PP\nExamples:\n.PP\n")
			examples(sub)
		}
	}
	fmt.Fprintf(&b, ".SH EXIT STATUS\n.TP\n%d\nDone.\n.TP\n%d\nNothing was found, or what was to be reported was found.\n.TP\n%d\nThere was an error, also one that did not end the command.\n",
		StatusDone, StatusNothing, StatusError)
	return b.String()
}

func upperFirst(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// roff returns the flag as a list item.
func (f shownFlag) roff() string {
	name := `\fB\-\-` + roff(f.name) + `\fR`
	if f.letter != "" {
		name = `\fB\-` + f.letter + `\fR, ` + name
	}
	switch {
	case f.attached:
		name += `[=\fI` + roff(f.value) + `\fR]`
	case f.value != "":
		name += ` \fI` + roff(f.value) + `\fR`
	}
	return ".TP\n" + name + "\n" + roff(upperFirst(f.usage)) + ".\n"
}

// roff escapes a line.
func roff(s string) string {
	s = strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "`", `\(ga`, "^", `\(ha`, "~", `\(ti`).Replace(s)
	if strings.HasPrefix(s, ".") {
		s = `\&` + s
	}
	return s
}
