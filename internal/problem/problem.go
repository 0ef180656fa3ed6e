// Package problem puts the errors of the program into words for people: what
// was tried and what came back, and what to do next. The command line and the
// UI both show errors through it alone.
package problem

import (
	"context"
	"errors"
	"strings"
	"unicode"
	"unicode/utf8"

	"gatehouse/internal/safetext"
)

// Problem is an error in words.
type Problem struct {
	// Kind says what sort of help it needs.
	Kind Kind
	// Sentence says what was being done, to which host, and what came back: one
	// line, safe on a terminal.
	Sentence string
	// Hint says what to do next, "" where there is nothing to say.
	Hint string
}

// Kind is the sort of a problem, by what helps.
type Kind uint8

// The kinds of problems. Failed is the zero Kind.
const (
	Failed    Kind = iota // it was tried and did not work
	Usage                 // the call or the configuration is wrong
	SignIn                // only signing in helps
	Cancelled             // the person or a signal ended it
)

// Face is the part of the program that shows a problem; the hints differ.
type Face uint8

// The faces of the program.
const (
	CommandLine Face = iota // hints name commands, flags and variables
	Screen                  // hints name what the UI offers
)

// Error is an error that is its own [Problem], for those that only one command
// or screen can have.
type Error struct{ Problem }

// Error implements error.
func (e *Error) Error() string { return e.Sentence }

// Describe puts any error into words. Whatever the error holds, neither the
// sentence nor the hint has a secret, a Go type or a control character; of an
// error that the program does not know, not even the text is shown.
func Describe(err error, face Face) Problem {
	p := describe(err)
	said := Problem{Kind: p.kind, Sentence: Sentence(p.text), Hint: p.hint}
	if face == Screen && p.onScreen != "" {
		said.Hint = p.onScreen
	}
	return said
}

// description is what the describers below return.
type description struct {
	kind     Kind
	text     string // any case, no full stop
	hint     string
	onScreen string // in the place of hint on a screen, if it differs
}

// describers are asked in this order: an outer error that knows more (a session
// that ended) before the inner one that caused it (a token that was refused).
var describers = [...]func(error) (description, bool){
	describeOwn,
	describeCancelled,
	describeSession,
	describeVault,
	describeConfig,
	describeDeviceLogin,
	describeRefusal,
	describeAnswer,
	describeTransport,
	describeExport,
	describeFile,
}

func describe(err error) description {
	for _, try := range describers {
		if p, ok := try(err); ok {
			return p
		}
	}
	return description{
		text: "something went wrong that the program has no words for",
		hint: "Try again. If it stays, run with GATEHOUSE_LOG_FILE set to a file and send that file to whoever looks after the program.",
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

// longestSentence is how many cells a sentence may take.
const longestSentence = 400

// Sentence makes one safe line out of a text: capital letter unless it begins
// with a name that has none, full stop, cut where it gets too long.
func Sentence(text string) string {
	text = safetext.Clip(strings.TrimSpace(text), longestSentence)
	if text == "" {
		return ""
	}
	if word, _, _ := strings.Cut(text, " "); !strings.ContainsAny(word, `/\.`) { // no path, no host
		first, size := utf8.DecodeRuneInString(text)
		text = string(unicode.ToUpper(first)) + text[size:]
	}
	if last, _ := utf8.DecodeLastRuneInString(text); strings.ContainsRune(".!?…", last) {
		return text
	}
	return text + "."
}
