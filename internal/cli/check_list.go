package cli

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	"gatehouse/internal/batch"
	"gatehouse/internal/check"
)

// checkOfList returns what makes the question of check about each address of a list.
func (a *app) checkOfList(flags checkFlags) beginBatch {
	return func(ctx context.Context) (question, *work, error) {
		w, err := a.openForCheck(ctx, flags)
		if err != nil {
			return question{}, nil, err
		}
		request, err := a.checkRequest(ctx, flags)
		if err != nil {
			w.close()
			return question{}, nil, err
		}
		checker := check.New(w.service)
		return question{
			kind:  batch.Kind{Command: "check", Opens: `{"id":"`, Read: readReport(flags.control)},
			ask:   func(ctx context.Context, email string) batch.Answer { return checkAnswer(ctx, checker, request, email) },
			print: a.printReports(),
		}, w, nil
	}
}

// checkAnswer checks one address.
func checkAnswer(ctx context.Context, checker *check.Checker, request check.Request, email string) batch.Answer {
	request.Email = email
	report := checker.Run(ctx, request, nil)
	report.Email = email // by which it is found in the journal
	wait, busy := report.Busy()
	return batch.Answer{Element: jsonLine(report), Busy: busy, Wait: wait}
}

// readReport returns what reads an element of check from a journal, without the details of
// its checks: one with the control, or one without.
func readReport(control bool) func(element []byte) (batch.Outcome, error) {
	return func(element []byte) (batch.Outcome, error) {
		report, err := readStates(element)
		if err != nil {
			return batch.Outcome{}, err
		}
		had := slices.ContainsFunc(report.Checks, func(c check.Check) bool { return c.ID == check.Control })
		switch {
		case had && !control:
			return batch.Outcome{}, &batch.JournalError{Reason: "was checked with --control, and this call is without"}
		case control && !had:
			return batch.Outcome{}, &batch.JournalError{Reason: "was checked without --control"}
		}
		return batch.Outcome{Email: report.Email, State: batchState(report.Verdict.State), Cause: report.Cause()}, nil
	}
}

// readStates reads of a report what a summary needs.
func readStates(element []byte) (check.Report, error) {
	var read struct {
		Email   string
		Verdict struct {
			State check.State
			Code  check.Code
		}
		Checks []struct {
			ID    string
			State check.State
			Host  string
		}
	}
	if err := json.Unmarshal(element, &read); err != nil {
		return check.Report{}, err
	}
	report := check.Report{Email: read.Email, Verdict: check.Verdict{State: read.Verdict.State, Code: read.Verdict.Code}}
	if report.Email == "" || report.Verdict.State == "" || report.Verdict.Code == "" || len(read.Checks) == 0 {
		return check.Report{}, errors.New("it is not the report of a check")
	}
	for _, c := range read.Checks {
		report.Checks = append(report.Checks, check.Check{ID: c.ID, State: c.State, Host: c.Host})
	}
	return report, nil
}

func batchState(s check.State) batch.State {
	switch s {
	case check.Fail:
		return batch.Failed
	case check.Unknown:
		return batch.Unknown
	}
	return batch.Done
}

// printReports returns what prints elements as lines, CSV or Markdown.
func (a *app) printReports() func(context.Context, *elements, bool) error {
	return func(ctx context.Context, e *elements, _ bool) error {
		printer := a.reportPrinter(ctx, nil)
		for element := range e.all() {
			var report check.Report
			if err := json.Unmarshal(element, &report); err != nil {
				return err
			}
			if err := printer.print(report); err != nil {
				return err
			}
		}
		return printer.close()
	}
}
