package language

// All is the table. Languages that are in no row have the zero value.
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
