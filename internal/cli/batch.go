package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"gatehouse/internal/desk/batch"
	"gatehouse/internal/files"
	"gatehouse/internal/prompt"
	"gatehouse/internal/text/hostname"
	"gatehouse/internal/text/human"
)

// batchFlags are the flags of a command that takes a list of addresses.
type batchFlags struct {
	from, column, resume string
	jobs                 int
	rate                 float64
	retryFailed, quiet   bool
}

const (
	defaultJobs = 8
	maxJobs     = 256
	defaultRate = 10
	fromStdin   = "-"
)

func (f *batchFlags) add(a *app, cmd *cobra.Command) {
	f.jobs, f.rate = defaultJobs, defaultRate
	if !a.local {
		return
	}
	cmd.Use += " | --from FILE"
	cmd.Long += aboutLists
	cmd.Example += "\n  gatehouse " + cmd.Name() + " --from people.csv --resume done.ndjson -o csv > result.csv"
	flags := cmd.Flags()
	flags.StringVar(&f.from, "from", "", "read addresses from `FILE`, one per line or as CSV; - is standard input")
	flags.StringVar(&f.column, "column", "", "with --from: read the addresses from the CSV column `NAME` (default: email, or the one with most addresses)")
	flags.IntVar(&f.jobs, "jobs", defaultJobs, "with --from: ask about `N` addresses at the same time")
	flags.Float64Var(&f.rate, "rate", defaultRate, "with --from: ask about `N` addresses per second, 0 for no limit")
	flags.StringVar(&f.resume, "resume", "", "with --from: write each result to the journal `FILE`, and continue from it")
	flags.BoolVar(&f.retryFailed, "retry-failed", false, "with --resume: ask again where the result was a failure or unknown")
	flags.BoolVarP(&f.quiet, "quiet", "q", false, "with --from: no progress and no summary")
}

// aboutLists explains the flags in the help of a command.
const aboutLists = `

--from FILE reads the addresses from a file, or from standard input if FILE is -. The list
has one address per line, or is a CSV, whose column of addresses is found by its heading or
its contents. Its columns stay as they are, with the results behind them. Blank lines and
lines that begin with # are skipped; a row without an address is a result; an address that
is repeated is asked about once, and each of its lines gets the answer. --resume FILE writes each result to a journal
as soon as it is known; after an interruption, run the same command again to continue. If
the service asks Gatehouse to wait, all requests wait.`

var batchFlagNames = []string{"from", "column", "jobs", "rate", "resume", "retry-failed", "quiet"}

// accept checks the arguments and flags of a command that takes addresses, or a list of them.
func (f *batchFlags) accept(a *app, cmd *cobra.Command, args []string) error {
	changed := cmd.Flags().Changed
	given := slices.IndexFunc(batchFlagNames, changed)
	switch {
	case f.from == "" && given >= 0:
		name := "--" + batchFlagNames[given]
		return usage(name+" needs a list of addresses", "Add --from FILE, or leave out "+name+".")
	case f.from == "" && len(args) == 0:
		return usage("no e-mail address given", "Give one or more: `"+cmd.CommandPath()+" ada@harbor.example`.")
	case f.from == "":
		return a.refuseFile(cmd, args)
	case len(args) > 0:
		return usage("addresses are given both as arguments and with --from", "Use one or the other.")
	case f.jobs < 1 || f.jobs > maxJobs:
		return usage(fmt.Sprintf("flag --jobs is %d", f.jobs), fmt.Sprintf("Use a number from 1 to %d.", maxJobs))
	case f.rate < 0 || math.IsNaN(f.rate) || math.IsInf(f.rate, 0):
		return usage(fmt.Sprintf("flag --rate is %v", f.rate), "Use a number such as 10 or 0.5, or 0 for no limit.")
	case f.resume == "" && (changed("resume") || f.retryFailed):
		return usage("no journal is named", "Name it with --resume FILE; it is created if it does not exist.")
	}
	return nil
}

// refuseFile returns an error if an argument in place of an address is a file.
func (a *app) refuseFile(cmd *cobra.Command, args []string) error {
	for _, arg := range args {
		if !a.local || strings.Contains(arg, "@") {
			continue
		}
		if info, err := os.Stat(arg); err == nil && info.Mode().IsRegular() {
			return usage(arg+" is a file, and not an e-mail address",
				"Read the addresses in it with --from: `"+cmd.CommandPath()+" --from "+a.shell().Join(arg)+"`.")
		}
	}
	return nil
}

// addresses reads the list of --from, or else makes one of the addresses given as arguments.
func (f *batchFlags) addresses(ctx context.Context, a *app, emails []string) (*batch.List, error) {
	if f.from != "" {
		return readList(ctx, a, f)
	}
	return batch.Of(emails)
}

// emailsIn returns the addresses in the arguments of a command. Arguments that are not an address
// are returned as well, as the results report them.
func (a *app) emailsIn(args []string) []string {
	var emails []string
	for _, text := range args {
		for email := range hostname.Emails(text) {
			if email.Off.Has(hostname.OffInvisible) { // nobody sees why such an address fails elsewhere
				a.say("%s was given with invisible characters, which are left out.", email.Address)
			}
			emails = append(emails, email.Address)
		}
	}
	return emails
}

// readList reads the addresses of a file. Every error except that of the context is a usage error.
// Reading ends with the context.
func readList(ctx context.Context, a *app, f *batchFlags) (list *batch.List, err error) {
	var in io.ReadCloser
	name := f.from
	if name == fromStdin {
		name, in = "standard input", prompt.Input(ctx, a.env.Stdin)
	} else if in, err = os.Open(name); err == nil {
		context.AfterFunc(ctx, func() { _ = in.Close() }) // it may be a pipe
	}
	if err == nil {
		defer in.Close()
		list, err = batch.Read(in, f.column)
	}
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		hint := "Name a file of addresses, one per line or as CSV with a column \"email\". --column names another column."
		if refused, ok := errors.AsType[*batch.FileError](err); ok {
			if refused.Step != "" {
				hint = refused.Step + "."
			}
			if refused.Packed {
				hint += " Or pipe it in: `gunzip -c FILE | ... --from -`."
			}
		}
		return nil, usage("cannot use the list in "+name+": "+files.Reason(err).Error(), hint)
	}
	if rivals := list.Rivals; len(rivals) > 0 {
		a.warn("The addresses of " + name + " are taken from the column " + list.Columns[list.AddressColumn] +
			"; " + human.List(rivals) + " may be meant as well. Choose one with --column.")
	}
	if list.NotUTF8 {
		a.warn("The columns of " + name + " are not all in UTF-8, so that letters beyond ASCII may" +
			" be wrong. In Excel, save it as CSV UTF-8.")
	}
	return list, nil
}
