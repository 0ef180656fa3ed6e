package export

import (
	"io"
	"sync/atomic"
)

// Counter counts the bytes that are written, for a person who waits. The zero
// Counter is ready to use; any goroutine may read it.
type Counter struct{ written atomic.Int64 }

// Written returns the bytes written so far.
func (c *Counter) Written() int64 { return c.written.Load() }

// To returns a writer that counts what it passes on to w.
func (c *Counter) To(w io.Writer) io.Writer { return countingWriter{c, w} }

type countingWriter struct {
	*Counter
	out io.Writer
}

func (w countingWriter) Write(p []byte) (int, error) {
	n, err := w.out.Write(p)
	w.written.Add(int64(n))
	return n, err
}
