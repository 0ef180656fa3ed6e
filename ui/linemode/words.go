package linemode

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"gatehouse/internal/safetext"
	"gatehouse/ui/human"
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
	return human.Count(n) + " " + many
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

// size says how much something is.
func size(bytes int64) string {
	if bytes < 1000 {
		return fmt.Sprintf("%d bytes", bytes)
	}
	return human.Bytes(bytes)
}
