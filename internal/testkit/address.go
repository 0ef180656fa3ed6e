package testkit

import (
	"fmt"
	"net"
	"os"
	"sync"
	"testing"
)

// Loopback is an address of this machine that only this process uses, so that a free port stays
// free. It is 127.0.0.1 on a system on which not all of 127.0.0.0/8 is the machine itself.
var Loopback = sync.OnceValue(func() string {
	pid := os.Getpid()
	own := fmt.Sprintf("127.%d.%d.%d", 64|pid>>16&63, pid>>8&255, pid&255) // never 127.0.x.x
	listener, err := net.Listen("tcp", own+":0")
	if err != nil {
		return "127.0.0.1"
	}
	_ = listener.Close()
	return own
})

// FreePort is a port of [Loopback] on which nothing listens.
func FreePort() (int, error) {
	listener, err := net.Listen("tcp", Loopback()+":0")
	if err != nil {
		return 0, err
	}
	defer listener.Close()
	return listener.Addr().(*net.TCPAddr).Port, nil
}

// FreeAddress is [Loopback] with a [FreePort].
func FreeAddress(t testing.TB) string {
	t.Helper()
	port, err := FreePort()
	if err != nil {
		t.Fatal(err)
	}
	return net.JoinHostPort(Loopback(), fmt.Sprint(port))
}
