package demo

import (
	"compress/gzip"
	"crypto/rand"
	"crypto/rsa"
	"io"
	"sync"
)

// Stock is what the services of one process can have in common, so that the next one
// costs little: the signing key, which takes a moment to make. A token of one service
// opens no other one all the same, for each knows only the sessions it began. The zero
// Stock is ready to use, by any number of services at once.
type Stock struct {
	making sync.Once
	made   *rsa.PrivateKey
	failed error

	zippers sync.Pool // of *gzip.Writer
}

// key returns the signing key, which is made when it is first needed.
func (s *Stock) key() (*rsa.PrivateKey, error) {
	s.making.Do(func() { s.made, s.failed = rsa.GenerateKey(rand.Reader, 2048) })
	return s.made, s.failed
}

// zip has what is written through zipped go to w.
func (s *Stock) zip(w io.Writer, write func(zipped io.Writer) error) error {
	zipped, _ := s.zippers.Get().(*gzip.Writer)
	if zipped == nil {
		zipped, _ = gzip.NewWriterLevel(nil, gzip.BestSpeed) // fails for an unknown level only
	}
	zipped.Reset(w)
	defer s.zippers.Put(zipped)
	defer zipped.Reset(io.Discard) // lets go of w
	if err := write(zipped); err != nil {
		return err
	}
	return zipped.Close()
}
