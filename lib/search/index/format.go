package index

// The columns of rows.
const (
	typeColumn = iota
	formColumn
	startColumn
	linesColumn // after the first
	traitsColumn
	tagsColumn
	sizeColumn
	runColumn
	symbolColumn // end of the row's symbols
	columns
)

// The columns of runs; the first three are words.
const (
	runPath = iota
	runLanguage
	runTree
	runFirst // row
	runFileSize
	runFile
	runColumns
)

// The columns of files.
const (
	fileRun  = iota // first
	fileLast        // line
	fileName        // end in the words of names
	fileColumns
)

// The columns of symbols.
const (
	symbolName = iota // end in names
	symbolType        // a word
	symbolLine
	symbolColumns
)

// An identifier is a prefix, the path, and a rest that is kept. A row's form is the number of the prefix, 0 where all is kept, and these.
const (
	prefixMask = 7
	// formNamed tells that "#" and the name of the first symbol stand before the rest.
	formNamed = 8
)

// prefixes are those of identifiers, in order.
var prefixes = [...]string{"", "code-data-", "code-definitions-", "code-impl-", "code-symbols-", "doc-"}

// The sections of a segment that are not of dictionaries.
const (
	headSection = iota // numbers: see the head fields
	sumsSection
	wordsSection
	wordEndsSection
	offsetsSection
	tagEndsSection
	tagsSection
	idEndsSection
	rowSection
	runSection    = rowSection + columns
	symbolSection = runSection + runColumns
	fileSection   = symbolSection + symbolColumns
	namedSection  = fileSection + fileColumns
	// checkedSections end here.
	checkedSections = namedSection + 1
	idsSection      = checkedSections
	namesSection    = idsSection + 1
	scalesSection   = namesSection + 1
	vectorsSection  = scalesSection + 1
	headsSection    = vectorsSection + 1
	blocksSection   = headsSection + 1
	termsSection    = blocksSection + 1
	listsSection    = termsSection + 1
	postingsSection = listsSection + 1
	lengthsSection  = postingsSection + 1 // one for each dictionary
)

// The numbers of the head.
const (
	headRows = iota
	headRuns
	headFiles
	headSymbols
	headDimensions
	headEmbeddings
	headDicts
	headNumbers
)
