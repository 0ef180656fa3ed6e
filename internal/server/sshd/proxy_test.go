package sshd

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/pires/go-proxyproto"
	gossh "golang.org/x/crypto/ssh"
)

// behind takes headers from these networks.
func behind(networks ...string) func(*Options) {
	return func(o *Options) {
		for _, network := range networks {
			o.ProxiesFrom = append(o.ProxiesFrom, netip.MustParsePrefix(network))
		}
		o.headerTimeout = patience
	}
}

const (
	balancer    = "127.0.0.1/32"
	signatureV2 = "\r\n\r\n\x00\r\nQUIT\n"

	proxied, local                = '\x21', '\x20'
	unspecified, tcp4, tcp6, udp4 = '\x00', '\x11', '\x21', '\x12'
)

// headerV2 is a header of version 2 with this body.
func headerV2(command, family byte, body string) string {
	header := append([]byte(signatureV2), command, family)
	return string(binary.BigEndian.AppendUint16(header, uint16(len(body)))) + body
}

// between are the addresses of a header of version 2, with their ports.
func between(from, to string) string {
	client, server := netip.MustParseAddr(from), netip.MustParseAddr(to)
	return string(client.AsSlice()) + string(server.AsSlice()) + "\x30\x39\x00\x16"
}

// fromClient is a header that names a client.
func fromClient(address string) string {
	return headerV2(proxied, tcp4, between(address, "192.0.2.200"))
}

// through connects as a balancer that sends a header before what the client sends.
func (h *host) through(header string, keys ...gossh.Signer) (*gossh.Client, error) {
	h.t.Helper()
	c := h.raw()
	if _, err := io.WriteString(c, header); err != nil {
		return nil, err
	}
	return h.over(c, "visitor", keys...)
}

func TestAHeaderSaysWhereAVisitorComesFrom(t *testing.T) {
	mine, ofBalancer := newKey(t), newKey(t)
	for name, test := range map[string]struct{ header, want string }{
		"version 1":                            {"PROXY TCP4 192.0.2.7 192.0.2.200 12345 22\r\n", "192.0.2.7"},
		"version 2":                            {fromClient("192.0.2.7"), "192.0.2.7"},
		"version 2, IPv6":                      {headerV2(proxied, tcp6, between("2001:db8::7", "2001:db8::200")), "2001:db8::7"},
		"of the balancer itself, with a claim": {headerV2(local, tcp4, between("192.0.2.7", "192.0.2.200")), "127.0.0.1"},
	} {
		t.Run(name, func(t *testing.T) {
			visitors := make(chan Connection, 1)
			h := serve(t, func(_ context.Context, c *Connection) int {
				visitors <- *c
				return 0
			}, behind("2001:db8::/32", balancer), withKeys(writeKeys(t, "", line(fmt.Sprintf("from=%q", test.want), mine), line(`from="127.0.0.1"`, ofBalancer))))
			client, err := h.through(test.header, mine)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := h.through(test.header, ofBalancer); (err == nil) != (test.want == "127.0.0.1") {
				t.Errorf("with a key for the address of the balancer: %v", err)
			}
			v := h.visitorOf(client)
			if code := v.pty().shell().code(); code != 0 {
				t.Errorf("the session ended with %d", code)
			}
			if got := <-visitors; got.Address != test.want || !got.Network.Contains(netip.MustParseAddr(test.want)) {
				t.Errorf("the visitor comes from %s of %s, want %s", got.Address, got.Network, test.want)
			}
			h.log.find(t, "connect", "address="+test.want)
		})
	}
}

func TestACertificateIsForTheAddressOfTheClientAndNotOfTheBalancer(t *testing.T) {
	authority := newKey(t)
	h := serve(t, hello, behind(balancer), withCA(t, authority))
	for address, want := range map[string]bool{"192.0.2.7": true, "127.0.0.1": false} {
		key := certify(t, authority, newKey(t), func(c *gossh.Certificate) { c.CriticalOptions[sourceAddress] = address })
		client, err := h.through(fromClient("192.0.2.7"), key)
		if (err == nil) != want {
			t.Errorf("a certificate for %s: %v", address, err)
		}
		if err == nil {
			_ = client.Close()
		}
	}
}

