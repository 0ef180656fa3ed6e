package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"syscall"

	"github.com/spf13/cobra"

	"gatehouse/internal/batch"
	"gatehouse/internal/files"
	"gatehouse/internal/hostname"
	"gatehouse/internal/human"
	"gatehouse/internal/problem"
	"gatehouse/internal/prompt"
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
	flags := cmd.Flags()
	flags.StringVar(&f.from, "from", "", "read addresses from `FILE`, one per line or as CSV; - is standard input")
	flags.StringVar(&f.column, "column", "", "with --from: read the addresses from the CSV column `NAME` (default email)")
	flags.IntVar(&f.jobs, "jobs", defaultJobs, "with --from: ask about `N` addresses at the same time")
	flags.Float64Var(&f.rate, "rate", defaultRate, "with --from: ask about `N` addresses per second, 0 for no limit")
	flags.StringVar(&f.resume, "resume", "", "with --from: write each result to the journal `FILE`, and continue from it")
	flags.BoolVar(&f.retryFailed, "retry-failed", false, "with --resume: ask again where the result was a failure or unknown")
	flags.BoolVarP(&f.quiet, "quiet", "q", false, "with --from: no progress and no summary")
}

// aboutLists explains the flags in the help of a command.
const aboutLists = `

--from FILE reads the addresses from a file, or from standard input if FILE is -. The list
has one address per line, or is a CSV with a column "email". Blank lines, lines that begin
with # and repeated addresses are skipped. --resume FILE writes each result to a journal as soon
as it is known; after an interruption, run the same command again to continue. If the
service asks Gatehouse to wait, all requests wait.`

// listExample is the example of a list in the help of a command.
func listExample(command string) string {
	return "\n  gatehouse " + command + " --from people.csv --resume done.ndjson -o csv > result.csv"
}

var batchFlagNames = []string{"from", "column", "jobs", "rate", "resume", "retry-failed", "quiet"}

// accept checks the arguments of a command that takes addresses, or a list of them.
func (f *batchFlags) accept(cmd *cobra.Command, args []string) error {
	given := slices.DeleteFunc(slices.Clone(batchFlagNames), func(name string) bool { return !cmd.Flags().Changed(name) })
	command := "`" + cmd.CommandPath() + " ada@harbor.example`"
	switch {
	case f.from == "" && cmd.Flags().Changed("from"):
		return usage("flag --from is empty", "Name a file of addresses, or - for standard input.")
	case f.from == "" && len(given) > 0:
		return usage("--"+given[0]+" needs a list of addresses", "Add --from FILE, or leave out --"+given[0]+".")
	case len(args) == 0 && cmd.Flags().Lookup("from") == nil: // for a visitor
		return usage("no e-mail address is given", "Give one: "+command+".")
	case f.from == "" && len(args) == 0:
		return usage("no e-mail address is given", "Give one or more: "+command+", or a list with --from.")
	case f.from == "":
		return nil
	case len(args) > 0:
		return usage("addresses are given both as arguments and with --from", "Use one of them.")
	}
	return f.check(cmd)
}

func (f *batchFlags) check(cmd *cobra.Command) error {
	switch {
	case f.jobs < 1 || f.jobs > maxJobs:
		return usage(fmt.Sprintf("flag --jobs is %d", f.jobs), fmt.Sprintf("Use a number from 1 to %d.", maxJobs))
	case f.rate < 0 || math.IsNaN(f.rate) || math.IsInf(f.rate, 0):
		return usage(fmt.Sprintf("flag --rate is %v", f.rate), "Use a number such as 10 or 0.5, or 0 for no limit.")
	case f.resume == "" && cmd.Flags().Changed("resume"):
		return usage("flag --resume is empty", "Name a file; it is created if it does not exist.")
	case f.retryFailed && f.resume == "":
		return usage("--retry-failed needs a journal", "Name it with --resume.")
	}
	return nil
}

