package session

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gatehouse/api"
	"gatehouse/internal/secret"
)

// forms are the ways in which a secret could stand somewhere.
func forms(word string) []string {
	return []string{
		word,
		hex.EncodeToString([]byte(word)),
		strings.ToUpper(hex.EncodeToString([]byte(word))),
		strings.Trim(fmt.Sprint([]byte(word)), "[]"),
		base64.StdEncoding.EncodeToString([]byte(word))[:len(word)],
	}
}

func TestNoWayOfPrintingShowsASecret(t *testing.T) {
	a, c := newAuthority(t), newClock()
	b := newBackend(t)
	v := quickFileVault(vaultPath(t), knownPassphrase)
	p := a.profile()
	p.BaseURL, p.GlobalURL = b.URL, b.URL
	service := NewService(ServiceOptions{Profile: p, Vault: v, Now: c.Now})
	s := service.Session
	signIn(t, s)
	record, err := v.Load(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	wrong := s.SignIn(t.Context(), SignIn{Username: user, Password: secret.New("canary-wrong")})
	a.Next(func(w http.ResponseWriter, r *http.Request) { // a page that repeats the form
		w.WriteHeader(http.StatusBadGateway)
		fmt.Fprint(w, r.Form.Encode())
	})
	delayed := s.Renew(t.Context())
	a.Revoke()
	ended := s.Renew(t.Context())
	if wrong == nil || delayed == nil || ended == nil {
		t.Fatalf("the errors are %v, %v, %v", wrong, delayed, ended)
	}
	ring := newFakeKeyring()
	keyringVault := sealedVault(vaultPath(t), ring)
	if err := keyringVault.Put(t.Context(), record, 0, true); err != nil {
		t.Fatal(err)
	}

	// A session without renewals behind it: their goroutines may still end.
	service = NewService(ServiceOptions{Profile: p, Vault: keyringVault, Now: c.Now})
	s = service.Session
	restore(t, s)
	values := []any{
		service, *service, s, s.Status(), record, *record, v, keyringVault, NewMemoryVault(),
		SignIn{Username: user, Password: secret.New(password)}, ServiceOptions{Profile: p, Vault: v},
		wrong, delayed, ended, Event{Err: ended}, s.tokens(),
		fullRecord(), fullRecord().asEnded("over", start),
		&WrongPasswordError{Err: &api.TokenError{}}, &EndedError{}, &DelayedError{}, &MissingError{}, &VaultError{}, &DamagedError{},
		&NotErasedError{}, &NotSavedError{}, &UnfinishedError{}, errPanic,
	}
	var printed strings.Builder
	for _, value := range values {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x"} {
			fmt.Fprintf(&printed, verb+"\n", value)
		}
	}
	for _, word := range []string{"canary", "AGE-SECRET-KEY"} {
		for _, form := range forms(word) {
			if at := strings.Index(printed.String(), form); at >= 0 {
				t.Errorf("a secret is printed: …%s", printed.String()[max(0, at-200):at+60])
			}
		}
	}
}

func TestNoSecretReachesADiskInClear(t *testing.T) {
	a, c := newAuthority(t), newClock()
	root := t.TempDir()
	ring := newFakeKeyring()
	for name, open := range map[string]func(path string) Vault{
		"file":    func(path string) Vault { return quickFileVault(path, knownPassphrase) },
		"keyring": func(path string) Vault { return sealedVault(path, ring) },
	} {
		path := filepath.Join(root, name, "main.age")
		s := newSession(a, open(path), c)
		signIn(t, s)
		c.Advance(25 * time.Hour)
		if _, err := s.Token(t.Context()); err != nil {
			t.Fatal(err)
		}
		a.Revoke()
		c.Advance(25 * time.Hour)
		if _, err := s.Token(t.Context()); err == nil {
			t.Fatal("Token did not fail")
		}
		signIn(t, s)
	}
	searched := 0
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		searched++
		for _, word := range []string{"canary", "AGE-SECRET-KEY", user, base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"none"}`))} {
			for _, form := range forms(word) {
				if bytes.Contains(data, []byte(form)) || strings.Contains(entry.Name(), form) {
					t.Errorf("%s has %q in it", path, form)
				}
			}
		}
		return nil
	})
	if err != nil || searched != 4 { // two vaults and their locks
		t.Errorf("searched were %d files: %v", searched, err)
	}
}
