package cli

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	"github.com/kballard/go-shellquote"

	"gatehouse/internal/batch"
	"gatehouse/internal/check"
	"gatehouse/internal/human"
	"gatehouse/internal/problem"
)

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
	progress *batchProgress
	next     int      // index of the next address to write
	answered bool     // one address has been
	hints    []string // what to do about failures
}

// inquire asks about all addresses, writes the answers, and sums them up on stderr.
func inquire[T any](ctx context.Context, a *app, f *batchFlags, list *batch.List, q inquiry[T]) error {
	journal, err := openJournal(a, f, list, q.kind)
	if err != nil {
		return err
	}
	output := ctx // a visitor's connection that has ended shows nothing
	if a.local {  // whoever pressed ctrl+c can read what was found before
		output = context.WithoutCancel(ctx)
	}
	b := &batchRun[T]{
		inquiry: q, app: a, flags: f, list: list, journal: journal,
		sink: newSink(output, a, q.form), progress: newBatchProgress(a, q.quiet),
	}
	err = b.run(ctx, output)
	if closed := journal.Close(); err == nil && closed != nil {
		err = journalProblem(f.resume, closed)
	}
	return err
}

func (b *batchRun[T]) run(ctx, output context.Context) error {
	if b.streams() {
		if err := b.writeKnown(); err != nil {
			return err
		}
	}
	ends := output
	if b.atOnce {
		ends = ctx
	}
	err := batch.Run(ctx, b.list, batch.Options[T]{
		Jobs: b.flags.jobs, Rate: b.flags.rate, Known: b.journal.State, Take: b.take, Progress: b.progress.show,
		Ask: func(flight context.Context, email string) batch.Answer[T] { // no longer than its answer is read
			flight, end := context.WithCancel(flight)
			defer end()
			defer context.AfterFunc(ends, end)()
			return b.ask(flight, email)
		},
	})
	b.progress.clear()
	interrupted := err != nil && errors.Is(err, ctx.Err()) && output.Err() == nil
	switch {
	case err != nil && !interrupted:
		return err
	case interrupted && b.flags.from == "" && !b.answered:
		return ctx.Err()
	}
	if !b.streams() {
		if err := b.writeKnown(); err != nil {
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
	b.explain(a.Err)
	if !b.streams() && i != b.next {
		return nil
	}
	err := b.write(i, a.Value, element)
	if b.streams() {
		return err
	}
	for b.next++; err == nil && b.next < len(b.list.Addresses) && b.journal.State(b.next).Known(); b.next++ {
		err = b.writeKept(b.next)
	}
	return err
}

// explain says why there is no answer about an address that was given as an argument.
func (b *batchRun[T]) explain(err error) {
	if err == nil || b.flags.from != "" {
		return
	}
	p := problem.Describe(err, problem.CommandLine)
	b.app.say("gatehouse: %s", p.Sentence)
	if p.Hint != "" && !slices.Contains(b.hints, p.Hint) {
		b.hints = append(b.hints, p.Hint)
	}
}

func (b *batchRun[T]) write(i int, value T, element []byte) error {
	defer b.journal.Forget(i)
	if b.app.env.StdoutIsTerminal {
		b.progress.clear()
	}
	return b.sink.add(value, element)
}

// writeKept writes the answer that the journal has about an address.
func (b *batchRun[T]) writeKept(i int) error {
	var value T
	element, err := b.journal.Element(i)
	if err == nil {
		err = json.Unmarshal(element, &value)
	}
	if err != nil {
		return journalProblem(b.flags.resume, err)
	}
	return b.write(i, value, element)
}

// writeKnown writes the known answers from the next address on.
func (b *batchRun[T]) writeKnown() error {
	for i := b.next; i < len(b.list.Addresses); i++ {
		if b.journal.State(i).Known() {
			if err := b.writeKept(i); err != nil {
				return err
			}
		}
	}
	return nil
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
		b.sayHowToGoOn()
	}
	if interrupted || failed > 0 {
		return errReported
	}
	return nil
}

func (b *batchRun[T]) sayHowToGoOn() {
	switch {
	case b.flags.from == "":
	case b.flags.resume == "":
		b.app.say("Use --resume FILE to keep the results, and to continue from them in the next run.")
	case b.flags.from == fromStdin:
		b.app.say("Resume with: gatehouse %s  (and the same addresses on standard input)", shellquote.Join(b.app.args...))
	default:
		b.app.say("Resume with: gatehouse %s", shellquote.Join(b.app.args...))
	}
}
