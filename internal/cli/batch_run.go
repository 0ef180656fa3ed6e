package cli

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"

	"github.com/kballard/go-shellquote"

	"gatehouse/internal/batch"
	"gatehouse/internal/check"
	"gatehouse/internal/human"
	"gatehouse/internal/problem"
)

// question is what a command asks about each of many addresses.
type question[T any] struct {
	kind batch.Kind
	ask  func(ctx context.Context, email string) batch.Answer[T]
	// printer prints the answers about these addresses; none: how many there are is not known.
	printer func(ctx context.Context, emails []string) *answers[T]
}

// batchRun asks a question about many addresses: those of a list, whose answers go into a
// journal, or those that were given as arguments, whose answers are kept in memory until those
// before them are printed.
type batchRun[T any] struct {
	app      *app
	question question[T]
	list     *batch.List
	progress *batchProgress
	answers  *answers[T]
	printErr error

	journal *batch.Journal // nil: the addresses are arguments
	flags   *batchFlags    // of a journal

	// output is the context of what is printed, see [place].
	output context.Context

	values   []T // of arguments, by index
	outcomes []batch.Outcome
	printed  int // how many arguments are behind us
}

// run asks about all addresses, prints what came of it, and says it on stderr.
func (b *batchRun[T]) run(ctx context.Context, o batch.Options[T]) error {
	o.Ask, o.Take, o.Progress = b.question.ask, b.take, b.progress.show
	err := b.printKnown()
	if err == nil {
		err = batch.Run(ctx, b.list, o)
	}
	b.progress.clear()
	switch {
	case b.printErr != nil:
		return b.printErr
	case err != nil && (ctx.Err() == nil || b.output.Err() != nil):
		return err
	}
	interrupted := err != nil
	if !interrupted || b.journal == nil || b.flags.resume == "" {
		// What an interrupted batch without a journal knows would be lost otherwise.
		if err := b.printRest(); err != nil {
			return err
		}
	}
	return b.conclude(interrupted)
}

// outcome is what is known of an address.
func (b *batchRun[T]) outcome(i int) batch.Outcome {
	if b.journal != nil {
		return b.journal.Outcome(i)
	}
	return b.outcomes[i]
}

// take keeps an answer, and prints what can be printed now that it is known.
func (b *batchRun[T]) take(i int, a batch.Answer[T]) error {
	if b.journal != nil {
		if err := b.journal.Add(i, jsonLine(a.Value), a.Outcome); err != nil {
			return journalProblem(b.flags.resume, err)
		}
	} else {
		b.values[i], b.outcomes[i] = a.Value, a.Outcome
	}
	if b.app.format() == formatNDJSON {
		return b.print(i)
	}
	for b.journal == nil && b.printErr == nil && b.printed < len(b.values) && b.outcomes[b.printed].State != batch.Open {
		_ = b.print(b.printed) // see printErr
		b.printed++
	}
	return b.printErr
}

// sync saves what the journal has got.
func (b *batchRun[T]) sync() error {
	err := b.journal.Sync()
	if err != nil && !errors.Is(err, batch.ErrMoved) {
		return journalProblem(b.flags.resume, err)
	}
	return err
}

// print prints the answer about an address.
func (b *batchRun[T]) print(i int) error {
	if b.app.env.StdoutIsTerminal {
		b.progress.clear()
	}
	if b.journal == nil {
		b.printErr = b.answers.print(b.values[i])
		return b.printErr
	}
	var value T
	element, err := b.journal.Element(i)
	if err == nil {
		err = json.Unmarshal(element, &value)
	}
	if err != nil {
		return journalProblem(b.flags.resume, err)
	}
	b.printErr = b.answers.printElement(value, element)
	return b.printErr
}

// printKnown prints as NDJSON what a journal has from an earlier run and is not asked again.
func (b *batchRun[T]) printKnown() error {
	if b.journal == nil || b.app.format() != formatNDJSON {
		return nil
	}
	for i, state := range b.journal.States(b.flags.retryFailed) {
		if state == batch.Open {
			continue
		}
		if err := b.print(i); err != nil {
			return err
		}
	}
	return nil
}

