package sshd

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	gossh "golang.org/x/crypto/ssh"

	"gatehouse/internal/testkit"
)

// lines are the lines of the log with a message, each as its fields but the time.
func (l *logbook) lines(t *testing.T, message string) (found []map[string]any) {
	t.Helper()
	for line := range strings.Lines(l.String()) {
		var fields map[string]any
		if err := json.Unmarshal([]byte(line), &fields); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		if fields["msg"] == message {
			delete(fields, "time")
			found = append(found, fields)
		}
	}
	return found
}

// requireLine wants one line of the log with a message, with these fields and no others.
func (l *logbook) requireLine(t *testing.T, message, level string, want map[string]any) {
	t.Helper()
	l.find(t, message)
	lines := l.lines(t, message)
	if len(lines) != 1 {
		t.Fatalf("%d lines %q:\n%s", len(lines), message, l)
	}
	want["msg"], want["level"] = message, level
	got, _ := json.Marshal(lines[0])
	wanted, _ := json.Marshal(want)
	if string(got) != string(wanted) {
		t.Errorf("the line is\n%s\nwant\n%s", got, wanted)
	}
}

func TestTheLogTellsAVisitFromItsStartToItsEnd(t *testing.T) {
	key := newKey(t)
	path := writeKeys(t, "", line("", key))
	var id string
	inBubble(t, func(_ context.Context, c *Connection) int {
		id = c.ID
		<-time.After(1249600 * time.Microsecond)
		return 3
	}, func(t *testing.T, h *host) {
		admission, err := openAdmission(Access{AuthorizedKeys: path}, h.options.Log)
		if err != nil {
			t.Fatal(err)
		}
		h.admission = admission
		h.log.requireLine(t, "authorized keys read", "INFO", map[string]any{"file": path, "keys": 1})
		client := h.client(key)
		h.visitorOf(client).run("lookup")
		_ = client.Close()
		h.log.find(t, "end")
		of := func(fields map[string]any) map[string]any {
			fields["connection"] = id
			return fields
		}
		h.log.requireLine(t, "connect", "INFO", of(map[string]any{"address": "127.0.0.1"}))
		h.log.requireLine(t, "auth", "INFO", of(map[string]any{
			"method": "publickey", "user": "visitor", "result": "accepted",
			"fingerprint": gossh.FingerprintSHA256(key.PublicKey()),
		}))
		h.log.requireLine(t, "start", "INFO", of(map[string]any{"kind": "lookup"}))
		received, sent := h.metrics.received.Get(), h.metrics.sent.Get()
		h.log.requireLine(t, "end", "INFO", of(map[string]any{
			"reason": "done", "address": "127.0.0.1", "seconds": 1.25, "exit": 3,
			"bytes_in": received, "bytes_out": sent,
		}))
		if len(id) != 10 || received == 0 || sent == 0 {
			t.Errorf("the connection is %q, with %d and %d bytes", id, received, sent)
		}
	}, func(o *Options) { o.Commands = []string{"lookup"} })
}

// A connection of which nothing is known yet is known by its address.
func TestTheLogTellsWhyAVisitDidNotBegin(t *testing.T) {
	inBubble(t, hello, func(t *testing.T, h *host) {
		c := h.raw()
		_, _ = io.WriteString(c, "GET / HTTP/1.1\r\n\x1b[2J"+strings.Repeat("x", 1000))
		_, _ = io.Copy(io.Discard, c)
		h.log.find(t, "end", "reason=handshake", "address=127.0.0.1")
		failed := h.log.lines(t, "handshake failed")
		if len(failed) != 1 {
			t.Fatalf("the log is\n%s", h.log)
		}
		why, _ := failed[0]["error"].(string)
		if why == "" || failed[0]["level"] != "INFO" || failed[0]["connection"] == nil {
			t.Errorf("the line is %v", failed[0])
		}
		if _, said := h.log.lines(t, "end")[0]["exit"]; said {
			t.Error("there is an exit code without a session")
		}
	})
}

// named is what is known of a client with a user name.
type named struct {
	gossh.ConnMetadata
	user string
}

func (n named) User() string { return n.user }

