package sshd

import (
	"context"
	"crypto/ed25519"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	gossh "golang.org/x/crypto/ssh"

	"gatehouse/internal/files"
)

const maxHostKey = 64 << 10

// defaultHostKey is the file of the host key that is generated at the first start.
func defaultHostKey() string { return filepath.Join(files.StateDir(), "ssh_host_ed25519_key") }

// hostKey reads the host key. Without a path it is the default one, generated if it does
// not exist yet.
func hostKey(ctx context.Context, path string) (gossh.Signer, error) {
	if path != "" {
		return readHostKey(path, files.ReadMounted)
	}
	path = defaultHostKey()
	signer, err := readHostKey(path, files.Read)
	if !errors.Is(err, fs.ErrNotExist) {
		return signer, err
	}
	unlock, err := files.Lock(ctx, path+".lock")
	if err != nil {
		return nil, fmt.Errorf("the host key %s cannot be made: %w", path, err)
	}
	defer unlock()
	// Another server may have generated it in the meantime.
	if signer, err = readHostKey(path, files.Read); !errors.Is(err, fs.ErrNotExist) {
		return signer, err
	}
	if err := makeHostKey(path); err != nil {
		return nil, fmt.Errorf("the host key %s cannot be made: %w", path, err)
	}
	return readHostKey(path, files.Read)
}

func makeHostKey(path string) error {
	_, key, err := ed25519.GenerateKey(nil)
	if err != nil {
		return err
	}
	block, err := gossh.MarshalPrivateKey(key, "gatehouse")
	if err != nil {
		return err
	}
	return files.System().Write(path, pem.EncodeToMemory(block))
}

func readHostKey(path string, read func(path string, limit int) ([]byte, error)) (gossh.Signer, error) {
	data, err := read(path, maxHostKey)
	if err != nil {
		return nil, fmt.Errorf("the host key %s cannot be read: %w", path, err)
	}
	signer, err := gossh.ParsePrivateKey(data)
	if _, locked := errors.AsType[*gossh.PassphraseMissingError](err); locked {
		return nil, fmt.Errorf("the host key %s needs a passphrase, which nobody can type at the start", path)
	}
	key, ok := signer.(gossh.AlgorithmSigner)
	if err != nil || !ok {
		return nil, fmt.Errorf("the host key %s is not a private key in OpenSSH or PEM format", path)
	}
	return gossh.NewSignerWithAlgorithms(key, hostSignatures(key.PublicKey()))
}
