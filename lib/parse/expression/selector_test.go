package expression

import "testing"

func TestSelector(t *testing.T) {
	for text, want := range map[string]string{
		"close": "close",
		"addBook:(Book *)book atIndex:(NSInteger)index":              "addBook:atIndex:",
		"sum:(int)a :(int)b":                                         "sum::",
		"find:a ? b : c in:@\"x:y\" /* z:w */ of:^{ [d e:f]; }] g:h": "find:in:of:",
		"add : a to : b":                                             "add:to:",
		"add : (int)a to : (int)b":                                   "add:to:",
		"add:x :y z :w":                                              "add::z:",
		"log:(NSString *)format, ...":                                "log:",
	} {
		if got, _ := Selector(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestMessages(t *testing.T) {
	g := Reader{Selectors: true, Composites: true}
	for text, want := range map[string]string{
		"[Book alloc]":                        "Book.alloc()",
		"[[Book alloc] initWithTitle:x of:y]": "Book.alloc().initWithTitle:of:()",
		"[self.books first]":                  "this.books.first()",
		"[books[0] first]":                    "books[].first()",
		"[(Cover *)book fold]":                "(Cover).fold()",
		"[make(x) fold].page":                 "make().fold().page",
		"books[0]":                            "books[]",
		"[[[[[[[a b] c] d] e] f] g] h]":       "….d().e().f().g().h()",
		"[1, 2]":                              "",
	} {
		if got := g.Read(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
