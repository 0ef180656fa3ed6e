// Package styles has the themes: every colour, border and glyph, and nothing else. It is the only
// package that makes styles of lipgloss.
package styles

import (
	"slices"
	"sync"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"
)

// Options choose a theme.
type Options struct {
	// Light means that the terminal has a light background.
	Light bool
	// NoColor means that colours must not be used (NO_COLOR, a monochrome terminal). Focus and
	// selection are then shown by shape alone.
	NoColor bool
	// Basic means that the terminal has 16 colours. The person decides how these look, so only
	// those for text are used, and never one on another.
	Basic bool
	// Indexed means that the terminal has 256 colours. Those of the theme are rounded to them.
	Indexed bool
	// ASCII means that the terminal has no Unicode.
	ASCII bool
	// Spoken means that a person hears the texts: there are no signs.
	Spoken bool
	// Choice is the theme that the person chose. NoColor and Basic override its colours: a
	// terminal that cannot show a theme uses what it can show.
	Choice Choice
}

// Theme is a set of styles that are named after what they mean. A screen uses a meaning, never a
// colour. Each terminal has its own Theme.
//
// The styles have no background. A line on a background is drawn with them first, and is then put
// on its [Ground] as a whole. Screens need not do that in a box over another screen, as the box
// does.
type Theme struct {
	// Options are what the theme was made from. Screens that keep drawn lines compare them to see
	// that there is a new theme.
	Options Options

	// Text is for ordinary text, Strong for text that stands out, Muted for labels, units and what
	// is of less interest, and Faint for lines and text that nobody has to read.
	Text, Strong, Muted, Faint Style
	// Accent is for what a person can use, and for titles within a screen, Link for what leads
	// elsewhere, Number for amounts. Good, Warn and Bad are verdicts, and always have a word or a
	// mark beside them.
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

	// ColumnHead is the heading of a column, ColumnMarked that of the current column. Match is the
	// part of a text that a filter or a search has found.
	ColumnHead, ColumnMarked, Match Style
	// Absent is a missing or null value.
	Absent Style

	// Toast is a message that disappears by itself, ToastBad one about a failure.
	Toast, ToastBad Style

	// Glyphs are the symbols beside text.
	Glyphs Glyphs

	palette palette
}

// made are the themes without colours of a person, by their options. There are few of them, and
// most visitors of a server have the same one.
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

// theme makes the theme for some options.
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

// withoutStyles makes all styles plain, so that a text is nothing but its characters.
func (t *Theme) withoutStyles() {
	for _, style := range []*Style{
		&t.Text, &t.Strong, &t.Muted, &t.Faint,
		&t.Accent, &t.Link, &t.Number, &t.Good, &t.Warn, &t.Bad,
		&t.Line, &t.BoxLine, &t.Dimmed, &t.TabActive, &t.Key,
		&t.ColumnHead, &t.ColumnMarked, &t.Match, &t.Absent, &t.Toast, &t.ToastBad,
	} {
		*style = newStyle(lipgloss.NewStyle())
	}
	t.Header, t.Row, t.Box = Ground{}, Ground{}, Ground{}
}

// palette is the palette for some options.
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

// markByShape marks what is selected, and bars, by reversed, bold and underlined text, as there are
// no background colours.
func (t *Theme) markByShape() {
	plain := newStyle(lipgloss.NewStyle())
	reverse := newStyle(plain.Reverse(true))
	t.Row = Ground{SGR: reverse.SGR, uniform: true}
	t.Header = Ground{SGR: reverse.SGR, uniform: true}
	t.Box = Ground{}
	t.Dimmed = newStyle(plain.Faint(true))
	t.TabActive = reverse.Bold()
	t.Match = t.Match.Underline(true)
	t.Toast = reverse
	t.ToastBad = reverse.Bold()
}

// theme makes the theme with the colours of a palette.
func (p palette) theme() *Theme {
	text := newStyle(lipgloss.NewStyle())
	fg := func(c colour) Style { return newStyle(text.Foreground(c.lipgloss())) }
	on := func(front, back colour) Style { return newStyle(fg(front).Background(back.lipgloss())) }
	return &Theme{
		Text:   text,
		Strong: text.Bold(),
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

		TabActive: fg(p.accent).Bold().Underline(true),
		Key:       fg(p.accent).Bold(),

		ColumnHead:   fg(p.muted),
		ColumnMarked: fg(p.accent).Bold().Underline(true),
		Match:        fg(p.match),
		Absent:       newStyle(fg(p.faint).Italic(true)),

		Toast:    newStyle(on(p.barText, p.bar).Padding(0, 1)),
		ToastBad: newStyle(on(p.barWarn, p.bar).Bold().Padding(0, 1)),

		Glyphs:  glyphs(),
		palette: p,
	}
}

// Gradient returns n styles whose colours go from the accent to that of links, for the wordmark.
// All are the accent on a terminal without the colours of the theme.
func (t *Theme) Gradient(n int) []SGR {
	list := slices.Repeat([]SGR{t.Accent.SGR}, n)
	if t.Options.NoColor || t.Options.Basic {
		return list
	}
	from, to := t.palette.accent.lipgloss(), t.palette.link.lipgloss()
	for i, c := range lipgloss.Blend1D(max(n, 2), from, to)[:n] {
		if t.Options.Indexed {
			c = colorprofile.ANSI256.Convert(c)
		}
		list[i] = sgrOf(t.Accent.Foreground(c))
	}
	return list
}