// What a client sends may be long, and meant for the terminal of the operator.
func TestWhatAClientWritesIsLoggedSafelyAndClipped(t *testing.T) {
	const clear, shown = "\x1b[2J", "␛[2J"
	log := &logbook{more: make(chan struct{}, 1)}
	server := newServer(options(log, hello, nil))
	ours, theirs := net.Pipe()
	defer ours.Close()
	defer theirs.Close()
	v := newVisit(server, ours, netip.MustParseAddr("192.0.2.7"))
	long := clear + strings.Repeat("x", 200)
	clipped := func(width int) string { return shown + strings.Repeat("x", width-5) + "…" }

	v.logAttempt(named{user: long}, long, errors.New(long))
	log.requireLine(t, "auth", "WARN", map[string]any{
		"connection": v.ID, "method": clipped(120), "user": clipped(64),
		"result": "refused", "reason": clipped(120),
	})

	log.text.Reset()
	authority, key := newKey(t), newKey(t)
	v.offered = certify(t, authority, key, func(c *gossh.Certificate) { c.KeyId = long }).PublicKey()
	v.logAttempt(named{user: "ada"}, "publickey", nil)
	log.requireLine(t, "auth", "INFO", map[string]any{
		"connection": v.ID, "method": "publickey", "user": "ada", "result": "accepted",
		"fingerprint": gossh.FingerprintSHA256(key.PublicKey()),
		"key_id":      clipped(120), "serial": 7,
		"authority": gossh.FingerprintSHA256(authority.PublicKey()),
	})

	log.text.Reset()
	v.offered = nil // a key of an algorithm that is not known
	v.logAttempt(named{user: "ada"}, "publickey", errors.New("no"))
	log.requireLine(t, "auth", "WARN", map[string]any{
		"connection": v.ID, "method": "publickey", "user": "ada", "result": "refused",
		"reason": "no", "fingerprint": "",
	})

	log.text.Reset()
	v.logAttempt(named{user: "ada"}, "none", gossh.ErrNoAuth) // asks which methods there are
	if log.String() != "" {
		t.Errorf("the log is %s", log)
	}
	v.logAttempt(named{user: "ada"}, "password", gossh.ErrNoAuth)
	v.logAttempt(named{user: "ada"}, "none", nil)
	if n := len(log.lines(t, "auth")); n != 2 {
		t.Errorf("of two attempts %d are logged", n)
	}

	log.text.Reset()
	server.refuseHeader(netip.MustParseAddr("192.0.2.9"), errors.New(long))
	log.requireLine(t, "refused", "WARN", map[string]any{
		"address": "192.0.2.9", "reason": "proxy header", "error": clipped(120),
	})

	log.text.Reset()
	v.handshakeFailed(errors.New("nothing came")) // a client that has sent nothing
	if log.String() != "" || v.why() != endGone {
		t.Errorf("it ends with %v, and the log is %s", v.why(), log)
	}
	again := newVisit(server, ours, netip.MustParseAddr("192.0.2.7"))
	again.conn.in.Add(1)
	again.handshakeFailed(errors.New(long))
	log.requireLine(t, "handshake failed", "INFO", map[string]any{"connection": again.ID, "error": clipped(120)})
	log.text.Reset()
	if again.handshakeFailed(errors.New("again")); log.String() != "" { // it has ended
		t.Errorf("the log is %s", log)
	}
}

func TestTheLogTellsOfAPanicWhereItWas(t *testing.T) {
	log := &logbook{more: make(chan struct{}, 1)}
	server := newServer(options(log, hello, nil))
	server.logPanic(server.options.Log, "somewhere", errors.New("canary"))
	lines := log.lines(t, "panic")
	if len(lines) != 1 {
		t.Fatalf("the log is %s", log)
	}
	stack, _ := lines[0]["stack"].(string)
	delete(lines[0], "stack")
	got, _ := json.Marshal(lines[0])
	const want = `{"in":"somewhere","level":"ERROR","msg":"panic","panic":"*errors.errorString"}`
	if string(got) != want || !strings.Contains(stack, "TestTheLogTellsOfAPanicWhereItWas") {
		t.Errorf("the line is %s, and the stack %s", got, stack)
	}
}

