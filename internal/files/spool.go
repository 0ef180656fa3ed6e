package files

import (
	"bytes"
	"io"
	"os"
	"runtime"
)

// Spool keeps what is written to it until it is closed: in memory if it is little, or else in a
// temporary file. The zero Spool is ready to use, by one goroutine at a time.
type Spool struct {
	memory []byte
	file   *os.File // nil: everything is in memory
	size   int64
}

// spooledInMemory is how many bytes a [Spool] keeps in memory at most.
const spooledInMemory = 4 << 20

// Write keeps p. The error is an [*ExportError] if the temporary file cannot be written.
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

// toFile moves what is in memory to the file, and adds p.
func (s *Spool) toFile(p []byte) (err error) {
	if s.file == nil {
		if s.file, err = os.CreateTemp("", "gatehouse-*.tmp"); err != nil { // for its owner alone
			return err
		}
		// Nothing stays on the disk if the process is killed. Windows refuses to remove an open
		// file.
		_ = os.Remove(s.file.Name())
		p = append(s.memory, p...)
		s.memory = nil
	}
	_, err = s.file.Write(p)
	return err
}

// ReadAt implements [io.ReaderAt] for everything that was written.
func (s *Spool) ReadAt(p []byte, at int64) (int, error) {
	if s.file == nil {
		return bytes.NewReader(s.memory).ReadAt(p, at)
	}
	return s.file.ReadAt(p, at)
}

// Reader returns a reader of everything that was written so far.
func (s *Spool) Reader() io.Reader { return io.NewSectionReader(s, 0, s.size) }

// Close removes the temporary file, if there is one.
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
