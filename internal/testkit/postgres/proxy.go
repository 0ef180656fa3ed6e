package postgres

import (
	"net"
	"sync"
)

// Proxy stands between a client and a server and can do what networks do.
type Proxy struct {
	listener net.Listener
	target   string

	mu      sync.Mutex
	refuses bool
	holds   bool
	changed chan struct{} // closed when holds ends
	watch   func(toServer bool, data []byte) bool
	open    map[*net.TCPConn]struct{}
	all     sync.WaitGroup
}

// NewProxy listens on a free port of the loopback interface.
func NewProxy(target string) (*Proxy, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	p := &Proxy{listener: l, target: target, open: map[*net.TCPConn]struct{}{}}
	p.all.Go(p.accept)
	return p, nil
}

// Address is where it listens.
func (p *Proxy) Address() string { return p.listener.Addr().String() }

// Refuse resets new connections, or stops doing so. Those that are open stay.
func (p *Proxy) Refuse(refuses bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.refuses = refuses
}

// Hold lets nothing through, or everything again, as a network that has lost a route.
func (p *Proxy) Hold(holds bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if holds == p.holds {
		return
	}
	p.holds = holds
	if holds {
		p.changed = make(chan struct{})
	} else {
		close(p.changed)
	}
}

// Watch has f see what passes, in pieces as they came. Where it answers false the piece
// is lost and its connection is cut. nil ends that.
func (p *Proxy) Watch(f func(toServer bool, data []byte) bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.watch = f
}

// Cut resets all connections.
func (p *Proxy) Cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for conn := range p.open {
		reset(conn)
	}
}

// Close ends the proxy and its connections.
func (p *Proxy) Close() {
	_ = p.listener.Close()
	p.Watch(nil) // which may hold again
	p.Hold(false)
	p.Cut()
	p.all.Wait()
}

func (p *Proxy) accept() {
	for {
		conn, err := p.listener.Accept()
		if err != nil {
			return
		}
		client := conn.(*net.TCPConn)
		p.mu.Lock()
		refuses := p.refuses
		p.mu.Unlock()
		if refuses {
			reset(client)
			continue
		}
		p.all.Go(func() { p.serve(client) })
	}
}

func (p *Proxy) serve(client *net.TCPConn) {
	conn, err := net.Dial("tcp", p.target)
	if err != nil {
		reset(client)
		return
	}
	server := conn.(*net.TCPConn)
	p.mu.Lock()
	p.open[client], p.open[server] = struct{}{}, struct{}{}
	p.mu.Unlock()
	var both sync.WaitGroup
	both.Go(func() { p.carry(client, server, true) })
	both.Go(func() { p.carry(server, client, false) })
	both.Wait()
	p.mu.Lock()
	delete(p.open, client)
	delete(p.open, server)
	p.mu.Unlock()
}

// carry brings pieces from one end to the other, and ends both when it ends.
func (p *Proxy) carry(from, to *net.TCPConn, toServer bool) {
	defer reset(from)
	defer reset(to)
	data := make([]byte, 16<<10)
	for {
		n, err := from.Read(data)
		if err != nil || !p.passes(toServer, data[:n]) {
			return
		}
		if _, err := to.Write(data[:n]); err != nil {
			return
		}
	}
}

// passes waits as long as a piece has to, and reports whether it goes on.
func (p *Proxy) passes(toServer bool, piece []byte) bool {
	p.mu.Lock()
	watch := p.watch
	p.mu.Unlock()
	if watch != nil && !watch(toServer, piece) {
		return false
	}
	p.mu.Lock()
	holds, changed := p.holds, p.changed
	p.mu.Unlock()
	if holds {
		<-changed
	}
	return true
}

// reset closes a connection so that the other end sees an error.
func reset(conn *net.TCPConn) {
	_ = conn.SetLinger(0)
	_ = conn.Close()
}
