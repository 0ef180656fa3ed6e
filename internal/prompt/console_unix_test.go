//go:build unix

package prompt

import (
	"strings"
	"testing"

	"github.com/creack/pty"
)

// quick answers a question as soon as it is asked.
type quick func(question string)

func (q quick) Write(p []byte) (int, error) {
	q(string(p))
	return len(p), nil
}

func TestAnAnswerThatComesWithTheQuestionIsNotShown(t *testing.T) {
	person, program, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer person.Close()
	defer program.Close()
	asked := ""
	console := NewConsole(program, quick(func(text string) {
		if asked += text; text == "Password: " {
			_, _ = person.WriteString("canary\r")
		}
	}))
	if got, err := console.Secret(t.Context(), "Password: "); err != nil || got.Reveal() != "canary" {
		t.Fatalf("it is taken for %d bytes, %v", len(got.Reveal()), err)
	}
	_, _ = program.WriteString("the end") // behind what the terminal has shown
	shown := ""
	for buffer := make([]byte, 1024); !strings.HasSuffix(shown, "the end"); {
		n, err := person.Read(buffer)
		if err != nil {
			t.Fatal(err)
		}
		shown += string(buffer[:n])
	}
	if strings.Contains(shown, "canary") || asked != "Password: \r\n" {
		t.Errorf("the terminal shows %q beside %q", shown, asked)
	}
}
