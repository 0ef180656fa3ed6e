//go:build unix

package prompt

import (
	"os"
	"os/signal"

	"golang.org/x/sys/unix"
	"golang.org/x/term"
)

// makeRaw puts a terminal in raw mode until restore is called. A shell that continues a stopped
// program leaves the terminal in its own mode, in which a secret would be seen: makeRaw then puts
// it in raw mode again and calls continued. It does not listen for the signal that stops a program,
// as Go would ignore that signal from then on.
func makeRaw(fd int, continued func()) (restore func(), err error) {
	before, err := term.MakeRaw(fd)
	if err != nil {
		return nil, err
	}
	signals := make(chan os.Signal, 1)
	ended := make(chan struct{})
	signal.Notify(signals, unix.SIGCONT)
	go func() {
		defer close(ended)
		for range signals {
			if _, err := term.MakeRaw(fd); err == nil {
				continued()
			}
		}
	}()
	return func() {
		signal.Stop(signals)
		close(signals)
		<-ended
		_ = term.Restore(fd, before)
	}, nil
}
