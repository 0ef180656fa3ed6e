// Package problem turns errors into sentences for people: what was tried, what came back,
// and what to do next. The command line and the UI show errors only through it.
package problem

import (
	"context"
	"errors"
	"strings"
	"unicode"
	"unicode/utf8"

	"gatehouse/internal/safetext"
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

// Face is the part of the program that shows a problem. The hints differ.
type Face uint8

// The faces of the program.
const (
	CommandLine Face = iota // hints name commands, flags and variables
	Screen                  // hints name what the UI offers
)

// Error is an error that is its own [Problem], for errors of a single command or screen.
type Error struct{ Problem }

// Error implements error.
func (e *Error) Error() string { return e.Sentence }

// BadUsage returns the error for a wrong call: what is wrong, and how to call it instead.
func BadUsage(sentence, hint string) error {
	return &Error{Problem{Kind: Usage, Sentence: sentence, Hint: hint}}
}

// Describe turns any error into a [Problem]. Neither its sentence nor its hint ever has a
// secret, a Go type or a control character; the text of an unknown error is not shown at
// all.
func Describe(err error, face Face) Problem {
	p := describe(err)
	problem := Problem{Kind: p.kind, Sentence: Sentence(p.text), Hint: p.hint}
	if face == Screen && p.onScreen != "" {
		problem.Hint = p.onScreen
	}
	return problem
}

// description is the result of the describers below.
type description struct {
	kind     Kind
	text     string // any case, no full stop
	hint     string
	onScreen string // replaces hint on a screen, if set
}

// describe tries the describers in order: an outer error that says more (a session that
// ended) before the inner one that caused it (a token that was refused).
func describe(err error) description {
	for _, try := range [...]func(error) (description, bool){
		describeOwn,
		describeCancelled,
		describeSession,
		describeVault,
		describeConfig,
		describeDeviceLogin,
		describeRefusal,
		describeAnswer,
		describeList,
		describeTransport,
		describeExport,
		describeFile,
		describeDeadline,
	} {
		if p, ok := try(err); ok {
			return p
		}
	}
	return description{
		text: "an unexpected error occurred",
		hint: "Try again. If it happens again, run with GATEHOUSE_LOG_FILE set to a file and send that file with your report.",
	}
}

func describeOwn(err error) (description, bool) {
	own, ok := errors.AsType[*Error](err)
	if !ok {
		return description{}, false
	}
	return description{kind: own.Kind, text: own.Sentence, hint: own.Hint}, true
}

func describeCancelled(err error) (description, bool) {
	return description{kind: Cancelled, text: "cancelled"}, errors.Is(err, context.Canceled)
}

// describeDeadline is about what nobody waits for any longer, and no error says more: as a
// request that a renewal of the session kept waiting, which goes on.
func describeDeadline(err error) (description, bool) {
	return description{
		text: "it took too long, and was given up",
		hint: "Try again in a minute. If the session was being renewed meanwhile, that goes on.",
	}, errors.Is(err, context.DeadlineExceeded)
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
