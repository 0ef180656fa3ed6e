package session

import (
	"path/filepath"
	"testing"
)

func TestEachStoreOpensAndSaysWhatItIs(t *testing.T) {
	seen := map[string]bool{}
	for _, store := range Stores() {
		if store.Name == "" || store.About == "" || store.open == nil || seen[store.Name] {
			t.Errorf("the store %+v lacks a part, or is there twice", store)
			continue
		}
		seen[store.Name] = true
		o := VaultOptions{
			Kind: store.Name, Path: filepath.Join(t.TempDir(), "vault.age"), Profile: "main",
			Passphrase: knownPassphrase, ring: newFakeKeyring(),
		}
		vault, notice, err := OpenVault(t.Context(), o)
		if err != nil || notice != "" {
			t.Errorf("%s: %q, %v", store.Name, notice, err)
			continue
		}
		if vault.Kind() != store.Name {
			t.Errorf("the store %s opens a vault of the kind %s", store.Name, vault.Kind())
		}
	}
	if got := StoreNames(); len(got) != len(seen) || got[0] != StoreKeyring {
		t.Errorf("the stores are %v; profiles that name none have the keyring", got)
	}
	if _, _, err := OpenVault(t.Context(), VaultOptions{Kind: "disk"}); err == nil {
		t.Error("a store that does not exist was opened")
	}
}
