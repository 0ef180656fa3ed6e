package files

import (
	"bytes"
	"io"
	"os"
	"runtime"
)

// Spool keeps what is written to it until it is closed: a little in memory, more in a temporary
// file. The zero Spool is ready to use, by one goroutine.
type Spool struct {
	memory []byte
	file   *os.File // nil: everything is in memory
	size   int64
}

// spooledInMemory is how much a [Spool] has in memory.
const spooledInMemory = 4 << 20

func (s *Spool) Write(p []byte) (int, error) {
	s.size += int64(len(p))
	if s.file == nil && len(s.memory)+len(p) <= spooledInMemory {
		s.memory = append(s.memory, p...)
		return len(p), nil
	}
	if err := s.toFile(p); err != nil {
		return 0, &ExportError{
			Path: "a temporary file in " + os.TempDir(), Err: err,
			Hint: "Make room there, or set TMPDIR to a directory that has room.",
		}
	}
	return len(p), nil
}

// toFile writes what is in memory and more.
func (s *Spool) toFile(p []byte) (err error) {
	if s.file == nil {
		if s.file, err = os.CreateTemp("", "gatehouse-*.tmp"); err != nil { // for its owner alone
			return err
		}
		_ = os.Remove(s.file.Name()) // so that nothing stays of a process that is killed; Windows refuses
		p, s.memory = append(s.memory, p...), nil
	}
	_, err = s.file.Write(p)
	return err
}

func (s *Spool) ReadAt(p []byte, at int64) (int, error) {
	if s.file == nil {
		return bytes.NewReader(s.memory).ReadAt(p, at)
	}
	return s.file.ReadAt(p, at)
}

// Reader reads everything that was written so far.
func (s *Spool) Reader() io.Reader { return io.NewSectionReader(s, 0, s.size) }

// Close removes the file.
func (s *Spool) Close() error {
	if s.file == nil {
		return nil
	}
	err := s.file.Close()
	if runtime.GOOS == "windows" {
		_ = os.Remove(s.file.Name())
	}
	return err
}
