package api

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http/httptrace"
	"strings"
	"testing"
	"time"
)

// A name that is being resolved when the time ends has no address in time. One that was resolved,
// or that has none, is not waited for.
func TestATimeThatEndsWhileANameIsResolvedIsOfTheName(t *testing.T) {
	for name, tt := range map[string]struct {
		answer *httptrace.DNSDoneInfo // nil while there is none
		cause  Cause
		stage  Stage
	}{
		"no answer":   {nil, CauseResolution, StageNone},
		"an address":  {&httptrace.DNSDoneInfo{}, CauseTimeout, StageName},
		"no such one": {&httptrace.DNSDoneInfo{Err: errors.New("no such host")}, CauseTimeout, StageNone},
	} {
		way := &trace{clock: time.Now}
		hooks := httptrace.ContextClientTrace(way.dialling(context.Background()))
		if cause, _ := way.place(CauseTimeout, "late"); cause != CauseTimeout {
			t.Errorf("%s: before anything was asked, the cause is %d", name, cause)
		}
		hooks.DNSStart(httptrace.DNSStartInfo{})
		if tt.answer != nil {
			hooks.DNSDone(*tt.answer)
		}
		if cause, _ := way.place(CauseTimeout, "late"); cause != tt.cause || way.stage != tt.stage {
			t.Errorf("%s: the cause is %d, the stage %d", name, cause, way.stage)
		}
		if cause, _ := way.place(CauseDropped, "dropped"); cause != CauseDropped {
			t.Errorf("%s: what was dropped has the cause %d", name, cause)
		}
	}
}

// A request that has its connection no longer notes what becomes of others.
func TestAConnectionSettlesTheWay(t *testing.T) {
	for name, tt := range map[string]struct {
		secure, reused bool
		stage          Stage
		dials          int
	}{
		"new":            {false, false, StageConnection, 1},
		"new, with TLS":  {true, false, StageTLS, 1},
		"kept":           {false, true, StageConnection, 0},
		"kept, with TLS": {true, true, StageTLS, 0},
	} {
		way := &trace{clock: time.Now, secure: tt.secure}
		way.connectStart("tcp", "192.0.2.1:443")
		way.gotConn(httptrace.GotConnInfo{Reused: tt.reused})
		way.connectStart("tcp", "192.0.2.2:443") // of a connection that nobody needs
		way.handshakeStart()
		if w := way.way(CauseTimeout); w.Stage != tt.stage || len(w.Dialled) != tt.dials {
			t.Errorf("%s: the way is %+v", name, w)
		}
		way.connecting(nil, nil) // the kept connection has gone
		if w := way.way(CauseTimeout); w.Stage != StageNone || w.Dialled != nil {
			t.Errorf("%s: the way that begins again is %+v", name, w)
		}
	}
}

func TestAWayOnlyGoesOn(t *testing.T) {
	way := &trace{clock: time.Now}
	way.reach(StageHandshake)
	way.reach(StageName)
	if way.stage != StageHandshake {
		t.Errorf("the stage is %d", way.stage)
	}
	way.answered()
	way.connectStart("tcp", "192.0.2.1:443")
	if w := way.way(CauseOther); w.Stage != StageAnswer || w.Dialled != nil {
		t.Errorf("after an answer the way is %+v", w)
	}
}

// Of an address that is still being dialled, the end of the request says why it was given up.
func TestAnAddressThatIsStillDialledEndsWithTheRequest(t *testing.T) {
	for name, tt := range map[string]struct {
		connected bool
		cause     Cause
		want      Cause
	}{
		"the time ends":         {false, CauseTimeout, CauseTimeout},
		"cancelled":             {false, CauseCancelled, CauseCancelled},
		"another one connected": {true, CauseTimeout, CauseCancelled},
	} {
		way := &trace{clock: time.Now}
		way.connectStart("tcp", "[2001:db8::1]:443")
		way.connectStart("tcp", "192.0.2.1:443")
		if tt.connected {
			way.connectDone("tcp", "192.0.2.1:443", nil)
			near, far := net.Pipe()
			t.Cleanup(func() { _, _ = near.Close(), far.Close() })
			way.dialled(t.Context(), near)
		}
		dialled := way.way(tt.cause).Dialled
		if len(dialled) != 2 || dialled[0].Err != tt.want || dialled[0].Connected || !dialled[0].IPv6 {
			t.Errorf("%s: dialled are %+v", name, dialled)
		}
		if last := dialled[1]; last.Connected != tt.connected || tt.connected && last.Err != 0 || last.IPv6 {
			t.Errorf("%s: the other one is %+v", name, last)
		}
	}
}

// An address may be dialled twice. The end of the second dial leaves that of the first one.
func TestEachDialOfAnAddressHasItsEnd(t *testing.T) {
	const address = "192.0.2.1:443"
	way := &trace{clock: time.Now}
	way.connectStart("tcp", address)
	way.connectDone("tcp", address, &net.OpError{Op: "dial", Err: context.DeadlineExceeded})
	way.connectStart("tcp", address)
	way.connectDone("tcp", "192.0.2.9:443", nil) // of nobody
	way.connectDone("tcp", address, nil)
	dialled := way.way(CauseOther).Dialled
	if len(dialled) != 2 || dialled[0].Err != CauseTimeout || !dialled[1].Connected {
		t.Errorf("dialled are %+v", dialled)
	}
}

