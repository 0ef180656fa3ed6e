package lists

import (
	"cmp"
	"time"

	"gatehouse/internal/text/human"
)

// Format says how values are written for people; what is exactly there is in the
// [Cell]. The zero Format has times in UTC without their age.
type Format struct {
	Zone *time.Location // of times; nil: UTC
	Now  time.Time      // from which the age of times is counted; zero: without age
	// Spoken writes ages for those who hear them: "7 years ago".
	Spoken bool
}

// Value is a cell as people read it. It is not safe on a terminal: text comes from outside.
type Value struct {
	// Text is all of it but for the unit: "142.8", "2019-12-19 17:25", "yes".
	Text string
	// Unit is the unit of a size, which columns align: "PB"; "" for anything else.
	Unit string
	// Day is the day of a time that is set: "2019-12-19"; "" for anything else.
	Day string
	// Age is how long ago a time is: "7 y ago"; "" for anything else, and without [Format.Now].
	Age string
	// Unset reports a time that was not set; its text is [human.Never].
	Unset bool
	// Exact reports that the text says all of the value. If not, [Cell.Text] says more.
	Exact bool
}

// String returns the text and its unit: "142.8 PB".
func (v Value) String() string {
	return v.Amount().String()
}

// Amount is the text with its unit.
func (v Value) Amount() human.Amount { return human.Amount{Number: v.Text, Unit: v.Unit} }

// Value returns what a cell of the column says: sizes with a unit, times to the minute,
// the thousands of numbers apart unless they are ids, states or longer than people count, yes
// and no, lists by their length; anything else as [Cell.Text] has it.
func (f Format) Value(column ColumnInfo, c Cell) Value {
	if at, ok := c.Time(column.Kind); ok {
		return f.time(at)
	}
	switch c.Kind() {
	case Bool:
		if c.raw[0] == 't' {
			return Value{Text: "yes", Exact: true}
		}
		return Value{Text: "no", Exact: true}
	case Array:
		return Value{Text: human.Number(countElements(c.raw))}
	case Number:
		return number(column, c)
	}
	return Value{Text: c.Text(), Exact: true}
}

func (f Format) time(at time.Time) Value {
	v := Value{Text: human.Time(at, f.zone()), Unset: at.IsZero()}
	if !v.Unset {
		v.Day = human.Date(at.In(f.zone()))
	}
	switch {
	case f.Now.IsZero():
	case f.Spoken:
		v.Age = human.AgeInWords(at, f.Now)
	default:
		v.Age = human.Age(at, f.Now)
	}
	return v
}

// zone is that of times.
func (f Format) zone() *time.Location { return cmp.Or(f.Zone, time.UTC) }

// maxCounted is how many digits a number has at the most that people count with; longer ones are ids.
const maxCounted = 15

func number(column ColumnInfo, c Cell) Value {
	text := string(c.raw)
	switch {
	case column.Kind == BytesColumn:
		if size, ok := human.SizeOf(text); ok {
			return Value{Text: size.Number, Unit: size.Unit, Exact: size.Unit == "B"}
		}
	case column.Role == RoleNumber && len(text) > len("9999") && len(text) <= maxCounted:
		return Value{Text: human.Grouped(text), Exact: true}
	}
	return Value{Text: text, Exact: true}
}

// meanings are what numbers mean, by the last member of a name, as far as they are known from
// public clients of the service.
var meanings = map[string]map[string]string{
	"ShareAssociationType": {"0": "read", "1": "write", "2": "owner"},
	"ShareCategory":        {"0": "corporate", "1": "team", "2": "private"},
	"ShareType":            {"0": "normal", "1": "sub-share"},
}

// Meanings returns what numbers of a column mean, by its name or path; nil if that is not known.
// The 2 of a ShareAssociationType is "owner".
func Meanings(name string) map[string]string { return meanings[lastMember(name)] }
