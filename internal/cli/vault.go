package cli

import (
	"context"
	"errors"
	"io/fs"
	"os"

	"gatehouse/internal/config"
	"gatehouse/internal/problem"
	"gatehouse/internal/secret"
	"gatehouse/session"
)

// vaultOpener opens the store that keeps the session of a profile. The warning is for the
// person, such as that nothing is saved; "" is none.
type vaultOpener func(ctx context.Context, a *app, p *config.Profile) (v session.Vault, warning string, err error)

// unsavedVault is for a person who continues although the store cannot be opened.
func unsavedVault(context.Context, *app, *config.Profile) (session.Vault, string, error) {
	return session.NewMemoryVault(), "nothing is saved: the session ends with this program", nil
}

// noVault is for a command that needs no saved session: no store is touched.
func noVault(context.Context, *app, *config.Profile) (session.Vault, string, error) {
	return session.NewMemoryVault(), "", nil
}

// savedVault opens the store of the profile.
func savedVault(ctx context.Context, a *app, p *config.Profile) (session.Vault, string, error) {
	return openVault(ctx, a, p, session.VaultOptions{})
}

// uiVault is savedVault for the UI, where the person should know before signing in that nobody can
// sign in over the session of a newer program. A patient one has more time, for a person who may
// have to answer a prompt of the keyring.
func uiVault(patient bool) vaultOpener {
	return func(ctx context.Context, a *app, p *config.Profile) (session.Vault, string, error) {
		return openVault(ctx, a, p, session.VaultOptions{Patient: patient, RefuseNewer: true})
	}
}

func openVault(ctx context.Context, a *app, p *config.Profile, o session.VaultOptions) (session.Vault, string, error) {
	o.Kind, o.Path, o.Explicit = p.Store, session.StatePath(p.Name), p.Origin("store") != config.Origin{}
	o.Passphrase = a.passphrase(p, o.Path)
	return a.env.OpenVault(ctx, o)
}

// vaultFile opens the file that holds the session of a profile, whichever store its key
// is in: deleting it needs no key.
func vaultFile(ctx context.Context, a *app, p *config.Profile) (session.Vault, string, error) {
	path := session.StatePath(p.Name)
	return a.env.OpenVault(ctx, session.VaultOptions{Kind: config.StoreFile, Path: path, Explicit: true, Passphrase: a.passphrase(p, path)})
}

// persistentVault opens a store that outlives the command and can be written, which is
// tried before the password is asked for.
func persistentVault(ctx context.Context, a *app, p *config.Profile) (session.Vault, string, error) {
	if p.Store == config.StoreMemory {
		return nil, "", usage("the store is memory ("+p.Origin("store").String()+"), so the session would end with this command",
			"Use the store keyring or file; memory is for the UI.")
	}
	vault, warning, err := openVault(ctx, a, p, session.VaultOptions{Patient: true})
	if err != nil {
		return nil, "", err
	}
	if vault.Kind() == config.StoreMemory {
		return nil, "", problem.New("no keyring is available here, and a session in memory would end with this command",
			"Set GATEHOUSE_STORE=file (or use `--store file`): it keeps the session in a file under a passphrase.")
	}
	return vault, warning, vault.Try(ctx, true)
}

// passphrase takes the passphrase of the file at path from the profile, or asks for it:
// twice if the file does not exist yet.
func (a *app) passphrase(p *config.Profile, path string) session.Passphrase {
	return func(ctx context.Context) (secret.Text, error) {
		switch {
		case !p.StorePassphrase.IsEmpty():
			return p.StorePassphrase, nil
		case a.env.Ask == nil:
			return secret.Text{}, usage("the file store needs a passphrase, and there is no terminal to ask for it", "Set GATEHOUSE_STORE_PASSPHRASE.")
		case exists(path):
			return a.env.Ask.Secret(ctx, "Passphrase of the session store: ")
		default:
			return newPassphrase(ctx, a)
		}
	}
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

func newPassphrase(ctx context.Context, a *app) (secret.Text, error) {
	first, err := a.env.Ask.Secret(ctx, "New passphrase for the session store: ")
	if err != nil {
		return secret.Text{}, err
	}
	again, err := a.env.Ask.Secret(ctx, "Repeat the passphrase: ")
	if err != nil {
		return secret.Text{}, err
	}
	if first != again {
		return secret.Text{}, usage("the two passphrases differ", "Try again.")
	}
	return first, nil
}

// passphraseAttempts is how often the passphrase may be entered before the UI starts.
const passphraseAttempts = 3

// unlock asks for the passphrase of the file store and puts it into the profile, before
// the UI takes over the terminal.
func unlock(ctx context.Context, a *app, p *config.Profile) error {
	if p.Store != config.StoreFile || !p.StorePassphrase.IsEmpty() {
		return nil
	}
	path := session.StatePath(p.Name)
	ask := a.passphrase(p, path)
	var wrong error
	for range passphraseAttempts {
		given, err := ask(ctx)
		if err != nil {
			return err
		}
		_, wrong = session.NewFileVault(path, func(context.Context) (secret.Text, error) { return given, nil }).Load(ctx)
		if !errors.Is(wrong, session.ErrWrongPassphrase) { // the UI shows other errors
			p.StorePassphrase = given
			return ctx.Err()
		}
		a.say("Wrong passphrase.")
	}
	return wrong
}
