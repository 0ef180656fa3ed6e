package sshd

import (
	"context"
	"fmt"
	"log/slog"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	gossh "golang.org/x/crypto/ssh"

	"gatehouse/internal/testkit"
)

// withKeys lets the owners of keys in.
func withKeys(path string) func(*Options) {
	return func(o *Options) { o.Access = Access{AuthorizedKeys: path} }
}

func TestTheOwnerOfAKeyGetsInAndNobodyElse(t *testing.T) {
	mine, other := newKey(t), newKey(t)
	h := serve(t, hello, withKeys(writeKeys(t, "", "# the team\n\n", line("", mine))))
	h.client(mine)
	h.log.find(t, "auth", "result=accepted", "method=publickey", "user=visitor", "fingerprint="+gossh.FingerprintSHA256(mine.PublicKey()))
	h.client(other, mine)
	h.log.find(t, "auth", "result=refused", "fingerprint="+gossh.FingerprintSHA256(other.PublicKey()))
	if _, err := h.dial(other); err == nil {
		t.Error("another key was taken")
	}
	h.log.find(t, "end", "reason=not authenticated")
	if _, err := h.dial(); err == nil {
		t.Error("nobody at all was let in")
	}
	password := &gossh.ClientConfig{HostKeyCallback: gossh.FixedHostKey(h.key.PublicKey()), Auth: []gossh.AuthMethod{
		gossh.Password("demo"), gossh.KeyboardInteractive(func(string, string, []string, []bool) ([]string, error) { return nil, nil }),
	}}
	if _, err := gossh.Dial("tcp", h.Addr().String(), password); err == nil || strings.Contains(err.Error(), "attempted methods [none password") {
		t.Errorf("a password: %v", err)
	}
}

func TestAnyoneGetsInAndNobodyIsKnownByAKey(t *testing.T) {
	h := serve(t, tellWho)
	mine := newKey(t)
	forged := *certify(t, newKey(t), mine, nil).PublicKey().(*gossh.Certificate)
	forged.Signature = &gossh.Signature{Format: forged.Signature.Format, Blob: make([]byte, 64)}
	signer, err := gossh.NewCertSigner(&forged, mine)
	if err != nil {
		t.Fatal(err)
	}
	const nobody = `open false, key "", network 127.0.0.1/32`
	if without, with := h.toldWho("ada"), h.toldWho("ada", signer); without != nobody || with != nobody {
		t.Errorf("without a key: %q, and with a forged certificate: %q", without, with)
	}
	h.log.find(t, "auth", "result=accepted", "method=none")
	// Some clients offer a key at once, without asking to be let in without one.
	v := &visit{server: h.Server}
	if permissions, err := v.offerKey(nil, &forged); err != nil || identityOf(permissions).fingerprint != "" {
		t.Errorf("a forged certificate counts as %+v, %v", identityOf(permissions), err)
	}
}

func TestAKeyIsTriedAFewTimesAlone(t *testing.T) {
	h := serve(t, hello, withKeys(writeKeys(t, "", line("", newKey(t)))), limits(func(l *Limits) { l.Tries = 3 }))
	for range 20 {
		keys := make([]gossh.Signer, 20)
		for i := range keys {
			keys[i] = newKey(t)
		}
		if _, err := h.dial(keys...); err == nil {
			t.Fatal("a wrong key was taken")
		}
	}
	// The library looks at as many keys again before it counts one that was only asked about.
	if n := strings.Count(h.log.String(), `"result":"refused"`); n != 120 {
		t.Errorf("%d keys were looked at, want six for each connection", n)
	}
}

func TestTheKeysAreReadAgainWhenTheyChange(t *testing.T) {
	first, second := newKey(t), newKey(t)
	path := writeKeys(t, "", line("", first))
	h := serve(t, hello, withKeys(path))
	refuse := func(key gossh.Signer, why string) {
		t.Helper()
		if _, err := h.dial(key); err == nil {
			t.Errorf("%s lets people in", why)
		}
	}
	h.client(first)
	before, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	writeKeys(t, path, line("", second)) // as long as before
	if err := os.Chtimes(path, before.ModTime(), before.ModTime()); err != nil {
		t.Fatal(err)
	}
	refuse(first, "a key that was taken out")
	h.client(second)

	writeKeys(t, path, line("", first), "ssh-ed25519 broken\n")
	refuse(first, "a broken file")
	h.log.find(t, "file of keys cannot be used", "holds=authorized keys", "error=line 2 of "+path+" is not a key")
	writeKeys(t, path, line("", second))
	h.client(second)
	testkit.SkipOnWindows(t, "has access lists in place of modes")
	if err := os.Chmod(path, 0o666); err != nil {
		t.Fatal(err)
	}
	refuse(second, "a file that everybody may write")
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	refuse(second, "a file that is gone")
}

