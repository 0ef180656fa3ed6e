// Package problem turns errors into sentences for people: what was tried, what came back,
// and what to do next. The command line and the UI show errors only through it. Errors explain
// themselves, see [Explainer]; this package explains those of the system.
package problem

import (
	"context"
	"errors"
	"io/fs"
	"strings"
	"syscall"
	"unicode"
	"unicode/utf8"

	"gatehouse/internal/text/safetext"
)

// Problem is an error as a person reads it.
type Problem struct {
	// Kind says what kind of help is needed.
	Kind Kind
	// Sentence says what was being done, to which host, and what came back: one line,
	// safe for a terminal.
	Sentence string
	// Hint says what to do next; it may be "".
	Hint string
}

// Kind classifies problems by what helps.
type Kind uint8

// The kinds of problems. Failed is the zero Kind.
const (
	Failed    Kind = iota // it was tried and did not work
	Usage                 // the call or the configuration is wrong
	SignIn                // only signing in helps
	Cancelled             // the person or a signal ended it
)

// Face is a part of the program that shows problems. It adds its own words for what helps: the
// command line names commands, flags and variables, the UI what it offers.
type Face struct {
	// Stays is set for a screen, which goes on after a problem.
	Stays bool
	// Words are sentences for each [Help].
	Words map[Help]string
}

// Error is an error that is its own [Problem], for errors of a single command or screen.
type Error struct{ Problem }

func (e *Error) Error() string { return e.Sentence }

// BadUsage returns the error for a wrong call: what is wrong, and how to call it instead.
func BadUsage(sentence, hint string) error {
	return &Error{Problem{Kind: Usage, Sentence: sentence, Hint: hint}}
}

// New returns the error for what was tried and did not work, and what to do next.
func New(sentence, hint string) error {
	return &Error{Problem{Sentence: sentence, Hint: hint}}
}

// NeedsSignIn returns the error for what only signing in helps with.
func NeedsSignIn(sentence, hint string) error {
	return &Error{Problem{Kind: SignIn, Sentence: sentence, Hint: hint}}
}

// Explanation is what an error says of itself to people. It names no command, flag or key: a face
// adds those for Help.
type Explanation struct {
	Kind Kind
	// Text is what failed and how: any case, no full stop.
	Text string
	// Hint says what to do next, in sentences.
	Hint string
	// OnScreen replaces Hint on a face that stays, if set.
	OnScreen string
	// Help is what helps, in the words of the face; they stand behind the hint.
	Help Help
}

// Explainer is an error that explains itself. The outermost one in a chain counts, as it
// knows most: that a session has ended says more than that a token was refused.
type Explainer interface {
	error
	Explain() Explanation
}

func (e *Error) Explain() Explanation {
	return Explanation{Kind: e.Kind, Text: e.Sentence, Hint: e.Hint}
}

// Describe turns any error into a [Problem]. Neither its sentence nor its hint ever has a
// secret, a Go type or a control character; the text of an unknown error is not shown at
// all.
func Describe(err error, face Face) Problem {
	e := Explain(err)
	hint := e.Hint
	if face.Stays && e.OnScreen != "" {
		hint = e.OnScreen
	}
	return Problem{
		Kind:     e.Kind,
		Sentence: Sentence(e.Text),
		Hint:     strings.TrimSpace(hint + " " + face.Words[e.Help]),
	}
}

// SentenceOf is the sentence of an error, without what to do next.
func SentenceOf(err error) string { return Sentence(Explain(err).Text) }

// Explain explains any error.
func Explain(err error) Explanation {
	if errors.Is(err, context.Canceled) {
		return Explanation{Kind: Cancelled, Text: "cancelled"}
	}
	if own, ok := errors.AsType[*Error](err); ok { // of the command, whatever was done with it
		return own.Explain()
	}
	if own, ok := errors.AsType[Explainer](err); ok {
		return own.Explain()
	}
	path, isPath := errors.AsType[*fs.PathError](err)
	number, isNumber := errors.AsType[syscall.Errno](err)
	switch {
	case isPath && isNumber:
		return Explanation{Text: "could not " + path.Op + " " + path.Path + ": " + number.Error()}
	case isNumber:
		return Explanation{Text: "the system refused: " + number.Error()}
	case errors.Is(err, context.DeadlineExceeded): // of a request that waited for a renewal, which goes on
		return Explanation{
			Text: "it took too long and was cancelled",
			Hint: "Try again in a minute. A renewal of the session continues meanwhile.",
		}
	}
	return Explanation{
		Text: "an unexpected error occurred",
		Hint: "Try again.",
		Help: HelpLog,
	}
}

// maxSentence is the maximum width of a sentence in cells.
const maxSentence = 400

// Sentence turns a text into one line that is safe for a terminal: with a capital letter,
// unless it begins with a path or host, a full stop, and a limited length.
func Sentence(text string) string {
	text = safetext.Clip(strings.TrimSpace(text), maxSentence)
	if text == "" {
		return ""
	}
	if word, _, _ := strings.Cut(text, " "); !strings.ContainsAny(word, `/\.`) { // not a path or host
		first, size := utf8.DecodeRuneInString(text)
		text = string(unicode.ToUpper(first)) + text[size:]
	}
	if last, _ := utf8.DecodeLastRuneInString(text); strings.ContainsRune(".!?…", last) {
		return text
	}
	return text + "."
}
