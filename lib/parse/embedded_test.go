package parse

import (
	"fmt"
	"strings"
	"testing"

	"cortex/lib/language"
	"cortex/lib/record"
)

func rustFile(t *testing.T, text string) *record.File {
	t.Helper()
	lang, ok := language.ByName("rust")
	if !ok {
		t.Fatal("no rust in the table")
	}
	return parseFile("a.rs", lang, []byte(text))
}

// placed lists the symbols by kind, qualified name, lines and documentation.
func placed(f *record.File) string {
	var b strings.Builder
	for _, s := range f.Symbols {
		fmt.Fprintf(&b, "%s %s %d-%d", s.Kind, s.QualifiedName, s.StartLine, s.EndLine)
		if s.Exported {
			b.WriteString(" exported")
		}
		if s.Test {
			b.WriteString(" test")
		}
		if s.Doc != "" {
			fmt.Fprintf(&b, " %q", s.Doc)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func TestItemsInArgumentsOfMacrosStandWhereTheyStand(t *testing.T) {
	f := rustFile(t, `cfg_net! {
    /// Über a wire.
    #[cfg(unix)]
    pub struct Wire { fd: u8 }

    impl Wire {
        /// Sends.
        pub fn send(&self) {}
    }

    cfg_test! {
        #[test]
        fn works() {}
    }
}

impl Wire {
    cfg_rt! {
        pub fn poll(&self) { inner! { fn local() {} } }
    }
}

fn last() {}
`)
	want := `struct Wire 3-4 exported "Über a wire."
method Wire.send 8-8 exported "Sends."
function works 12-13 test
method Wire.poll 19-19 exported
function last 23-23
`
	if got := placed(f); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if f.Status != record.StatusOK || f.ErrorCount != 0 {
		t.Errorf("status %s with %d errors", f.Status, f.ErrorCount)
	}
	for _, s := range f.Symbols {
		if got := f.Text[s.StartByte:s.EndByte]; !strings.Contains(got, s.Name) {
			t.Errorf("%s is at %q", s.QualifiedName, got)
		}
	}
}

func TestArgumentsOfMacrosThatAreNoItemsAreLeftOut(t *testing.T) {
	f := rustFile(t, `vec_of! { 1 + fn wrong() }
select! { x = poll() => { fn branch() {} } }
empty! {}
rounds!(fn round() {});
cfg_net! { fn right() {} }
fn outer() { cfg_net! { fn local() {} } }
`)
	want := "function right 5-5\nfunction outer 6-6\n"
	if got := placed(f); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if f.Status != record.StatusOK {
		t.Errorf("status %s: %s", f.Status, f.Reason)
	}
}

func TestArgumentsOfMacrosAreReadToABound(t *testing.T) {
	const maxInside, maxSegments = 4, 2000 // those of package extract
	deep := strings.Repeat("m! { ", maxInside+2)
	f := rustFile(t, "m! { fn a() {} "+deep+"fn b() {} "+strings.Repeat("}", maxInside+2)+" }\n")
	if got, want := placed(f), "function a 1-1\n"; got != want {
		t.Errorf("nested deep: got\n%swant\n%s", got, want)
	}
	f = rustFile(t, strings.Repeat("m! { fn a() {} }\n", maxSegments+5))
	if len(f.Symbols) != maxSegments {
		t.Errorf("%d symbols of %d macros, want %d", len(f.Symbols), maxSegments+5, maxSegments)
	}
}
