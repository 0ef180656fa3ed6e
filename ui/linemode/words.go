package linemode

import (
	"errors"
	"fmt"
	"iter"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/tidwall/gjson"

	"gatehouse/internal/human"
	"gatehouse/internal/safetext"
	"gatehouse/internal/secret"
)

// line makes one safe line from text from outside.
func line(text string) string { return safetext.Line(text) }

// clip is line with a limit, for text that may be too long to listen to.
func clip(text string, limit int) string {
	const widest = 2 // maximum cells of one character
	if safetext.Width(safetext.Clip(text, limit+widest)) <= limit {
		return safetext.Line(text)
	}
	return strings.TrimSuffix(safetext.Clip(text, limit), "…") + ", and more"
}

// sentence adds a full stop, unless the text already ends with punctuation.
func sentence(text string) string {
	if last, _ := utf8.DecodeLastRuneInString(text); strings.ContainsRune(".!?:", last) {
		return text
	}
	return text + "."
}

// moment writes a date and time.
func moment(t time.Time) string { return t.Local().Format("2 January 2006 at 15:04:05") }

// relative writes the time from now: "in 4 minutes", "2 hours ago".
func relative(t, now time.Time) string {
	switch d := t.Sub(now).Truncate(time.Second); {
	case d > 0:
		return "in " + human.InWords(d)
	case d < 0:
		return human.InWords(-d) + " ago"
	}
	return "just now"
}

// size writes a number of bytes.
func size(bytes int64) string {
	if bytes < 1000 {
		return fmt.Sprintf("%d bytes", bytes)
	}
	return human.Bytes(bytes)
}

const (
	linesPerPage = 30   // said before asking whether to continue
	maxValue     = 1000 // cells of a value; longer ones can be exported
	maxDepth     = 64   // levels of nested objects and arrays
)

// read says lines, and after every linesPerPage of them asks whether to continue.
func (c *conversation) read(lines iter.Seq[string]) error {
	next, stop := iter.Pull(lines)
	defer stop()
	said := 0
	for text, ok := next(); ok; text, ok = next() {
		if said == linesPerPage {
			said = 0
			if err := c.askForMore(); errors.Is(err, errBack) {
				return nil
			} else if err != nil {
				return err
			}
		}
		c.say("%s", text)
		said++
	}
	return nil
}

func (c *conversation) askForMore() error {
	_, err := c.ask(question{text: "There is more. Type next to hear it, or back", help: []string{"Type next, or an empty line, to hear more."}})
	return err
}

// valuesOf yields each value of a JSON document as a line after the names that lead to it:
// "ShareDefault.Owner: ada@harbor.example." Elements of arrays count from 1. Masked
// secrets are "hidden".
func valuesOf(document []byte) iter.Seq[string] {
	return valuesAs(document, func(_ string, value gjson.Result) string { return words(value) })
}

// valuesAs is valuesOf with scalar values as say writes them; path has the names that lead
// to one.
func valuesAs(document []byte, say func(path string, value gjson.Result) string) iter.Seq[string] {
	return func(yield func(string) bool) {
		walk("", gjson.ParseBytes(document), 0, say, yield)
	}
}

// walk yields a value, or the values inside it. It returns false when yield did.
func walk(path string, value gjson.Result, depth int, say func(string, gjson.Result) string, yield func(string) bool) bool {
	if depth == maxDepth || !value.IsObject() && !value.IsArray() {
		return yield(field(path, say(path, value)))
	}
	more, elements := true, 0
	value.ForEach(func(key, element gjson.Result) bool {
		elements++
		name := key.String()
		if value.IsArray() {
			name = strconv.Itoa(elements)
		}
		if path != "" {
			name = path + "." + name
		}
		more = walk(name, element, depth+1, say, yield)
		return more
	})
	switch {
	case elements > 0:
		return more
	case value.IsArray():
		return yield(field(path, "an empty list"))
	default:
		return yield(field(path, "an empty object"))
	}
}

func field(path, text string) string {
	text = clip(text, maxValue)
	if path == "" {
		return sentence(text)
	}
	return sentence(clip(path, maxValue) + ": " + text)
}

// words writes a scalar value. Numbers keep the digits that were sent.
func words(value gjson.Result) string {
	switch {
	case value.Type == gjson.Null:
		return "nothing"
	case value.Type != gjson.String:
		return value.Raw
	case value.Str == "":
		return "empty"
	case value.Str == secret.Mask:
		return "hidden"
	default:
		return value.Str
	}
}
