// Package branches splits a regular expression at the "|" between its branches.
package branches

import "strings"

// Of splits an expression at each "|" outside of groups and classes. ok is false if brackets are unbalanced.
func Of(expression string) (parts []string, ok bool) {
	start, depth, class := 0, 0, false
	for i := 0; i < len(expression); i++ {
		switch c := expression[i]; {
		case c == '\\':
			i++
		case class:
			class = c != ']'
		case c == '[':
			class = true
			if strings.HasPrefix(expression[i+1:], "^") {
				i++
			}
			if strings.HasPrefix(expression[i+1:], "]") {
				i++ // a leading ] is a member of the class
			}
		case c == '(':
			depth++
		case c == ')':
			depth--
		case c == '|' && depth == 0:
			parts = append(parts, expression[start:i])
			start = i + 1
		}
		if depth < 0 {
			return nil, false
		}
	}
	return append(parts, expression[start:]), depth == 0 && !class
}
