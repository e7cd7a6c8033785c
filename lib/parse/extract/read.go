package extract

import (
	"cmp"
	"slices"
	"strings"

	"cortex/lib/parse/grammar"
	"cortex/lib/parse/lexical"
	"cortex/lib/record"
)

// read sorts the captures of all matches into facts, comments and so on. The parsed text begins at byte start of the
// file. Call arrange after it.
func (x *extraction) read(words []uint32, start int) {
	base := x.path[strings.LastIndexByte(x.path, '/')+1:]
	for len(words) > 0 {
		pattern, n := &x.Patterns[words[0]], int(words[1])
		captures := words[2 : 2+3*n]
		for i := 0; i < len(captures); i += 3 {
			// The parsed text may have an additional line end.
			captures[i+1] = min(captures[i+1]+uint32(start), uint32(len(x.text)))
			captures[i+2] = min(captures[i+2]+uint32(start), uint32(len(x.text)))
		}
		if pattern.IsFor(base) && pattern.Accepts(x.masked, captures) {
			defines, refers := x.sorts(captures)
			if refers {
				x.readReference(int(words[0]), captures)
			}
			if defines {
				x.readMatch(int(words[0]), captures)
			}
		}
		words = words[2+3*n:]
	}
}

// sorts reports whether the captures of a match include some for definitions, and some for references.
func (x *extraction) sorts(captures []uint32) (defines, refers bool) {
	for i := 0; i < len(captures); i += 3 {
		switch role := x.Roles[captures[i]]; {
		case role >= grammar.RoleBinding:
			refers = true
		case role != grammar.RoleNone:
			defines = true
		}
	}
	return defines, refers
}

func (x *extraction) readMatch(pattern int, captures []uint32) {
	f := fact{pattern: pattern}
	var v value
	var imported lexical.Span
	for i := 0; i < len(captures); i += 3 {
		s := lexical.Span{Start: int(captures[i+1]), End: int(captures[i+2])}
		switch x.Roles[captures[i]] {
		case grammar.RoleComment:
			x.comments = append(x.comments, s)
		case grammar.RoleAttribute:
			x.attributes = append(x.attributes, s)
		case grammar.RoleAttributeTest:
			x.attributes = append(x.attributes, s)
			x.testing = append(x.testing, s)
		case grammar.RoleAttributeExported:
			x.attributes = append(x.attributes, s)
			x.exporting = append(x.exporting, s)
		case grammar.RoleEmbedded:
			x.embedded = append(x.embedded, Segment{Span: s, Language: x.Embeds[captures[i]], pattern: pattern})
		case grammar.RolePrivateFrom, grammar.RolePublicFrom:
			x.sections = append(x.sections, section{s.Start, x.Roles[captures[i]] == grammar.RolePrivateFrom})
		case grammar.RoleImport:
			imported = imported.Join(s)
		case grammar.RolePackage:
			if !x.Patterns[pattern].Join {
				x.pkg = ""
			}
			if len(x.pkg) <= lexical.MaxName && s.End-s.Start <= lexical.MaxName {
				x.pkg = join(x.pkg, lexical.Unquote(x.text[s.Start:s.End]))
			}
		case grammar.RolePrivateName:
			x.privateNames = append(x.privateNames, s)
		case grammar.RoleExportedName:
			if x.exportedNames == nil {
				x.exportedNames = map[string]bool{}
			}
			x.exportedNames[x.text[s.Start:s.End]] = true
		case grammar.RoleFunction:
			v = value{at: s, kind: record.Function}
		case grammar.RoleClass:
			v = value{at: s, kind: record.Class}
		case grammar.RoleLocal:
			x.local = append(x.local, s)
		case grammar.RoleOpen:
			x.open = append(x.open, s)
		case grammar.RoleName:
			f.name = f.name.Join(s)
		case grammar.RoleDefinition:
			f.kind, f.Setting = x.Kinds[captures[i]], x.Patterns[pattern].Setting
			f.around = f.around.Join(s)
		case grammar.RoleSpan:
			f.around = f.around.Join(s)
		case grammar.RoleBody:
			f.body = s.Start
		case grammar.RoleValue:
			f.value = s
		case grammar.RolePrefix:
			f.prefix = s
		case grammar.RoleReceiver:
			f.receivers = append(f.receivers, s)
		case grammar.RoleScope:
			f.scope, f.around = true, s
		case grammar.RoleDoc:
			f.doc = s
		case grammar.RoleDocAfter:
			x.docsAfter = append(x.docsAfter, s)
		case grammar.RoleDocBefore:
			x.comments = append(x.comments, s)
			x.docs = append(x.docs, s)
		case grammar.RoleExported:
			f.exported = true
		case grammar.RolePrivate:
			f.private = true
		case grammar.RoleTest:
			f.test = true
		}
	}
	if imported.End > 0 {
		x.addImport(importName(x.text[imported.Start:imported.End]))
	}
	if v.kind != "" {
		v.body = f.body
		x.values = append(x.values, v)
	}
	switch {
	case f.scope:
		x.scopes = append(x.scopes, f)
	case f.name.End > f.name.Start && f.name.End-f.name.Start <= lexical.MaxName:
		x.facts = append(x.facts, f)
	}
}

