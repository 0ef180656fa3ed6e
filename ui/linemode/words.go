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

	"gatehouse/internal/safetext"
	"gatehouse/internal/secret"
	"gatehouse/ui/screen"
)

// line makes a text from outside one safe line.
func line(text string) string { return safetext.Line(text) }

// clip is line for a text that may be too long to listen to.
func clip(text string, longest int) string {
	const widest = 2 // cells of one character
	if safetext.Width(safetext.Clip(text, longest+widest)) <= longest {
		return safetext.Line(text)
	}
	return strings.TrimSuffix(safetext.Clip(text, longest), "…") + ", and more"
}

// sentence ends a text with a full stop, unless it has an end of its own.
func sentence(text string) string {
	if last, _ := utf8.DecodeLastRuneInString(text); strings.ContainsRune(".!?:", last) {
		return text
	}
	return text + "."
}

// count says how many there are: "1 share", "1,200 shares".
func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return screen.Number(n) + " " + many
}

// span says how long something takes, in its two largest units: "4 minutes and
// 10 seconds".
func span(d time.Duration) string {
	rest := int(max(d, 0) / time.Second)
	for i, unit := range units {
		if rest < unit.seconds && i < len(units)-1 {
			continue
		}
		text := count(rest/unit.seconds, unit.name, unit.name+"s")
		if i == len(units)-1 {
			return text
		}
		next := units[i+1]
		if small := rest % unit.seconds / next.seconds; small > 0 {
			text += " and " + count(small, next.name, next.name+"s")
		}
		return text
	}
	return ""
}

var units = [...]struct {
	name    string
	seconds int
}{{"day", 24 * 60 * 60}, {"hour", 60 * 60}, {"minute", 60}, {"second", 1}}

// moment says when something was or will be.
func moment(t time.Time) string { return t.Local().Format("2 January 2006 at 15:04:05") }

// relative says how far off a moment is.
func relative(t, now time.Time) string {
	switch d := t.Sub(now).Truncate(time.Second); {
	case d > 0:
		return "in " + span(d)
	case d < 0:
		return span(-d) + " ago"
	}
	return "just now"
}

// size says how much something is.
func size(bytes int64) string {
	if bytes < 1000 {
		return fmt.Sprintf("%d bytes", bytes)
	}
	return screen.Bytes(bytes)
}

const (
	linesAtATime = 30   // of what is read out at length
	longestValue = 1000 // cells of a value; what is longer can be exported
	deepest      = 64   // objects and arrays inside one another
)

// read says lines, and after some of them asks whether to go on.
func (c *conversation) read(lines iter.Seq[string]) error {
	next, stop := iter.Pull(lines)
	defer stop()
	said := 0
	for text, ok := next(); ok; text, ok = next() {
		if said == linesAtATime {
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

// fields says each value of a JSON document on a line of its own, behind the
// names that lead to it: "ShareDefault.Owner: ada@harbor.example." The elements
// of arrays count from 1. Secrets that are masked are "hidden".
func fields(document []byte) iter.Seq[string] {
	return func(yield func(string) bool) {
		walk("", gjson.ParseBytes(document), 0, yield)
	}
}

// walk says a value, or those inside it. It returns false when nobody listens
// any more.
func walk(path string, value gjson.Result, depth int, yield func(string) bool) bool {
	if depth == deepest || !value.IsObject() && !value.IsArray() {
		return yield(field(path, words(value)))
	}
	more, inside := true, 0
	value.ForEach(func(key, element gjson.Result) bool {
		inside++
		name := key.String()
		if value.IsArray() {
			name = strconv.Itoa(inside)
		}
		if path != "" {
			name = path + "." + name
		}
		more = walk(name, element, depth+1, yield)
		return more
	})
	switch {
	case inside > 0:
		return more
	case value.IsArray():
		return yield(field(path, "an empty list"))
	default:
		return yield(field(path, "an empty object"))
	}
}

func field(path, text string) string {
	text = clip(text, longestValue)
	if path == "" {
		return sentence(text)
	}
	return sentence(clip(path, longestValue) + ": " + text)
}

// words says a value that has none inside. Numbers keep the digits that were
// sent.
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
