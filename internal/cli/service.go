package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"

	"gatehouse/api"
	"gatehouse/internal/config"
	"gatehouse/internal/files"
	"gatehouse/internal/text/problem"
	"gatehouse/internal/text/secret"
	"gatehouse/session"
)

// open resolves the profile, reads the secrets that may be needed from the keyring, and opens the
// service with its session in the given vault, until the command ends.
func (a *app) open(ctx context.Context, vault vaultOpener, needs ...keptSecret) (*session.Service, error) {
	profile, err := a.place.profile()
	if err != nil {
		return nil, err
	}
	log, closeLog, err := openLog(profile)
	if err != nil {
		return nil, err
	}
	a.ends = append(a.ends, closeLog)
	v, warning, err := vault(ctx, a, profile)
	if err != nil {
		return nil, err
	}
	a.warn(warning)
	a.warn(addSecrets(ctx, profile, a.secretsOf(profile.Name), needs...))
	service := a.service(profile, v, log)
	service.Session.Subscribe(a.sayWaiting)
	a.ends = append(a.ends, func() { a.reportLate(service.Close()) })
	return service, nil
}

// waitForKeeper says that the keyring, or what else holds a secret, has not answered yet.
func (a *app) waitForKeeper(keeper string) {
	sentence := "Waiting for " + keeper + ": a prompt may be open on your desktop."
	if a.toasts == nil {
		a.say("%s", sentence)
		return
	}
	select {
	case a.toasts <- sentence:
	default: // the last toast is still waiting
	}
}

// sayWaiting says why a command does not end yet: a renewal in another process may take long.
func (a *app) sayWaiting(e session.Event) {
	if e.Kind == session.EventWaiting {
		a.warn(problem.Describe(e.Err, commandLine).Sentence)
	}
}

// reportLate reports an error on stderr that occurred after the work was done.
func (a *app) reportLate(err error) {
	if err != nil {
		a.sayProblem(problem.Describe(err, commandLine))
	}
}

// openRestored is open with the saved session, which must exist. A visitor signs in instead.
func (a *app) openRestored(ctx context.Context) (*session.Service, error) {
	service, err := a.open(ctx, savedVault, clientSecret) // for a renewal
	if err != nil {
		return nil, err
	}
	return service, a.restore(ctx, service)
}

// restore restores the saved session, as for [app.openRestored].
func (a *app) restore(ctx context.Context, service *session.Service) error {
	err := a.place.restore(ctx, service.Session)
	if errors.Is(err, session.ErrSignedOut) { // the profile may not be the one that the person means
		hint := "Run `gatehouse login`."
		if a.flags.profile != "" {
			hint = "Run `gatehouse --profile " + a.flags.profile + " login`."
		}
		what := fmt.Sprintf("not signed in with the profile %q", service.Profile.Name)
		err = problem.NeedsSignIn(what, hint)
	}
	return err
}

// openSignedIn is openRestored with a valid access token: an expired one is renewed.
func (a *app) openSignedIn(ctx context.Context) (*session.Service, secret.Text, error) {
	service, err := a.openRestored(ctx)
	if err != nil {
		return nil, secret.Text{}, err
	}
	token, err := service.Session.Token(ctx)
	return service, token, err
}

// service returns a service that logs its requests.
func (a *app) service(p *config.Profile, v session.Vault, log *slog.Logger) *session.Service {
	o, observe := a.options, a.options.Observe
	o.Profile, o.Vault = p, v
	o.Observe = func(e api.Exchange) {
		logExchange(log, e)
		if observe != nil {
			observe(e)
		}
	}
	if o.Panicked == nil {
		o.Panicked = func(stack string) { logMistake(log, stack) }
	}
	return session.NewService(o)
}

// sayWaitingToSave says why the program does not end yet, and lets the next ctrl+c end it: the first
// one may have been pressed in the UI.
func (a *app) sayWaitingToSave() {
	if a.env.LetInterrupt != nil {
		a.env.LetInterrupt()
	}
	a.warn("Waiting until the session is saved or erased." +
		" If you press ctrl+c now, you may have to sign in again.")
}

// openLog opens the profile's log file for appending. It must be a regular file, not a
// link, that only its owner can access. Without one nothing is logged.
func openLog(p *config.Profile) (log *slog.Logger, closeLog func(), err error) {
	if p.LogFile == "" {
		return slog.New(slog.DiscardHandler), func() {}, nil
	}
	file, err := files.Append(p.LogFile)
	if err != nil {
		what := fmt.Sprintf("%s: the log %s cannot be written: %s",
			p.Origin("log_file"), p.LogFile, files.Reason(err))
		return nil, nil, usage(what, "Use a file that you own and can write.")
	}
	return slog.New(slog.NewTextHandler(file, nil)), func() { _ = file.Close() }, nil
}