// addImport adds an import, unless it is among the last 1000.
func (x *extraction) addImport(name string) {
	if name != "" && !slices.Contains(x.imports[max(0, len(x.imports)-1000):], name) {
		x.imports = append(x.imports, name)
	}
}

// arrange sorts the spans that read has appended.
func (x *extraction) arrange() {
	x.runs, x.cleaned = nil, nil
	for _, spans := range []*[]lexical.Span{&x.comments, &x.attributes, &x.testing, &x.exporting, &x.docs, &x.docsAfter, &x.open} {
		slices.SortFunc(*spans, lexical.ByStart)
		*spans = slices.Compact(*spans)
	}
	slices.SortFunc(x.privateNames, lexical.ByStart)
	slices.SortFunc(x.sections, func(a, b section) int { return cmp.Compare(a.start, b.start) })
	x.local = slices.DeleteFunc(x.local, func(s lexical.Span) bool { return holds(x.open, s) })
	slices.SortFunc(x.local, lexical.ByStart)
	// Scopes nest. Extend each to the furthest end so far, so that inLocal needs to look at one scope only.
	for i := 1; i < len(x.local); i++ {
		x.local[i].End = max(x.local[i].End, x.local[i-1].End)
	}
}

// readReference appends the captures of a match for references and typings.
func (x *extraction) readReference(pattern int, captures []uint32) {
	m := mention{pattern: pattern}
	var i importation
	var b binding
	var method memberMethod
	var result returned
	var types parameters
	first := len(x.bindings)
	for c := 0; c < len(captures); c += 3 {
		s := lexical.Span{Start: int(captures[c+1]), End: int(captures[c+2])}
		if s.Start >= s.End {
			continue // a missing node that the parser inserted
		}
		switch x.Roles[captures[c]] {
		case grammar.RoleReference:
			m.Span, m.relation = m.Join(s), x.Relations[captures[c]]
		case grammar.RoleImportModule:
			i.modules, i.prefix = append(i.modules, s), x.Patterns[pattern].Module
		case grammar.RoleImportName:
			i.name = i.name.Join(s)
		case grammar.RoleImportAlias:
			i.alias = i.alias.Join(s)
		case grammar.RoleBinding, grammar.RoleBindingMember:
			if len(x.bindings) < maxMentions {
				x.bindings = append(x.bindings, binding{name: s, pattern: pattern, member: x.Roles[captures[c]] == grammar.RoleBindingMember, within: x.Patterns[pattern].Within})
			}
		case grammar.RoleBindingType:
			b.typ = b.typ.Join(s)
		case grammar.RoleBindingValue:
			b.value = b.value.Join(s)
		case grammar.RoleBindingList:
			b.typ, b.list = b.typ.Join(s), true
		case grammar.RoleBindingElement:
			b.element = b.element.Join(s)
		case grammar.RoleBindingEntered:
			b.value, b.entered = b.value.Join(s), true
		case grammar.RoleBindingScope:
			b.scope = b.scope.Join(s)
		case grammar.RoleBindingProperty:
			b.property = s
		case grammar.RoleBindingParts:
			if len(x.parts) < maxMentions {
				x.parts = append(x.parts, s)
			}
		case grammar.RoleParameters:
			types.names = s
		case grammar.RoleParametersScope:
			types.around = s
		case grammar.RoleMemberMethod:
			method.name = s
		case grammar.RoleMemberSignature:
			method.signature = method.signature.Join(s)
		case grammar.RoleResult:
			result.Span = result.Join(s)
		case grammar.RoleResultValue:
			result = cmp.Or(result, returned{Span: s, value: true})
		case grammar.RoleExtended:
			result = returned{Span: s, extended: true}
		case grammar.RoleReferenceText:
			if len(x.loose) < maxMentions {
				x.loose = append(x.loose, s)
			}
		}
	}
	if m.End > 0 && len(x.named) < maxMentions {
		x.named = append(x.named, m)
	}
	if (i.name.End > 0 || i.modules != nil) && len(x.importations) < maxMentions {
		x.importations = append(x.importations, i)
	}
	if types.around.End > 0 && len(x.parameters) < maxMentions {
		x.parameters = append(x.parameters, types)
	}
	if own := x.bindings[first:]; len(own) > 0 {
		for n := range own {
			own[n].typ, own[n].scope, own[n].property, own[n].list = b.typ, b.scope, b.property, b.list
		}
		own[0].value, own[0].entered, own[len(own)-1].element = b.value, b.entered, b.element
	} else if b.scope.End > 0 && len(x.blocks) < maxMentions {
		x.blocks = append(x.blocks, b.scope)
	}
	switch {
	case len(x.memberMethods) >= maxMentions || len(x.results) >= maxMentions:
	case method.name.End > 0:
		method.result = result.Span
		x.memberMethods = append(x.memberMethods, method)
	case result.End > 0:
		x.results = append(x.results, result)
	}
}
