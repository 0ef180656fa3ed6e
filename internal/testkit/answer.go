package testkit

import (
	"time"
)

// output is what has come from the program so far.
type output struct {
	bytes int
	at    time.Time // of the last of them
}

// Answer types keys and returns how long after them the last byte of the
// program's answer came, and of how many bytes it was. The answer ends when
// nothing has come for as long as quiet; one without a byte took no time.
func (term *Terminal) Answer(keys string, quiet time.Duration) (took time.Duration, bytes int) {
	term.t.Helper()
	before := term.output()
	start := time.Now()
	term.Type(keys)
	last := term.settle(quiet)
	if last.bytes == before.bytes {
		return 0, 0
	}
	return last.at.Sub(start), last.bytes - before.bytes
}

// Pause waits, and returns how many bytes came meanwhile.
func (term *Terminal) Pause(d time.Duration) (bytes int) {
	before := term.output()
	<-time.After(d)
	return term.output().bytes - before.bytes
}

// settle waits until nothing has come for as long as quiet.
func (term *Terminal) settle(quiet time.Duration) output {
	for timer := time.NewTimer(quiet); ; timer.Reset(quiet) {
		select {
		case <-term.changed:
		case <-timer.C:
			return term.output()
		case <-term.ended:
			timer.Stop()
			return term.output()
		}
	}
}

func (term *Terminal) output() output {
	term.mu.Lock()
	defer term.mu.Unlock()
	return output{term.raw.Len(), term.lastAt}
}