func TestWhatTheLinesOfAFileOfKeysMean(t *testing.T) {
	const here, elsewhere = "127.0.0.1", "192.0.2.7"
	now := time.Date(2026, 3, 14, 9, 26, 53, 0, time.UTC)
	for options, want := range map[string]struct{ here, elsewhere bool }{
		``:                                      {true, true},
		`from="127.0.0.1"`:                      {true, false},
		`from="::ffff:127.0.0.1"`:               {true, false},
		`from="127.0.0.0/8"`:                    {true, false},
		`from="127.*"`:                          {true, false},
		`from="10.0.0.0/8,127.0.0.?"`:           {true, false},
		`from="!127.0.0.1,*"`:                   {false, true},
		`from="*,!127.0.0.0/8"`:                 {false, true},
		`from="!127.0.0.1"`:                     {},
		`from="localhost"`:                      {},
		`from="*,!*.cafe"`:                      {},
		`from="127.0.0.1/8"`:                    {},
		`from=""`:                               {},
		`expiry-time="20260314"`:                {},
		`expiry-time="20260314092652Z"`:         {},
		`expiry-time="20260314092654Z"`:         {true, true},
		`expiry-time="202603141000Z"`:           {true, true},
		`expiry-time="tomorrow"`:                {},
		`restrict,pty,command="lookup \"a b\""`: {true, true},
		`no-pty,no-port-forwarding,no-X11-forwarding,no-agent-forwarding,no-user-rc,no-touch-required`: {true, true},
		`environment="A=b"`:    {},
		`cert-authority`:       {},
		`verify-required`:      {},
		`restrict="x"`:         {},
		`from`:                 {},
		`no-pty,no-pty`:        {},
		`command="unclosed '"`: {},
	} {
		key := newKey(t)
		list, err := OpenKeyFile(writeKeys(t, "", line(options, key)), "keys", slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		holds := func(address string) bool {
			return list.Holds(&Connection{Fingerprint: gossh.FingerprintSHA256(key.PublicKey()), Address: address}, now)
		}
		if holds(here) != want.here || holds(elsewhere) != want.elsewhere {
			t.Errorf("%s: it holds here %v, elsewhere %v", options, holds(here), holds(elsewhere))
		}
		if strings.HasPrefix(options, "from") && holds("") {
			t.Errorf("%s: it holds nowhere", options)
		}
		if list.Holds(&Connection{Address: here}, now) {
			t.Errorf("%s: it holds somebody without a key", options)
		}
	}
	for list, want := range map[string]map[string]bool{ // of IPv6
		"2001:db8::/32": {"2001:db8::1": true, "2001:db9::1": false, elsewhere: false},
		"2001:DB8::*":   {"2001:db8::1": true, "2001:db8:1::1": false},
		"192.0.2.*":     {"::ffff:192.0.2.1": true},
	} {
		for address, want := range want {
			if allowed, err := allowsAddress(list, netip.MustParseAddr(address)); allowed != want || err != nil {
				t.Errorf("%s: %s is allowed: %v, %v", list, address, allowed, err)
			}
		}
	}
}

func TestAKeyMayBeForCommandsAlone(t *testing.T) {
	restricted, forced, free := newKey(t), newKey(t), newKey(t)
	h := serve(t, func(_ context.Context, c *Connection) int {
		fmt.Fprintf(c.Stdout, "%q", c.Args)
		return 0
	}, withKeys(writeKeys(t, "", line("restrict", restricted), line(`command="lookup \"a b\" c"`, forced), line("restrict,pty", free))))

	v := h.visitorOf(h.client(restricted))
	if err := v.RequestPty("xterm", 24, 80, nil); err == nil {
		t.Error("the restricted key got a terminal")
	}
	if code := v.shell().code(); code != exitUsage || !strings.HasPrefix(v.stderr.String(), "No terminal.") {
		t.Errorf("without a command: %d %q", code, v.stderr.String())
	}
	for _, test := range []struct {
		key          gossh.Signer
		asked, wants string
	}{{restricted, "lookup x", `["lookup" "x"]`}, {forced, "shares", `["lookup" "a b" "c"]`}, {forced, "", `["lookup" "a b" "c"]`}} {
		v := h.visitorOf(h.client(test.key))
		if v.run(test.asked); v.stdout.String() != test.wants {
			t.Errorf("%q ran %s, want %s", test.asked, v.stdout.String(), test.wants)
		}
	}
	h.visitorOf(h.client(free)).pty().shell().code()
}

func TestFilesOfKeysThatCannotBeUsedKeepTheServerFromStarting(t *testing.T) {
	key := newKey(t)
	certificate := certify(t, newKey(t), key, nil)
	good := writeKeys(t, "", linesOf(key))
	open := writeKeys(t, "", linesOf(key))
	if err := os.Chmod(open, 0o620); err != nil {
		t.Fatal(err)
	}
	none := filepath.Join(t.TempDir(), "none")
	for name, test := range map[string]struct {
		access Access
		want   string
	}{
		"no file":                     {Access{AuthorizedKeys: none}, "the authorized keys cannot be read"},
		"others may write it":         {Access{AuthorizedKeys: open}, "other users can replace"},
		"something that is not a key": {Access{AuthorizedKeys: writeKeys(t, "", "hello\n")}, "is not a key"},
		"more than anybody has typed": {Access{AuthorizedKeys: writeKeys(t, "", strings.Repeat("# comment\n", maxKeyFile/10+1))}, "too large"},
		"no file of authorities":      {Access{UserCA: none}, "the certificate authorities cannot be read"},
		"an authority with options":   {Access{UserCA: writeKeys(t, "", "cert-authority "+linesOf(key))}, "has options"},
		"a certificate":               {Access{UserCA: writeKeys(t, "", linesOf(certificate))}, "is a certificate"},
		"no file of revoked keys":     {Access{UserCA: good, RevokedKeys: none}, "the revoked keys cannot be read"},
		"a list in the binary format": {Access{UserCA: good, RevokedKeys: writeKeys(t, "", "SSHKRL\n\x00\x00\x00")}, "key revocation list"},
		"revoked keys with options":   {Access{UserCA: good, RevokedKeys: writeKeys(t, "", line("restrict", key))}, "has options"},
	} {
		if name == "others may write it" && !testkit.HasModes {
			continue
		}
		o := Options{Listen: "127.0.0.1:0", Access: test.access, Log: slog.New(slog.DiscardHandler)}
		if _, err := Start(t.Context(), o); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %s", name, err, test.want)
		}
	}
}

