package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strconv"

	"github.com/spf13/cobra"

	"gatehouse/api"
	"gatehouse/internal/desk/batch"
	"gatehouse/internal/desk/check"
	"gatehouse/internal/lists"
	"gatehouse/internal/text/hostname"
	"gatehouse/internal/text/problem"
)

func lookupCommand(a *app) *cobra.Command {
	var list batchFlags
	cmd := &cobra.Command{
		Use:   "lookup EMAIL...",
		Short: "Find the primary domain of an address",
		Long: `Asks the global service for the primary domain of each address, in the order given.
No sign-in is needed. The exit code is 1 if any look-up failed or was not answered; the
results of the others are still printed.`,
		Example: `  gatehouse lookup ada@harbor.example
  gatehouse lookup -o csv ada@harbor.example ben@harbor.example`,
		Args: func(cmd *cobra.Command, args []string) error {
			return list.accept(a, cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return lookup(cmd.Context(), a, list, a.emailsIn(args))
		},
	}
	a.writes(cmd, lists.Lists)
	list.add(a, cmd)
	return cmd
}

// lookup looks up the addresses of the file that the flags name, several at the same time, or, if
// there is no file, the addresses emails one after the other.
func lookup(ctx context.Context, a *app, flags batchFlags, emails []string) error {
	areArguments := flags.from == ""
	if areArguments {
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
	if !areArguments { // all requests wait while the service is busy
		service = service.ForBatch()
	}
	lookups := check.NewLookups(service)
	q := &inquiry[lookupEntry]{
		app:     a,
		command: "lookup",
		flags:   &flags,
		list:    list,
		alone:   areArguments,
		outcome: outcomeOfLookup,
		form:    formOfLookups,
		line:    func(e *lookupEntry) *line { return &e.line },
		ask: func(ctx context.Context, email string) batch.Answer[lookupEntry] {
			if !areArguments {
				limited, cancel := context.WithTimeout(ctx, check.OutsideLimit)
				defer cancel()
				ctx = limited
			}
			return lookupOne(ctx, lookups, email)
		},
	}
	return q.run(ctx)
}

// lookupOne looks up an address. It does not wait for a busy service: the batch does.
func lookupOne(
	ctx context.Context, lookups *check.Lookups, email string,
) (answer batch.Answer[lookupEntry]) {
	entry := lookupEntry{Email: email}
	_, err := hostname.ParseEmail(email)
	if err == nil { // a text that is no address is not sent
		entry.PrimaryDomain, err = lookups.Ask(ctx, email)
	}
	if err != nil {
		entry.Error, answer.Err = problem.SentenceOf(err), err
		entry.note(err, lookups.URL())
	}
	answer.Value, answer.Outcome = entry, entry.outcome()
	status, isStatus := errors.AsType[*api.StatusError](err)
	if isStatus && status.Status == http.StatusTooManyRequests {
		answer.Busy, answer.Wait = true, status.RetryAfter
	}
	return answer
}

// lookupEntry is an element of the JSON of lookup, with a domain or an error.
type lookupEntry struct {
	Email         string `json:"email"`
	PrimaryDomain string `json:"primary_domain,omitempty"`
	Error         string `json:"error,omitempty"`

	// These are the facts about the error. Elements that older versions have written lack them.

	Failure lookupFailure `json:"failure,omitempty"`
	Host    string        `json:"host,omitempty"`   // that was asked
	Status  int           `json:"status,omitempty"` // of HTTP
	Try     string        `json:"try,omitempty"`    // the address that the answer is about

	line
}

// lookupFailure is why a look-up has found no domain: one of the constants, or the word of an
// [api.Cause] if there was no answer.
type lookupFailure string

// The failures that are no causes.
const (
	failureNoAddress    lookupFailure = "no-address" // not an e-mail address; nothing was asked
	failureNoDomain     lookupFailure = "no-domain"
	failureOtherAddress lookupFailure = "other-address" // the answer is about another address
	failureNoHostName   lookupFailure = "no-host-name"  // the answer names something that is no domain
	failureSeveral      lookupFailure = "several-domains"
	failurePlus         lookupFailure = "plus-as-blank" // the service reads a + as a blank
	failureStatus       lookupFailure = "status"        // of HTTP
	failureAnswer       lookupFailure = "answer"        // not an answer as the interface defines it
	failureOther        lookupFailure = "other"
)

// lookupFailures has the failures in a few words, for people.
var lookupFailures = map[lookupFailure]string{
	failureNoAddress:    "not an e-mail address",
	failureNoDomain:     "no primary domain",
	failureOtherAddress: "answered for another address",
	failureNoHostName:   "names what is no domain",
	failureSeveral:      "names several primary domains",
	failurePlus:         "the service reads + as a blank",
	failureAnswer:       "not an answer to a look-up",
	failureOther:        "the connection failed",

	failureOf(api.CauseName):        "the name of the host has no address",
	failureOf(api.CauseResolution):  "the host name could not be resolved",
	failureOf(api.CauseRefused):     "the connection was refused",
	failureOf(api.CauseNoWay):       "the host cannot be reached",
	failureOf(api.CauseTimeout):     "no answer in time",
	failureOf(api.CauseProxy):       "the proxy failed",
	failureOf(api.CauseCertificate): "certificate not valid",
	failureOf(api.CauseHandshake):   "the TLS handshake failed",
}

// failureOf is the failure of a look-up that got no answer. Several causes can be the same failure.
func failureOf(cause api.Cause) lookupFailure { return lookupFailure(cause.String()) }

// note sets the facts about an error of a look-up at globalURL.
func (e *lookupEntry) note(err error, globalURL string) {
	var (
		noDomain     *api.NoDomainError
		otherAddress *api.OtherAddressError
		noHostName   *api.NotDomainError
		several      *api.SeveralDomainsError
		plus         *api.BlankForPlusError
		status       *api.StatusError
		transport    *api.TransportError
		noAddress    *hostname.EmailError
	)
	if u, err := url.Parse(globalURL); err == nil {
		e.Host = u.Host
	}
	switch {
	case errors.As(err, &noAddress):
		e.Failure, e.Host = failureNoAddress, ""
	case errors.As(err, &noDomain):
		e.Failure = failureNoDomain
	case errors.As(err, &otherAddress):
		e.Failure, e.Try = failureOtherAddress, otherAddress.Answered
	case errors.As(err, &noHostName):
		e.Failure = failureNoHostName
	case errors.As(err, &several):
		e.Failure = failureSeveral
	case errors.As(err, &plus):
		e.Failure = failurePlus
	case errors.As(err, &status):
		e.Failure, e.Status = failureStatus, status.Status
	case errors.As(err, &transport):
		e.Failure = failureOf(transport.Cause())
	default:
		e.Failure = failureAnswer
	}
}

// outcomeOfLookup reads the outcome of an element of lookup, from a journal.
func outcomeOfLookup(element []byte) (batch.Outcome, error) {
	var entry lookupEntry
	decoder := json.NewDecoder(bytes.NewReader(element))
	decoder.DisallowUnknownFields() // an element of another command has more
	isElement := decoder.Decode(&entry) == nil && !decoder.More()
	hasDomain, hasError := entry.PrimaryDomain != "", entry.Error != ""
	if !isElement || hasDomain == hasError {
		return batch.Outcome{}, errors.New("this is not a result of lookup")
	}
	return entry.outcome(), nil
}

// outcome returns the outcome of a look-up. It is unknown unless the service has answered about this
// address, or the address is not an e-mail address.
func (e lookupEntry) outcome() batch.Outcome {
	if e.Error == "" {
		return batch.Outcome{Email: e.Email, State: batch.Done}
	}
	o := batch.Outcome{
		Email: e.Email,
		State: batch.Unknown,
		Cause: batch.Cause{ID: e.causeID(), What: e.what(), Host: e.Host},
	}
	isAnswered := e.Failure == failureNoDomain ||
		e.Failure == failureOtherAddress ||
		e.Failure == failureNoHostName ||
		e.Failure == failureSeveral ||
		e.Failure == failurePlus
	if isAnswered || o.IsNoAddress() {
		o.State = batch.Failed
	}
	return o
}

// causeID returns the failure, with the status of HTTP if that is the failure.
func (e lookupEntry) causeID() string {
	if e.Failure == failureStatus {
		return string(e.Failure) + "-" + strconv.Itoa(e.Status)
	}
	return string(e.Failure)
}

// what returns the failure in a few words.
func (e lookupEntry) what() string {
	switch words := lookupFailures[e.Failure]; {
	case e.Failure == failureStatus:
		return "answered " + api.StatusText(e.Status)
	case e.Failure == failureNoAddress && e.Email == "":
		return "no e-mail address"
	case words != "":
		return words
	}
	return "failed for a reason that an older version did not record"
}

// formOfLookups is how the results of lookup are written.
var formOfLookups = form[lookupEntry]{
	columns: []column[lookupEntry]{
		{
			name: "email", title: "Address",
			text: func(e lookupEntry) string { return e.Email },
		},
		{
			name: "primary_domain", host: true, title: "Primary domain",
			text: func(e lookupEntry) string { return e.PrimaryDomain },
		},
		{
			name: "error", title: "Error",
			text: func(e lookupEntry) string { return e.Error },
			cell: func(e lookupEntry) tableCell { return textCell(e.inShort()) },
		},
	},
	empty: "There is no result yet.",
}

// inShort returns the error for a table that has the address in another column: it need not name it
// again.
func (e lookupEntry) inShort() string {
	switch e.Failure {
	case "", failureNoAddress, failureNoHostName, failureSeveral:
		return e.Error
	case failureOtherAddress:
		return e.outcome().Cause.What + ": try " + e.Try
	}
	return e.outcome().Cause.String()
}
