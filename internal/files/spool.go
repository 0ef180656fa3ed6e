package files

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"runtime"
)

// Spool keeps what is written to it until it is closed: a little in memory, more in a temporary
// file. The zero Spool is ready to use, by one goroutine.
type Spool struct {
	noFile bool // none can be made
	memory []byte
	file   *os.File
	size   int64
}

// spooledInMemory is how much a [Spool] has in memory.
const spooledInMemory = 4 << 20

func (s *Spool) Write(p []byte) (int, error) {
	if s.file == nil && len(s.memory)+len(p) > spooledInMemory && !s.noFile {
		file, err := os.CreateTemp("", "gatehouse-*.tmp") // for its owner alone
		if s.noFile = err != nil; err == nil {
			s.file = file
			_ = os.Remove(file.Name()) // so that nothing stays of a process that is killed; Windows refuses
		}
	}
	if s.file == nil {
		s.memory = append(s.memory, p...)
		s.size += int64(len(p))
		return len(p), nil
	}
	for _, part := range [][]byte{s.memory, p} {
		if _, err := s.file.Write(part); err != nil {
			where := "a temporary file in " + filepath.Dir(s.file.Name())
			return 0, &ExportError{Path: where, Err: classify(err), Hint: "Make room there, or set TMPDIR to a directory that has room."}
		}
	}
	s.memory = nil
	s.size += int64(len(p))
	return len(p), nil
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
