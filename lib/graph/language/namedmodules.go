package language

import (
	"cmp"
	"path"
	"strings"

	"cortex/lib/graph/facts"
	"cortex/lib/record"
)

// This file has the rules of languages whose modules have names of their own, independent of paths.

// elixirRules returns the rules of Elixir. A module that is aliased, imported, required or used is known under the last
// part of its name, and in each case its functions count as imported.
func elixirRules() Rules {
	return Rules{
		Languages:  []string{"elixir"},
		Prepare:    func(_ *facts.Tree, files []*facts.File) any { return newModuleNames(files, "elixir") },
		Package:    func(*facts.Tree, *facts.File) string { return "elixir" },
		Unexported: ReachFile,
		Wide:       true,
		Import: func(t *facts.Tree, f *facts.File, ref *record.Reference) []Import {
			name := strings.TrimPrefix(ref.Module, "Elixir.")
			if ref.Name != "" {
				name += "." + ref.Name
			}
			local := cmp.Or(ref.Alias, record.LastName(name))
			if t.Prepared(f).(moduleNames)[name] == nil {
				return []Import{{Local: local, External: name}}
			}
			return []Import{{Local: local, All: true, Package: "elixir", Name: name}}
		},
		Absolute: func(t *facts.Tree, f *facts.File, parts []string) (Import, int) {
			known := t.Prepared(f).(moduleNames)
			for n := min(len(parts), 8); n > 0; n-- {
				if name := strings.Join(parts[:n], "."); known[name] != nil {
					return Import{Package: "elixir", Name: name}, n
				}
			}
			if n := capitals(parts); n > 0 {
				return Import{External: strings.Join(parts[:n], ".")}, n
			}
			return Import{}, 0
		},
		Builtin: func(name string, member bool) bool { return elixirBuiltins[name] || member && elixirMethods[name] },
	}
}

// capitals returns the number of leading parts that begin with a capital letter.
func capitals(parts []string) int {
	n := 0
	for n < len(parts) && parts[n] != "" && 'A' <= parts[n][0] && parts[n][0] <= 'Z' {
		n++
	}
	return n
}

// haskellRules returns the rules of Haskell: a file is a module, which others name in full or by an alias.
func haskellRules() Rules {
	return Rules{
		Languages: []string{"haskell"},
		Prepare: func(_ *facts.Tree, files []*facts.File) any {
			n := moduleNames{}
			for _, f := range files {
				if f.Language == "haskell" && f.Package != "" {
					n[f.Package] = append(n[f.Package], f)
				}
			}
			return n
		},
		Import: func(t *facts.Tree, f *facts.File, ref *record.Reference) []Import {
			i := Import{Files: nearestFirst(t.Prepared(f).(moduleNames)[ref.Module], f)}
			if len(i.Files) == 0 {
				i = Import{External: ref.Module}
			}
			whole := i
			whole.Local = cmp.Or(ref.Alias, ref.Module)
			if ref.Name == "" {
				whole.All = true
				return []Import{whole}
			}
			i.Local, i.Name = ref.Name, ref.Name
			return []Import{i, whole}
		},
		Builtin: func(name string, _ bool) bool { return haskellBuiltins[name] },
	}
}

// ocamlRules returns the rules of OCaml: a file is a module with the name of the file, which may follow that of a
// library.
func ocamlRules() Rules {
	absolute := func(t *facts.Tree, f *facts.File, parts []string) (Import, int) {
		known := t.Prepared(f).(fileNames)
		for n := 1; n <= min(capitals(parts), 2); n++ {
			name := strings.ToLower(parts[n-1][:1]) + parts[n-1][1:]
			for _, ending := range []string{".ml", ".mli"} {
				if file := known.find(f, name+ending); file != nil {
					return Import{Files: []*facts.File{file}}, n
				}
			}
		}
		if n := capitals(parts); n > 0 {
			return Import{External: strings.Join(parts[:n], ".")}, n
		}
		return Import{}, 0
	}
	return Rules{
		Languages: []string{"ocaml"},
		Prepare:   func(_ *facts.Tree, files []*facts.File) any { return newFileNames(files, "ocaml") },
		Absolute:  absolute,
		Import: func(t *facts.Tree, f *facts.File, ref *record.Reference) []Import {
			parts := strings.Split(ref.Module, ".")
			i, n := absolute(t, f, parts)
			if n == 0 {
				return nil
			}
			i.Local, i.All, i.Name = ref.Alias, ref.Alias == "", strings.Join(parts[n:], ".")
			return []Import{i}
		},
		Builtin: func(name string, member bool) bool { return !member && ocamlBuiltins[name] },
	}
}

