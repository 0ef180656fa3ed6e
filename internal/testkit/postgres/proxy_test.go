package postgres_test

import (
	"bytes"
	"io"
	"net"
	"testing"
	"time"

	"gatehouse/internal/testkit/postgres"
)

// echo is a server that sends back what it gets, behind a proxy.
func echo(t *testing.T) *postgres.Proxy {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				_, _ = io.Copy(conn, conn)
			}()
		}
	}()
	p, err := postgres.NewProxy(l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		p.Close()
		_ = l.Close()
	})
	return p
}

func dial(t *testing.T, p *postgres.Proxy) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", p.Address())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	_ = conn.SetDeadline(time.Now().Add(20 * time.Second))
	return conn
}

// returns sends something and reports whether it comes back.
func returns(conn net.Conn, sent string) bool {
	if _, err := io.WriteString(conn, sent); err != nil {
		return false
	}
	got := make([]byte, len(sent))
	_, err := io.ReadFull(conn, got)
	return err == nil && string(got) == sent
}

func TestWhatAProxyDoes(t *testing.T) {
	p := echo(t)
	conn := dial(t, p)
	if !returns(conn, "hello") {
		t.Fatal("nothing comes through")
	}
	p.Delay(100 * time.Millisecond)
	if began := time.Now(); !returns(conn, "slowly") || time.Since(began) < 200*time.Millisecond {
		t.Error("it is not slow")
	}
	p.Delay(0)
	p.Refuse(true)
	if refused, err := net.Dial("tcp", p.Address()); err == nil && returns(refused, "new") {
		t.Error("it does not refuse")
	}
	if !returns(conn, "old") {
		t.Error("it refuses what is open")
	}
	p.Refuse(false)
	p.Watch(func(toServer bool, data []byte) bool { return toServer || !bytes.Equal(data, []byte("secret")) })
	if !returns(conn, "open") || returns(conn, "secret") || returns(conn, "open") {
		t.Error("what is lost does not cut")
	}
	p.Watch(nil)
	conn = dial(t, p)
	if !returns(conn, "hello") {
		t.Fatal("nothing comes through again")
	}
	p.Hold(true)
	_ = conn.SetDeadline(time.Now().Add(50 * time.Millisecond))
	if returns(conn, "held") {
		t.Error("it holds nothing")
	}
	p.Hold(false)
	p.Cut()
	_ = conn.SetDeadline(time.Now().Add(20 * time.Second))
	if returns(conn, "cut") {
		t.Error("it does not cut")
	}
}
