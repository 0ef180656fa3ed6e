package sshd

import (
	"bytes"
	"io"
	"sync"
	"time"
)

// input is what a visitor types. That something came keeps the visit from being
// idle.
type input struct {
	io.Reader
	visit *visit
}

func (i input) Read(p []byte) (int, error) {
	n, err := i.Reader.Read(p)
	if limit := i.visit.server.options.Limits.Idle; n > 0 && limit > 0 {
		i.visit.idle.Reset(limit)
	}
	return n, err
}

// output is what a visitor reads. A peer that takes nothing for too long ends the
// visit: it may keep its window of SSH shut while its TCP goes on.
type output struct {
	io.Writer
	visit *visit
	// lines has line ends put as CR LF, as the terminal of a command wants them.
	lines bool

	mu      sync.Mutex
	afterCR bool
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if limit := o.visit.server.options.Limits.Stalled; limit > 0 {
		watch := time.AfterFunc(limit, func() { o.visit.end(endStalled) })
		defer watch.Stop()
	}
	if !o.lines || bytes.IndexByte(p, '\n') < 0 {
		o.afterCR = bytes.HasSuffix(p, []byte("\r"))
		return o.Writer.Write(p)
	}
	if _, err := o.Writer.Write(o.withReturns(p)); err != nil {
		return 0, err
	}
	return len(p), nil
}

// withReturns puts a CR before each LF that has none.
func (o *output) withReturns(p []byte) []byte {
	lines := make([]byte, 0, len(p)+16)
	for _, c := range p {
		if c == '\n' && !o.afterCR {
			lines = append(lines, '\r')
		}
		lines = append(lines, c)
		o.afterCR = c == '\r'
	}
	return lines
}
