package files

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
)

// unnamed makes a temporary file that only its owner can read and that has no name from the
// start, so that nothing stays of a process that is killed. On Windows an open file has one:
// remove, called when the file is closed, removes it.
func unnamed() (file *os.File, remove func(), err error) {
	file, err = os.CreateTemp("", "gatehouse-*.tmp") // 0600
	if err != nil {
		return nil, nil, err
	}
	if os.Remove(file.Name()) == nil {
		return file, func() {}, nil
	}
	return file, func() { _ = os.Remove(file.Name()) }, nil
}

// Spool keeps what is written to it until it is closed: a little in memory, more in an unnamed
// file. The zero Spool is ready to use, by one goroutine.
type Spool struct {
	noFile bool // none can be made
	memory []byte
	file   *os.File
	remove func()
	size   int64
}

// spooledInMemory is how much a [Spool] has in memory.
const spooledInMemory = 4 << 20

func (s *Spool) Write(p []byte) (int, error) {
	if s.file == nil && len(s.memory)+len(p) > spooledInMemory && !s.noFile {
		var err error
		s.file, s.remove, err = unnamed()
		s.noFile = err != nil
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
	defer s.remove()
	return s.file.Close()
}
