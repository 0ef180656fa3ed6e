package api

import (
	"context"
	"errors"
	"net"
	"sync"
	"time"

	"golang.org/x/net/dns/dnsmessage"
)

// nameTimeout is how long name servers are asked a second time why a name has no address.
const nameTimeout = 2 * time.Second

// nameCauses are what the answers of name servers say. With no error, a name exists that has no
// address.
var nameCauses = map[dnsmessage.RCode]Cause{
	dnsmessage.RCodeSuccess:       CauseNoAddress,
	dnsmessage.RCodeNameError:     CauseNoHost,
	dnsmessage.RCodeServerFailure: CauseNameFault,
	dnsmessage.RCodeRefused:       CauseNameRefused,
}

// whyNoAddress returns the error of a look-up of a name with the response code of the name servers,
// which package net does not tell: the name does not exist, they failed, or they refused. It asks
// them once more. An error of another kind stays as it is, and so does one that the second answer
// does not explain.
func whyNoAddress(ctx context.Context, host string, err error) error {
	failed, ok := errors.AsType[*net.DNSError](err)
	if !ok || failed.IsTimeout {
		return err
	}
	// A context of its own: the trace in ctx would note this look-up as part of the request.
	asking, stop := context.WithTimeout(context.Background(), nameTimeout)
	defer stop()
	defer context.AfterFunc(ctx, stop)()
	var answers nameAnswers
	resolver := &net.Resolver{PreferGo: true, Dial: answers.dial}
	if _, again := resolver.LookupHost(asking, host); again == nil {
		return err
	}
	cause, known := nameCauses[answers.worst()]
	if !known || !answers.heard() || failed.IsNotFound != cause.IsOfName() {
		return err
	}
	return &networkError{cause: cause, text: causes[cause].text, err: err}
}

// nameAnswers are the codes in the answers of name servers. It is safe for concurrent use.
type nameAnswers struct {
	mu    sync.Mutex
	codes []dnsmessage.RCode
}

// dial connects to a name server, and notes the codes of its answers over UDP.
func (a *nameAnswers) dial(ctx context.Context, network, address string) (net.Conn, error) {
	conn, err := new(net.Dialer).DialContext(ctx, network, address)
	if udp, ok := conn.(*net.UDPConn); ok {
		return &heardConn{udp, a}, nil
	}
	return conn, err
}

// heard reports whether any name server answered.
func (a *nameAnswers) heard() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return len(a.codes) > 0
}

// worst is the code of an answer that reports an error, or success if none does.
func (a *nameAnswers) worst() (code dnsmessage.RCode) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, answered := range a.codes {
		code = max(code, answered)
	}
	return code
}

// note takes note of an answer.
func (a *nameAnswers) note(packet []byte) {
	var parser dnsmessage.Parser
	header, err := parser.Start(packet)
	if err != nil || !header.Response {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.codes = append(a.codes, header.RCode)
}

// heardConn is a connection to a name server that is listened to. As one over UDP it is a
// [net.PacketConn], by which the resolver knows how messages are framed.
type heardConn struct {
	*net.UDPConn
	answers *nameAnswers
}

// Read implements [net.Conn].
func (c *heardConn) Read(p []byte) (int, error) {
	n, err := c.UDPConn.Read(p)
	c.answers.note(p[:n])
	return n, err
}
