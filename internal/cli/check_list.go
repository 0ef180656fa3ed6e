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
func (a *app) checkOfList(flags checkFlags) func(context.Context) (question[check.Report], *work, error) {
	return func(ctx context.Context) (question[check.Report], *work, error) {
		w, err := a.openForCheck(ctx, flags)
		if err != nil {
			return question[check.Report]{}, nil, err
		}
		request, err := a.checkRequest(ctx, flags)
		if err != nil {
			w.close()
			return question[check.Report]{}, nil, err
		}
		return a.questionOfCheck(check.New(w.service), request), w, nil
	}
}

// questionOfCheck asks for a check of each address, as of the request.
func (a *app) questionOfCheck(checker *check.Checker, request check.Request) question[check.Report] {
	return question[check.Report]{
		kind: batch.Kind{Command: "check", Opens: `{"id":"`, Read: readReport(request.Control)},
		ask: func(ctx context.Context, email string) batch.Answer[check.Report] {
			return checkAnswer(ctx, checker, request, email)
		},
		printer: a.reportPrinter,
	}
}

// checkAnswer checks one address.
func checkAnswer(ctx context.Context, checker *check.Checker, request check.Request, email string) batch.Answer[check.Report] {
	request.Email = email
	report := checker.Run(ctx, request, nil)
	report.Email = email // by which it is found in the journal
	wait, busy := report.Busy()
	return batch.Answer[check.Report]{Value: report, Outcome: outcomeOf(report), Busy: busy, Wait: wait}
}

func outcomeOf(r check.Report) batch.Outcome {
	return batch.Outcome{Email: r.Email, State: batchStates[r.Verdict.State], Cause: r.Cause()}
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
		return outcomeOf(report), nil
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

// batchStates are what the states of a verdict mean for a batch.
var batchStates = map[check.State]batch.State{
	check.OK: batch.Done, check.Info: batch.Done, check.Warn: batch.Done, check.Fail: batch.Failed, check.Unknown: batch.Unknown,
}