// printRest prints in the order of the addresses what is known and not printed yet.
func (b *batchRun[T]) printRest() error {
	buffered := bufio.NewWriterSize(b.answers.out, outputBuffer)
	b.answers.out = buffered
	for i := range b.list.Addresses {
		if i < b.printed || b.app.format() == formatNDJSON || b.outcome(i).State == batch.Open {
			continue
		}
		if err := b.print(i); err != nil {
			return err
		}
	}
	return cmp.Or(b.answers.close(), buffered.Flush())
}

// outputBuffer is how much of the output of a batch is written at once.
const outputBuffer = 64 << 10

// conclude says on stderr what came of it, and how to go on.
func (b *batchRun[T]) conclude(interrupted bool) error {
	var tally check.Tally
	finished, failed := 0, false
	for i := range b.list.Addresses {
		switch o := b.outcome(i); o.State {
		case batch.Open:
			continue
		case batch.Failed:
			tally.Count(o.Cause, check.Fail)
		case batch.Unknown:
			tally.Count(o.Cause, check.Unknown)
		}
		finished++
		failed = failed || b.outcome(i).State.IsFailure()
	}
	if b.flags == nil || !b.flags.quiet {
		summary := human.Count(finished, "address", "addresses") + ", none failed"
		if failed {
			summary = tally.String()
		}
		b.app.say("%s.", summary)
	}
	switch {
	case interrupted:
		b.app.say("gatehouse: Interrupted: %s of %s are finished.", human.Number(finished), human.Count(len(b.list.Addresses), "address", "addresses"))
		if b.journal != nil {
			b.app.say("%s", b.howToGoOn())
		}
		return errReported
	case failed:
		return errReported
	}
	return nil
}

func (b *batchRun[T]) howToGoOn() string {
	if b.flags.resume == "" {
		return "With --resume FILE the results are kept, and the next run goes on from them."
	}
	command := "Resume with: gatehouse " + shellquote.Join(b.app.args...)
	if b.flags.from == fromStdin {
		command += "  (and the same addresses on standard input)"
	}
	return command
}

// runList asks a question about the addresses of a list.
func runList[T any](ctx context.Context, a *app, f *batchFlags, begin func(context.Context) (question[T], *work, error)) error {
	list, err := a.readList(ctx, f)
	if err != nil {
		return err
	}
	a.parallel = f.jobs
	q, w, err := begin(ctx)
	if err != nil {
		return err
	}
	defer w.close()
	journal, err := a.openJournal(f, list, q.kind)
	if err != nil {
		return err
	}
	output := a.place.afterInterrupt(ctx)
	b := &batchRun[T]{
		app: a, question: q, list: list, progress: a.batchProgress(f.quiet), journal: journal, flags: f,
		output: output, answers: q.printer(output, nil),
	}
	err = b.run(ctx, batch.Options[T]{Jobs: f.jobs, Rate: f.rate, Known: journal.States(f.retryFailed), Check: b.sync})
	if errors.Is(err, batch.ErrMoved) {
		err = b.withoutJournal()
	}
	if closed := journal.Close(); err == nil && closed != nil {
		err = journalProblem(f.resume, closed)
	}
	return err
}

// withoutJournal prints what is known, which nobody else has, and says that the journal is not
// where it was.
func (b *batchRun[T]) withoutJournal() error {
	if err := b.printRest(); err != nil {
		return err
	}
	return &problem.Error{Problem: problem.Problem{
		Sentence: "the journal " + b.flags.resume + " was removed or replaced while the batch ran: what was in flight is finished, all that is known is printed, and nothing more was asked",
		Hint:     "Put it back, or name another file with --resume, and run the command again.",
	}}
}

// runArguments asks a question about addresses that were given as arguments, each once.
// NDJSON has each answer as soon as it is known, and the other formats all in their order.
func runArguments[T any](ctx context.Context, a *app, q question[T], emails []string) error {
	list, err := batch.Of(emails)
	if err != nil {
		return err
	}
	output, ask := a.place.afterInterrupt(ctx), q.ask
	q.ask = func(flight context.Context, email string) batch.Answer[T] { // no longer than its answer is read
		flight, end := context.WithCancel(flight)
		defer end()
		defer context.AfterFunc(output, end)()
		return ask(flight, email)
	}
	n := len(list.Addresses)
	b := &batchRun[T]{
		app: a, question: q, list: list, progress: a.batchProgress(false), output: output, answers: q.printer(output, emails),
		values: make([]T, n), outcomes: make([]batch.Outcome, n),
	}
	return b.run(ctx, batch.Options[T]{Jobs: defaultJobs, Rate: defaultRate})
}
