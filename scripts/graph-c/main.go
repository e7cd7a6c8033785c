// Command graph-c compares the calls that the graph finds in C code with those that cscope does.
//
//	go run ./scripts/graph-c [FLAGS] DIR...
//
// A call is a pair of a function or macro and what it calls, if that is a function or macro of the tree. Of ours count those edges that
// lead to one thing. First all pairs are compared as they are. Then those are set aside about which cscope is known to be wrong:
//
//   - what it takes for a call where a field that holds a function stands behind "." or "->";
//   - the pairs of a file and function of which it has not seen the definition, or has not seen its end;
//   - names that are a parameter or a local variable of the caller.
//
// --list N draws pairs of each kind of disagreement, to be read.
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
