package activity

import (
	"encoding/json"
	"slices"
	"strconv"

	"gatehouse/internal/lists"
	"gatehouse/styles"
	"gatehouse/ui/grid"
	"gatehouse/ui/traffic"
)

// outcome is how an entry of the log ended.
type outcome struct {
	kind   outcomeKind
	status int // the HTTP status of an answer; 0 if there was none
}

// outcomeKind is a kind of [outcome].
type outcomeKind uint8

// The kinds of outcomes of requests, and of notes.
const (
	answered outcomeKind = iota // with all of an answer
	cutOff                      // the answer did not come whole
	failed                      // without an answer
	noted                       // a note
	trouble                     // a note about something that went wrong
)

// kindWords are the words for outcomes in the column of the status. An answer has none: its status
// says it all.
var kindWords = [...]string{cutOff: "cut off", failed: "failed", noted: "note", trouble: "trouble"}

// outcomeOf is the outcome of an entry.
func outcomeOf(e traffic.Entry) outcome {
	x := e.Exchange
	switch {
	case x == nil && e.Bad:
		return outcome{kind: trouble}
	case x == nil:
		return outcome{kind: noted}
	case x.Status == 0:
		return outcome{kind: failed}
	case x.Err != nil:
		return outcome{kind: cutOff, status: x.Status}
	}
	return outcome{kind: answered, status: x.Status}
}

// outcomeIn is the outcome in a cell of the column of the status, see [outcome.MarshalJSON]. That of
// an answer that was cut off has no status.
func outcomeIn(cell lists.Cell) outcome {
	if cell.Kind() == lists.Number {
		status, _ := strconv.Atoi(cell.Text())
		return outcome{kind: answered, status: status}
	}
	if at := slices.Index(kindWords[:], cell.Text()); at > int(answered) { // which has no word
		return outcome{kind: outcomeKind(at)}
	}
	return outcome{kind: cutOff}
}

// text is the outcome as people read it: "200", "200 cut off" or "failed".
func (o outcome) text() string {
	word := kindWords[o.kind]
	switch o.kind {
	case answered:
		return strconv.Itoa(o.status)
	case cutOff:
		return strconv.Itoa(o.status) + " " + word
	}
	return word
}

// MarshalJSON implements [json.Marshaler]: the status of an answer is a number, so that the list
// sorts it as one, and all else is a text.
func (o outcome) MarshalJSON() ([]byte, error) {
	if o.kind == answered {
		return json.Marshal(o.status)
	}
	return json.Marshal(o.text())
}

// mark is the sign and the tone of the outcome. Those of an answer depend on the class of its
// status.
func (o outcome) mark(glyphs styles.Glyphs) (string, grid.Tone) {
	switch {
	case o.kind == noted:
		return glyphs.Bullet, grid.Muted
	case o.kind == trouble:
		return glyphs.Warning, grid.Warn
	case o.kind == failed, o.kind == cutOff, o.status >= 500:
		return glyphs.Bad, grid.Bad
	case o.status >= 400:
		return glyphs.Warning, grid.Warn
	case o.status >= 300:
		return glyphs.Crumb, grid.Plain
	}
	return glyphs.Good, grid.Good
}
