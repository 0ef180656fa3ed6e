package cli

import (
	"cmp"
	"context"
	"errors"
	"io"

	"github.com/kballard/go-shellquote"

	"gatehouse/internal/batch"
	"gatehouse/internal/check"
	"gatehouse/internal/human"
	"gatehouse/internal/problem"
)

// batchRun is a batch while it runs.
type batchRun struct {
	app      *app
	flags    *batchFlags
	question question
	journal  *batch.Journal
	progress *batchProgress
	printErr error
}

func (b *batchRun) run(ctx context.Context) error {
	o := batch.Options{
		Ask: b.question.ask, Jobs: b.flags.jobs, Rate: b.flags.rate, AskAgain: b.flags.retryFailed,
		Progress: b.progress.show,
	}
	if b.app.format() == formatNDJSON {
		o.Known = b.printOne
	}
	err := batch.Run(ctx, b.journal, o)
	b.progress.clear()
	switch {
	case b.printErr != nil:
		return b.printErr
	case errors.Is(err, batch.ErrMoved):
		return b.withoutJournal(ctx)
	case err != nil && ctx.Err() == nil:
		return journalProblem(b.flags.resume, err)
	}
	interrupted := err != nil
	if b.app.format() != formatNDJSON && (!interrupted || b.flags.resume == "") {
		// What an interrupted batch without a journal knows would be lost otherwise.
		if err := b.print(context.WithoutCancel(ctx)); err != nil {
			return err
		}
	}
	return b.conclude(interrupted)
}

// withoutJournal prints what is known, which nobody else has, and says that the journal is not
// where it was.
func (b *batchRun) withoutJournal(ctx context.Context) error {
	if b.app.format() != formatNDJSON {
		if err := b.print(context.WithoutCancel(ctx)); err != nil {
			return err
		}
	}
	return &problem.Error{Problem: problem.Problem{
		Sentence: "the journal " + b.flags.resume + " was removed or replaced while the batch ran: what was in flight is finished, all that is known is printed, and nothing more was asked",
		Hint:     "Put it back, or name another file with --resume, and run the command again.",
	}}
}

// printOne writes an element as a line.
func (b *batchRun) printOne(element []byte) error {
	if b.app.env.StdoutIsTerminal {
		b.progress.clear()
	}
	b.printErr = b.app.print(context.Background(), result{ndjson: func(w io.Writer) error {
		_, err := w.Write(append(element[:len(element):len(element)], '\n'))
		return err
	}})
	return b.printErr
}

// conclude says on stderr what came of it, and how to go on.
func (b *batchRun) conclude(interrupted bool) error {
	var tally check.Tally
	finished := 0
	for i := range b.journal.Len() {
		switch o := b.journal.Outcome(i); o.State {
		case batch.Open:
			continue
		case batch.Failed:
			tally.Count(o.Cause, check.Fail)
		case batch.Unknown:
			tally.Count(o.Cause, check.Unknown)
		}
		finished++
	}
	if !b.flags.quiet {
		summary := human.Count(finished, "address", "addresses") + ", none failed"
		if tally.Failed()+tally.Unknown() > 0 {
			summary = tally.String()
		}
		b.app.say("%s.", summary)
	}
	switch {
	case interrupted:
		b.app.say("gatehouse: Interrupted: %s of %s are finished.", human.Number(finished), human.Count(b.journal.Len(), "address", "addresses"))
		b.app.say("%s", b.howToGoOn())
		return errReported
	case tally.Failed()+tally.Unknown() > 0:
		return errReported
	}
	return nil
}

func (b *batchRun) howToGoOn() string {
	if b.flags.resume == "" {
		return "With --resume FILE the results are kept, and the next run goes on from them."
	}
	command := "Resume with: gatehouse " + shellquote.Join(b.app.args...)
	if b.flags.from == fromStdin {
		command += "  (and the same addresses on standard input)"
	}
	return command
}

// print writes all elements in the order of the list.
func (b *batchRun) print(ctx context.Context) error {
	e, failed := &elements{journal: b.journal}, false
	for i := range b.journal.Len() {
		o := b.journal.Outcome(i)
		if o.State != batch.Open {
			e.known = append(e.known, i)
		}
		failed = failed || o.State.IsFailure()
	}
	var err error
	if b.app.format() == formatJSON {
		err = b.app.print(ctx, result{json: e.writeJSON})
	} else {
		err = b.question.print(ctx, e, failed)
	}
	return cmp.Or(err, e.err)
}