// juliaRules returns the rules of Julia. Files are included into modules of other files, so the tree is one package.
func juliaRules() Rules {
	return Rules{
		Languages:   []string{"julia"},
		Prepare:     func(_ *facts.Tree, files []*facts.File) any { return newModuleNames(files, "julia") },
		Package:     func(*facts.Tree, *facts.File) string { return "julia" },
		CalledTypes: true,
		Import: func(t *facts.Tree, f *facts.File, ref *record.Reference) []Import {
			if strings.HasSuffix(ref.Module, ".jl") {
				if file := t.File(path.Join(path.Dir(f.Path), ref.Module)); file != nil {
					return []Import{{Files: []*facts.File{file}}}
				}
				return nil
			}
			module := strings.TrimLeft(ref.Module, ".")
			i := Import{Local: cmp.Or(ref.Name, module), Name: ref.Name}
			if t.Prepared(f).(moduleNames)[module] == nil {
				i.External = module
			} else {
				i.Package, i.Name = "julia", strings.TrimSuffix(module+"."+ref.Name, ".")
				i.All = ref.Name == ""
			}
			return []Import{i}
		},
		Builtin: func(name string, _ bool) bool { return juliaBuiltins[name] },
	}
}

// rRules returns the rules of R: the files of one folder share their functions, as those of a package do.
func rRules() Rules {
	return Rules{
		Languages: []string{"r"},
		Package:   func(_ *facts.Tree, f *facts.File) string { return path.Dir(f.Path) },
		Import: func(t *facts.Tree, f *facts.File, ref *record.Reference) []Import {
			if name := ref.Module; strings.HasSuffix(strings.ToLower(name), ".r") {
				for _, folder := range []string{path.Dir(f.Path), "."} {
					if file := t.File(path.Join(folder, name)); file != nil {
						return []Import{{All: true, Files: []*facts.File{file}}}
					}
				}
				return nil
			}
			return []Import{{Local: ref.Module, External: ref.Module}}
		},
		Builtin: func(name string, _ bool) bool { return rBuiltins[name] },
	}
}

