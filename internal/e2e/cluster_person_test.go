//go:build linux

package e2e

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"strings"

	"golang.org/x/crypto/ssh"
)

// person is somebody with a key and an account.
type person struct {
	name string // of the account, without its domain
	key  ssh.Signer
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
	return &person{name: fmt.Sprintf("v%04d", n), key: key}, nil
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