// logMistake logs the stack of a panic that the program has survived.
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

// vaultOpener opens the store that keeps the session of a profile. The warning tells the person, for
// instance, that nothing is saved; it may be "".
type vaultOpener func(
	ctx context.Context, a *app, p *config.Profile,
) (v session.Vault, warning string, err error)

// unsavedVault is for a person who continues although the store cannot be opened.
func unsavedVault(context.Context, *app, *config.Profile) (session.Vault, string, error) {
	return session.NewMemoryVault(), "nothing is saved: the session ends with this program", nil
}

// noVault is for a command that needs no saved session: no store is touched.
func noVault(context.Context, *app, *config.Profile) (session.Vault, string, error) {
	return session.NewMemoryVault(), "", nil
}

// savedVault opens the store of the profile.
var savedVault = storedVault(session.VaultOptions{})

// storedVault returns an opener for the store of the profile, or for the one that the options name.
func storedVault(o session.VaultOptions) vaultOpener {
	return func(ctx context.Context, a *app, p *config.Profile) (session.Vault, string, error) {
		o := o
		if o.Kind == "" {
			o.Kind, o.Explicit = p.Store, p.Origin("store") != config.Origin{}
		}
		o.Path, o.Profile = session.StatePath(p.Name), p.Name
		o.Waiting = a.waitForKeeper
		o.Passphrase = a.passphrase(p, o.Path)
		return a.env.OpenVault(ctx, o)
	}
}

// persistentVault opens a store that outlives the command. It makes sure that the store can be
// written, before anybody is asked for the password.
func persistentVault(ctx context.Context, a *app, p *config.Profile) (session.Vault, string, error) {
	vault, warning, err := storedVault(session.VaultOptions{Patient: true})(ctx, a, p)
	if err != nil {
		return nil, "", err
	}
	if vault.Kind() == session.StoreMemory { // the profile says so, or there is no keyring
		return nil, "", usage("the session would end with this command:"+
			" the store is memory, or no keyring is available here",
			"Set GATEHOUSE_STORE=file (or use `--store file`):"+
				" it keeps the session in a file protected by a passphrase.")
	}
	return vault, warning, vault.Try(ctx, true)
}

// passphrase returns the passphrase of the file at path: that of the profile, or else one that it
// asks for, a new one if the file does not exist yet.
func (a *app) passphrase(p *config.Profile, path string) session.Passphrase {
	return func(ctx context.Context) (secret.Text, error) {
		switch {
		case !p.StorePassphrase.IsEmpty():
			return p.StorePassphrase, nil
		case a.env.Ask == nil:
			return secret.Text{}, usage(
				"the file store needs a passphrase, and there is no terminal to type it on",
				"Set GATEHOUSE_STORE_PASSPHRASE.")
		}
		if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
			return a.env.Ask.Secret(ctx, "Passphrase of the session store: ")
		}
		return a.newPassphrase(ctx)
	}
}

// passphraseTries is how often a new passphrase is asked for before the command ends.
const passphraseTries = 3

// newPassphrase asks for a new passphrase twice, and again if it is empty or the two differ.
func (a *app) newPassphrase(ctx context.Context) (secret.Text, error) {
	for try := 1; ; try++ {
		given, err := a.env.Ask.Secret(ctx, "New passphrase for the session store: ")
		if err != nil {
			return secret.Text{}, err
		}
		wrong := "the passphrase is empty"
		if !given.IsEmpty() {
			repeated, err := a.env.Ask.Secret(ctx, "Repeat the passphrase: ")
			if err != nil {
				return secret.Text{}, err
			}
			if repeated == given {
				return given, nil
			}
			wrong = "the two passphrases differ"
		}
		if try == passphraseTries {
			return secret.Text{}, usage(wrong, "Nothing was saved. Run the command again.")
		}
		a.say("%s Try again.", problem.Sentence(wrong))
	}
}

// unlock asks for the passphrase of a store that needs one and puts it into the profile, before
// the UI takes over the terminal.
func unlock(ctx context.Context, a *app, p *config.Profile) error {
	if !session.StoreNamed(p.Store).NeedsPassphrase || !p.StorePassphrase.IsEmpty() {
		return nil
	}
	path := session.StatePath(p.Name)
	given, err := a.passphrase(p, path)(ctx)
	if err != nil {
		return err
	}
	answer := func(context.Context) (secret.Text, error) { return given, nil }
	_, err = session.NewFileVault(path, answer).Load(ctx)
	if errors.Is(err, session.ErrWrongPassphrase) { // the UI shows other errors
		return err
	}
	p.StorePassphrase = given
	return ctx.Err()
}