var (
	elixirBuiltins = wordSet(`abs alias and apply assert assert_raise assert_receive assert_received binary_part binding bit_size byte_size capture_io
		capture_log ceil dbg def describe destructure div elem exit floor function_exported? get_and_update_in get_in hd in inspect is_atom is_binary
		is_bitstring is_boolean is_exception is_float is_function is_integer is_list is_map is_map_key is_nil is_number is_pid is_port is_reference
		is_struct is_tuple length macro_exported? make_ref map_size match? max min node not on_exit or pop_in put_elem put_in raise refute rem reraise
		round self send setup setup_all sigil_r sigil_s spawn spawn_link struct struct! tap test then throw tl to_charlist to_string trunc tuple_size update_in
		use var! catch defexception defoverridable defrecord defrecordp defstruct typedoc impl`)
	elixirMethods   = wordSet(`new get put fetch update delete`)
	haskellBuiltins = wordSet(`abs all and any ap asTypeOf bracket break ceiling compare concat concatMap const curry cycle decodeUtf8 div divMod drop
		dropWhile either elem encodeUtf8 enumFrom error errorWithoutStackTrace even exp fail filter first flip floor fmap foldM foldMap foldl foldr foldr1 forM
		forM_ fromIntegral fromJust fromMaybe fst gcd getLine guard head id init insert interact isJust isNothing iterate join last lcm length lift liftA2 liftIO lines log
		lookup many map mapM mapM_ mappend max maxBound maybe mconcat mempty min minBound mod negate not notElem null odd or otherwise pack pi print
		product properFraction pure putStr putStrLn quot quotRem read readFile realToFrac rem repeat replicate replicateM return reverse round runST scanl second
		seq sequence sequence_ show showParen showString showsPrec signum snd some span splitAt sqrt subtract sum tail take takeWhile toEnum toInteger
		traverse traverse_ truncate try uncurry undefined unless unlines unpack unwords unzip userError void when words writeFile zip zipWith zipWithM_
		Just Left Right Nothing True False Proxy Identity IO`)
	ocamlBuiltins = wordSet(`abs at_exit char_of_int compare decr exit failwith float float_of_int float_of_string fst ignore incr int_of_char
		int_of_float int_of_string invalid_arg max min mod not open_in open_out pred prerr_endline print_endline print_int print_newline print_string
		raise raise_notrace read_line ref snd sqrt string_of_bool string_of_float string_of_int succ truncate`)
	juliaBuiltins = wordSet(`Array Bool Char Complex DataType Dict Expr Float32 Float64 Int Int32 Int64 Int8 Matrix Missing Nothing NamedTuple Pair Ref Regex Set String
		Symbol Task Tuple Type UInt UInt8 Union Vector abs all any append! applicable asin axes ceil cld close coalesce cmp collect cond convert copy
		copyto! cos count deepcopy delete! diff div eachindex eachrow eltype empty empty! enumerate eof error esc eval exp extrema falses fill fill! filter
		filter! findall findfirst first firstindex fld floor foldl foreach get get! getfield getindex getproperty hasfield haskey hasmethod hasproperty hash hcat
		identity ifelse in include insert! intersect invoke isa isabstracttype isassigned isempty isequal isless ismissing isnan isnothing issorted issubset
		iterate join keys keytype kwcall last lastindex length lock log lowercase map map! mapreduce max maximum mean merge merge! methods min minimum mod
		names ndims new nothing notnot ntuple nonmissingtype occursin oftype one ones open pairs parent parse pop! popfirst! prod print println promote promote_type
		propertynames push! pushfirst! quote rand rand! randn range read readline reduce rem repeat replace reshape resize! rethrow reverse round setdiff setfield!
		setindex! setproperty! show similar sin size skipmissing sort sort! sortperm splice! split sqrt startswith step string strip sum symdiff tan throw
		time trues trunc tuple typeof typemax typemin union unique unique! uppercase valtype values vcat vec view widen write zero zeros zip`)
	rBuiltins = wordSet(`abs all any anyNA aperm apply array as.character as.data.frame as.double as.environment as.integer as.list as.logical as.name as.numeric
		as.symbol as.vector assign attr attributes basename body browser bquote by c call cat cbind ceiling character class colnames complete.cases cut data.frame
		deparse dim dimnames dir.create dirname do.call double drop duplicated emptyenv environment eval exists exp expand.grid expression factor file
		file.exists file.path Filter Find floor for format formals function get getOption gettextf grepl gsub identical identity if ifelse inherits integer
		interaction intersect invisible is.character is.data.frame is.environment is.factor is.function is.list is.logical is.na is.null is.numeric isTRUE
		lapply length levels library list local logical ls make.names mapply Map match match.arg match.call max mean merge message min missing mode months
		names nargs nchar ncol new.env NextMethod nlevels nrow numeric on.exit options order outer parent.env parent.frame paste paste0 pmatch pmin pmax print
		prod quit quote range rapply rbind Recall Reduce regexpr regmatches rep rep_len repeat require return rev rm rnorm round row.names rownames rowSums runif
		sapply seq seq_along seq_len set.seed setdiff setNames sort split sprintf sqrt stop stopifnot strsplit structure sub subset substitute substr substring sum
		suppressMessages suppressWarnings switch Sys.getenv Sys.setenv Sys.time sys.call sys.function system t table tail tapply tolower toupper trimws try tryCatch
		typeof union unique unlist unname unsplit UseMethod vapply var vector Vectorize warning which while with within
		test_that expect_equal expect_error expect_true expect_false expect_identical expect_snapshot expect_named expect_type expect_null expect_s3_class expect_warning`)
)
