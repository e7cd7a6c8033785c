package language

// table is sorted by name.
var table = []Language{
	{Name: "go", Aliases: []string{"golang"}, Extensions: []string{".go"}, Comment: "//"},
	{Name: "javascript", Aliases: []string{"js", "jsx"}, Extensions: []string{".js", ".jsx", ".mjs", ".cjs"}, Interpreters: []string{"node"}, Comment: "//"},
	{Name: "markdown", Aliases: []string{"md"}, Extensions: []string{".md", ".markdown"}, Class: Document, Comment: "<!--", CommentEnd: "-->"},
	{Name: "other"},
	{Name: "python", Aliases: []string{"py"}, Extensions: []string{".py", ".pyi", ".pyw"}, Interpreters: []string{"python"}, Comment: "#"},
	{Name: "text", Aliases: []string{"txt"}, Extensions: []string{".txt"}, Filenames: []string{"LICENSE"}, Class: Document},
	{Name: "tsx", Extensions: []string{".tsx"}, Comment: "//"},
	{Name: "typescript", Aliases: []string{"ts"}, Extensions: []string{".ts", ".mts", ".cts"}, Comment: "//"},
}
