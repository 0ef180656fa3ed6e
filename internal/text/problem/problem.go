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
	Kind Kind
	// Sentence says what was tried, where, and what came back: one line, safe on a terminal.
	Sentence string
	// Hint says what to do next, or is "".
	Hint string
}

// Kind is a kind of problem, by what the program does about it.
type Kind uint8

// The kinds of problems. Failed is the zero Kind.
const (
	Failed    Kind = iota // it was tried and did not work
	Usage                 // the call or the configuration is wrong
	SignIn                // nothing but signing in helps
	Cancelled             // a person or a signal ended it
)

// Face is a part of the program that shows problems, such as the command line or the UI.
type Face struct {
	// Stays is set for a screen, which goes on after a problem.
	Stays bool
	// Words has a sentence for each [Help], which names the commands or keys of this face.
	Words map[Help]string
}

// Error is an error that has the words of its [Problem], for errors of a single command or screen.
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

// NeedsSignIn returns the error for what nothing but signing in helps with.
func NeedsSignIn(sentence, hint string) error {
	return &Error{Problem{Kind: SignIn, Sentence: sentence, Hint: hint}}
}

// Explanation is what an error tells people. It names no command, flag or key, as each face has
// others: these come from Help.
type Explanation struct {
	Kind Kind
	// Text says what failed and how. It needs no capital letter and no full stop.
	Text string
	// Hint says what to do next, in sentences.
	Hint string
	// OnScreen, unless it is "", is said instead of Hint by a face that stays.
	OnScreen string
	// Help is what helps. The words of the face for it follow the hint.
	Help Help
}

// Explainer is an error that explains itself. The outermost one in a chain of errors counts,
// because it knows the most: that a session has ended says more than that a token was refused.
type Explainer interface {
	error
	Explain() Explanation
}

// Explain returns the words of the problem.
func (e *Error) Explain() Explanation {
	return Explanation{Kind: e.Kind, Text: e.Sentence, Hint: e.Hint}
}

// Describe returns the [Problem] of any error, in the words of a face. It has no secret, no Go type
// and no control character: of an unknown error it does not show the text.
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

// SentenceOf returns the sentence of an error, without what to do next.
func SentenceOf(err error) string { return Sentence(Explain(err).Text) }

// Explain explains any error.
func Explain(err error) Explanation {
	if errors.Is(err, context.Canceled) {
		return Explanation{Kind: Cancelled, Text: "cancelled"}
	}
	if own, ok := errors.AsType[*Error](err); ok { // even inside another error that explains itself
		return own.Explain()
	}
	if explainer, ok := errors.AsType[Explainer](err); ok {
		return explainer.Explain()
	}
	path, isPath := errors.AsType[*fs.PathError](err)
	number, isNumber := errors.AsType[syscall.Errno](err)
	switch {
	case isPath && isNumber:
		return Explanation{Text: "could not " + path.Op + " " + path.Path + ": " + number.Error()}
	case isNumber:
		return Explanation{Text: "the system refused: " + number.Error()}
	case errors.Is(err, context.DeadlineExceeded): // a request has waited too long for a renewal
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

// Sentence returns a text as a sentence in one line that is safe on a terminal and not too long. It
// begins with a capital letter, unless it begins with a path or host, and ends with a full stop.
func Sentence(text string) string {
	text = safetext.Clip(strings.TrimSpace(text), maxSentence)
	if text == "" {
		return ""
	}
	word, _, _ := strings.Cut(text, " ")
	isPathOrHost := strings.ContainsAny(word, `/\.`)
	if !isPathOrHost {
		first, size := utf8.DecodeRuneInString(text)
		text = string(unicode.ToUpper(first)) + text[size:]
	}
	last, _ := utf8.DecodeLastRuneInString(text)
	if hasEnd := strings.ContainsRune(".!?…", last); !hasEnd {
		text += "."
	}
	return text
}
