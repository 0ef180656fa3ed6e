// Package shell reads and writes command lines: it splits a line that somebody sent into words, and
// writes lines that people copy into their own shell.
package shell

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Shell is a family of shells that read a line in the same way.
type Shell string

// The shells.
const (
	POSIX      Shell = "sh" // bash, zsh, dash and others
	Cmd        Shell = "cmd"
	PowerShell Shell = "powershell"
)

// Names returns the names of all shells.
func Names() []string { return []string{string(POSIX), string(Cmd), string(PowerShell)} }

// Join writes a command so that the shell passes exactly these words to a program. Only double
// quotes can be lost: PowerShell before 7.3 drops them.
func (s Shell) Join(words ...string) string {
	quoted := make([]string, len(words))
	for i, word := range words {
		quoted[i] = s.quote(word)
	}
	return strings.Join(quoted, " ")
}

// quote writes a word of a command, in quotes if need be.
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

// Script writes lines that set environment variables, in the order of their names. For cmd they
// must be in a batch file, where a percent sign is doubled.
func (s Shell) Script(variables map[string]string) string {
	var lines strings.Builder
	values := slices.Collect(maps.Values(variables))
	if s == Cmd && slices.ContainsFunc(values, hasNonASCII) {
		// cmd reads a file in the code page of its window; 65001 is UTF-8.
		lines.WriteString("@chcp 65001 >nul\r\n")
	}
	for _, name := range slices.Sorted(maps.Keys(variables)) {
		lines.WriteString(s.assignment(name, variables[name]))
	}
	return lines.String()
}

// assignment writes a line that sets a variable.
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

// hasNonASCII reports whether a text has characters beyond ASCII, on which the code pages of
// Windows disagree.
func hasNonASCII(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return r >= utf8.RuneSelf })
}

// isSpecialIn returns a function that reports whether a word with a character needs quotes. ASCII
// letters, digits and the plain characters need none.
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

// posixText writes a text in single quotes, where nothing but a single quote is special.
func posixText(text string) string {
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

// isPlainInPowerShell reports whether PowerShell takes a word as it is. It splits a flag at a colon
// or a dot, and reads a variable after an @ at the beginning.
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

// powerShellArgument writes a word as an argument. It is in parentheses if [powerShellText] makes
// an expression of it.
func powerShellArgument(word string) string {
	text := powerShellText(word)
	if hasNonASCII(word) {
		return "(" + text + ")"
	}
	return text
}

// powerShellText writes a text in single quotes, where nothing but a single quote is special. It
// writes characters beyond ASCII by their numbers, which makes an expression: some of them are
// quotes too, and others may not be in the code page of the window.
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

// specialOutsideQuotes has the characters that cmd does not take as they are outside double quotes.
const specialOutsideQuotes = `&|<>^()`

// cmdValue writes a value inside the double quotes of `set "NAME=value"` in a file. The command set
// takes everything up to the last quote of the line. But before that, cmd reads each quote in the
// value as the beginning or end of quoting.
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

// cmdArgument writes a word for cmd, which passes it on, and for the program on Windows, which
// splits its own command line. Carets keep cmd from reading special characters and quotes.
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

// windowsArgument writes a word in double quotes for programs on Windows: they read two backslashes
// before a quote as one, and a backslash and a quote as a quote.
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