// tellWho is a handler that says how the visitor was let in.
func tellWho(_ context.Context, c *Connection) int {
	fmt.Fprintf(c.Stdout, "open %v, key %q, network %s", c.Open, c.Fingerprint, c.Network)
	return 0
}

// toldWho is what [tellWho] says to somebody of this name; empty if they are not let in.
func (h *host) toldWho(user string, keys ...gossh.Signer) string {
	h.t.Helper()
	client, err := h.over(h.raw(), user, keys...)
	if err != nil {
		return ""
	}
	defer client.Close()
	v := h.visitorOf(client)
	v.run("anything")
	return v.stdout.String()
}

func TestANameThatIsOpenNeedsNoKeyAndNoOtherGetsInWithoutOne(t *testing.T) {
	mine, other := newKey(t), newKey(t)
	h := serve(t, tellWho, func(o *Options) {
		o.Access = Access{AuthorizedKeys: writeKeys(t, "", line(`restrict,command="forced"`, mine)), Open: "check"}
	})
	fingerprint := gossh.FingerprintSHA256(mine.PublicKey())
	open := `open true, key "", network 127.0.0.1/32`
	for _, test := range []struct {
		name, user string
		keys       []gossh.Signer
		want       string
	}{
		{"nobody's key under the name", "check", nil, open},
		{"another key under the name", "check", []gossh.Signer{other}, open},
		{"the owner of a key under the name", "check", []gossh.Signer{mine}, open},
		{"the owner of a key", "ada", []gossh.Signer{other, mine}, fmt.Sprintf("open false, key %q, network 127.0.0.1/32", fingerprint)},
		{"no key", "ada", nil, ""},
		{"another key", "ada", []gossh.Signer{other}, ""},
		{"no name", "", nil, ""},
		{"the name in capitals", "Check", nil, ""},
		{"a longer name", "check\x00", nil, ""},
	} {
		if got := h.toldWho(test.user, test.keys...); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
	h.log.find(t, "auth", "result=accepted", "method=none", "user=check")
}

func TestWhoHasNoKeyGivesWayWhereTheServerIsFull(t *testing.T) {
	mine := newKey(t)
	h := serve(t, untilOver, limits(func(l *Limits) { l.Connections = 2 }), func(o *Options) {
		o.Access = Access{AuthorizedKeys: writeKeys(t, "", line("", mine)), Open: "visitor"}
	})
	stranger := h.visitorOf(h.client())
	if err := stranger.Start("anything"); err != nil {
		t.Fatal(err)
	}
	h.log.find(t, "start")
	for range 2 {
		client, err := h.over(h.raw(), "ada", mine)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = client.Close() })
		if err := h.visitorOf(client).Start("anything"); err != nil {
			t.Fatal(err)
		}
	}
	if code := stranger.code(); code != 1 || !strings.Contains(stranger.stderr.String(), "connections without a key are closed first") {
		t.Errorf("exit code %d, %q", code, &stranger.stderr)
	}
	h.log.find(t, "end", "reason=room was needed")
	if _, err := h.dial(); err == nil {
		t.Error("somebody without a key makes the owners of keys leave")
	}
}
