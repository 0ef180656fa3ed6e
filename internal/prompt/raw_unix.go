//go:build unix

package prompt

import (
	"os"
	"os/signal"

	"golang.org/x/sys/unix"
	"golang.org/x/term"
)

// makeRaw puts a terminal in raw mode until restore is called. A shell that continues a stopped program
// has its own modes, which would show a secret: then it is put in raw mode again, and continued is
// called. That a program is stopped is not heard: Go would ignore that signal from then on.
func makeRaw(fd int, continued func()) (restore func(), err error) {
	before, err := term.MakeRaw(fd)
	if err != nil {
		return nil, err
	}
	signals, ended := make(chan os.Signal, 1), make(chan struct{})
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
