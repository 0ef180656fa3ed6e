package postgres

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// outcome is a test that notes how it ends, and ends its goroutine there.
type outcome struct {
	testing.TB
	name string
	said []string
}

func (o *outcome) Helper()      {}
func (o *outcome) Name() string { return o.name }

func (o *outcome) Fatal(args ...any) { o.end("failed: ", args) }
func (o *outcome) Skip(args ...any)  { o.end("skipped: ", args) }

func (o *outcome) end(how string, args []any) {
	o.said = append(o.said, how+fmt.Sprint(args...))
	panic(o)
}

// of asks for a shared server, as a test of that name.
func of(s *sharedServer, name string, start func() (*Cluster, error)) (server *Server, said string) {
	test := &outcome{name: name}
	defer func() {
		if ended := recover(); ended != nil && ended != any(test) {
			panic(ended)
		}
		said = strings.Join(test.said, "\n")
	}()
	return s.of(test, start), ""
}

func TestAServerThatDoesNotStartFailsOneTest(t *testing.T) {
	Require(t)
	starts := 0
	late := func() (*Cluster, error) {
		starts++
		ctx, cancel := context.WithDeadline(t.Context(), time.Now().Add(-time.Second))
		defer cancel()
		return Start(ctx, 0)
	}
	var s sharedServer
	_, said := of(&s, "TestFirst", late)
	if !strings.HasPrefix(said, "failed: ") || !strings.Contains(said, context.DeadlineExceeded.Error()) {
		t.Errorf("the first test ends with %q", said)
	}
	for range 2 {
		const want = "skipped: PostgreSQL has not started: TestFirst says why"
		if _, said := of(&s, "TestNext", late); said != want {
			t.Errorf("the next test ends with %q, want %q", said, want)
		}
	}
	if s.close(); starts != 1 {
		t.Errorf("it was started %d times", starts)
	}
}

func TestTheErrorOfAServerThatDoesNotStartHasItsLog(t *testing.T) {
	Require(t)
	p, err := programs()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := p.own(dir); err != nil {
		t.Fatal(err)
	}
	s := &Server{installation: p, port: 1, dir: filepath.Join(dir, "data")}
	defer s.Kill()
	if err := s.start(t.Context()); err == nil || !strings.Contains(err.Error(), s.dir) {
		t.Errorf("the error is %v, want what the server says", err)
	}
}
