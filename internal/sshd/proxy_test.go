package sshd

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	gossh "golang.org/x/crypto/ssh"
)

// behind takes headers from these networks.
func behind(networks ...string) func(*Options) {
	return func(o *Options) {
		for _, network := range networks {
			o.ProxiesFrom = append(o.ProxiesFrom, netip.MustParsePrefix(network))
		}
		o.headerTime = patience
	}
}

const (
	balancer    = "127.0.0.1/32"
	signatureV2 = "\r\n\r\n\x00\r\nQUIT\n"

	proxied, local            = '\x21', '\x20'
	unspecified, tcp4, tcp6   = '\x00', '\x11', '\x21'
	udp4, unixStream, unknown = '\x12', '\x31', '\x13'
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

// through connects as a balancer that sends a header, in pieces, before what the client sends.
func (h *host) through(header []string, keys ...gossh.Signer) (*gossh.Client, error) {
	h.t.Helper()
	c := h.raw()
	for _, piece := range header {
		if _, err := io.WriteString(c, piece); err != nil {
			return nil, err
		}
	}
	config := &gossh.ClientConfig{User: "visitor", HostKeyCallback: gossh.FixedHostKey(h.key.PublicKey())}
	if len(keys) > 0 {
		config.Auth = []gossh.AuthMethod{gossh.PublicKeys(keys...)}
	}
	conn, channels, requests, err := gossh.NewClientConn(c, h.Addr().String(), config)
	if err != nil {
		return nil, err
	}
	return gossh.NewClient(conn, channels, requests), nil
}

// rawFrom is a connection from another loopback address that speaks no SSH.
func (h *host) rawFrom(address string) net.Conn {
	h.t.Helper()
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(address)}}
	c, err := dialer.Dial("tcp", h.Addr().String())
	if err != nil {
		h.t.Skipf("no other loopback address: %v", err)
	}
	h.t.Cleanup(func() { _ = c.Close() })
	_ = c.SetDeadline(time.Now().Add(patience))
	return c
}

func TestAHeaderSaysWhereAVisitorComesFrom(t *testing.T) {
	var (
		plain    = []string{fromClient("192.0.2.7")}
		bytewise = func(header string) []string { return strings.Split(header, "") }
		line     = "PROXY TCP4 192.0.2.7 192.0.2.200 12345 22\r\n"
		long     = "PROXY TCP6 2001:0db8:ffff:ffff:ffff:ffff:ffff:ffff ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff 65535 65535\r\n"
	)
	for name, test := range map[string]struct {
		header []string
		want   string
	}{
		"version 1":                  {[]string{line}, "192.0.2.7"},
		"version 1, IPv6":            {[]string{"PROXY TCP6 2001:db8::7 2001:db8::200 12345 22\r\n"}, "2001:db8::7"},
		"version 1, as long as any":  {[]string{long}, "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff"},
		"version 1, in pieces":       {bytewise(line), "192.0.2.7"},
		"version 1, unknown":         {[]string{"PROXY UNKNOWN\r\n"}, "127.0.0.1"},
		"version 1, unknown of whom": {[]string{"PROXY UNKNOWN 192.0.2.7 192.0.2.200 12345 22\r\n"}, "127.0.0.1"},
		"version 2":                  {plain, "192.0.2.7"},
		"version 2, in pieces":       {bytewise(plain[0]), "192.0.2.7"},
		"version 2, IPv6":            {[]string{headerV2(proxied, tcp6, between("2001:db8::7", "2001:db8::200"))}, "2001:db8::7"},
		"version 2, IPv4 as IPv6":    {[]string{headerV2(proxied, tcp6, between("::ffff:192.0.2.7", "::ffff:192.0.2.200"))}, "192.0.2.7"},
		"version 2, with more": {[]string{headerV2(proxied, tcp4, between("192.0.2.7", "192.0.2.200")+
			"\x04\x0e\x00"+strings.Repeat("x", 0xe00))}, "192.0.2.7"},
		"of the balancer itself":        {[]string{headerV2(local, unspecified, "")}, "127.0.0.1"},
		"of the balancer, with a claim": {[]string{headerV2(local, tcp4, between("192.0.2.7", "192.0.2.200"))}, "127.0.0.1"},
	} {
		t.Run(name, func(t *testing.T) {
			address := make(chan string, 1)
			h := serve(t, func(_ context.Context, c *Connection) int {
				address <- c.Address
				return 0
			}, behind("2001:db8::/32", balancer))
			client, err := h.through(test.header)
			if err != nil {
				t.Fatal(err)
			}
			v := h.visitorOf(client)
			if code := v.pty().shell().code(); code != 0 {
				t.Errorf("the session ended with %d", code)
			}
			if got := <-address; got != test.want {
				t.Errorf("the visitor comes from %s, want %s", got, test.want)
			}
			h.log.find(t, "connect", "address="+test.want)
		})
	}
}

