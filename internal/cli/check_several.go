package cli

import (
	"context"
	"strconv"

	"gatehouse/internal/batch"
	"gatehouse/internal/check"
	"gatehouse/internal/human"
)

// severalChecks are the checks of addresses that were given as arguments: a batch whose
// reports are kept in memory until those before them are printed.
type severalChecks struct {
	app      *app
	list     *batch.List
	reports  []check.Report // each is written before its address is known
	known    []bool
	printed  int // with the order kept: how many addresses are behind us
	printer  *reportPrinter
	progress *batchProgress
	printErr error
}

// checkSeveral checks addresses as those of a list are checked, each once. It prints their
// reports in the order of the addresses; NDJSON has each as soon as it is known.
func (a *app) checkSeveral(ctx context.Context, checker *check.Checker, request check.Request, emails []string) error {
	list, err := batch.Of(emails)
	if err != nil {
		return err
	}
	output := ctx // what a visitor has asked for ends with the connection
	if a.visitor == nil {
		output = context.WithoutCancel(ctx)
	}
	s := &severalChecks{
		app: a, list: list, reports: make([]check.Report, len(list.Addresses)), known: make([]bool, len(list.Addresses)),
		printer: a.reportPrinter(output, emails), progress: a.batchProgress(false),
	}
	err = batch.Run(ctx, batch.Unkept(list, batch.Kind{Command: "check", Read: s.outcome}), batch.Options{
		Ask: func(flight context.Context, email string) batch.Answer {
			if a.visitor != nil {
				flight = ctx
			}
			return s.ask(flight, checker, request, email)
		},
		Jobs: defaultJobs, Rate: defaultRate, Known: s.take, Progress: s.progress.show,
	})
	s.progress.clear()
	switch {
	case s.printErr != nil:
		return s.printErr
	case err != nil && (ctx.Err() == nil || a.visitor != nil):
		return err
	}
	return s.conclude(err != nil)
}

// ask checks one address. The element of the batch is its index.
func (s *severalChecks) ask(ctx context.Context, checker *check.Checker, request check.Request, email string) batch.Answer {
	request.Email = email
	report := checker.Run(ctx, request, nil)
	i, _ := s.list.Find(email)
	s.reports[i] = report
	wait, busy := report.Busy()
	return batch.Answer{Element: strconv.AppendInt(nil, int64(i), 10), Busy: busy, Wait: wait}
}

// outcome reads an element that ask has made.
func (s *severalChecks) outcome(element []byte) (batch.Outcome, error) {
	i, err := strconv.Atoi(string(element))
	if err != nil {
		return batch.Outcome{}, err
	}
	verdict := s.reports[i].Verdict
	return batch.Outcome{Email: s.list.Addresses[i], State: batchState(verdict.State)}, nil
}

// take prints what can be printed now that an element is known.
func (s *severalChecks) take(element []byte) error {
	i, err := strconv.Atoi(string(element))
	if err != nil {
		return err
	}
	s.known[i] = true
	if s.app.format() == formatNDJSON {
		s.print(i)
		return s.printErr
	}
	for s.printErr == nil && s.printed < len(s.known) && s.known[s.printed] {
		s.print(s.printed)
		s.printed++
	}
	return s.printErr
}

func (s *severalChecks) print(i int) {
	if s.app.env.StdoutIsTerminal {
		s.progress.clear()
	}
	s.printErr = s.printer.print(s.reports[i])
}

// conclude prints what an interrupt has left behind a gap, and the summary.
func (s *severalChecks) conclude(interrupted bool) error {
	var tally check.Tally
	finished := 0
	for i, known := range s.known {
		if !known {
			continue
		}
		finished++
		tally.Add(s.reports[i])
		if i < s.printed || s.app.format() == formatNDJSON {
			continue
		}
		if s.print(i); s.printErr != nil {
			return s.printErr
		}
	}
	if err := s.printer.close(); err != nil {
		return err
	}
	s.app.say("%s.", tally.String())
	if interrupted {
		s.app.say("gatehouse: Interrupted: %s of %s are finished.", human.Number(finished), human.Count(len(s.known), "address", "addresses"))
		return errReported
	}
	if tally.Failed() > 0 {
		return errReported
	}
	return nil
}
