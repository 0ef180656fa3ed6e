//go:build unix

package prompt

import (
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/creack/pty"

	"gatehouse/internal/text/intake"
	"gatehouse/internal/text/secret"
)

// typedCases are what a person types at a question, and the answer; refused is one that is not taken.
var typedCases = map[string]struct{ typed, want string }{
	"letters":                          {"p\u00e4ss \u65e5\r", "p\u00e4ss \u65e5"},
	"a byte-order mark":                {"\ufeffdemo\r", "demo"},
	"a paste":                          {intake.PasteBegin + "demo" + intake.PasteEnd + "\r", "demo"},
	"a paste with its line end":        {intake.PasteBegin + "demo\r" + intake.PasteEnd, "demo"},
	"an end of a paste that was begun": {intake.PasteEnd + "demo\r", "demo"},
	"a letter of a terminal for Latin": {"p\xe4ss\r", refused},
	"such a letter in a paste":         {intake.PasteBegin + "p\xe4ss" + intake.PasteEnd + "\r", refused},
	"such a letter at the end":         {"pass\xe4\r", refused},
	"half of a letter":                 {"pass\xe6\x97\r", refused},
}

const refused = "\x00refused"

// pastedLines are pastes with the end of a line inside, which no secret has.
var pastedLines = map[string]string{
	"a paste of two lines":             intake.PasteBegin + "demo\rmore" + intake.PasteEnd + "\r",
	"with a line end behind them":      intake.PasteBegin + "demo\rmore\r" + intake.PasteEnd,
	"of Windows":                       intake.PasteBegin + "demo\r\nmore" + intake.PasteEnd + "\r",
	"a line behind what was typed":     "de" + intake.PasteBegin + "mo\rmore" + intake.PasteEnd + "\r",
	"two lines of a paste without end": intake.PasteBegin + "demo\rmore\r",
}

// ask asks a person who types something once they see the question.
type ask func(program *os.File, out io.Writer, typed string) (string, error)

// lineFaces ask for a line, and secretFaces for a secret.
var (
	lineFaces = map[string]ask{
		"an editor's line": func(program *os.File, out io.Writer, _ string) (string, error) {
			return (&Editor{out: out, terminal: program}).Line(context.Background(), "?")
		},
		"a console's line": func(program *os.File, out io.Writer, _ string) (string, error) {
			return NewConsole(program, out).Line(context.Background(), "?")
		},
		"lines of a pipe": func(_ *os.File, _ io.Writer, typed string) (string, error) {
			piped := strings.ReplaceAll(typed, "\r", "\n")
			return NewConsole(strings.NewReader(piped), io.Discard).Line(context.Background(), "?")
		},
	}
	secretFaces = map[string]ask{
		"an editor's secret": func(program *os.File, out io.Writer, _ string) (string, error) {
			return revealed((&Editor{out: out, terminal: program}).Secret(context.Background(), "?"))
		},
		"a console's secret": func(program *os.File, out io.Writer, _ string) (string, error) {
			return revealed(NewConsole(program, out).Secret(context.Background(), "?"))
		},
		"a channel's secret": func(_ *os.File, _ io.Writer, typed string) (string, error) {
			return revealed(Channel(strings.NewReader(typed), io.Discard, 80, 24).Secret(context.Background(), "?"))
		},
	}
)

func revealed(text secret.Text, err error) (string, error) { return text.Reveal(), err }

// answer is what a face takes for the answer.
func (a ask) answer(t *testing.T, typed string) (string, error) {
	t.Helper()
	person, program, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer person.Close()
	defer program.Close()
	go func() { _, _ = io.Copy(io.Discard, person) }() // what the terminal shows
	answer := sync.OnceFunc(func() { _, _ = person.WriteString(typed) })
	got, err := a(program, quick(func(text string) {
		if strings.Contains(text, "?") {
			answer()
		}
	}), typed)
	var refusal *intake.Error
	if errors.As(err, &refusal) {
		return refused, nil
	}
	return got, err
}

func TestWhatIsTypedAtAQuestionIsUTF8OrRefused(t *testing.T) {
	for name, tt := range typedCases {
		t.Run(name, func(t *testing.T) {
			for _, faces := range []map[string]ask{lineFaces, secretFaces} {
				for face, asks := range faces {
					if got, err := asks.answer(t, tt.typed); got != tt.want || err != nil {
						t.Errorf("%s takes it for %q, %v", face, got, err)
					}
				}
			}
		})
	}
}

func TestAPasteOfSeveralLinesIsRefusedAsASecret(t *testing.T) {
	for name, typed := range pastedLines {
		t.Run(name, func(t *testing.T) {
			for face, asks := range secretFaces {
				if got, err := asks.answer(t, typed); got != refused || err != nil {
					t.Errorf("%s takes it for %q, %v", face, got, err)
				}
			}
		})
	}
}

func TestCommandsPastedAtOnceStaySeveral(t *testing.T) {
	for face, asks := range lineFaces {
		got, err := asks.answer(t, intake.PasteBegin+"domains\rshares\r"+intake.PasteEnd)
		if got != "domains" || err != nil {
			t.Errorf("%s takes it for %q, %v", face, got, err)
		}
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
