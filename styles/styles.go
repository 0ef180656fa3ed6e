// Package styles holds the themes: every colour, border and glyph, and nothing
// else. It is the only package that makes lipgloss styles.
package styles

import (
	"slices"
	"sync"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"
)

// Options choose a theme.
type Options struct {
	// Light is true on a terminal with a light background.
	Light bool
	// NoColor is true if colours must not be used (NO_COLOR, a monochrome terminal):
	// focus and selection are then shown by shape alone.
	NoColor bool
	// Basic is true on a terminal with 16 colours. How these look is the person's own
	// setting, so only those meant for text are used, and never one on another.
	Basic bool
	// Indexed is true on a terminal with 256 colours: the theme's are rounded to these.
	Indexed bool
	// ASCII is true on a terminal without Unicode.
	ASCII bool
	// Spoken is true where nothing is drawn and a person hears the texts: there are no signs.
	Spoken bool
	// Choice is the theme that the person chose. NoColor and Basic override its colours: a
	// terminal that cannot show a theme uses what it can show.
	Choice Choice
}

// Theme is a set of styles named after their meaning. A screen asks for a meaning, never
// for a colour. Each terminal has its own Theme.
//
// The styles have no background: a line that stands on one is drawn with them first and
// then put on its [Ground] as a whole. Boxes over a screen need nothing: what draws them
// puts their content on the ground of boxes.
type Theme struct {
	// Options are what the theme was made from. Screens that cache drawn lines compare
	// them to notice a new theme.
	Options Options

	// Text is ordinary text, Strong what stands out of it. Muted is for labels, units and
	// what is of less interest; Faint for lines, and for text that nobody has to read.
	Text, Strong, Muted, Faint Style
	// Accent marks what can be acted on, and titles inside a screen; Link leads
	// elsewhere; Number is an amount. Good, Warn and Bad are verdicts, never without a
	// word or a mark beside them.
	Accent, Link, Number, Good, Warn, Bad Style

	// Header is the first line of the screen, Row the row under the cursor (see
	// screen.CursorRow), Box a box over a dimmed screen.
	Header, Row, Box Ground
	// Line is the border of a pane and any other line; BoxLine that of a box over a
	// dimmed screen. Dimmed is the screen below such a box.
	Line, BoxLine, Dimmed Style

	// TabActive is the title of the tab that is shown. Key is a key to press, in the footer
	// and the help, and what the focus is on in a form.
	TabActive, Key Style

	// ColumnHead is the head of a table, ColumnMarked that of the column that keys apply
	// to. Match is the part of a text that a filter found.
	ColumnHead, ColumnMarked, Match Style
	// Absent is a missing or null value.
	Absent Style

	// Toast is a message that disappears by itself, ToastBad one about a failure.
	Toast, ToastBad Style

	// Glyphs are the symbols beside text.
	Glyphs Glyphs

	palette palette
}

// made are the themes without colours of a person's own, by their options: there are few of
// them, and a server has the same one for most of its visitors.
var made sync.Map

// New makes the theme of a terminal.
func New(o Options) *Theme {
	if o.Choice.own != (palette{}) {
		return o.theme()
	}
	t, known := made.Load(o)
	if !known {
		t, _ = made.LoadOrStore(o, o.theme())
	}
	own := *t.(*Theme)
	return &own
}

func (o Options) theme() *Theme {
	t := o.palette().theme()
	t.Options = o
	switch {
	case o.Spoken:
		t.Glyphs = spokenGlyphs()
	case o.ASCII:
		t.Glyphs = asciiGlyphs()
	}
	switch {
	case o.Spoken:
		t.withoutStyles()
	case o.NoColor || o.Basic:
		t.markByShape()
	}
	return t
}

// withoutStyles leaves nothing of a text but its characters.
func (t *Theme) withoutStyles() {
	for _, style := range []*Style{
		&t.Text, &t.Strong, &t.Muted, &t.Faint, &t.Accent, &t.Link, &t.Number, &t.Good, &t.Warn, &t.Bad,
		&t.Line, &t.BoxLine, &t.Dimmed, &t.TabActive, &t.Key,
		&t.ColumnHead, &t.ColumnMarked, &t.Match, &t.Absent, &t.Toast, &t.ToastBad,
	} {
		*style = newStyle(lipgloss.NewStyle())
	}
	t.Header, t.Row, t.Box = Ground{}, Ground{}, Ground{}
}

func (o Options) palette() palette {
	switch {
	case o.NoColor:
		return palette{}
	case o.Basic && (o.Light || o.Choice.base == Light):
		return basicLightPalette
	case o.Basic:
		return basicPalette
	}
	p := o.Choice.palette(o.Light)
	if o.Indexed {
		p = p.rounded()
	}
	return p
}

// markByShape marks selection and bars by reversed, bold and underlined text, where there
// are no background colours.
func (t *Theme) markByShape() {
	plain := newStyle(lipgloss.NewStyle())
	reverse := newStyle(plain.Reverse(true))
	t.Row = Ground{SGR: reverse.SGR, uniform: true}
	t.Header = Ground{SGR: reverse.SGR, uniform: true}
	t.Box = Ground{}
	t.Dimmed = newStyle(plain.Faint(true))
	t.TabActive = reverse.Bold(true)
	t.Match = t.Match.Underline(true)
	t.Toast = reverse
	t.ToastBad = reverse.Bold(true)
}

func (p palette) theme() *Theme {
	text := newStyle(lipgloss.NewStyle())
	fg := func(c colour) Style { return newStyle(text.Foreground(c.lipgloss())) }
	on := func(front, back colour) Style { return newStyle(fg(front).Background(back.lipgloss())) }
	return &Theme{
		Text:   text,
		Strong: text.Bold(true),
		Muted:  fg(p.muted),
		Faint:  fg(p.faint),
		Accent: fg(p.accent),
		Link:   fg(p.link).Underline(true),
		Number: fg(p.number),
		Good:   fg(p.good),
		Warn:   fg(p.warn),
		Bad:    fg(p.bad),

		Header:  Ground{SGR: on(p.barText, p.bar).SGR},
		Row:     Ground{SGR: on(p.selectedText, p.selected).SGR},
		Box:     Ground{SGR: on(p.boxText, p.box).SGR},
		Line:    fg(p.faint),
		BoxLine: fg(p.accent),
		Dimmed:  fg(p.faint),

		TabActive: fg(p.accent).Bold(true).Underline(true),
		Key:       fg(p.accent).Bold(true),

		ColumnHead:   fg(p.muted),
		ColumnMarked: fg(p.accent).Bold(true).Underline(true),
		Match:        fg(p.match),
		Absent:       newStyle(fg(p.faint).Italic(true)),

		Toast:    newStyle(on(p.barText, p.bar).Padding(0, 1)),
		ToastBad: newStyle(on(p.barWarn, p.bar).Bold(true).Padding(0, 1)),

		Glyphs:  glyphs(),
		palette: p,
	}
}

// Gradient is a row of n styles from the accent to the colour of links, for the wordmark.
// Where colours are not the theme's own, all are the accent's.
func (t *Theme) Gradient(n int) []SGR {
	list := slices.Repeat([]SGR{t.Accent.SGR}, n)
	if t.Options.NoColor || t.Options.Basic {
		return list
	}
	for i, c := range lipgloss.Blend1D(max(n, 2), t.palette.accent.lipgloss(), t.palette.link.lipgloss())[:n] {
		if t.Options.Indexed {
			c = colorprofile.ANSI256.Convert(c)
		}
		list[i] = sgrOf(t.Accent.Foreground(c))
	}
	return list
}