func TestTheNetworkOfWhoHasNoKeyIsOfTheClientAndNotOfTheBalancer(t *testing.T) {
	h := serve(t, tellWho, behind(balancer), access(func(a *Access) {
		a.Anyone, a.AuthorizedKeys, a.Open = false, writeKeys(t, "", line("", newKey(t))), "visitor"
	}))
	client, err := h.through(fromClient("192.0.2.7"))
	if err != nil {
		t.Fatal(err)
	}
	v := h.visitorOf(client)
	v.run("anything")
	if got, want := v.stdout.String(), `open true, key "", network 192.0.2.7/32`; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestAPeerOnTheSameLinkIsAPeerLikeOthers(t *testing.T) {
	server := newServer(options(&logbook{}, hello, []func(*Options){behind("fe80::1/128")}))
	for address, want := range map[string]proxyproto.Policy{"fe80::1": proxyproto.REQUIRE, "fe80::2": proxyproto.REJECT} {
		peer := &net.TCPAddr{IP: net.ParseIP(address), Port: 22, Zone: "eth0"}
		if got, err := server.headerPolicy(proxyproto.ConnPolicyOptions{Upstream: peer}); got != want || err != nil {
			t.Errorf("%s: %v, %v", peer, got, err)
		}
	}
}

func TestABalancerWithoutAGoodHeaderIsRefused(t *testing.T) {
	const noHeader = "proxyproto: proxy protocol signature not present"
	const soon = 20 * time.Millisecond
	for name, test := range map[string]struct {
		sends, want string
		waits       time.Duration // for a header
	}{
		"nothing":    {"", noHeader, soon},
		"SSH":        {"SSH-2.0-OpenSSH_9.2\r\n", noHeader, soon},
		"a datagram": {headerV2(proxied, udp4, between("192.0.2.7", "192.0.2.200")), errHeaderSource.Error(), time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			h := serve(t, hello, behind(balancer), func(o *Options) { o.headerTimeout = test.waits })
			c := h.raw()
			_, _ = io.WriteString(c, test.sends)
			if got, err := io.ReadAll(c); len(got) > 0 || isTimeout(err) {
				t.Errorf("it reads %q, and then %v", got, err)
			}
			h.log.find(t, "refused", "address=127.0.0.1", "reason=proxy header")
			if log := h.log.String(); !strings.Contains(log, `"error":"`+test.want) || strings.Contains(log, "connect") {
				t.Errorf("want %q and no more in the log:\n%s", test.want, log)
			}
			if n := refusedHeaders(h); n != 1 {
				t.Errorf("%v refusals are counted", n)
			}
		})
	}
}

func isTimeout(err error) bool {
	failure, ok := err.(net.Error)
	return ok && failure.Timeout()
}

func refusedHeaders(h *host) uint64 {
	return h.metrics.set.GetOrCreateCounter(`gatehouse_ssh_refusals_total{reason="proxy header"}`).Get()
}

func TestAHeaderOfAStrangerEndsTheConnection(t *testing.T) {
	h := serve(t, hello, behind("127.0.0.2/31", "127.0.0.8/32"))
	c := h.raw()
	_, _ = io.WriteString(c, fromClient("192.0.2.7")+"SSH-2.0-client\r\n")
	if _, err := io.Copy(io.Discard, c); isTimeout(err) {
		t.Error("the connection goes on")
	}
	h.log.find(t, "refused", "address=127.0.0.1", "reason=proxy header")
	if n := refusedHeaders(h); n != 1 {
		t.Errorf("%v refusals are counted", n)
	}
}

func TestWhoComesBesideTheBalancerHasTheirOwnAddress(t *testing.T) {
	h := serve(t, hello, behind("127.0.0.8/32"), func(o *Options) { o.headerTimeout = 20 * time.Millisecond })
	c := h.raw() // says nothing, and is greeted all the same
	greeting := make([]byte, len(serverVersion))
	if _, err := io.ReadFull(c, greeting); err != nil || string(greeting) != serverVersion {
		t.Errorf("it reads %q, %v", greeting, err)
	}
	h.visitor().pty().shell().code()
	h.log.find(t, "connect", "address=127.0.0.1")
}

