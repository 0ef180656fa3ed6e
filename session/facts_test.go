package session

import (
	"strings"
	"testing"

	"gatehouse/api"
	"gatehouse/internal/text/safetext"
)

func TestTheNameOfADemoAccountIsEnough(t *testing.T) {
	tips := []Tip{{Account: "ada@harbor.example"}, {Account: "gus@harbor.example"}, {Account: "kit@harbor.example", Unlisted: true}}
	for typed, want := range map[string]string{"Ann <a@x.example>, Ben <b@y.example>": "Ann <a@x.example>, Ben <b@y.example>", "ada": tips[0].Account, " GUS ": tips[1].Account, "kit": tips[2].Account, "bob": "bob", "ada@": "ada@", "": "", "Ann <ann@harbor.example>": "ann@harbor.example"} {
		if got := Complete(typed, tips); got != want {
			t.Errorf("%q becomes %q, want %q", typed, got, want)
		}
	}
}

func TestAKeyIsNamedByItsCertificateIfItHasOne(t *testing.T) {
	plain := Key{Fingerprint: "SHA256:abc"}
	certified := Key{Fingerprint: "SHA256:abc", KeyID: "ann", Authority: "SHA256:def"}
	if plain.Kind() != "key" || plain.Name() != "SHA256:abc" {
		t.Errorf("a plain key is a %s named %s", plain.Kind(), plain.Name())
	}
	if certified.Kind() != "certificate" || certified.Name() != "ann, certified by SHA256:def" {
		t.Errorf("a certificate is a %s named %s", certified.Kind(), certified.Name())
	}
}

func TestALookUpIsSaidAsWhatIsKnownOfIt(t *testing.T) {
	for said, err := range map[string]error{
		"Primary domain: quay.example":                                           nil,
		"No primary domain was found for this address. Is it spelled correctly?": &api.NoDomainError{},
		"The primary domain could not be looked up; signing in may still work.":  &api.StatusError{},
	} {
		if got := LookedUp("quay.example", err); got != said {
			t.Errorf("%v: %s", err, got)
		}
	}
}

func TestTheNameOfAKeyIsSafe(t *testing.T) {
	for _, key := range []Key{{Fingerprint: "\x1b[31m"}, {KeyID: "\x1b[31m\u202e" + strings.Repeat("長", 500), Authority: "\x07"}} {
		if name := key.Name(); strings.ContainsAny(name, "\x1b\u202e\x07") || safetext.Width(name) > 150 {
			t.Errorf("%+v is named %q", key, name)
		}
	}
}
