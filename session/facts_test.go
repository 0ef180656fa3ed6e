package session

import (
	"strings"
	"testing"

	"gatehouse/internal/text/safetext"
)

func TestTheNameOfADemoAccountIsEnough(t *testing.T) {
	tips := []Tip{{Account: "ada@harbor.example"}, {Account: "gus@harbor.example"}, {Account: "kit@harbor.example", Unlisted: true}}
	for typed, want := range map[string]string{"Ann <a@x.example>, Ben <b@y.example>": "Ann <a@x.example>, Ben <b@y.example>", "ada": tips[0].Account, " GUS ": tips[1].Account, "kit": tips[2].Account, "bob": "bob", "ada@": "ada@", "": ""} {
		if got := Complete(typed, tips); got != want {
			t.Errorf("%q becomes %q, want %q", typed, got, want)
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
