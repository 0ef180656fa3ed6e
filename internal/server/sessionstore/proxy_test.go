package sessionstore_test

import (
	"context"
	"net"
	"sync"
	"testing"
)

// proxy stands between a client and a server and can do what networks do.
type proxy struct {
	listener net.Listener
	target   string
	ctx      context.Context // ends with the proxy
	all      sync.WaitGroup

	mu    sync.Mutex
	watch func(toServer bool, data []byte) bool
	held  chan struct{} // closed when pieces may go on; nil if they may
}

// newProxy listens on a free port of the loopback interface, until the end of the test.
func newProxy(t *testing.T, target string) *proxy {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, end := context.WithCancel(context.Background())
	p := &proxy{listener: l, target: target, ctx: ctx}
	p.all.Go(p.accept)
	t.Cleanup(func() {
		_ = l.Close()
		end()
		p.all.Wait()
	})
	return p
}

// Address is where it listens.
func (p *proxy) Address() string { return p.listener.Addr().String() }

// Hold lets nothing through, or everything again, as a network that has lost a route.
func (p *proxy) Hold(holds bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.held != nil {
		close(p.held)
		p.held = nil
	}
	if holds {
		p.held = make(chan struct{})
	}
}

// Watch has f see what passes, in pieces as they came. Where it answers false the piece
// is lost and its connection is cut. nil ends that.
func (p *proxy) Watch(f func(toServer bool, data []byte) bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.watch = f
}

func (p *proxy) accept() {
	for {
		client, err := p.listener.Accept()
		if err != nil {
			return
		}
		p.all.Go(func() { p.serve(client) })
	}
}

func (p *proxy) serve(client net.Conn) {
	defer client.Close()
	server, err := net.Dial("tcp", p.target)
	if err != nil {
		return
	}
	defer server.Close()
	ctx, end := context.WithCancel(p.ctx)
	carry := func(from, to net.Conn, toServer bool) {
		defer end()
		data := make([]byte, 16<<10)
		for {
			n, err := from.Read(data)
			if err != nil || !p.passes(ctx, toServer, data[:n]) {
				return
			}
			if _, err := to.Write(data[:n]); err != nil {
				return
			}
		}
	}
	p.all.Go(func() { carry(client, server, true) })
	p.all.Go(func() { carry(server, client, false) })
	<-ctx.Done() // closing both ends the reading
}

// passes waits as long as a piece is held, and reports whether it goes on.
func (p *proxy) passes(ctx context.Context, toServer bool, piece []byte) bool {
	p.mu.Lock()
	watch := p.watch
	p.mu.Unlock()
	if watch != nil && !watch(toServer, piece) { // which may hold it
		return false
	}
	p.mu.Lock()
	held := p.held
	p.mu.Unlock()
	if held == nil {
		return true
	}
	select {
	case <-held:
		return true
	case <-ctx.Done():
		return false
	}
}
