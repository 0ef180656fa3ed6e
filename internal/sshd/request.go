package sshd

import (
	"regexp"
	"slices"

	gossh "golang.org/x/crypto/ssh"
)

const (
	maxCommand = 8 << 10 // bytes of a command line

	// A screen of these bounds is larger than any that exists. What a cell takes is
	// paid by the server, so it is not the visitor who says how many there are.
	maxWidth, maxHeight         = 640, 200
	defaultWidth, defaultHeight = 80, 24
)

// The payloads of the requests of a session (RFC 4254, 6).
type (
	terminalRequest struct {
		Term                      string
		Columns, Rows             uint32
		WidthPixels, HeightPixels uint32
		Modes                     string
	}
	resizeRequest struct {
		Columns, Rows             uint32
		WidthPixels, HeightPixels uint32
	}
	variableRequest struct{ Name, Value string }
	commandRequest  struct{ Command string }
)

// parse fills a payload in, and says whether it was one.
func parse(request *gossh.Request, payload any) bool {
	return gossh.Unmarshal(request.Payload, payload) == nil
}

// sizeOf keeps a size that a client named within what a terminal can have.
func sizeOf(columns, rows uint32) Size {
	return Size{Width: within(columns, defaultWidth, maxWidth), Height: within(rows, defaultHeight, maxHeight)}
}

// within is a size, or what stands for one that a client does not know.
func within(n uint32, unknown, most int) int {
	if n == 0 {
		return unknown
	}
	return int(min(n, uint32(most)))
}

// variables are what a visitor may set.
var variables = [...]string{"TERM", "LANG", "NO_COLOR", "COLORTERM"}

// plainValue is what such a variable holds: no path, no control character.
var plainValue = regexp.MustCompile(`^[A-Za-z0-9@._+-]{0,64}$`)

// unknownTerm stands for a terminal whose name is none.
const unknownTerm = "unknown"

// environment keeps what may be set of the variables that a visitor sends.
type environment map[string]string

func (e environment) set(name, value string) bool {
	if !slices.Contains(variables[:], name) || !plainValue.MatchString(value) {
		return false
	}
	e[name] = value
	return true
}

// setTerm takes the name of the terminal. It is looked up in files by some, so it
// is none that could lead elsewhere.
func (e environment) setTerm(name string) {
	if name == "" || !e.set("TERM", name) {
		e["TERM"] = unknownTerm
	}
}

func (e environment) list() []string {
	var list []string
	for _, name := range variables {
		if value, ok := e[name]; ok {
			list = append(list, name+"="+value)
		}
	}
	return list
}
