//go:build linux

package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// walkCrash has the program end by mistakes of its own: a panic that has the
// access token in it, and a signal at which the Go runtime shows all goroutines.
func walkCrash(w *world) {
	itself, err := os.Executable()
	if err != nil {
		w.t.Fatal(err)
	}
	command := w.command([]string{crashing + "=1", "GODEBUG="}) // which main silences
	command.Path = itself
	term := w.open(command, 120, 40)
	w.do(term, signIn...)
	w.do(term, see("4", "not verified"), see("Y"))
	_ = term.Wait()
	w.keep("screen after the panic", term.Screen())
	w.keepTerminal(term)
	if reports, _ := filepath.Glob(w.home + "/state_home/gatehouse/crash-*.txt"); len(reports) != 1 {
		w.t.Errorf("%d crash reports were written; the screen is\n%s", len(reports), term.Screen())
	}

	command = w.command(nil)
	term = w.open(command, 120, 40)
	w.do(term, see("", "4 domains"), see(enter, "row 1 of 42"))
	if err := command.Process.Signal(syscall.SIGQUIT); err != nil {
		w.t.Fatal(err)
	}
	_ = term.Wait()
	w.keepTerminal(term)
	if !strings.Contains(string(term.Raw()), "goroutine ") {
		w.t.Error("the runtime showed no goroutines")
	}
}