func TestClientsBehindOneBalancerCountByTheirOwnAddresses(t *testing.T) {
	h := serve(t, untilOver, behind(balancer), limits(func(l *Limits) { l.PerAddress, l.PerSecond = 2, 0.001 }))
	enter := func(address string) error {
		client, err := h.through(fromClient(address))
		if err == nil {
			h.visitorOf(client).pty().shell()
		}
		return err
	}
	for _, address := range []string{"192.0.2.7", "192.0.2.8", "192.0.2.7"} {
		if err := enter(address); err != nil {
			t.Fatalf("%s: %v", address, err)
		}
	}
	if err := enter("192.0.2.7"); err == nil || !strings.Contains(err.Error(), "Too many connections are open from your address: the limit is 2.") {
		t.Errorf("the third one of an address: %v", err)
	}
	h.log.find(t, "refused", "reason=address", "address=192.0.2.7")
	for range burst { // of the rate as well, and of this client alone
		_ = enter("192.0.2.7")
	}
	h.log.find(t, "refused", "reason=rate", "address=192.0.2.7")
	if err := enter("192.0.2.9"); err != nil {
		t.Errorf("somebody else: %v", err)
	}
}

func TestHealthChecksLeaveNoMark(t *testing.T) {
	h := serve(t, hello, behind(balancer))
	for _, header := range []string{"", headerV2(local, unspecified, ""), "PROXY UNKNOWN\r\n"} {
		c := h.raw()
		_, _ = io.WriteString(c, header)
		_ = c.Close()
		reset := h.raw().(*net.TCPConn)
		_, _ = io.WriteString(reset, header)
		_ = reset.SetLinger(0)
		_ = reset.Close()
	}
	c := h.raw() // and one that is greeted
	_, _ = io.WriteString(c, headerV2(local, unspecified, ""))
	greeting := make([]byte, len(serverVersion))
	if _, err := io.ReadFull(c, greeting); err != nil || string(greeting) != serverVersion {
		t.Errorf("it is greeted with %q, %v", greeting, err)
	}
	_ = c.Close()
	client, err := h.through(fromClient("192.0.2.7"))
	if err != nil {
		t.Fatal(err)
	}
	_ = client.Close()
	h.Drain(t.Context()) // waits for all of them
	log := h.log.String()
	if strings.Contains(log, "refused") || strings.Count(log, `"connect"`) != 1 || strings.Count(log, `"end"`) != 1 || strings.Contains(log, "handshake") || refusedHeaders(h) != 0 {
		t.Errorf("the log has more than one visitor:\n%s", log)
	}
}

func TestABalancerHasASecondForItsHeader(t *testing.T) {
	inBubble(t, hello, func(t *testing.T, h *host) {
		c := h.raw()
		_, _ = io.WriteString(c, signatureV2)
		if got := took(func() { _, _ = io.Copy(io.Discard, c) }); got != time.Second {
			t.Errorf("it is waited for, for %v", got)
		}
	}, func(o *Options) { o.ProxiesFrom = []netip.Prefix{netip.MustParsePrefix(balancer)} })
}

// Many clients say nothing before the server has.
func TestWhoComesBesideTheBalancerIsRefusedWithoutAWord(t *testing.T) {
	inBubble(t, hello, func(t *testing.T, h *host) {
		h.client()
		c := h.raw()
		var answer []byte
		waited := took(func() { answer, _ = io.ReadAll(c) })
		if !strings.Contains(string(answer), "Too many connections") || waited > 0 {
			t.Errorf("after %v it reads %q", waited, answer)
		}
	}, limits(func(l *Limits) { l.PerAddress = 1 }), func(o *Options) {
		o.ProxiesFrom = []netip.Prefix{netip.MustParsePrefix("192.0.2.0/28")}
	})
}
