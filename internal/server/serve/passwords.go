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
	// maxGuesses is how many passwords that may be guesses are sent within an hour for a key, for a
	// network without keys, and for an account. A password counts until its outcome is known.
	maxGuesses = 20
	// countTimeout bounds the counting of a password, which delays its sending.
	countTimeout = 3 * time.Second
)

// passwordTry is a password that a visitor is about to send, or has sent.
type passwordTry struct {
	visitor  *Visitor
	use      api.PasswordUse
	subjects []sessionstore.ID
	counter  sessionstore.Store // the store that has counted it
	log      *slog.Logger
}

// admitPassword is the [api.Gate] of a visitor. It counts a password before it is sent, and
// refuses it after too many. When the outcome is known, a password that was accepted or not sent
// is uncounted. All others stay counted, even if nobody waited for the answer.
func (v *Visitor) admitPassword(
	ctx context.Context, try api.PasswordTry,
) (ended func(api.PasswordOutcome), err error) {
	const loggedBytes = 8 // enough to tell accounts apart
	account := v.Shared.Keys.SubjectID("account that is signed in to", accountName(try.Account))
	t := &passwordTry{
		visitor:  v,
		use:      try.Use,
		subjects: []sessionstore.ID{v.subject("that signs in"), account},
		log: v.Log.With(
			"fingerprint", v.Fingerprint,
			"account", hex.EncodeToString(account[:loggedBytes])),
	}
	if err := t.count(ctx); err != nil {
		return nil, err
	}
	return func(o api.PasswordOutcome) { t.recordOutcome(context.WithoutCancel(ctx), o) }, nil
}

// count counts the try. The error says why the password must not be sent.
func (t *passwordTry) count(ctx context.Context) error {
	t.counter = t.visitor.Shared.Store
	wait, err := t.countIn(ctx)
	if err != nil && ctx.Err() == nil && !errors.Is(err, sessionstore.ErrFull) {
		// The store may be away for long. This server still lets people in, and counts by itself.
		t.log.Error(t.use.String()+" counted by this server alone", "error", err.Error())
		t.counter = t.visitor.Shared.ownCounter(ctx)
		wait, err = t.countIn(ctx)
	}
	switch {
	case err != nil && ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		t.logRefusal("the tries cannot be counted", "error", err.Error())
		return problem.New("no password was sent: this server cannot count any more of them", hintOperator)
	case wait > 0:
		t.logRefusal("too many passwords", "wait", wait.Round(time.Second).String())
		const limited = "no password was sent: the limit is %d an hour that are not known to be right, " +
			"for your key or address and for this account"
		return problem.New(fmt.Sprintf(limited, maxGuesses), tryAgain(t.visitor.Shared.Now(), wait))
	}
	return nil
}

// countIn counts the try in the counter, and returns how long to wait before the next if there
// were too many.
func (t *passwordTry) countIn(ctx context.Context) (wait time.Duration, err error) {
	ctx, cancel := context.WithTimeout(ctx, countTimeout)
	defer cancel()
	return t.counter.Try(ctx, t.subjects, maxGuesses, tryWithin)
}

// logRefusal counts and logs a password that was not sent.
func (t *passwordTry) logRefusal(reason string, more ...any) {
	t.visitor.Shared.Passwords.refuse(t.use)
	t.log.Warn(t.use.String()+" refused", append([]any{"reason", reason}, more...)...)
}

// recordOutcome counts and logs what became of a password, and uncounts the try if it was no guess.
func (t *passwordTry) recordOutcome(ctx context.Context, o api.PasswordOutcome) {
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

// takeBack uncounts the try.
func (t *passwordTry) takeBack(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, countTimeout)
	defer cancel()
	if err := t.counter.TakeBack(ctx, t.subjects); err != nil {
		t.log.Error(t.use.String()+" stays counted", "error", err.Error())
	}
}

// ownCounter is the store in memory with which this server counts while the shared one is away.
func (s *Visitors) ownCounter(ctx context.Context) sessionstore.Store {
	s.ownStoreOnce.Do(func() { s.ownStore = sessionstore.NewMemory(s.Now) })
	_ = s.ownStore.Sweep(ctx) // it has no server that sweeps it
	return s.ownStore
}

// PasswordCounts count the passwords of all visitors for the metrics. The zero value is ready to
// use.
type PasswordCounts struct {
	fates   [passwordUses][passwordFates]atomic.Uint64 // of those that were admitted
	refused [passwordUses]atomic.Uint64
}

// How many values [api.PasswordUse] and [api.PasswordFate] have.
const (
	passwordUses  = api.PasswordDeviceLogin + 1
	passwordFates = api.PasswordUnsent + 1
)

func (c *PasswordCounts) end(use api.PasswordUse, fate api.PasswordFate) {
	c.fates[use][fate].Add(1)
}

func (c *PasswordCounts) refuse(use api.PasswordUse) { c.refused[use].Add(1) }

// Guesses returns how many of the passwords that were sent may have been guesses.
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

// WriteMetrics writes the counters in the text format of Prometheus.
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

// accountName is the name under which tries of an account are counted. It is the same for all
// spellings of an e-mail address. A text that is not an address has one, too.
func accountName(email string) string {
	email, _ = hostname.ParseEmail(email)
	local, domain, _ := strings.Cut(norm.NFKC.String(email), "@")
	if name, err := config.CheckDomain(strings.TrimSuffix(domain, ".")); err == nil {
		domain = name
	}
	upper := strings.ToUpper(local + "@" + domain) // first, as some letters have two lower-case forms
	return strings.ToLower(upper)
}
