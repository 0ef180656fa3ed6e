package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"syscall"

	"github.com/kballard/go-shellquote"
	"github.com/spf13/cobra"

	"gatehouse/internal/batch"
	"gatehouse/internal/check"
	"gatehouse/internal/files"
	"gatehouse/internal/hostname"
	"gatehouse/internal/human"
	"gatehouse/internal/problem"
	"gatehouse/internal/prompt"
	"gatehouse/internal/safetext"
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
has one address per line, or is a CSV with a column "email" or "e-mail". Blank lines, lines
that begin with # and repeated addresses are skipped. --resume FILE writes each result to a
journal as soon as it is known; after an interruption, run the same command again to
continue. If the service asks Gatehouse to wait, all requests wait.`

// listExample is the example of a list in the help of a command.
func listExample(command string) string {
	return "\n  gatehouse " + command + " --from people.csv --resume done.ndjson -o csv > result.csv"
}

var batchFlagNames = []string{"from", "column", "jobs", "rate", "resume", "retry-failed", "quiet"}

// accept checks the arguments and flags of a command that takes addresses, or a list of them.
func (f *batchFlags) accept(cmd *cobra.Command, args []string) error {
	changed := cmd.Flags().Changed
	given := slices.IndexFunc(batchFlagNames, changed)
	command := "`" + cmd.CommandPath() + " ada@harbor.example`"
	switch {
	case f.from == "" && changed("from"):
		return usage("flag --from is empty", "Name a file of addresses, or - for standard input.")
	case f.from == "" && given >= 0:
		name := "--" + batchFlagNames[given]
		return usage(name+" needs a list of addresses", "Add --from FILE, or leave out "+name+".")
	case len(args) == 0 && cmd.Flags().Lookup("from") == nil: // for a visitor
		return usage("no e-mail address is given", "Give one: "+command+".")
	case f.from == "" && len(args) == 0:
		return usage("no e-mail address is given", "Give one or more: "+command+", or a list with --from.")
	case f.from == "":
		return nil
	case len(args) > 0:
		return usage("addresses are given both as arguments and with --from", "Use one of them.")
	case f.jobs < 1 || f.jobs > maxJobs:
		return usage(fmt.Sprintf("flag --jobs is %d", f.jobs), fmt.Sprintf("Use a number from 1 to %d.", maxJobs))
	case f.rate < 0 || math.IsNaN(f.rate) || math.IsInf(f.rate, 0):
		return usage(fmt.Sprintf("flag --rate is %v", f.rate), "Use a number such as 10 or 0.5, or 0 for no limit.")
	case f.resume == "" && changed("resume"):
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
		args[i] = address(w.service.Profile, email)
	}
	if list, err = batch.Of(args); err != nil {
		w.close()
	}
	return list, w, err
}

// readList reads the addresses of a file. Every error except that of the context is a usage error.
// Reading ends with the context.
func readList(ctx context.Context, a *app, f *batchFlags) (*batch.List, error) {
	unreadable := func(name string, err error) error {
		return usage("cannot read "+name+": "+systemReason(err), hintList)
	}
	var in io.ReadCloser
	name := "standard input"
	switch {
	case f.from != fromStdin:
		file, err := os.Open(f.from)
		if err != nil {
			return nil, unreadable(f.from, err)
		}
		context.AfterFunc(ctx, func() { _ = file.Close() }) // it may be a pipe
		name, in = f.from, file
	case a.env.Ask != nil:
		return nil, usage("standard input is a terminal", "Give a file: `--from FILE`, or the output of another program.")
	default:
		in = prompt.Input(ctx, a.env.Stdin)
	}
	defer in.Close()
	list, err := batch.Read(in, f.column)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if refused, ok := errors.AsType[*batch.FileError](err); ok {
		return nil, usage("cannot use the list in "+name+": "+refused.Error(), cmp.Or(refused.Hint, hintList))
	}
	if err != nil {
		return nil, unreadable(name, err)
	}
	return list, nil
}

const hintList = "Name a file of addresses, one per line or as CSV."

// systemReason is what the system says about a file, without its name.
func systemReason(err error) string {
	if number, ok := errors.AsType[syscall.Errno](err); ok {
		return number.Error()
	}
	return files.Reason(err).Error()
}

// openJournal opens the journal of a list, or makes one in memory.
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

// inquiry is what a command asks about each of some addresses, and how it writes the answers.
type inquiry[T any] struct {
	kind batch.Kind
	ask  func(ctx context.Context, email string) batch.Answer[T]
	form form[T]
	// atOnce makes an interrupt cancel the requests in flight; otherwise they get a few seconds.
	atOnce bool
	// quiet leaves out the progress and the summary.
	quiet bool
}

// batchRun is an inquiry about the addresses of a list. NDJSON has each answer as soon as it is
// known, other formats in the order of the addresses.
type batchRun[T any] struct {
	inquiry[T]
	app      *app
	flags    *batchFlags
	list     *batch.List
	journal  *batch.Journal
	sink     *sink[T]
	line     statusLine
	reports  int      // of the progress
	ending   bool     // that has been said
	next     int      // index of the next address to write
	answered bool     // one address has been
	hints    []string // what to do about failures
}

// inquire asks about all addresses, writes the answers, and sums them up on stderr.
func inquire[T any](ctx context.Context, a *app, f *batchFlags, list *batch.List, q inquiry[T]) (err error) {
	journal, err := openJournal(a, f, list, q.kind)
	if err != nil {
		return err
	}
	defer func() {
		if closed := journal.Close(); err == nil && closed != nil {
			err = journalProblem(f.resume, closed)
		}
	}()
	output := ctx // a visitor's connection that has ended shows nothing
	if a.local {  // whoever pressed ctrl+c can read what was found before
		output = context.WithoutCancel(ctx)
	}
	b := &batchRun[T]{inquiry: q, app: a, flags: f, list: list, journal: journal, sink: newSink(output, a, q.form)}
	if !q.quiet {
		b.line = a.statusLine()
	}
	return b.run(ctx, output)
}

func (b *batchRun[T]) run(ctx, output context.Context) error {
	if b.streams() {
		if err := b.writeKept(true); err != nil {
			return err
		}
	}
	ends := output
	if b.atOnce {
		ends = ctx
	}
	err := batch.Run(ctx, b.list, batch.Options[T]{
		Jobs: b.flags.jobs, Rate: b.flags.rate, Known: b.journal.State, Take: b.take, Progress: b.show,
		Ask: func(flight context.Context, email string) batch.Answer[T] { // no longer than its answer is read
			flight, end := context.WithCancel(flight)
			defer end()
			defer context.AfterFunc(ends, end)()
			return b.ask(flight, email)
		},
	})
	b.line.clear()
	interrupted := err != nil && errors.Is(err, ctx.Err()) && output.Err() == nil
	switch {
	case err != nil && !interrupted:
		return err
	case interrupted && b.flags.from == "" && !b.answered:
		return ctx.Err()
	}
	if !b.streams() {
		if err := b.writeKept(true); err != nil {
			return err
		}
	}
	if err := b.sink.close(); err != nil {
		return err
	}
	return b.conclude(interrupted)
}

// streams reports whether answers are written in the order in which they come.
func (b *batchRun[T]) streams() bool { return b.app.format() == formatNDJSON }

// take keeps an answer and writes all that can now be written.
func (b *batchRun[T]) take(i int, a batch.Answer[T]) error {
	if errors.Is(a.Err, context.Canceled) {
		return a.Err
	}
	element := jsonLine(a.Value)
	if err := b.journal.Add(i, element, a.Outcome); err != nil {
		return journalProblem(b.flags.resume, err)
	}
	b.answered = true
	if a.Err != nil && b.flags.from == "" { // of an address that was given as an argument
		p := problem.Describe(a.Err, problem.CommandLine)
		b.app.say("gatehouse: %s", p.Sentence)
		if p.Hint != "" && !slices.Contains(b.hints, p.Hint) {
			b.hints = append(b.hints, p.Hint)
		}
	}
	switch {
	case b.streams():
		return b.write(i, a.Value, element)
	case i != b.next:
		return nil
	}
	if err := b.write(i, a.Value, element); err != nil {
		return err
	}
	b.next++
	return b.writeKept(false)
}

func (b *batchRun[T]) write(i int, value T, element []byte) error {
	defer b.journal.Forget(i)
	if b.app.env.StdoutIsTerminal {
		b.line.clear()
	}
	return b.sink.add(value, element)
}

// writeKept writes the answers that the journal has from the next address on: all, or those before
// an address that has none yet.
func (b *batchRun[T]) writeKept(all bool) error {
	for ; b.next < len(b.list.Addresses); b.next++ {
		switch {
		case b.journal.State(b.next).Known():
			var value T
			element, err := b.journal.Element(b.next)
			if err == nil {
				err = json.Unmarshal(element, &value)
			}
			if err != nil {
				return journalProblem(b.flags.resume, err)
			}
			if err := b.write(b.next, value, element); err != nil {
				return err
			}
		case !all:
			return nil
		}
	}
	return nil
}

// show shows on stderr how far the batch is: on one line that is rewritten on a terminal, on a line
// every ten seconds elsewhere. It is called at the start, each second and at the end.
func (b *batchRun[T]) show(progress batch.Progress) {
	const plainEvery = 10 // seconds
	b.reports++
	first := progress.Ending && !b.ending
	if first && b.app.env.LetInterrupt != nil {
		b.app.env.LetInterrupt()
	}
	switch {
	case b.quiet:
	case b.line.out != nil:
		b.line.rewrite(progress.String())
	case b.reports%plainEvery == 1 && b.reports > 1, first:
		b.app.say("%s", progress)
	}
	b.ending = progress.Ending
}

// conclude sums the answers up on stderr, and says how to resume.
func (b *batchRun[T]) conclude(interrupted bool) error {
	var tally check.Tally
	finished, failed := 0, 0
	for i := range b.list.Addresses {
		switch o := b.journal.Outcome(i); o.State {
		case batch.Open:
			continue
		case batch.Failed:
			tally.Count(o.Cause, check.Fail)
			failed++
		case batch.Unknown:
			tally.Count(o.Cause, check.Unknown)
			failed++
		}
		finished++
	}
	for _, hint := range b.hints {
		b.app.say("%s", hint)
	}
	switch {
	case b.quiet:
	case failed > 0:
		b.app.say("%s.", tally.String())
	default:
		b.app.say("%s, none failed.", human.Count(finished, "address", "addresses"))
	}
	if interrupted {
		b.app.say("gatehouse: Interrupted after %s of %s.", human.Number(finished), human.Count(len(b.list.Addresses), "address", "addresses"))
	}
	switch {
	case !interrupted || b.flags.from == "":
	case b.flags.resume == "":
		b.app.say("Use --resume FILE to keep the results, and to continue from them in the next run.")
	case b.flags.from == fromStdin:
		b.app.say("Resume with: gatehouse %s  (and the same addresses on standard input)", shellquote.Join(b.app.args...))
	default:
		b.app.say("Resume with: gatehouse %s", shellquote.Join(b.app.args...))
	}
	if interrupted || failed > 0 {
		return errReported
	}
	return nil
}

// statusLine is one line on stderr that is rewritten. The zero statusLine shows nothing.
type statusLine struct {
	out   io.Writer
	width int
}

// statusLine is for a terminal on which lines can be rewritten, and not for a screen
// reader, which would read all of it.
func (a *app) statusLine() statusLine {
	if !a.env.StderrIsTerminal || a.flags.accessible || a.accessibleDefault() {
		return statusLine{}
	}
	const maxWidth = 80
	return statusLine{a.env.Stderr, min(cmp.Or(a.tableWidth(), maxWidth), maxWidth)}
}

// clearLine takes back what stands on the line of the cursor.
const clearLine = "\r\x1b[K"

func (l statusLine) clear() { l.rewrite("") }

// rewrite shows a text in place of the one before.
func (l statusLine) rewrite(text string) {
	if l.out != nil {
		_, _ = io.WriteString(l.out, clearLine+safetext.Clip(text, l.width-1))
	}
}
