// Package fields shows labelled values in groups under headings: a record, a session, a
// request. It draws them for a preview, and as a list with a cursor for a screen.
package fields

import (
	"iter"
	"slices"
	"strings"

	"gatehouse/internal/text/human"
	"gatehouse/internal/text/secret"
	"gatehouse/styles"
	"gatehouse/ui/screen"
)

// Group is fields under a heading.
type Group struct {
	// Title is the text of the heading, safe for a terminal; "" for no heading.
	Title  string
	Fields []Field
}

// Field is a labelled value. All its texts but the label come from outside, and are made safe when
// they are drawn.
type Field struct {
	// ID tells the field from the others of its screen, where the screen has to find it. It is not
	// shown; 0 for most fields.
	ID int
	// Label names the value. Without a label the value begins at the left, as running text does.
	Label string
	// Text is the value as people read it, and Role says what it is.
	Text string
	Role Role
	// Amount has the number and the unit of an amount; the unit is drawn muted.
	Amount human.Amount
	// Drawn is drawn in place of the text, if that needs more than one style.
	Drawn string
	// Behind are muted texts behind the value, such as the age of a time, if there is room. Each
	// needs at least BehindCells cells of room, so that all values of a kind have one or none.
	Behind      []string
	BehindCells int
	// Digits is the exact number of an amount that was rounded: "19,359,212". It comes after all
	// else.
	Digits string
	// Bar is drawn behind the value; nil for none.
	Bar *Bar

	// Path is where in a document the value is, and Exact the value as it was sent. Both are shown
	// for the field under the cursor. AsSent means that Text shows Exact already.
	Path, Exact string
	AsSent      bool
	// Meaning is a sentence that says what the field is, or what its value means. Undocumented
	// means that nobody says what the field is.
	Meaning      string
	Undocumented bool
	// Related is what keys lead to from the field.
	Related []Related
	// Copied is the text that is copied from the field, and What is what it is called. A field
	// without a What cannot be selected. Document means that the lines of Copied matter.
	Copied, What string
	Document     bool
	// Partial means that the text leaves out something of an array or object.
	Partial bool
	// Said is said in place of the value. Unsaid means that nothing is said of the field.
	Said   string
	Unsaid bool
	// Secret means that the value is a secret, Masked that Text is a mask in place of it.
	Secret, Masked bool
	// URL is the URL that the value is or leads to; "" for none.
	URL string
}

// Related is something that a key leads to. Both texts are safe for a terminal.
type Related struct{ Key, Text string }

// Role says what the text of a field is. Each role is drawn and said in its own way.
type Role uint8

// The roles. An Amount is a number with or without a unit. Aside is text of less interest, Absent
// is text in place of a value that is missing, and Lead is a value that leads elsewhere.
const (
	Plain Role = iota
	Strong
	Amount
	Aside
	Absent
	Lead
	Good
	Warn
	Bad
)

// style is the style of a role.
func (r Role) style(t *styles.Theme) *styles.Style {
	return [...]*styles.Style{
		Plain:  &t.Text,
		Strong: &t.Strong,
		Amount: &t.Number,
		Aside:  &t.Muted,
		Absent: &t.Muted,
		Lead:   &t.Link,
		Good:   &t.Good,
		Warn:   &t.Warn,
		Bad:    &t.Bad,
	}[r]
}

// Bar shows a part of a whole.
type Bar struct {
	// Part is between 0 and 1.
	Part float64
	// Limit means that the whole is a limit, so that a part near it is a warning.
	Limit bool
}

// The parts of a limit from which its use is a warning, and bad.
const (
	NearlyFull = 0.8
	Full       = 0.95
)

// style is the style of a bar.
func (b *Bar) style(t *styles.Theme) *styles.Style {
	switch {
	case b.Limit && b.Part >= Full:
		return &t.Bad
	case b.Limit && b.Part >= NearlyFull:
		return &t.Warn
	}
	return &t.Number
}

// Secret is a field with a secret, which is masked unless it is revealed.
func Secret(label string, value secret.Text, revealed bool) Field {
	f := Field{Label: label, What: strings.ToLower(label), Secret: true}
	if revealed {
		f.Text, f.Copied = value.Reveal(), value.Reveal()
	} else {
		f.Text, f.Role, f.Masked = value.String(), Absent, true
	}
	return f
}

// Fact is a field whose text is copied as it is shown.
func Fact(label, text string) Field {
	return Field{Label: label, Text: text, Copied: text, What: strings.ToLower(label)}
}

// Quantity is a fact that is an amount.
func Quantity(label string, amount human.Amount) Field {
	f := Fact(label, amount.String())
	f.Role, f.Amount = Amount, amount
	return f
}

// Say says fields in their groups. whole says all that is in a Partial field; if it is nil, its
// text is said.
func Say(groups []Group, whole func(f *Field) iter.Seq[string]) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, g := range groups {
			if g.Title != "" && !yield(screen.Sentence(g.Title+":")) {
				return
			}
			for i := range g.Fields {
				if !g.Fields[i].say(whole, yield) {
					return
				}
			}
		}
	}
}

// say passes what is said of a field to yield, and returns false as soon as yield does.
func (f *Field) say(whole func(f *Field) iter.Seq[string], yield func(string) bool) bool {
	if f.Partial && whole != nil {
		for text := range whole(f) {
			if !yield(text) {
				return false
			}
		}
		return true
	}
	text := f.said()
	if f.Unsaid || text == "" {
		return true
	}
	return yield(screen.Labelled(strings.TrimSpace(f.Label), text))
}

// said is the value of a field as it is said, with the exact value if that says more.
func (f *Field) said() string {
	switch {
	case f.Said != "":
		return f.Said
	case f.Masked:
		return "hidden"
	}
	text := strings.TrimSpace(f.Text)
	if f.Amount.Unit != "" {
		text = f.Amount.Spoken()
	}
	parts := append([]string{text}, f.Behind...)
	isAmount := f.Role == Amount
	isRewritten := !isAmount && (len(f.Behind) > 0 || f.URL != "")
	if f.Digits != "" || isRewritten && f.addsExact() {
		parts = append(parts, "raw value "+f.Exact)
	}
	return strings.Join(parts, ", ")
}

// behind are all texts behind the value.
func (f *Field) behind() []string {
	if f.Digits == "" {
		return f.Behind
	}
	return append(slices.Clone(f.Behind), f.Digits)
}

// addsExact reports whether the exact value says more than the line of the field.
func (f *Field) addsExact() bool { return f.Exact != "" && !f.AsSent && f.Digits == "" }
