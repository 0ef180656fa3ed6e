package serve

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync/atomic"
	"time"

	"github.com/VictoriaMetrics/metrics"
	"golang.org/x/text/unicode/norm"

	"gatehouse/api"
	"gatehouse/internal/config"
	"gatehouse/internal/server/sessionstore"
	"gatehouse/internal/text/hostname"
	"gatehouse/internal/text/problem"
)

const (
	// maxGuesses is how many passwords that may be guesses are sent within an hour with a key, or
	// from a network without one, and for an account. Those under way count until it is known how
	// they end.
	maxGuesses = 20
	// countLimit is how long a password waits for what counts it.
	countLimit = 3 * time.Second
)

// passwordTry is a password that a visitor is about to send, or has sent.
type passwordTry struct {
	visitor  *Visitor
	use      api.PasswordUse
	subjects []sessionstore.ID
	counter  sessionstore.Store // that has counted it
	log      *slog.Logger
}

// admitPassword is the [api.Gate] of a visitor: it counts a password before it is sent, and keeps
// it here after too many. A try is taken back where the password was accepted or nothing of it was
// sent. All others stay counted, also those whose answer nobody waited for.
func (v *Visitor) admitPassword(
	ctx context.Context, try api.PasswordTry,
) (ended func(api.PasswordOutcome), err error) {
	of := v.Shared.Keys.SubjectID("account that is signed in to", account(try.Account))
	t := &passwordTry{
		visitor:  v,
		use:      try.Use,
		subjects: []sessionstore.ID{v.subject("that signs in"), of},
		log:      v.Log.With("fingerprint", v.Fingerprint, "account", hex.EncodeToString(of[:8])),
	}
	if err := t.count(ctx); err != nil {
		return nil, err
	}
	return func(o api.PasswordOutcome) { t.ended(context.WithoutCancel(ctx), o) }, nil
}

// count counts the try. The error is why the password must not be sent.
func (t *passwordTry) count(ctx context.Context) error {
	t.counter = t.visitor.Shared.Store
	wait, err := t.countIn(ctx)
	if err != nil && ctx.Err() == nil && !errors.Is(err, sessionstore.ErrFull) {
		// The store may be away for long: this server lets people in, and counts by itself.
		t.log.Error(t.use.String()+" counted by this server alone", "error", err.Error())
		t.counter = t.visitor.Shared.ownCounter(ctx)
		wait, err = t.countIn(ctx)
	}
	switch {
	case err != nil && ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		t.refused("the tries cannot be counted", "error", err.Error())
		return problem.New("no password was sent: this server cannot count any more of them", hintOperator)
	case wait > 0:
		t.refused("too many passwords", "wait", wait.Round(time.Second).String())
		const limited = "no password was sent: the limit is %d an hour that are not known to be right, " +
			"for your key or address and for this account"
		return problem.New(fmt.Sprintf(limited, maxGuesses), again(t.visitor.Shared.Now(), wait))
	}
	return nil
}

func (t *passwordTry) countIn(ctx context.Context) (wait time.Duration, err error) {
	ctx, cancel := context.WithTimeout(ctx, countLimit)
	defer cancel()
	return t.counter.Try(ctx, t.subjects, maxGuesses, tryWithin)
}

// refused notes that the password stays here.
func (t *passwordTry) refused(reason string, more ...any) {
	t.visitor.Shared.Passwords.refuse(t.use)
	t.log.Warn(t.use.String()+" refused", append([]any{"reason", reason}, more...)...)
}

// ended notes what became of the password.
func (t *passwordTry) ended(ctx context.Context, o api.PasswordOutcome) {
	t.visitor.Shared.Passwords.end(t.use, o.Fate)
	switch o.Fate {
	case api.PasswordAccepted:
		t.log.Info(t.use.String() + " accepted")
	case api.PasswordUnsent:
	case api.PasswordRejected:
		t.log.Warn(t.use.String()+" refused", "reason", o.Fate.String(), "came", o.Came)
	default:
		t.log.Warn(t.use.String()+" counted", "reason", o.Fate.String(), "came", o.Came)
	}
	if !o.Fate.MayBeAGuess() {
		t.takeBack(ctx)
	}
}

func (t *passwordTry) takeBack(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, countLimit)
	defer cancel()
	if err := t.counter.TakeBack(ctx, t.subjects); err != nil {
		t.log.Error(t.use.String()+" stays counted", "error", err.Error())
	}
}

// ownCounter counts for this server alone, while the store is away.
func (s *Visitors) ownCounter(ctx context.Context) sessionstore.Store {
	s.makeOwn.Do(func() { s.own = sessionstore.NewMemory(s.Now) })
	_ = s.own.Sweep(ctx) // nobody else does
	return s.own
}

// PasswordCounts count the passwords of all visitors for the metrics. The zero value is ready.
type PasswordCounts struct {
	fates   [api.PasswordDeviceLogin + 1][api.PasswordUnsent + 1]atomic.Uint64
	refused [api.PasswordDeviceLogin + 1]atomic.Uint64
}

func (c *PasswordCounts) end(use api.PasswordUse, fate api.PasswordFate) {
	c.fates[use][fate].Add(1)
}

func (c *PasswordCounts) refuse(use api.PasswordUse) { c.refused[use].Add(1) }

// Guesses is how many passwords were sent that may have been guesses.
func (c *PasswordCounts) Guesses() (n uint64) {
	for use := range c.fates {
		for fate := range c.fates[use] {
			if api.PasswordFate(fate).MayBeAGuess() {
				n += c.fates[use][fate].Load()
			}
		}
	}
	return n
}

// WriteMetrics writes what was counted in the text format of Prometheus.
func (c *PasswordCounts) WriteMetrics(w io.Writer) {
	metrics.WriteCounterUint64(w, "gatehouse_ssh_wrong_passwords_total", c.Guesses())
	write := func(use int, outcome string, n uint64) {
		labels := fmt.Sprintf("{request=%q,outcome=%q}", api.PasswordUse(use), outcome)
		metrics.WriteCounterUint64(w, "gatehouse_ssh_passwords_total"+labels, n)
	}
	for use := range c.fates {
		for fate := range c.fates[use] {
			write(use, api.PasswordFate(fate).String(), c.fates[use][fate].Load())
		}
		write(use, "refused here", c.refused[use].Load())
	}
}

// account is an e-mail address as the limit of tries counts it: however it is written, it
// is one account.
func account(email string) string {
	email, _ = hostname.ParseEmail(email) // what is none is counted as well
	local, domain, _ := strings.Cut(norm.NFKC.String(email), "@")
	if name, err := config.CheckDomain(strings.TrimSuffix(domain, ".")); err == nil {
		domain = name
	}
	return strings.ToLower(strings.ToUpper(local + "@" + domain)) // also of letters that are two ways small
}