// A flood of refusals must not fill the disk of the operator; the metrics have all of them.
func TestOfManyRefusalsAFewAreLoggedAndAllAreCounted(t *testing.T) {
	for name, refuse := range map[string]func(s *Server){
		"full": func(s *Server) {
			ours, theirs := net.Pipe()
			_ = theirs.Close()
			s.refuse(ours, netip.MustParseAddr("192.0.2.7"), &ending{"full", "The server is full."})
		},
		"proxy header": func(s *Server) {
			s.refuseHeader(netip.MustParseAddr("192.0.2.7"), errors.New("no header"))
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				log := &logbook{more: make(chan struct{}, 1)}
				server := newServer(options(log, hello, nil))
				refuseMany := func(want int) {
					t.Helper()
					for range 30 {
						refuse(server)
					}
					lines := log.lines(t, "refused")
					if len(lines) != want {
						t.Errorf("%d are logged, want %d", len(lines), want)
					}
					if lines[0]["address"] != "192.0.2.7" || lines[0]["reason"] != name || lines[0]["level"] != "WARN" {
						t.Errorf("the line is %v", lines[0])
					}
				}
				refuseMany(10)
				<-time.After(2 * time.Second)
				refuseMany(12)
				counted := server.metrics.set.GetOrCreateCounter(`gatehouse_ssh_refusals_total{reason="` + name + `"}`)
				if counted.Get() != 60 {
					t.Errorf("%d are counted", counted.Get())
				}
			})
		})
	}
}

func TestTheLogTellsWhichLineOfAFileOfKeysIsNotUsed(t *testing.T) {
	log := &logbook{more: make(chan struct{}, 1)}
	key, other := newKey(t), newKey(t)
	path := writeKeys(t, "", line("", key), "\n# a comment\n", line(`environment="A=b"`, other))
	h := newServer(options(log, hello, nil))
	list, err := OpenKeyFile(path, "test keys", h.options.Log)
	if err != nil {
		t.Fatal(err)
	}
	log.requireLine(t, "test keys read", "INFO", map[string]any{"file": path, "keys": 1})
	log.requireLine(t, "key not used", "ERROR", map[string]any{
		"file": path, "line": 4, "fingerprint": gossh.FingerprintSHA256(other.PublicKey()),
		"error": `the option "environment" is not supported with a value`,
	})
	writeKeys(t, path, "no key\n")
	if list.Holds(&Connection{}, time.Now()) {
		t.Error("a broken file holds a key")
	}
	log.requireLine(t, "file of keys cannot be used", "ERROR", map[string]any{
		"holds": "test keys", "file": path, "error": "line 1 of " + path + " is not a key",
	})
}

// A monitor that reads no metrics any more would otherwise take the server for idle.
func TestTheLogTellsThatMetricsAreNoLongerServed(t *testing.T) {
	log := &logbook{more: make(chan struct{}, 1)}
	server := newServer(options(log, hello, nil))
	operations := server.newOperations("localhost")
	lost := &failing{Listener: testkit.NewNetwork().Listen()}
	lost.failures.Store(1)
	server.runOperations(operations, lost)
	log.requireLine(t, "metrics are no longer served", "ERROR", map[string]any{"error": "too many open files"})

	log.text.Reset()
	_ = operations.Close()
	server.runOperations(operations, make(pipes))
	if log.String() != "" {
		t.Errorf("of a server that was closed: %s", log)
	}
}

// Where the handler of a request panics, so may the next one.
func TestTheLogTellsWhatTheListenerForTheOperatorDoesNotExpect(t *testing.T) {
	h := serve(t, hello, func(o *Options) {
		o.Metrics = "127.0.0.1:0"
		o.OtherMetrics = append(o.OtherMetrics, func(io.Writer) { panic("a mistake") })
	})
	c, err := net.Dial("tcp", h.metricsAddr.String())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	_, _ = io.WriteString(c, "GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n")
	_, _ = io.Copy(io.Discard, c)
	isPanic := func(line string) bool {
		return strings.Contains(line, `"level":"WARN"`) && strings.Contains(line, "http: panic serving")
	}
	if !slices.ContainsFunc(strings.Split(h.log.String(), "\n"), isPanic) {
		t.Errorf("the log is %s", h.log)
	}
}
