//go:build !unix

package prompt

import "golang.org/x/term"

// makeRaw puts a terminal in raw mode until restore is called. No program is stopped and continued here.
func makeRaw(fd int, _ func()) (restore func(), err error) {
	before, err := term.MakeRaw(fd)
	if err != nil {
		return nil, err
	}
	return func() { _ = term.Restore(fd, before) }, nil
}
