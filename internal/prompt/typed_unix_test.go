//go:build unix

package prompt

import (
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/creack/pty"

	"gatehouse/internal/text/intake"
)

// typedCases are what a person types at a question, and the answer; refused is one that is not taken.
var typedCases = map[string]struct{ typed, want string }{
	"letters":                          {"p\u00e4ss \u65e5\r", "p\u00e4ss \u65e5"},
	"a byte-order mark":                {"\ufeffdemo\r", "demo"},
	"a paste":                          {intake.PasteBegin + "demo" + intake.PasteEnd + "\r", "demo"},
	"a paste with its line end":        {intake.PasteBegin + "demo\r" + intake.PasteEnd, "demo"},
	"a paste whose end is lost":        {intake.PasteBegin + "demo\r", "demo"},
	"an end of a paste that was begun": {intake.PasteEnd + "demo\r", "demo"},
	"a letter of a terminal for Latin": {"p\xe4ss\r", refused},
	"such a letter in a paste":         {intake.PasteBegin + "p\xe4ss" + intake.PasteEnd + "\r", refused},
	"such a letter at the end":         {"pass\xe4\r", refused},
	"half of a letter":                 {"pass\xe6\x97\r", refused},
}

const refused = "\x00refused"

func TestWhatIsTypedAtAQuestionIsUTF8OrRefused(t *testing.T) {
	for name, tt := range typedCases {
		t.Run(name, func(t *testing.T) {
			for face, ask := range map[string]func(program *os.File, out io.Writer) (string, error){
				"an editor's line": func(program *os.File, out io.Writer) (string, error) {
					return (&Editor{out: out, terminal: program}).Line(t.Context(), "?")
				},
				"an editor's secret": func(program *os.File, out io.Writer) (string, error) {
					text, err := (&Editor{out: out, terminal: program}).Secret(t.Context(), "?")
					return text.Reveal(), err
				},
				"a console's line": func(program *os.File, out io.Writer) (string, error) {
					return NewConsole(program, out).Line(t.Context(), "?")
				},
				"a console's secret": func(program *os.File, out io.Writer) (string, error) {
					text, err := NewConsole(program, out).Secret(t.Context(), "?")
					return text.Reveal(), err
				},
				"a channel's secret": func(*os.File, io.Writer) (string, error) {
					text, err := Channel(strings.NewReader(tt.typed), io.Discard, 80, 24).Secret(t.Context(), "?")
					return text.Reveal(), err
				},
				"lines of a pipe": func(*os.File, io.Writer) (string, error) {
					piped := strings.ReplaceAll(tt.typed, "\r", "\n")
					return NewConsole(strings.NewReader(piped), io.Discard).Line(t.Context(), "?")
				},
			} {
				person, program, err := pty.Open()
				if err != nil {
					t.Fatal(err)
				}
				go func() { _, _ = io.Copy(io.Discard, person) }() // what the terminal shows
				asked := ""
				got, err := ask(program, quick(func(text string) {
					if asked += text; asked == "?" {
						_, _ = person.WriteString(tt.typed)
					}
				}))
				var refusal *intake.Error
				if errors.As(err, &refusal) {
					got, err = refused, nil
				}
				if got != tt.want || err != nil {
					t.Errorf("%s takes it for %q, %v", face, got, err)
				}
				_ = person.Close()
				_ = program.Close()
			}
		})
	}
}

func TestGivingUpIsHeardInAPasteThatNeverEnds(t *testing.T) {
	for name, key := range map[string]string{"ctrl+c": "\x03", "ctrl+d": "\x04"} {
		pasted := map[string]string{"ctrl+c": "demo", "ctrl+d": ""}[name] // behind text, ctrl+d is for a letter
		person, asker := newTerminal(t)
		got := begin(func() (string, error) { return asker.Line(t.Context(), "Who? ") })
		person.sees("Who? ")
		person.types(intake.PasteBegin + pasted + key)
		if reply := <-got; !errors.Is(reply.err, context.Canceled) {
			t.Errorf("%s: %+v", name, reply)
		}
	}
}

func TestASecretOnStandardInputIsOneLineOfUTF8(t *testing.T) {
	for input, want := range map[string]string{
		"\ufeffdemo\r\n":  "demo",
		"demo\nmore\n":    refused,
		"p\xe4ss\n":       refused,
		"\xff\xfed\x00":   refused,
		"de\x00mo\n":      refused,
		" demo \n":        " demo ",
		"p\u00e4ss\u00a0": "p\u00e4ss\u00a0",
	} {
		got, err := ReadSecret(t.Context(), strings.NewReader(input), "password", "")
		text := got.Reveal()
		var refusal *intake.Error
		if errors.As(err, &refusal) {
			text = refused
		}
		if text != want {
			t.Errorf("%q is taken for %q, %v", input, text, err)
		}
	}
}