// start reads the list, or completes the addresses that were given as arguments, and opens the
// service to ask about them. The caller closes the work.
func (f *batchFlags) start(ctx context.Context, a *app, args []string, open func(context.Context) (*work, error)) (*batch.List, *work, error) {
	var list *batch.List
	if f.from != "" {
		var err error
		if list, err = readList(ctx, a, f); err != nil {
			return nil, nil, err
		}
	}
	w, err := open(ctx)
	if err != nil || list != nil {
		return list, w, err
	}
	for i, email := range args {
		email, _ = hostname.ParseEmail(email) // the answer reports an invalid one
		args[i] = address(w.profile, email)
	}
	if list, err = batch.Of(args); err != nil {
		w.close()
	}
	return list, w, err
}

// readList reads the addresses of a file. Every error except that of the context is a usage error.
func readList(ctx context.Context, a *app, f *batchFlags) (*batch.List, error) {
	in, name, err := openList(ctx, a, f.from)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	list, err := batch.Read(in, f.column)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if e, ok := errors.AsType[*batch.FileError](err); ok {
		return nil, usage("cannot use the list in "+name+": "+e.Error(), cmp.Or(e.Hint, hintList))
	}
	return list, unreadableList(name, err)
}

// openList opens the list; reading it ends with the context.
func openList(ctx context.Context, a *app, from string) (in io.ReadCloser, name string, err error) {
	if from == fromStdin {
		if a.env.Ask != nil {
			return nil, "", usage("standard input is a terminal", "Give a file: `--from FILE`, or the output of another program.")
		}
		return prompt.Input(ctx, a.env.Stdin), "standard input", nil
	}
	file, err := os.Open(from)
	if err != nil {
		return nil, "", unreadableList(from, err)
	}
	context.AfterFunc(ctx, func() { _ = file.Close() }) // it may be a pipe
	return file, from, nil
}

func unreadableList(name string, err error) error {
	if err == nil {
		return nil
	}
	return usage("cannot read "+name+": "+systemReason(err), hintList)
}

const hintList = "Name a file of addresses, one per line or as CSV."

// systemReason is what the system says about a file, without its name.
func systemReason(err error) string {
	if number, ok := errors.AsType[syscall.Errno](err); ok {
		return number.Error()
	}
	return files.Reason(err).Error()
}

func openJournal(a *app, f *batchFlags, list *batch.List, kind batch.Kind) (*batch.Journal, error) {
	if f.resume == "" {
		return batch.NewJournal(list), nil
	}
	journal, err := batch.OpenJournal(f.resume, list, kind)
	const hint = "The file was not changed. Name another one with --resume; a file that does not exist is created."
	refused, isRefused := errors.AsType[*batch.FileError](err)
	switch {
	case isRefused:
		return nil, usage(f.resume+" cannot be used as the journal: "+refused.Error(), hint)
	case files.IsNewer(err):
		return nil, usage(f.resume+" cannot be used as the journal: "+err.Error(), "The file was not changed. Upgrade gatehouse, or name another file with --resume.")
	case errors.Is(err, files.ErrInUse):
		return nil, usage("another process is using the journal "+f.resume, "Wait until it ends, or name another file with --resume.")
	case err != nil:
		return nil, usage(f.resume+" cannot be used as the journal: "+systemReason(err), hint)
	}
	if f.retryFailed {
		journal.ForgetFailures()
	}
	if journal.Torn {
		a.warn("The last line of " + f.resume + " was incomplete and has been removed: that address is asked about again.")
	}
	if n := journal.Foreign; n > 0 {
		a.warn(fmt.Sprintf("%s in %s for addresses that are not in the list: they stay in the file and are left out here.", human.Count(n, "result", "results"), f.resume))
	}
	return journal, nil
}

// journalProblem is the error for a journal that cannot be written.
func journalProblem(name string, err error) error {
	return problem.New("cannot write "+name+": "+systemReason(err),
		"The results so far are kept. Run the same command again once the file can be written.")
}
