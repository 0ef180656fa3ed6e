//go:build linux

package cluster

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"time"

	"github.com/hinshun/vt10x"
	"golang.org/x/crypto/ssh"
)

// person is somebody with a key, an account, and a place in the list of shares.
type person struct {
	name string // of the account, without its domain
	key  ssh.Signer
	row  int // from 1
}

func newPerson(n int) (*person, error) {
	_, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return nil, err
	}
	key, err := ssh.NewSignerFromKey(private)
	if err != nil {
		return nil, err
	}
	return &person{name: fmt.Sprintf("v%04d", n), key: key, row: 2 + n%8}, nil
}

func (p *person) email() string       { return p.name + "@harbor.example" }
func (p *person) fingerprint() string { return ssh.FingerprintSHA256(p.key.PublicKey()) }

// dial connects with SSH.
func (p *person) dial(ctx context.Context, address string) (*ssh.Client, error) {
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", address)
	if err != nil {
		return nil, err
	}
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
	defer stop()
	secured, channels, requests, err := ssh.NewClientConn(conn, address, &ssh.ClientConfig{
		User: p.name, HostKeyCallback: ssh.InsecureIgnoreHostKey(), Auth: []ssh.AuthMethod{ssh.PublicKeys(p.key)},
	})
	if err != nil {
		_ = conn.Close()
		return nil, err
	}
	return ssh.NewClient(secured, channels, requests), nil
}

// ran is what a command has left.
type ran struct {
	stdout, stderr string
	code           int
}

// run runs a command on a server to its end. The error is that of the connection.
func (p *person) run(ctx context.Context, address, stdin, command string) (ran, error) {
	client, err := p.dial(ctx, address)
	if err != nil {
		return ran{}, err
	}
	defer client.Close()
	defer context.AfterFunc(ctx, func() { _ = client.Close() })()
	session, err := client.NewSession()
	if err != nil {
		return ran{}, err
	}
	var stdout, stderr bytes.Buffer
	session.Stdin, session.Stdout, session.Stderr = strings.NewReader(stdin), &stdout, &stderr
	err = session.Run(command)
	result := ran{stdout: stdout.String(), stderr: stderr.String()}
	if exit := (*ssh.ExitError)(nil); errors.As(err, &exit) {
		result.code, err = exit.ExitStatus(), nil
	}
	return result, err
}

// login signs in with the password, and has the session kept for the key.
func (p *person) login(ctx context.Context, address string) error {
	got, err := p.run(ctx, address, "demo\n", "login -u "+p.email()+" --password-stdin --keep")
	if err == nil && got.code != 0 {
		err = fmt.Errorf("login: exit code %d: %s", got.code, got.stderr)
	}
	return err
}

// connection is a person's connection with the UI on its terminal.
type connection struct {
	client *ssh.Client
	keys   io.Writer
	done   chan struct{} // closed with the connection
	screen vt10x.Terminal
	more   chan struct{} // something has come to the screen
}

const width, height = 120, 40

// open connects and opens the UI.
func (p *person) open(ctx context.Context, address string) (*connection, error) {
	client, err := p.dial(ctx, address)
	if err != nil {
		return nil, err
	}
	c := &connection{client: client, done: make(chan struct{}), more: make(chan struct{}, 1), screen: vt10x.New(vt10x.WithSize(width, height))}
	if err := c.open(ctx); err != nil {
		_ = client.Close()
		return nil, err
	}
	return c, nil
}

func (c *connection) open(ctx context.Context) error {
	defer context.AfterFunc(ctx, func() { _ = c.client.Close() })()
	session, err := c.client.NewSession()
	if err != nil {
		return err
	}
	output, err := session.StdoutPipe()
	if err != nil {
		return err
	}
	if c.keys, err = session.StdinPipe(); err != nil {
		return err
	}
	if err := errors.Join(session.RequestPty("xterm-256color", height, width, nil), session.Shell()); err != nil {
		return err
	}
	go c.watch(output)
	return nil
}

func (c *connection) watch(output io.Reader) {
	defer close(c.done)
	buffer := make([]byte, 8<<10)
	for {
		n, err := output.Read(buffer)
		_, _ = c.screen.Write(buffer[:n])
		select {
		case c.more <- struct{}{}:
		default:
		}
		if err != nil {
			return
		}
	}
}

// errEnded means that the server ended the connection, or died.
var errEnded = errors.New("the connection ended")

// await waits until all texts of one of the groups are on the screen, and returns which
// group it is and the screen.
func (c *connection) await(ctx context.Context, groups ...[]string) (int, string, error) {
	for {
		shown := c.screen.String()
		for i, texts := range groups {
			if containsAll(shown, texts) {
				return i, shown, nil
			}
		}
		select {
		case <-c.more:
		case <-c.done:
			return 0, shown, fmt.Errorf("%w; the screen was\n%s", errEnded, shown)
		case <-ctx.Done():
			return 0, shown, fmt.Errorf("waiting for %q: %w; the screen was\n%s", groups, context.Cause(ctx), shown)
		}
	}
}

func containsAll(shown string, texts []string) bool {
	for _, text := range texts {
		if !strings.Contains(shown, text) {
			return false
		}
	}
	return true
}

// press types.
func (c *connection) press(keys string) error {
	_, err := io.WriteString(c.keys, keys)
	return err
}

// leave hangs up, as a laptop does that is closed.
func (c *connection) leave() {
	_ = c.client.Close()
	select {
	case <-c.done:
	case <-time.After(patience):
	}
}
