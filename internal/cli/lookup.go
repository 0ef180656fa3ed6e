package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"

	"github.com/spf13/cobra"

	"gatehouse/api"
	"gatehouse/internal/desk/batch"
	"gatehouse/internal/lists"
	"gatehouse/internal/text/hostname"
	"gatehouse/internal/text/problem"
	"gatehouse/session"
)

func lookupCommand(a *app) *cobra.Command {
	var list batchFlags
	cmd := &cobra.Command{
		Use:   "lookup EMAIL...",
		Short: "Find the primary domain of an address",
		Long: `Asks the global service for the primary domain of each address, in the order given.
No sign-in is needed. The exit code is 1 if any look-up failed or was not answered; the
results of the others are still printed.`,
		Example: "  gatehouse lookup ada@harbor.example\n  gatehouse lookup -o csv ada@harbor.example ben@harbor.example",
		Args:    list.accept,
		RunE:    func(cmd *cobra.Command, args []string) error { return lookup(cmd.Context(), a, list, a.emailsIn(args)) },
	}
	a.writes(cmd, lists.Lists)
	list.add(a, cmd)
	return cmd
}

// lookup looks up the addresses of a list, or those that were given, one after the other.
func lookup(ctx context.Context, a *app, flags batchFlags, emails []string) error {
	given := flags.from == ""
	if given {
		flags.jobs, flags.rate = 1, 0
	} else {
		a.options.Parallel = flags.jobs
	}
	list, err := flags.addresses(ctx, a, emails)
	if err != nil {
		return err
	}
	service, err := a.open(ctx, noVault)
	if err != nil {
		return err
	}
	if !given { // all requests wait while the service is busy
		service = service.ForBatch()
	}
	q := &inquiry[lookupEntry]{app: a, flags: &flags, list: list, alone: given, outcome: outcomeOfLookup, form: formOfLookups}
	q.ask = func(ctx context.Context, email string) batch.Answer[lookupEntry] {
		return lookupOne(ctx, service, email)
	}
	return q.run(ctx)
}

// lookupOne looks up an address. A busy service is left to the batch, which waits.
func lookupOne(ctx context.Context, service *session.Service, email string) (answer batch.Answer[lookupEntry]) {
	entry := lookupEntry{Email: email}
	_, err := hostname.ParseEmail(email)
	if err == nil { // what is none is not sent
		entry.PrimaryDomain, err = service.Lookup(ctx, email)
	}
	if err != nil {
		entry.Error, answer.Err = problem.Describe(err, problem.CommandLine).Sentence, err
	}
	answer.Value, answer.Outcome = entry, entry.outcome()
	if status, ok := errors.AsType[*api.StatusError](err); ok && status.Status == http.StatusTooManyRequests {
		answer.Busy, answer.Wait = true, status.RetryAfter
	}
	return answer
}

// lookupEntry is one element of the JSON of lookup: a domain or an error.
type lookupEntry struct {
	Email         string `json:"email"`
	PrimaryDomain string `json:"primary_domain,omitempty"`
	Error         string `json:"error,omitempty"`
}

// outcomeOfLookup reads an element of lookup from a journal.
func outcomeOfLookup(element []byte) (batch.Outcome, error) {
	var entry lookupEntry
	decoder := json.NewDecoder(bytes.NewReader(element))
	decoder.DisallowUnknownFields() // an element of another command has more
	if decoder.Decode(&entry) != nil || decoder.More() || (entry.PrimaryDomain == "") == (entry.Error == "") {
		return batch.Outcome{}, errors.New("this is not a result of lookup")
	}
	return entry.outcome(), nil
}

// outcome is unknown unless the service has said that there is no domain, or the address is none. A
// journal has no more of an error than its text.
func (e lookupEntry) outcome() batch.Outcome {
	if e.Error == "" {
		return batch.Outcome{Email: e.Email, State: batch.Done}
	}
	if _, err := hostname.ParseEmail(e.Email); err != nil {
		return batch.Outcome{Email: e.Email, State: batch.Failed, Cause: "no e-mail address"}
	}
	state, cause := batch.Unknown, strings.ReplaceAll(strings.TrimSuffix(e.reason(), "."), e.Email, "…")
	if strings.HasSuffix(cause, api.NoDomain) {
		state = batch.Failed
	}
	return batch.Outcome{Email: e.Email, State: state, Cause: cause}
}

var formOfLookups = form[lookupEntry]{
	columns: []string{"email", "primary_domain", "error"},
	row:     func(e lookupEntry) []string { return []string{e.Email, e.PrimaryDomain, e.Error} },
	hosts:   []string{"primary_domain"},
	titles:  []string{"Address", "Primary domain", "Error"},
	cells: func(e lookupEntry) []cell {
		return []cell{textCell(e.Email), textCell(hostname.Readable(e.PrimaryDomain)), textCell(e.reason())}
	},
	empty: "There is no result yet.",
}

// reason is the error without what the row says anyway: what failed, for whom.
func (e lookupEntry) reason() string {
	if _, reason, ok := strings.Cut(e.Error, e.Email+": "); ok {
		return reason
	}
	return e.Error
}
