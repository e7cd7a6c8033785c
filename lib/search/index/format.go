package index

// The columns of rows, which are chunks.
const (
	typeColumn = iota
	formColumn
	startColumn
	linesColumn // number of lines after the first
	traitsColumn
	tagsColumn
	sizeColumn
	runColumn
	symbolColumn // end of the row's symbols among all symbols
	columns
)

// The columns of runs; the first three contain numbers of words.
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
	fileRun  = iota // first run
	fileLast        // greatest end line
	fileName        // end of the file's words in namedSection
	fileColumns
)

// The columns of symbols.
const (
	symbolName = iota // end of the name in namesSection
	symbolType        // a word
	symbolLine
	symbolColumns
)

// An identifier is a prefix, the path, and a rest, which alone is stored. A row's form is the number of the prefix, or
// 0 if the whole identifier is stored, plus flags.
const (
	prefixMask = 7
	// formNamed says that the rest is preceded by "#" and the name of the row's first symbol.
	formNamed = 8
)

// prefixes are the prefixes of identifiers, in ascending order.
var prefixes = [...]string{"", "code-data-", "code-definitions-", "code-impl-", "code-symbols-", "doc-"}

// The sections of a segment. Those that do not depend on the number of dictionaries come first.
const (
	headSection = iota // the numbers below, from headRows on
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
	// checkedSections is the number of sections that the checksum covers.
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

// The indexes of the numbers in headSection.
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
