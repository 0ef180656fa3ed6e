package testkit

import (
	"encoding/base64"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// sequences is the closed list of what the program sends to a terminal beside text;
// each expression matches one whole sequence.
var sequences = []*regexp.Regexp{
	// Cursor addressing: absolute, relative, column, line; tabs, back spaces and
	// returns are [moves], and stops of tabs are where they always are.
	regexp.MustCompile(`^\x1b\[(\d+(;\d+)?)?H$`), regexp.MustCompile(`^\x1b\[\d*[ABCDGdIZ]$`), regexp.MustCompile(`^\x1b\[\?5W$`), regexp.MustCompile(`^\x1b\[\d*` + "`" + `$`),
	// Erasing, inserting and deleting lines and characters, repeating one.
	regexp.MustCompile(`^\x1b\[[0-2]?[JK]$`), regexp.MustCompile(`^\x1b\[\d*[X@PLMb]$`),
	// Scrolling: a region, and the lines in it.
	regexp.MustCompile(`^\x1b\[(\d*;\d*)?r$`), regexp.MustCompile(`^\x1b\[\d*[ST]$`), regexp.MustCompile(`^\x1bM$`),
	// Modes: cursor, alternate screen, mouse, bracketed paste, synchronized output,
	// grapheme clusters, wrapping at the margin; and whether there are the last two.
	regexp.MustCompile(`^\x1b\[\?(7|25|1000|1002|1003|1006|1049|2004|2026|2027)(;(1002|1003|1006))*[hl]$`), regexp.MustCompile(`^\x1b\[\?(2026|2027)\$p$`),
	// The shape of the cursor, and what keys send.
	regexp.MustCompile(`^\x1b\[[0-6]? q$`), regexp.MustCompile(`^\x1b\[>4(;[012])?m$`), regexp.MustCompile(`^\x1b\[(>[0-9]*|<[0-9]*|=[0-9]+(;[123])?|\?)u$`),
	// Keeping the title of the window.
	regexp.MustCompile(`^\x1b\[2[23];2t$`),
	// Asking for the colour of the background.
	regexp.MustCompile(`^\x1b\]11;\?(\x07|\x1b\\)$`),
}

var (
	style = regexp.MustCompile(`^\x1b\[([0-9;:]*)m$`)
	title = regexp.MustCompile(`(?s)^\x1b\]2;(.*)(\x07|\x1b\\)$`)
	// link begins or ends a hyperlink (OSC 8), to a web or mail address alone.
	link      = regexp.MustCompile(`^\x1b\]8;;((https?://|mailto:)[!-~]+)?(\x07|\x1b\\)$`)
	clipboard = regexp.MustCompile(`(?s)^\x1b\]52;c;(.*)(\x07|\x1b\\)$`)
)

// moves are the control characters by which a program moves the cursor.
const moves = "\r\n\b\t"

// CheckStream reports the first thing in what a program sent to a terminal that it
// never sends itself: a sequence that is not on the list, a control character, a
// byte that is not UTF-8, or a character that hides or reorders text.
func CheckStream(stream string) error {
	return check(stream, moves, func(sequence string) error {
		for _, known := range sequences {
			if known.MatchString(sequence) {
				return nil
			}
		}
		if found := title.FindStringSubmatch(sequence); found != nil {
			return CheckText(found[1])
		}
		if found := clipboard.FindStringSubmatch(sequence); found != nil {
			_, err := base64.StdEncoding.DecodeString(found[1])
			return err
		}
		return checkStyle(sequence)
	})
}

// CheckFrame is [CheckStream] for drawn lines: text, newlines, styles of text and links.
func CheckFrame(frame string) error { return check(frame, "\n", checkStyle) }

// CheckText is [CheckStream] for text without any sequence, of one line.
func CheckText(text string) error { return check(text, "", refuse) }

// CheckLines is [CheckText] for lines.
func CheckLines(text string) error { return check(text, "\n", refuse) }

func refuse(string) error { return fmt.Errorf("there is a sequence in it") }

// check looks at text between sequences itself, where the controls are allowed, and
// has the sequences looked at.
func check(stream, controls string, sequence func(string) error) error {
	for at := 0; at < len(stream); {
		if stream[at] == '\x1b' {
			found := firstSequence(stream[at:])
			if err := sequence(found); err != nil {
				return fmt.Errorf("%q at byte %d: %w", found, at, err)
			}
			at += len(found)
			continue
		}
		r, size := utf8.DecodeRuneInString(stream[at:])
		switch {
		case r == utf8.RuneError && size == 1:
			return fmt.Errorf("byte %#x at byte %d of %q", stream[at], at, around(stream, at))
		case r < ' ' && strings.ContainsRune(controls, r):
		case isHarmful(r) && !inFlag(stream, at, r):
			return fmt.Errorf("%U at byte %d of %q", r, at, around(stream, at))
		}
		at += size
	}
	return nil
}

func around(stream string, at int) string { return stream[max(at-40, 0):min(at+40, len(stream))] }

// isHarmful reports whether no text may have a character, written down once more
// from the Unicode categories: controls, formats, separators of lines, what shows as
// nothing, what is no character. Joiners and marks of direction are letters' own.
func isHarmful(r rune) bool {
	switch r {
	case '\u200c', '\u200d', '\u200e', '\u200f', '\u061c':
		return false
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Cs, unicode.Zl, unicode.Zp,
		unicode.Other_Default_Ignorable_Code_Point, unicode.Noncharacter_Code_Point)
}

// inFlag reports whether a tag character belongs to the flag of a region.
func inFlag(stream string, at int, r rune) bool {
	flag := strings.LastIndex(stream[:at], "\U0001f3f4")
	if r < 0xe0030 || r > 0xe007f || flag < 0 || at-flag > 8*utf8.UTFMax {
		return false
	}
	return !strings.ContainsFunc(stream[flag+utf8.UTFMax:at], func(r rune) bool { return r < 0xe0030 || r > 0xe007a })
}

// firstSequence is the escape sequence that a stream begins with, cut off where it
// ends too early.
func firstSequence(stream string) string {
	if len(stream) == 1 {
		return stream
	}
	switch stream[1] {
	case '[':
		for i := 2; i < len(stream); i++ {
			if stream[i] < 0x20 || stream[i] > 0x3f {
				return stream[:i+1]
			}
		}
	case ']', 'P', 'X', '^', '_':
		for i := 2; i < len(stream); i++ {
			switch {
			case stream[i] == '\a':
				return stream[:i+1]
			case stream[i] == '\x1b':
				return stream[:min(i+2, len(stream))]
			}
		}
	default:
		return stream[:2]
	}
	return stream
}

// checkStyle wants a sequence that only says how text looks: no blinking, which
// nobody can read, and no hiding; or that a text is a link.
func checkStyle(sequence string) error {
	found := style.FindStringSubmatch(sequence)
	if link.MatchString(sequence) {
		return nil
	}
	if found == nil {
		return fmt.Errorf("the program never sends it")
	}
	parameters := strings.FieldsFunc(found[1], func(r rune) bool { return r == ';' || r == ':' })
	for i := 0; i < len(parameters); i++ {
		n, err := strconv.Atoi(parameters[i])
		switch {
		case err != nil:
			return err
		case n == 38, n == 48, n == 58:
			return nil // a colour takes the rest, in one of several forms
		case n <= 4, n == 7, n == 9, 22 <= n && n <= 49, n == 59, 90 <= n && n <= 107:
		default:
			return fmt.Errorf("no style of the program has %d", n)
		}
	}
	return nil
}
