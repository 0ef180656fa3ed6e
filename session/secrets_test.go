package session

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"gatehouse/api"
	"gatehouse/internal/text/secret"
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
		wrong, delayed, ended, Event{Err: ended},
		fullRecord(), fullRecord().withEnding("over", "", start),
		&WrongPasswordError{Err: &api.TokenError{}}, &EndedError{}, &DelayedError{}, &MissingError{}, &VaultError{}, &DamagedError{},
		&StaleVaultError{}, errUnfinished, errPanic,
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
