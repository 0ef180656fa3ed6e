// Package shell reads and writes command lines: the words of a line that somebody sent, and lines
// that people copy into the shell that they use.
package shell

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Shell is a family of shells that read a line alike.
type Shell string

// The shells.
const (
	POSIX      Shell = "sh" // bash, zsh, dash and others
	Cmd        Shell = "cmd"
	PowerShell Shell = "powershell"
)

// Names are the names of all shells.
func Names() []string { return []string{string(POSIX), string(Cmd), string(PowerShell)} }

// Join writes the words of a command so that the shell gives the same words to a program. Only double
// quotes can be lost: PowerShell before 7.3 drops them from what it gives to programs.
func (s Shell) Join(words ...string) string {
	quoted := make([]string, len(words))
	for i, word := range words {
		quoted[i] = s.quote(word)
	}
	return strings.Join(quoted, " ")
}

func (s Shell) quote(word string) string {
	switch s {
	case Cmd:
		return cmdArgument(word)
	case PowerShell:
		if isPlainInPowerShell(word) {
			return word
		}
		return powerShellArgument(word)
	default:
		if word != "" && !strings.ContainsFunc(word, isSpecialInPOSIX) {
			return word
		}
		return posixText(word)
	}
}

// Script writes lines that set variables of the environment, in the order of their names. cmd reads
// them from a file, where `%` stands for itself only if it is doubled.
func (s Shell) Script(variables map[string]string) string {
	var lines strings.Builder
	if s == Cmd && slices.ContainsFunc(slices.Collect(maps.Values(variables)), isForeign) {
		lines.WriteString("@chcp 65001 >nul\r\n") // cmd reads a file in the code page of its window
	}
	for _, name := range slices.Sorted(maps.Keys(variables)) {
		lines.WriteString(s.assignment(name, variables[name]))
	}
	return lines.String()
}

func (s Shell) assignment(name, value string) string {
	switch s {
	case Cmd:
		return fmt.Sprintf("@set \"%s=%s\"\r\n", name, cmdValue(value))
	case PowerShell:
		return fmt.Sprintf("$env:%s = %s\n", name, powerShellText(value))
	default:
		return fmt.Sprintf("export %s=%s\n", name, posixText(value))
	}
}

// isForeign reports whether a text has characters that not every code page of Windows has at the
// same place.
func isForeign(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return r >= utf8.RuneSelf })
}

// isSpecialIn returns a function that reports whether a word needs quotes because of a character:
// of ASCII, all do but letters, digits and the plain ones.
func isSpecialIn(plain string) func(rune) bool {
	return func(r rune) bool {
		isWord := 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
		return !isWord && !strings.ContainsRune(plain, r)
	}
}

var (
	isSpecialInPOSIX      = isSpecialIn("@%+=:,./_-")
	isSpecialInPowerShell = isSpecialIn(`@+=:./\_-`)
	isSpecialInFlag       = isSpecialIn("_-")
	isSpecialInCmd        = isSpecialIn(`@+:./\_-`)
)

// posixText is a text in single quotes, where nothing but a single quote is special.
func posixText(text string) string {
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

// isPlainInPowerShell reports whether PowerShell takes a word as it is. It divides a flag at a colon
// or a dot, and an @ in front names a variable.
func isPlainInPowerShell(word string) bool {
	switch {
	case word == "", word[0] == '@':
		return false
	case word[0] == '-':
		return !strings.ContainsFunc(word, isSpecialInFlag)
	default:
		return !strings.ContainsFunc(word, isSpecialInPowerShell)
	}
}

// powerShellArgument is powerShellText as an argument, where an expression stands in parentheses.
func powerShellArgument(word string) string {
	text := powerShellText(word)
	if isForeign(word) {
		return "(" + text + ")"
	}
	return text
}

// powerShellText is a text in single quotes, where nothing but a single quote is special. Characters
// beyond ASCII are written as their numbers: some of them are quotes too, and the code page of the
// window may lack others.
func powerShellText(text string) string {
	var out strings.Builder
	out.WriteByte('\'')
	for _, r := range text {
		switch {
		case r == '\'':
			out.WriteString("''")
		case r < utf8.RuneSelf:
			out.WriteRune(r)
		default:
			for _, unit := range utf16.Encode([]rune{r}) {
				fmt.Fprintf(&out, "'+[char]0x%04X+'", unit)
			}
		}
	}
	out.WriteByte('\'')
	return out.String()
}

// specialOutsideQuotes are the characters that mean something to cmd outside double quotes.
const specialOutsideQuotes = `&|<>^()`

// cmdValue is a value inside the double quotes of `set "NAME=value"` in a file. set takes all up to
// the last quote of the line; a quote in the value ends the quoting for cmd all the same, or begins it.
func cmdValue(value string) string {
	var out strings.Builder
	quoted := true
	for _, r := range value {
		switch {
		case r == '"':
			quoted = !quoted
		case r == '%':
			out.WriteByte('%')
		case !quoted && strings.ContainsRune(specialOutsideQuotes, r):
			out.WriteByte('^')
		}
		out.WriteRune(r)
	}
	return out.String()
}

// cmdArgument is a word as cmd passes it on and as programs on Windows take their command line
// apart. A caret before each special character, and before each quote, keeps cmd from reading any.
func cmdArgument(word string) string {
	if word != "" && !strings.ContainsFunc(word, isSpecialInCmd) {
		return word
	}
	argument := windowsArgument(word)
	if !strings.ContainsAny(word, `"%!`) {
		return argument
	}
	var out strings.Builder
	for _, r := range argument {
		if strings.ContainsRune(specialOutsideQuotes+`"%!`, r) {
			out.WriteByte('^')
		}
		out.WriteRune(r)
	}
	return out.String()
}

// windowsArgument is a word in double quotes, for programs on Windows: a backslash before a quote
// is doubled, and a quote gets one.
func windowsArgument(word string) string {
	var out strings.Builder
	out.WriteByte('"')
	backslashes := 0
	for _, r := range word {
		switch r {
		case '\\':
			backslashes++
		case '"':
			out.WriteString(strings.Repeat(`\`, backslashes+1))
			backslashes = 0
		default:
			backslashes = 0
		}
		out.WriteRune(r)
	}
	out.WriteString(strings.Repeat(`\`, backslashes))
	out.WriteByte('"')
	return out.String()
}
