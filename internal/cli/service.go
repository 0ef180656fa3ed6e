package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"gatehouse/api"
	"gatehouse/internal/config"
	"gatehouse/internal/files"
	"gatehouse/internal/problem"
	"gatehouse/internal/secret"
	"gatehouse/session"
)

// work is what a command needs to talk to the service.
type work struct {
	profile *config.Profile
	service *session.Service
	vault   string // its kind, which is memory where there is no keyring
	close   func()
}

// open resolves the profile, reads the secrets that may be needed from the keyring, and
// opens the service with its session in the given vault. The caller calls close.
func (a *app) open(ctx context.Context, vault vaultOpener, needs ...keptSecret) (*work, error) {
	profile, err := a.place.profile()
	if err != nil {
		return nil, err
	}
	log, closeLog, err := openLog(profile)
	if err != nil {
		return nil, err
	}
	v, warning, err := vault(ctx, a, profile)
	if err != nil {
		closeLog()
		return nil, err
	}
	a.warn(warning)
	a.warn(addSecrets(ctx, profile, a.secrets(profile), needs...))
	service := a.service(profile, v, log, func(e api.Exchange) {
		logExchange(log, e)
		if a.observe != nil {
			a.observe(e)
		}
	})
	unsubscribe := service.Session.Subscribe(func(e session.Event) {
		if _, claimed := errors.AsType[*session.ClaimedError](e.Err); claimed {
			a.sayWaiting(service.Session.Status(), e.Err)
		}
	})
	return &work{profile, service, v.Kind(), func() {
		unsubscribe()
		a.reportLate(service.Close())
		closeLog()
	}}, nil
}

// sayWaiting says why a command takes longer than usual. What has a token that lives does not
// wait, and need not know.
func (a *app) sayWaiting(s session.Status, why error) {
	if now := a.env.Now(); !s.ExpiresAt.After(now) {
		p := problem.Explain(why)
		a.say("%s", problem.Sentence(p.Text)+" "+p.Hint)
	}
}

// reportLate reports an error on stderr that occurred after the work was done.
func (a *app) reportLate(err error) {
	if err != nil {
		a.sayProblem(problem.Describe(err, problem.CommandLine))
	}
}

// openRestored is open with the saved session, which must exist; a visitor signs in
// instead.
func (a *app) openRestored(ctx context.Context) (*work, error) {
	w, err := a.open(ctx, savedVault, clientSecret) // for a renewal
	if err != nil {
		return nil, err
	}
	if err := a.place.restore(ctx, w.service.Session); err != nil {
		w.close()
		if errors.Is(err, session.ErrSignedOut) {
			err = a.signedOut(w.profile, w.vault)
		}
		return nil, err
	}
	return w, nil
}

// signedOut is [session.ErrSignedOut] with the name of the profile, which may be another
// one than the person thinks. vault is the kind of the one that was opened.
func (a *app) signedOut(p *config.Profile, vault string) error {
	command := "gatehouse"
	if a.flags.profile != "" {
		command += " --profile " + p.Name
	}
	hint := "Run `" + command + " login`."
	if vault == config.StoreMemory && p.Store == config.StoreKeyring {
		hint = "Set GATEHOUSE_STORE=file, then run `" + command + " login`: it keeps the session in a file under a passphrase."
	}
	return problem.NeedsSignIn(fmt.Sprintf("not signed in with the profile %q", p.Name), hint)
}

// openSignedIn is openRestored with a valid access token: an expired one is renewed.
func (a *app) openSignedIn(ctx context.Context) (*work, secret.Text, error) {
	w, err := a.openRestored(ctx)
	if err != nil {
		return nil, secret.Text{}, err
	}
	token, err := w.service.Session.Token(ctx)
	if err != nil {
		w.close()
		return nil, secret.Text{}, err
	}
	return w, token, nil
}

func (a *app) sources() config.Sources {
	return config.Sources{
		File:      a.flags.config,
		LookupEnv: a.env.LookupEnv,
		Flags: map[string]string{
			"profile":   a.flags.profile,
			"authority": a.flags.authority,
			"store":     a.flags.store,
			"log_file":  a.flags.logFile,
		},
	}
}

func (a *app) service(p *config.Profile, v session.Vault, log *slog.Logger, observe func(api.Exchange)) *session.Service {
	o := session.ServiceOptions{
		Profile:   p,
		BodyLimit: a.listLimit,
		Vault:     v,
		UserAgent: "gatehouse/" + Version(),
		Observe:   observe,
		Dial:      a.env.Dial,
		Parallel:  a.parallel,
		Now:       a.env.Now,
		Waiting:   a.waiting,
		Panicked:  func(stack string) { logMistake(log, stack) },
	}
	a.place.serviceOptions(&o)
	return session.NewService(o)
}

// waiting says why the program does not end yet, and lets the next ctrl+c end it: the
// first one may have been a key of the UI.
func (a *app) waiting() {
	if a.env.LetInterrupt == nil {
		a.warn("Waiting until the session is saved or erased.")
		return
	}
	a.env.LetInterrupt()
	a.warn("Waiting until the session is saved or erased. Press ctrl+c to quit now; you may then have to sign in again.")
}

// openLog opens the profile's log file for appending. It must be a regular file, not a
// link, that only its owner can access. Without one nothing is logged.
func openLog(p *config.Profile) (log *slog.Logger, closeLog func(), err error) {
	if p.LogFile == "" {
		return slog.New(slog.DiscardHandler), func() {}, nil
	}
	file, err := files.Append(p.LogFile)
	if err != nil {
		return nil, nil, &config.Error{
			Origin: p.Origin("log_file"),
			Key:    "log_file",
			Value:  p.LogFile,
			Want:   "want a file that you own and can write, not a link",
			Err:    err,
		}
	}
	return slog.New(slog.NewTextHandler(file, nil)), func() { _ = file.Close() }, nil
}

// logMistake logs where the program had a panic that it lives on after.
func logMistake(log *slog.Logger, stack string) {
	log.Error("internal error", slog.String("stack", stack))
}

// logExchange logs an exchange with the service: never a query, a header or a body.
func logExchange(log *slog.Logger, e api.Exchange) {
	fields := []slog.Attr{
		slog.String("method", e.Method),
		slog.String("host", e.Host),
		slog.String("path", e.Path),
		slog.Int("status", e.Status),
		slog.Duration("duration", e.Duration),
		slog.Int64("bytes", e.Bytes),
	}
	level := slog.LevelInfo
	if e.Err != nil {
		level = slog.LevelWarn
		fields = append(fields, slog.String("error", e.Err.Error()))
	}
	log.LogAttrs(context.Background(), level, "exchange", fields...)
}
