//go:build unix

package e2e

import (
	"os"
	"os/exec"
	"testing"
)

func TestASecondInterruptEndsTheUIThatWaitsForARenewal(t *testing.T) {
	t.Parallel()
	s := newService(t)
	s.arrived, s.answer = make(chan struct{}, 1), make(chan struct{})
	t.Cleanup(func() { close(s.answer) })
	env := s.env(t.TempDir())
	signInYesterday(t, env)
	command := exec.Command("sh", "-c", `trap : INT; "$0"; echo "exit code $?"`, binary)
	command.Env = append(env, "TERM=xterm-256color", "PATH="+os.Getenv("PATH"))
	term := startTerminal(t, command, 100, 30)
	<-s.arrived
	term.Type("\x03")
	term.WaitFor("Waiting until the session is saved")
	term.Type("\x03")
	term.WaitFor("exit code 130")
}