func TestABalancerWithoutAGoodHeaderIsRefused(t *testing.T) {
	for name, test := range map[string]struct{ sends, want string }{
		"nothing":                     {"", "the PROXY header did not come in time"},
		"half of version 1":           {"PROXY TCP4 192.0", "the PROXY header did not come in time"},
		"half of version 2":           {fromClient("192.0.2.7")[:20], "the PROXY header did not come in time"},
		"the first byte of version 2": {"\r", "the PROXY header did not come in time"},
		"SSH":                         {"SSH-2.0-OpenSSH_9.2\r\n", "no PROXY header, which is required from this address"},
		"HTTP":                        {"PUT / HTTP/1.1\r\n\r\n", "no PROXY header, which is required from this address"},
		"zeros":                       {strings.Repeat("\x00", 100_000), "no PROXY header, which is required from this address"},
		"a line that does not end":    {"PROXY TCP4 " + strings.Repeat("1", 100_000), "bad PROXY header: proxyproto: version 1 header must be 107 bytes or less"},
		"a line without CR":           {"PROXY TCP4 192.0.2.7 192.0.2.200 12345 22\n", `bad PROXY header: proxyproto: version 1 header is invalid, must end with \\r\\n`},
		"a name for an address":       {"PROXY TCP4 client.example 192.0.2.200 12345 22\r\n", `bad PROXY header: proxyproto: invalid address: ParseAddr(\"client.example\"): unexpected character (at \"client.example\")`},
		"the address of nobody":       {headerV2(proxied, unspecified, ""), "bad PROXY header: proxyproto: unsupported address family and protocol"},
		"a family that is none":       {headerV2(proxied, unknown, between("192.0.2.7", "192.0.2.200")), "bad PROXY header: proxyproto: unsupported address family and protocol"},
		"a datagram":                  {headerV2(proxied, udp4, between("192.0.2.7", "192.0.2.200")), "the PROXY header names no TCP address"},
		"a local socket":              {headerV2(proxied, unixStream, strings.Repeat("x", 216)), "the PROXY header names no TCP address"},
		"less than an address":        {headerV2(proxied, tcp4, "x"), "bad PROXY header: proxyproto: invalid length"},
		"too much":                    {headerV2(proxied, tcp4, strings.Repeat("x", 4097)), "bad PROXY header: proxyproto: invalid length"},
		"too much of its own":         {headerV2(local, unspecified, strings.Repeat("x", 4097)), "bad PROXY header: proxyproto: invalid length"},
		"another version":             {signatureV2 + "\x31\x11\x00\x00", "bad PROXY header: proxyproto: unsupported proxy protocol version and command"},
	} {
		t.Run(name, func(t *testing.T) {
			limit := time.Hour
			if strings.HasSuffix(test.want, "in time") {
				limit = 20 * time.Millisecond
			}
			h := serve(t, hello, behind(balancer), func(o *Options) { o.headerTime = limit })
			c := h.raw()
			_, _ = io.WriteString(c, test.sends)
			if got, err := io.ReadAll(c); len(got) > 0 || isTimeout(err) {
				t.Errorf("it reads %q, and then %v", got, err)
			}
			h.log.find(t, "refused", "address=127.0.0.1", "reason=proxy header")
			if log := h.log.String(); !strings.Contains(log, `"error":"`+test.want+`"`) || strings.Contains(log, "connect") {
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
	const client = "SSH-2.0-client\r\n"
	v1, v2 := "PROXY TCP4 192.0.2.7 192.0.2.200 12345 22\r\n", fromClient("192.0.2.7")
	for name, test := range map[string]struct {
		networks []string
		sends    []string
	}{
		"version 1":                     {[]string{balancer}, []string{v1 + client}},
		"version 1, in pieces":          {[]string{balancer}, strings.Split(v1+client, "")},
		"version 2":                     {[]string{balancer}, []string{v2 + client}},
		"version 2, in pieces":          {[]string{balancer}, strings.Split(v2+client, "")},
		"of the balancer itself":        {[]string{balancer}, []string{headerV2(local, unspecified, ""), client}},
		"version 1, and no balancer":    {nil, []string{v1 + client}},
		"version 2, and no balancer":    {nil, []string{v2 + client}},
		"a network next to the address": {[]string{"127.0.0.2/31", "127.0.0.8/32"}, []string{v2 + client}},
	} {
		t.Run(name, func(t *testing.T) {
			h := serve(t, hello, behind(test.networks...))
			c := h.rawFrom("127.0.0.9")
			for _, piece := range test.sends {
				_, _ = io.WriteString(c, piece)
			}
			if _, err := io.Copy(io.Discard, c); isTimeout(err) {
				t.Error("the connection goes on")
			}
			h.log.find(t, "refused", "address=127.0.0.9", "reason=proxy header", "error="+errForeign.Error())
			h.log.find(t, "end", "reason=handshake")
			if n := refusedHeaders(h); n != 1 {
				t.Errorf("%v refusals are counted", n)
			}
		})
	}
}

func TestWhoComesBesideTheBalancerHasTheirOwnAddress(t *testing.T) {
	h := serve(t, hello, behind("127.0.0.8/32"))
	c := h.raw() // says nothing, and is greeted all the same
	greeting := make([]byte, len(serverVersion))
	if _, err := io.ReadFull(c, greeting); err != nil || string(greeting) != serverVersion {
		t.Errorf("it reads %q, %v", greeting, err)
	}
	h.visitor().pty().shell().code()
	h.log.find(t, "connect", "address=127.0.0.1")
}

func TestAKeyIsBoundToTheAddressOfTheClientAndNotOfTheBalancer(t *testing.T) {
	ofClient, ofBalancer := newKey(t), newKey(t)
	h := serve(t, hello, behind(balancer), withKeys(writeKeys(t, "",
		line(`from="192.0.2.7"`, ofClient), line(`from="127.0.0.1"`, ofBalancer))))
	for name, test := range map[string]struct {
		address string
		key     gossh.Signer
		works   bool
	}{
		"from where it may be used":        {"192.0.2.7", ofClient, true},
		"from elsewhere":                   {"192.0.2.8", ofClient, false},
		"the address of the balancer":      {"192.0.2.7", ofBalancer, false},
		"a client that is where it stands": {"127.0.0.1", ofBalancer, true},
	} {
		client, err := h.through([]string{fromClient(test.address)}, test.key)
		if (err == nil) != test.works {
			t.Errorf("%s: %v", name, err)
		}
		if err == nil {
			_ = client.Close()
		}
	}
}

func TestClientsBehindOneBalancerCountByTheirOwnAddresses(t *testing.T) {
	h := serve(t, untilOver, behind(balancer), limits(func(l *Limits) { l.PerAddress, l.PerSecond = 2, 0.001 }))
	enter := func(address string) error {
		client, err := h.through([]string{fromClient(address)})
		if err == nil {
			h.visitorOf(client).pty().shell()
		}
		return err
	}
	for _, address := range []string{"192.0.2.7", "192.0.2.8", "192.0.2.7", "192.0.2.8"} {
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

func TestConnectionsWithoutAHeaderKeepNobodyOut(t *testing.T) {
	h := serve(t, untilOver, behind(balancer), limits(func(l *Limits) { l.Connections = 3 }),
		func(o *Options) { o.headerTime = time.Hour })
	for range 20 {
		h.raw()
	}
	client, err := h.through([]string{fromClient("192.0.2.7")})
	if err != nil {
		t.Fatal(err)
	}
	h.visitorOf(client).pty().shell()
	h.log.find(t, "refused", "reason=proxy header", "error="+errCrowd.Error())
	if n := len(h.current()); n != 1 {
		t.Errorf("%d are inside", n)
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
	client, err := h.through([]string{fromClient("192.0.2.7")})
	if err != nil {
		t.Fatal(err)
	}
	_ = client.Close()
	h.Drain(t.Context()) // waits for all of them
	if log := h.log.String(); strings.Contains(log, "refused") || strings.Count(log, `"connect"`) != 1 || refusedHeaders(h) != 0 {
		t.Errorf("the log has more than one visitor:\n%s", log)
	}
}

func TestAHealthCheckThatIsGreetedLeavesNoMark(t *testing.T) {
	inBubble(t, hello, func(t *testing.T, h *host) {
		c := h.raw()
		_, _ = io.WriteString(c, headerV2(local, unspecified, ""))
		greeting := make([]byte, len("SSH-2.0-"))
		if _, err := io.ReadFull(c, greeting); err != nil || string(greeting) != "SSH-2.0-" {
			t.Errorf("it is greeted with %q, %v", greeting, err)
		}
		_ = c.Close()
		h.Drain(t.Context()) // waits for it
		if log := h.log.String(); strings.Contains(log, `"connect"`) || strings.Contains(log, "handshake") || strings.Contains(log, `"end"`) {
			t.Errorf("the log has it:\n%s", log)
		}
	}, behind(balancer), func(o *Options) { o.headerTime = headerTime })
}

func TestAServerThatDrainsWaitsForNoHeader(t *testing.T) {
	var served atomic.Int32
	h := serve(t, func(context.Context, *Connection) int { served.Add(1); return 0 }, behind(balancer),
		func(o *Options) { o.headerTime = 50 * time.Millisecond })
	c := h.raw()
	h.Drain(t.Context())
	if _, err := io.Copy(io.Discard, c); isTimeout(err) || served.Load() != 0 {
		t.Errorf("the connection goes on, or was served: %v", err)
	}
}

func FuzzProxyHeader(f *testing.F) {
	for _, seed := range []string{fromClient("192.0.2.7") + "SSH-2.0-x\r\n", headerV2(local, tcp4, ""), "PROXY TCP6 ::1 ::1 1 2\r\nrest", "PROXY UNKNOWN x\r\n", "SSH-2.0-x\r\n"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, sent []byte) {
		below := &received{Reader: bytes.NewReader(sent)}
		c, err := readHeader(below, time.Hour)
		if below.limits == 0 {
			t.Error("the header was read without a limit of time")
		}
		if err != nil {
			return
		}
		if !below.until.IsZero() {
			t.Error("the limit of the header stays that of the connection")
		}
		if !addressOf(c).IsValid() {
			t.Errorf("%q names %v", sent, c.RemoteAddr())
		}
		rest, err := io.ReadAll(c)
		if err != nil || !bytes.HasSuffix(sent, rest) || len(rest) == len(sent) {
			t.Errorf("behind the header of %q is %q, %v", sent, rest, err)
		}
		if _, err := c.Write([]byte("x")); fmt.Sprint(err) != "EOF" {
			t.Errorf("what is written goes elsewhere: %v", err)
		}
	})
}

// received is a connection that has received something.
type received struct {
	net.Conn
	io.Reader
	until  time.Time // the limit of reading
	limits int       // how often it was set
}

func (r *received) Read(p []byte) (int, error) { return r.Reader.Read(p) }
func (r *received) Write([]byte) (int, error)  { return 0, io.EOF }
func (r *received) RemoteAddr() net.Addr       { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)} }

func (r *received) SetReadDeadline(t time.Time) error {
	r.until = t
	r.limits++
	return nil
}
