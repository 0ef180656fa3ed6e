package sshd

import (
	"context"
	"fmt"
	"log/slog"
	"net/netip"
	"os"
	"strings"
	"testing"
	"time"

	gossh "golang.org/x/crypto/ssh"
)

// tellWho is a handler that says how the visitor was let in.
func tellWho(_ context.Context, c *Connection) int {
	fmt.Fprintf(c.Stdout, "open %v, key %q, network %s", c.Open, c.Fingerprint, c.Network)
	return 0
}

// toldWho is what [tellWho] says to somebody of this name; empty if they are not let in.
func (h *host) toldWho(user string, keys ...gossh.Signer) string {
	h.t.Helper()
	config := &gossh.ClientConfig{User: user, HostKeyCallback: gossh.FixedHostKey(h.key.PublicKey()), Timeout: patience}
	if len(keys) > 0 {
		config.Auth = []gossh.AuthMethod{gossh.PublicKeys(keys...)}
	}
	client, err := gossh.Dial("tcp", h.Addr().String(), config)
	if err != nil {
		return ""
	}
	defer client.Close()
	v := h.visitorOf(client)
	if err := v.Start("anything"); err != nil {
		h.t.Fatal(err)
	}
	v.code()
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

func TestWhoHasNoKeyAndNoCommandReadsWhatTheHandlerSays(t *testing.T) {
	h := serve(t, hello, func(o *Options) {
		o.Access = Access{AuthorizedKeys: writeKeys(t, "", line("", newKey(t))), Open: "visitor"}
	})
	v := h.visitor()
	if err := v.Shell(); err != nil {
		t.Fatal(err)
	}
	if code := v.code(); code != 0 || v.stdout.String() != "hello\n" {
		t.Errorf("%d %q %q", code, v.stdout.String(), v.stderr.String())
	}
}

func TestTheNetworkOfAnOpenVisitorIsThatOfTheClientAndNotOfTheBalancer(t *testing.T) {
	h := serve(t, tellWho, behind(balancer), func(o *Options) {
		o.Access = Access{AuthorizedKeys: writeKeys(t, "", line("", newKey(t))), Open: "visitor"}
	})
	for header, want := range map[string]string{
		fromClient("192.0.2.7"): "192.0.2.7/32",
		headerV2(proxied, tcp6, between("2001:db8:1:2:3:4:5:6", "2001:db8::1")): "2001:db8:1:2::/64",
	} {
		client, err := h.through(header)
		if err != nil {
			t.Fatal(err)
		}
		v := h.visitorOf(client)
		if err := v.Start("anything"); err != nil {
			t.Fatal(err)
		}
		v.code()
		if got := v.stdout.String(); got != fmt.Sprintf(`open true, key "", network %s`, want) {
			t.Errorf("%q, want %s", got, want)
		}
		_ = client.Close()
	}
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
		config := &gossh.ClientConfig{User: "ada", HostKeyCallback: gossh.FixedHostKey(h.key.PublicKey()), Timeout: patience, Auth: []gossh.AuthMethod{gossh.PublicKeys(mine)}}
		client, err := gossh.Dial("tcp", h.Addr().String(), config)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = client.Close() })
		if err := h.visitorOf(client).Start("anything"); err != nil {
			t.Fatal(err)
		}
	}
	if code := stranger.code(); code != 1 || !strings.Contains(stranger.stderr.String(), "who has no key gives way") {
		t.Errorf("exit code %d, %q", code, &stranger.stderr)
	}
	h.log.find(t, "end", "reason=room was needed")
	if _, err := h.dial(); err == nil {
		t.Error("somebody without a key makes the owners of keys leave")
	}
}

func TestAListOfKeysIsReadAgainAndHonoursPlaceAndTime(t *testing.T) {
	listed, elsewhere, over, strange := newKey(t), newKey(t), newKey(t), newKey(t)
	path := writeKeys(t, "", line("", listed), line(`from="192.0.2.0/24"`, elsewhere), line(`expiry-time="20200101"`, over), line("surprise", strange))
	now := time.Date(2026, 3, 14, 9, 0, 0, 0, time.UTC)
	list, err := OpenKeyFile(path, "keys of the desk", slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	holds := func(key gossh.Signer, address string) bool {
		return list.Holds(&Connection{Fingerprint: gossh.FingerprintSHA256(key.PublicKey()), Address: address}, now)
	}
	for _, test := range []struct {
		name    string
		key     gossh.Signer
		address string
		want    bool
	}{
		{"a key", listed, "203.0.113.9", true},
		{"an unknown key", newKey(t), "203.0.113.9", false},
		{"from where it may", elsewhere, "192.0.2.7", true},
		{"from elsewhere", elsewhere, "203.0.113.9", false},
		{"from nowhere", elsewhere, "", false},
		{"a key that has expired", over, "203.0.113.9", false},
		{"an option that is not understood", strange, "203.0.113.9", false},
	} {
		if got := holds(test.key, test.address); got != test.want {
			t.Errorf("%s: %v", test.name, got)
		}
	}
	if list.Holds(&Connection{Address: "192.0.2.7"}, now) {
		t.Error("it holds somebody without a key")
	}
	writeKeys(t, path, line("", elsewhere))
	if holds(listed, "192.0.2.7") || !holds(elsewhere, "203.0.113.9") {
		t.Error("the file is not read again")
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if holds(elsewhere, "192.0.2.7") {
		t.Error("a file that is gone holds a key")
	}
	if _, err := OpenKeyFile(path, "keys of the desk", slog.New(slog.DiscardHandler)); err == nil {
		t.Error("a file that is not there is opened")
	}
}

func TestTheNetworkOfAnAddressIsWhatOneCustomerHas(t *testing.T) {
	for address, want := range map[string]string{
		"192.0.2.7": "192.0.2.7/32", "::ffff:192.0.2.7": "192.0.2.7/32", "2001:db8:1:2:3:4:5:6": "2001:db8:1:2::/64",
	} {
		if got := sourceOf(netip.MustParseAddr(address)).String(); got != want {
			t.Errorf("%s: %s, want %s", address, got, want)
		}
	}
}
