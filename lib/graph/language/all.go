package language

// All returns the rules of all families. A language in none of them has the zero value of Rules.
func All() []Rules {
	return []Rules{
		ecmascriptRules(),
		jvmRules(),
		csharpRules(),
		phpRules(),
		pythonRules(),
		rubyRules(),
		cRules(),
		golangRules(),
		rustRules(),
		swiftRules(),
		luaRules(),
		bashRules(),
		zigRules(),
		solidityRules(),
		dartRules(),
		elixirRules(),
		haskellRules(),
		ocamlRules(),
		juliaRules(),
		rRules(),
		protobufRules(),
		graphqlRules(),
		sqlRules(),
		pascalRules(),
		fortranRules(),
		nixRules(),
		erlangRules(),
		clojureRules(),
	}
}
