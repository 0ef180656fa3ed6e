package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strings"

	"gatehouse/api"
	"gatehouse/internal/batch"
	"gatehouse/internal/hostname"
	"gatehouse/internal/problem"
	"gatehouse/session"
)

// lookupOfList is the question of lookup about each address of a list.
func (a *app) lookupOfList(ctx context.Context) (question[lookupEntry], *work, error) {
	w, err := a.open(ctx, noVault)
	if err != nil {
		return question[lookupEntry]{}, nil, err
	}
	service := w.service.ForBatch()
	return question[lookupEntry]{
		kind: batch.Kind{Command: "lookup", Opens: `{"email":"`, Read: readLookup},
		ask: func(ctx context.Context, email string) batch.Answer[lookupEntry] {
			return lookupAnswer(ctx, service, email)
		},
		printer: a.lookupPrinter,
	}, w, nil
}

// lookupAnswer looks up an address. What is none is not asked about.
func lookupAnswer(ctx context.Context, service *session.Service, email string) batch.Answer[lookupEntry] {
	var entry lookupEntry
	_, err := hostname.ParseEmail(email)
	if err != nil {
		entry = lookupEntry{Email: email, Error: problem.Sentence(err.Error())}
	} else {
		entry, err = lookupOne(ctx, service, email)
	}
	answer := batch.Answer[lookupEntry]{Value: entry, Outcome: entry.outcome()}
	if status, ok := errors.AsType[*api.StatusError](err); ok && errors.Is(status, api.ErrRateLimited) {
		answer.Busy, answer.Wait = true, status.RetryAfter
	}
	return answer
}

// jsonLine is a value as JSON in one line, without a line end.
func jsonLine(value any) []byte {
	var line bytes.Buffer
	encoder := json.NewEncoder(&line)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		panic(err) // the type of the value cannot be JSON: wrong in the source
	}
	return bytes.TrimSuffix(line.Bytes(), []byte("\n"))
}

// readLookup reads an element of lookup from a journal.
func readLookup(element []byte) (batch.Outcome, error) {
	var entry lookupEntry
	decoder := json.NewDecoder(bytes.NewReader(element))
	decoder.DisallowUnknownFields() // those of another command
	err := decoder.Decode(&entry)
	switch {
	case err != nil:
		return batch.Outcome{}, err
	case decoder.More() || (entry.PrimaryDomain == "") == (entry.Error == ""):
		return batch.Outcome{}, errors.New("it is not the result of a lookup")
	}
	return entry.outcome(), nil
}

func (e lookupEntry) outcome() batch.Outcome {
	if e.failed() {
		return batch.Outcome{Email: e.Email, State: batch.Failed, Cause: e.cause()}
	}
	return batch.Outcome{Email: e.Email, State: batch.Done}
}

// cause is the reason in a few words, the same for all addresses that failed for it: "the
// connection was refused at global.example.com".
func (e lookupEntry) cause() string {
	if _, err := hostname.ParseEmail(e.Email); err != nil {
		return "no e-mail address"
	}
	host, rest, found := strings.Cut(strings.TrimSuffix(e.reason(), "."), " ")
	if !found || !strings.ContainsAny(host, ".:") {
		return strings.ReplaceAll(e.reason(), e.Email, "…")
	}
	rest = strings.TrimPrefix(strings.ReplaceAll(rest, e.Email, "…"), "has ")
	return rest + " at " + strings.TrimSuffix(host, ":")
}
