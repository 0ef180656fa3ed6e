package sshd

import (
	"bytes"
	"log/slog"
	"net/netip"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	gossh "golang.org/x/crypto/ssh"
)

func TestAFileOfKeysIsReadAndLoggedOnceForEachContent(t *testing.T) {
	var log bytes.Buffer
	key := newKey(t)
	path := writeKeys(t, "", line("", key))
	list, err := OpenKeyFile(path, "test keys", slog.New(slog.NewTextHandler(&log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	held := func() bool {
		return list.Holds(&Connection{Fingerprint: gossh.FingerprintSHA256(key.PublicKey())}, time.Now())
	}
	wantLines := func(message string, want int) {
		t.Helper()
		if got := strings.Count(log.String(), message); got != want {
			t.Errorf("%q is logged %d times, want %d:\n%s", message, got, want, log.String())
		}
	}
	for range 3 {
		if !held() {
			t.Error("the key is not held")
		}
	}
	wantLines("test keys read", 1)
	writeKeys(t, path, "no key\n")
	for range 3 {
		if held() {
			t.Error("the key of before is held")
		}
	}
	wantLines("file of keys cannot be used", 1)
	writeKeys(t, path, line("", key), line(`environment="A=b"`, newKey(t)))
	if !held() {
		t.Error("the key is not held again")
	}
	wantLines("test keys read", 2)
	wantLines("key not used", 1)
	wantLines("line=2", 1)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if held() {
		t.Error("the key of a file that is gone is held")
	}
	wantLines("file of keys cannot be used", 2)
}

func TestWhatTheOptionsOfAKeyAllow(t *testing.T) {
	for text, want := range map[string]keyOptions{
		"":                  {},
		"no-touch-required": {noTouch: true},
		"no-pty":            {noTerminal: true},
		"pty,no-pty":        {noTerminal: true},
		"no-pty,pty":        {noTerminal: true},
		"restrict":          {noTerminal: true},
		"restrict,pty":      {},
		"restrict,no-pty":   {noTerminal: true},
	} {
		var words []string
		if text != "" {
			words = strings.Split(text, ",")
		}
		got, err := parseKeyOptions(words)
		if err != nil || got.noTouch != want.noTouch || got.noTerminal != want.noTerminal {
			t.Errorf("%s: %+v, %v", text, got, err)
		}
	}
	_, err := parseKeyOptions([]string{`command="unclosed '"`})
	if err == nil || !strings.Contains(err.Error(), "command=") {
		t.Errorf("the error does not name the option: %v", err)
	}
}

func TestATimeWithoutAZoneIsOfTheServer(t *testing.T) {
	zone := time.Local
	time.Local = time.FixedZone("test", 3600)
	defer func() { time.Local = zone }()
	for text, want := range map[string]time.Time{
		"20260314092653":  time.Date(2026, 3, 14, 8, 26, 53, 0, time.UTC),
		"20260314092653Z": time.Date(2026, 3, 14, 9, 26, 53, 0, time.UTC),
	} {
		if got, err := parseExpiry(text); err != nil || !got.Equal(want) {
			t.Errorf("%s: %v, %v", text, got, err)
		}
	}
}

// asVisitor is what is known of a client that offers a key.
type asVisitor struct{ gossh.ConnMetadata }

func (asVisitor) User() string { return "visitor" }

func TestAKeyOfATokenNeedsATouchUnlessItsLineSaysOtherwise(t *testing.T) {
	touched, untouched := newKey(t), newKey(t)
	path := writeKeys(t, "", line("", touched), line("no-touch-required", untouched))
	admission, err := openAdmission(Access{AuthorizedKeys: path}, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	server := newServer(options(&logbook{}, hello, nil))
	server.admission = admission
	v := &visit{server: server, address: netip.MustParseAddr("192.0.2.7")}
	var waived []bool
	for _, key := range []gossh.Signer{touched, untouched} {
		permissions, err := v.offerKey(asVisitor{}, key.PublicKey())
		if err != nil {
			t.Fatal(err)
		}
		_, is := permissions.Extensions["no-touch-required"]
		waived = append(waived, is)
	}
	if !slices.Equal(waived, []bool{false, true}) {
		t.Errorf("the touch is waived: %v", waived)
	}
}
