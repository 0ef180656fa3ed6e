//go:build linux

package sshload

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"sync/atomic"
	"time"

	"golang.org/x/crypto/ssh"
)

// The size of every visitor's terminal.
const width, height = 120, 40

// visitor is one connection with the UI on its terminal.
type visitor struct {
	client *ssh.Client
	keys   io.Writer
	// shown gets what comes to the screen until the visitor is settled; done is closed
	// with the connection.
	shown         chan []byte
	settled, done chan struct{}
	// pressed is when the last key was pressed to which nothing has come yet, in
	// nanoseconds since the epoch; 0 if there is none. took is of the answers so far.
	pressed atomic.Int64
	took    chan time.Duration

	connected, firstFrame time.Duration // since the connection was begun
}

// dial connects from an address of this machine, "" for any, without SSH. What has been
// sent and not read is dropped when the connection is closed: a server that takes floods
// slowly would else read them for half a minute.
func dial(ctx context.Context, from, address string) (net.Conn, error) {
	dialer := new(net.Dialer)
	if from != "" {
		dialer.LocalAddr = &net.TCPAddr{IP: net.ParseIP(from)}
	}
	conn, err := dialer.DialContext(ctx, "tcp", address)
	if err != nil {
		return nil, err
	}
	return conn, conn.(*net.TCPConn).SetLinger(0)
}

// connect connects with SSH and the keys, if any, until the context ends.
func connect(ctx context.Context, from, address string, keys ...ssh.Signer) (*ssh.Client, error) {
	conn, err := dial(ctx, from, address)
	if err != nil {
		return nil, err
	}
	stop := context.AfterFunc(ctx, func() { conn.Close() })
	config := &ssh.ClientConfig{User: "visitor", HostKeyCallback: ssh.InsecureIgnoreHostKey()}
	if len(keys) > 0 {
		config.Auth = []ssh.AuthMethod{ssh.PublicKeys(keys...)}
	}
	secured, channels, requests, err := ssh.NewClientConn(conn, address, config)
	if err != nil {
		stop()
		conn.Close()
		return nil, err
	}
	return ssh.NewClient(secured, channels, requests), nil
}

// visit connects, and waits for the form.
func visit(ctx context.Context, from, address string) (*visitor, error) {
	return comeTo(ctx, from, address, "E-mail")
}

// comeTo connects with the keys, if any, and waits for a text on the first screen.
func comeTo(ctx context.Context, from, address, text string, keys ...ssh.Signer) (*visitor, error) {
	began := time.Now()
	client, err := connect(context.WithoutCancel(ctx), from, address, keys...)
	if err != nil {
		return nil, err
	}
	v := &visitor{
		client: client,
		shown:  make(chan []byte), settled: make(chan struct{}), done: make(chan struct{}),
		took: make(chan time.Duration, 1), connected: time.Since(began),
	}
	if err := v.open(); err != nil {
		v.client.Close()
		return nil, err
	}
	if err := v.waitFor(ctx, text); err != nil {
		v.client.Close()
		return nil, err
	}
	v.firstFrame = time.Since(began)
	return v, nil
}

func (v *visitor) open() error {
	session, err := v.client.NewSession()
	if err != nil {
		return err
	}
	screen, err := session.StdoutPipe()
	if err != nil {
		return err
	}
	if v.keys, err = session.StdinPipe(); err != nil {
		return err
	}
	if err := errors.Join(session.RequestPty("xterm-256color", height, width, nil), session.Shell()); err != nil {
		return err
	}
	go v.watch(screen)
	return nil
}

// watch reads the screen until the connection ends.
func (v *visitor) watch(screen io.Reader) {
	defer close(v.done)
	buffer := make([]byte, 8<<10)
	for {
		n, err := screen.Read(buffer)
		if pressed := v.pressed.Swap(0); pressed > 0 && n > 0 {
			v.took <- time.Since(time.Unix(0, pressed))
		}
		select {
		case v.shown <- bytes.Clone(buffer[:n]):
		case <-v.settled:
		}
		if err != nil {
			return
		}
	}
}

// waitFor reads the screen until all of the texts have come, each on one line.
func (v *visitor) waitFor(ctx context.Context, texts ...string) error {
	var came []byte
	for {
		found := 0
		for _, text := range texts {
			if bytes.Contains(came, []byte(text)) {
				found++
			}
		}
		if found == len(texts) {
			return nil
		}
		select {
		case part := <-v.shown:
			came = append(came, part...)
		case <-v.done:
			return fmt.Errorf("the connection ended before %q", texts)
		case <-ctx.Done():
			return fmt.Errorf("%q did not come: %w; the last to come was %q", texts, context.Cause(ctx), came[max(0, len(came)-300):])
		}
	}
}

// browse signs in by typing and goes to the shares of the first domain.
func (v *visitor) browse(ctx context.Context) error {
	for _, step := range []struct{ keys, brings string }{
		{"ada@harbor.example\tdemo\r", "drydock.example"},
		{"\r", "copy rows"}, // which is there with the rows, and drawn at once
	} {
		if _, err := io.WriteString(v.keys, step.keys); err != nil {
			return err
		}
		if err := v.waitFor(ctx, step.brings); err != nil {
			return err
		}
	}
	close(v.settled)
	return nil
}

// press presses a key and returns how long it takes until something comes.
func (v *visitor) press(ctx context.Context, key string) (time.Duration, error) {
	v.pressed.Store(time.Now().UnixNano())
	if _, err := io.WriteString(v.keys, key); err != nil {
		return 0, err
	}
	select {
	case took := <-v.took:
		return took, nil
	case <-v.done:
		return 0, errors.New("the connection ended")
	case <-ctx.Done():
		return 0, context.Cause(ctx)
	}
}

// leave quits as a person does, and waits until the server ends the connection.
func (v *visitor) leave(ctx context.Context) error {
	defer v.client.Close()
	if _, err := io.WriteString(v.keys, "\x03"); err != nil { // ctrl+c, from wherever it is
		return err
	}
	select {
	case <-v.done:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
