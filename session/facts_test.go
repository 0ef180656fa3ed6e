package session

import (
	"strings"
	"testing"

	"gatehouse/internal/safetext"
)

func TestTheNameOfADemoAccountIsEnough(t *testing.T) {
	tips := []Tip{{Account: "ada@harbor.example"}, {Account: "gus@harbor.example"}, {Account: "kit@harbor.example", Unlisted: true}}
	for typed, want := range map[string]string{"ada": tips[0].Account, " GUS ": tips[1].Account, "kit": tips[2].Account, "bob": "bob", "ada@": "ada@", "": ""} {
		if got := Complete(typed, tips); got != want {
			t.Errorf("%q becomes %q, want %q", typed, got, want)
		}
	}
}

func TestTheNameOfAKeyFitsAndIsSafe(t *testing.T) {
	key := Key{Fingerprint: "SHA256:uNiVztksCsDhcc0u9e8BgrJXVGDQzP4xtGrsx1Fbh2M"}
	certificate := Key{Fingerprint: key.Fingerprint, KeyID: "ada@laptop", Authority: "SHA256:9Q2mTq0Oq0uHq1g8QG8m4l9m1PpS1kqM0lPzQeVbXcI"}
	for _, known := range []Key{key, certificate, {}, {KeyID: "\x1b[31m\u202e" + strings.Repeat("長", 500), Authority: "\x07"}} {
		for _, name := range known.Names() {
			if strings.ContainsAny(name, "\x1b\u202e\x07") || safetext.Width(name) > 150 {
				t.Errorf("%+v is named %q", known, name)
			}
		}
	}
	for width, want := range map[int]string{
		80: key.Fingerprint, 52: key.Fingerprint, 30: "SHA256:uNiVztksCsDh…",
	} {
		if got := key.Name(width); got != want {
			t.Errorf("in %d cells: %q", width, got)
		}
	}
}
