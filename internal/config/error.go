package config

import (
	"fmt"
	"strconv"
	"strings"

	"gatehouse/internal/secret"
)

// Origin is where a value comes from: a file, a variable or a flag. The zero
// Origin is a default.
type Origin struct {
	File     string // path
	Line     int    // in File, from 1; 0 where no line is meant
	Variable string // name of the environment variable
	Flag     string // with its dashes
}

// String gives "file /path", "variable GATEHOUSE_X", "flag --x" or "default".
func (o Origin) String() string {
	switch {
	case o.Flag != "":
		return "flag " + o.Flag
	case o.Variable != "":
		return "variable " + o.Variable
	case o.File != "":
		return "file " + o.File
	}
	return "default"
}

// position is the origin as an error names it, empty for a default.
func (o Origin) position() string {
	switch {
	case o == Origin{}:
		return ""
	case o.File == "":
		return o.String()
	case o.Line == 0:
		return o.File
	}
	return o.File + ":" + strconv.Itoa(o.Line)
}

// Error is a configuration that does not hold together. It never carries a
// secret, nor the user and query of a URL.
type Error struct {
	Origin         // of the value, or of the place where one is missing
	Key     string // as in the file; empty when the file as a whole is meant
	Value   string // as far as it may be shown
	Problem string // what is wrong; empty when Value is
	Want    string // what would be accepted
	Err     error  // the cause, where there is one
}

// Error gives one line: where, what is wrong, what would be accepted.
func (e *Error) Error() string {
	problem := e.Problem
	if problem == "" {
		problem = fmt.Sprintf("%s is %q", e.Key, e.Value)
	}
	if at := e.position(); at != "" {
		problem = at + ": " + problem
	}
	if e.Want == "" {
		return problem
	}
	return problem + "; " + e.Want
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// shown is a value as an error may carry it. What stands before an @ or after a
// ? may be a password or a token, whatever it was meant to be.
func shown(value string) string {
	if strings.Contains(value, "@") {
		return secret.Mask
	}
	if i := strings.IndexAny(value, "?#"); i >= 0 {
		value = value[:i+1] + secret.Mask
	}
	return cut(value)
}

// cut keeps a long text from flooding an error.
func cut(text string) string {
	const most = 100
	runes := 0
	for i := range text {
		if runes++; runes > most {
			return text[:i] + "…"
		}
	}
	return text
}
