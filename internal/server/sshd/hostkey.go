package sshd

import (
	"context"
	"crypto/ed25519"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"time"

	gossh "golang.org/x/crypto/ssh"
	"golang.org/x/time/rate"

	"gatehouse/internal/files"
)

const maxHostKey = 64 << 10

// defaultHostKey is the file of the host key that is generated at the first start.
func defaultHostKey() string { return filepath.Join(files.StateDir(), "ssh_host_ed25519_key") }

// errNoStateDir means that there is no directory to keep a host key in.
var errNoStateDir = errors.New("there is no directory for a host key: HOME and XDG_STATE_HOME are no absolute paths")

// hostKey reads the host key. Without a path it is the default one, generated if it does
// not exist yet.
func hostKey(ctx context.Context, path string) (gossh.MultiAlgorithmSigner, error) {
	if path != "" {
		return readHostKey(path, files.ReadMounted)
	}
	if files.StateDir() == "" {
		return nil, errNoStateDir
	}
	path = defaultHostKey()
	signer, err := readHostKey(path, files.Read)
	if !errors.Is(err, fs.ErrNotExist) {
		return signer, err
	}
	unlock, err := files.Lock(ctx, path+".lock")
	if err == nil {
		defer unlock()
		// Another server may have generated it in the meantime.
		if signer, err = readHostKey(path, files.Read); !errors.Is(err, fs.ErrNotExist) {
			return signer, err
		}
		err = makeHostKey(path)
	}
	if err != nil {
		return nil, fmt.Errorf("the host key %s cannot be created: %w", path, err)
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

func readHostKey(path string, read func(path string, limit int) ([]byte, error)) (gossh.MultiAlgorithmSigner, error) {
	data, err := read(path, maxHostKey)
	if err != nil {
		return nil, fmt.Errorf("the host key %s cannot be read: %w", path, err)
	}
	signer, err := gossh.ParsePrivateKey(data)
	key, ok := signer.(gossh.AlgorithmSigner)
	if err != nil || !ok {
		return nil, fmt.Errorf("the host key %s is not a private key without a passphrase", path)
	}
	signatures := []string{key.PublicKey().Type()}
	if signatures[0] == gossh.KeyAlgoRSA { // which is a name for SHA-1 as well
		signatures = []string{gossh.KeyAlgoRSASHA512, gossh.KeyAlgoRSASHA256}
	}
	return gossh.NewSignerWithAlgorithms(key, signatures)
}

const exchangeBurst = 6 // then one a minute

// limitedSigner limits the key exchanges of one connection: a client may ask for as many
// as it likes, and each costs far more on the server than on the client.
type limitedSigner struct {
	gossh.MultiAlgorithmSigner
	allowed *rate.Limiter
}

func newLimitedSigner(key gossh.MultiAlgorithmSigner) limitedSigner {
	return limitedSigner{key, rate.NewLimiter(rate.Every(time.Minute), exchangeBurst)}
}

// SignWithAlgorithm signs unless the connection exceeds its limit.
func (s limitedSigner) SignWithAlgorithm(rand io.Reader, data []byte, algorithm string) (*gossh.Signature, error) {
	if !s.allowed.Allow() {
		return nil, errors.New("too many key exchanges")
	}
	return s.MultiAlgorithmSigner.SignWithAlgorithm(rand, data, algorithm)
}
