//go:build unix

package prompt

import (
	"context"
	"io"
	"strings"
	"testing"
	"time"

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

func TestALineBehindASecretIsForTheNextQuestion(t *testing.T) {
	person, program, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer person.Close()
	defer program.Close()
	_, _ = person.WriteString("canary\rnext\r")
	console := NewConsole(program, io.Discard)
	if got, err := console.Secret(t.Context(), ""); err != nil || got.Reveal() != "canary" {
		t.Fatalf("the secret is %q, %v", got.Reveal(), err)
	}
	ctx, end := context.WithTimeout(t.Context(), 5*time.Second)
	defer end()
	if got, err := console.Line(ctx, ""); err != nil || got != "next" {
		t.Errorf("the line is %q, %v", got, err)
	}
}
