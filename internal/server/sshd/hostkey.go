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

// maxHostKey is how many bytes the file of a host key may have.
const maxHostKey = 64 << 10

// defaultHostKey is the path of the host key that is generated at the first start.
func defaultHostKey() string { return filepath.Join(files.StateDir(), "ssh_host_ed25519_key") }

// errNoStateDir means that there is no directory for the host key.
var errNoStateDir = errors.New("there is no directory for a host key: HOME and XDG_STATE_HOME are no absolute paths")

// loadHostKey reads the host key from a file. Without a path it reads the default file, and
// creates it if it does not exist yet. An error names the file.
func loadHostKey(ctx context.Context, path string) (gossh.MultiAlgorithmSigner, error) {
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
		err = createHostKey(path)
	}
	if err != nil {
		return nil, fmt.Errorf("the host key %s cannot be created: %w", path, err)
	}
	return readHostKey(path, files.Read)
}

// createHostKey writes a new ed25519 key in OpenSSH's format.
func createHostKey(path string) error {
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

// readHostKey reads a private key without a passphrase; read reads the file. An RSA key signs with
// SHA-2 alone.
func readHostKey(
	path string, read func(path string, limit int) ([]byte, error),
) (gossh.MultiAlgorithmSigner, error) {
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
	if signatures[0] == gossh.KeyAlgoRSA { // as the name of a signature that means SHA-1
		signatures = []string{gossh.KeyAlgoRSASHA512, gossh.KeyAlgoRSASHA256}
	}
	return gossh.NewSignerWithAlgorithms(key, signatures)
}

// exchangeBurst is how many key exchanges a connection may make at once, beside one a minute.
const exchangeBurst = 6

// limitedSigner limits the key exchanges of one connection. The protocol lets a client ask for any
// number, and each costs the server far more than the client.
type limitedSigner struct {
	gossh.MultiAlgorithmSigner
	allowed *rate.Limiter
}

func newLimitedSigner(key gossh.MultiAlgorithmSigner) limitedSigner {
	return limitedSigner{key, rate.NewLimiter(rate.Every(time.Minute), exchangeBurst)}
}

// SignWithAlgorithm signs for a key exchange. It fails if the connection has exceeded its limit,
// which ends the connection.
func (s limitedSigner) SignWithAlgorithm(
	rand io.Reader, data []byte, algorithm string,
) (*gossh.Signature, error) {
	if !s.allowed.Allow() {
		return nil, errors.New("too many key exchanges")
	}
	return s.MultiAlgorithmSigner.SignWithAlgorithm(rand, data, algorithm)
}