// Where no address was connected, the reason of one that was reached counts before that of one that
// cannot be.
func TestTheBestDialSaysWhyThereIsNoConnection(t *testing.T) {
	const v6, v4 = "[2001:db8::1]:443", "192.0.2.1:443"
	for _, tt := range []struct{ first, second, want Cause }{
		{CauseNoWay, CauseRefused, CauseRefused},
		{CauseTimeout, CauseRefused, CauseRefused},
		{CauseNoWay, CauseTimeout, CauseTimeout},
		{CauseNoWay, CauseNoWay, CauseNoWay},
	} {
		way := &trace{clock: time.Now}
		way.dials = []dial{
			{Dialled: Dialled{Address: v6, Err: tt.first}, ended: true},
			{Dialled: Dialled{Address: v4, Err: tt.second}, ended: true},
			{Dialled: Dialled{Address: v4, Err: CauseRefused}}, // it goes on
			{Dialled: Dialled{Address: v4, Err: CauseRefused, Connected: true}, ended: true},
		}
		if tt.second != CauseNoWay {
			way.dials = way.dials[:2]
		}
		cause, text := way.place(CauseNoWay, "no way")
		if isOwn := text == "no way"; cause != tt.want || isOwn != (cause == CauseNoWay) {
			t.Errorf("%d and %d: the cause is %d, %q", tt.first, tt.second, cause, text)
		}
	}
}

func TestWhichAddressesAreOfIPv6(t *testing.T) {
	for address, want := range map[string]bool{
		"[2001:db8::1]:443":        true,
		"[::1]:443":                true,
		"[::ffff:192.0.2.1]:443":   false,
		"192.0.2.1:443":            false,
		"harbor.example:443":       false,
		"2001:db8::1, and no port": false,
	} {
		if got := isIPv6(address); got != want {
			t.Errorf("%s: %v", address, got)
		}
	}
}

// The clock of a probe is read when its request could leave: as soon as a connection is there, and
// again when it is a secure one.
func TestAProbeIsReadyWithItsConnection(t *testing.T) {
	for _, isProbe := range []bool{true, false} {
		now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
		way := &trace{clock: func() time.Time { return now }, isProbe: isProbe, secure: true}
		near, far := net.Pipe()
		t.Cleanup(func() { _, _ = near.Close(), far.Close() })
		way.dialled(t.Context(), near)
		if isReady := way.ready.Equal(now); isReady != isProbe {
			t.Errorf("a probe: %v, ready with its connection: %v", isProbe, isReady)
		}
		if way.stage != StageConnection {
			t.Errorf("connected, the stage is %d", way.stage)
		}
	}
}

// What a trace has noted can be asked for and added to at any time.
func TestATraceIsFreeAfterEachNote(t *testing.T) {
	way := &trace{clock: time.Now}
	for name, note := range map[string]func(){
		"connecting": func() { way.connecting(nil, nil) },
		"dial":       func() { way.connectStart("tcp", "192.0.2.1:443") },
		"end":        func() { way.connectDone("tcp", "192.0.2.1:443", nil) },
		"connection": func() { way.connectionOf(t.Context()) },
		"place":      func() { way.place(CauseTimeout, "late") },
		"way":        func() { way.way(CauseTimeout) },
		"got":        func() { way.gotConn(httptrace.GotConnInfo{}) },
		"answered":   way.answered,
	} {
		note()
		if !way.mu.TryLock() {
			t.Fatalf("%s: the trace is held", name)
		}
		way.mu.Unlock()
	}
}

// A proxy says in its body why it refuses, if that says more than its status, and not the password.
func TestTheWordsOfAProxyAreThoseOfItsBody(t *testing.T) {
	for name, tt := range map[string]struct{ status, body, want string }{
		"a reason":             {"403 Forbidden", "Ask the desk first.", "Ask the desk first."},
		"before the status":    {"403 Blocked by policy", "Ask the desk first.", "Ask the desk first."},
		"nothing":              {"403 Blocked by policy", "", "Blocked by policy"},
		"the status":           {"403 Forbidden", "Forbidden", ""},
		"another status":       {"403 Forbidden", "502 Bad Gateway", ""},
		"the password":         {"403 Forbidden", "The password canary is wrong.", ""},
		"the password encoded": {"403 Forbidden", "cGVyc29uOmNhbmFyeQ==", ""},
	} {
		answer := fmt.Sprintf("HTTP/1.1 %s\r\nContent-Length: %d\r\n\r\n%s", tt.status, len(tt.body), tt.body)
		for _, user := range []string{"person:canary@", "person@", ""} {
			proxyEnvironment(t, "http://"+user+refusingProxy(t, answer), "")
			_, err := ProbeHost(t.Context(), NewTransport(Options{}), GatewayPlace("https://gateway.example"))
			failed, ok := errors.AsType[*TransportError](err)
			if !ok || failed.Way.Proxy == nil {
				t.Fatalf("%s: got %v", name, err)
			}
			want := tt.want
			if user != "person:canary@" && strings.Contains(name, "password") { // which is none
				want = tt.body
			}
			if got := failed.Way.Proxy.Reply; got != want {
				t.Errorf("%s, as %q: the proxy says %q, want %q", name, user, got, want)
			}
		}
	}
}
