// Command graph-c compares the calls that the graph finds in C code with those that cscope does.
//
//	go run ./scripts/graph-c [FLAGS] DIR...
//
// A call is a pair of a function or macro and a function or macro of the tree that it calls. Of our edges only those
// with a single target count. The first comparison uses all pairs. The second leaves out pairs about which cscope is
// known to be wrong:
//
//   - calls of a field that holds a function, after "." or "->";
//   - pairs of a function whose definition, or its end, cscope has not recognised;
//   - names that are a parameter or local variable of the caller.
//
// --list N prints N random pairs of each kind of disagreement.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"

	"github.com/spf13/pflag"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	flags := pflag.NewFlagSet("graph-c", pflag.ExitOnError)
	bin := flags.String("bin", "bin", "where the commands are")
	list := flags.Int("list", 0, "print `N` pairs of each disagreement")
	seed := flags.Uint64("seed", 1, "what the drawing begins with")
	only := flags.String("cause", "", "print those of one `CAUSE` alone")
	flags.Parse(os.Args[1:])
	if flags.NArg() == 0 {
		fmt.Fprintln(os.Stderr, "usage: go run ./scripts/graph-c [FLAGS] DIR...")
		os.Exit(2)
	}
	fmt.Printf("%-12s %-5s %7s %7s %7s %10s %7s\n", "", "", "cscope", "ours", "both", "precision", "recall")
	for _, dir := range flags.Args() {
		c, err := compare(ctx, *bin, dir)
		if err != nil {
			fail(err)
		}
		c.report(os.Stdout)
		c.draw(os.Stdout, *list, *seed, *only)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "graph-c:", err)
	os.Exit(2)
}
