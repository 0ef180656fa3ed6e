package session

import (
	"cmp"
	"context"
	"fmt"

	"gatehouse/internal/text/human"
)

// The stores that a session can be kept in, as --store and GATEHOUSE_STORE name them.
const (
	StoreKeyring = "keyring"
	StoreFile    = "file"
	StoreMemory  = "memory"
)

// The stores of a server, which its operator chooses.
const (
	StoreDirectory = "directory"
	StorePostgres  = "postgres"
)

// Store is a place that a session can be saved in.
type Store struct {
	// Name is its name in flags, variables and [Vault.Kind].
	Name string
	// About says in a few words where the session is, for the completion of a shell.
	About string
	// NeedsPassphrase is set if a person has to give a passphrase to open the store.
	NeedsPassphrase bool

	open func(context.Context, VaultOptions) (v Vault, notice string, err error)
}

// Stores lists all stores that a person can choose, the default first. Everything that names
// stores reads this table: the values that the configuration accepts, the help and the completion
// of --store, the manual.
func Stores() []Store {
	return []Store{
		{
			Name:  StoreKeyring,
			About: "a file whose key is in the keyring",
			open:  systemKeeper.openVault,
		},
		{
			Name:            StoreFile,
			About:           "a file protected by a passphrase",
			NeedsPassphrase: true,
			open:            openPassphraseVault,
		},
		{
			Name:  StoreMemory,
			About: "nothing is saved",
			open:  openMemoryVault,
		},
	}
}

// StoreNames lists the names of [Stores] in that order.
func StoreNames() []string {
	var names []string
	for _, store := range Stores() {
		names = append(names, store.Name)
	}
	return names
}

// StoreNamed returns the store of a name, or the zero Store if there is none.
func StoreNamed(name string) Store {
	for _, store := range Stores() {
		if store.Name == name {
			return store
		}
	}
	return Store{}
}

// storeTitles are what visitors of a server read in place of the name of its store.
var storeTitles = map[string]string{
	StoreDirectory: "a directory of this server",
	StorePostgres:  "the database of this server",
}

// StoreTitle says in words where a session is saved, by the name of the store.
func StoreTitle(store string) string { return cmp.Or(storeTitles[store], store) }

// VaultOptions say which vault to open, and how.
type VaultOptions struct {
	Kind    string // the name of one of [Stores]
	Path    string // of the file, for the kinds that have one
	Profile string // whose key it is, for the kinds that have it in a store of secrets
	// Explicit means that a person chose this kind, so that no other replaces it.
	Explicit bool
	// Patient means that a person is waiting and may have to answer a prompt of the keyring. The
	// time limit is then 60 seconds instead of 3.
	Patient bool
	// Waiting, if set, is called when the keyring, or whatever else holds the key, has not answered
	// for 2 seconds, so that its owner can look for a prompt. keeper is what it is called in a
	// sentence: "the keyring". The call waits meanwhile, so Waiting must not block.
	Waiting func(keeper string)
	// Passphrase is for stores that need one.
	Passphrase Passphrase
	// Quiet leaves a damaged file where it is instead of setting it aside: nobody would be told.
	Quiet bool

	ring Keyring // nil: what the keeper of the kind opens
}

// OpenVault opens a vault. If the keyring is only the default and is not available, memory
// replaces it and notice says so. A locked one is always an error (a *[VaultError] with
// [ErrKeeperLocked]); the caller can try again or use "memory".
func OpenVault(ctx context.Context, o VaultOptions) (v Vault, notice string, err error) {
	store := StoreNamed(o.Kind)
	if store.open == nil {
		return nil, "", fmt.Errorf("no store is called %q: %s", o.Kind, human.Either(StoreNames()))
	}
	if o.Patient {
		ctx = withPrompt(ctx)
	}
	return store.open(ctx, o)
}

func openMemoryVault(context.Context, VaultOptions) (Vault, string, error) {
	return NewMemoryVault(), "", nil
}

func openPassphraseVault(_ context.Context, o VaultOptions) (Vault, string, error) {
	return o.fileVault(newPassphraseSealer(o.Passphrase)), "", nil
}

// fileVault returns a vault in a file with this sealer.
func (o VaultOptions) fileVault(s sealer) *fileVault {
	vault := newFileVault(o.Kind, o.Path, s)
	vault.quiet = o.Quiet
	return vault
}
