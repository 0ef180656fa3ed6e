package prompt

import (
	"io"
	"strings"
	"testing"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"
)

// What a terminal holds when the program ends is run by the shell.
func TestLinesPastedBehindASecretDoNotReachTheShell(t *testing.T) {
	person, program, err := pty.Open()
	if err != nil {
		t.Skip("there is no pty here: ", err)
	}
	defer person.Close()
	defer program.Close()
	if _, err := io.WriteString(person, "demo\r"+strings.Repeat("touch pasted\r", 100)); err != nil {
		t.Fatal(err)
	}
	text, err := Terminal(program, program).Secret(t.Context(), "?")
	if err != nil || text.Reveal() != "demo" {
		t.Fatalf("got %q, %v", text.Reveal(), err)
	}
	left, err := unix.IoctlGetInt(int(program.Fd()), unix.TIOCINQ)
	if err != nil || left != 0 {
		t.Errorf("%d bytes are left for the shell, %v", left, err)
	}
}
