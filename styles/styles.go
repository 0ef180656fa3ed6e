// Package styles holds the themes: every colour, border and glyph, and nothing
// else. It is the only package that makes lipgloss styles.
package styles

import (
	"charm.land/lipgloss/v2"
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
	// Choice is the theme that the person chose. NoColor and Basic override it: a
	// terminal that cannot show a theme uses what it can show.
	Choice Choice
}

// Theme is a set of styles named after their meaning. A screen asks for a meaning, never
// for a colour. Each terminal has its own Theme.
type Theme struct {
	// Options are what the theme was made from. Screens that cache drawn lines compare
	// them to notice a new theme.
	Options Options

	// Text is ordinary text; the others stand out from it.
	Text, Strong, Muted, Faint lipgloss.Style
	// Accent marks what can be acted on; Good, Warn and Bad are verdicts.
	Accent, Good, Warn, Bad lipgloss.Style

	// Bar is the header line, BarStrong what stands out in it.
	Bar, BarStrong lipgloss.Style
	// Tab and TabActive are the tabs inside a domain.
	Tab, TabActive lipgloss.Style
	// Key and KeyText are a key and what it does, in the footer and the help.
	Key, KeyText lipgloss.Style

	// ColumnHead is the head of a table; Selected the row or entry under the cursor;
	// Match the part of a text that matches a filter.
	ColumnHead, Selected, Match lipgloss.Style
	// Absent is a missing or null value.
	Absent lipgloss.Style

	// Toast is a message that disappears by itself, ToastBad one about a failure.
	Toast, ToastBad lipgloss.Style

	// Form styles the fields of forms.
	Form Form

	// Glyphs are the symbols beside text.
	Glyphs Glyphs
}

// Form is the part of a [Theme] that input fields are drawn with.
type Form struct {
	Label, LabelFocused, Hint, Error  lipgloss.Style
	Input, Prompt, PromptIdle, Cursor lipgloss.Style
	OptionChosen, Frame, FrameIdle    lipgloss.Style
}

// Glyphs are symbols, each one cell wide.
type Glyphs struct {
	Primary, Bullet, Cursor string
	Open, Closed            string
	Ascending, Descending   string
	Warning, Good, Bad      string
	Separator, Crumb, More  string
	BarFull, BarEmpty       string
	Spinner                 []string
	MissingValue, NullValue string
}

// New makes the theme of a terminal.
func New(o Options) *Theme {
	t := o.palette().theme()
	t.Options = o
	if o.NoColor || o.Basic {
		t.markByShape()
	}
	return t
}

func (o Options) palette() palette {
	switch {
	case o.NoColor:
		return noPalette
	case o.Basic:
		return basicPalette
	}
	return o.Choice.palette(o.Light)
}

// markByShape marks selection and bars by reversed and bold text, where there are no
// background colours.
func (t *Theme) markByShape() {
	reverse := lipgloss.NewStyle().Reverse(true)
	t.Selected = reverse
	t.TabActive = reverse.Bold(true)
	t.Match = lipgloss.NewStyle().Underline(true)
	t.Bar = reverse
	t.BarStrong = reverse.Bold(true)
	t.Toast = reverse
	t.ToastBad = reverse.Bold(true)
}

func (p palette) theme() *Theme {
	text := lipgloss.NewStyle()
	fg := func(c colour) lipgloss.Style { return text.Foreground(c.lipgloss()) }
	on := func(front, back colour) lipgloss.Style { return fg(front).Background(back.lipgloss()) }
	t := &Theme{
		Text:   text,
		Strong: text.Bold(true),
		Muted:  fg(p.muted),
		Faint:  fg(p.faint),
		Accent: fg(p.accent),
		Good:   fg(p.good),
		Warn:   fg(p.warn),
		Bad:    fg(p.bad),

		Bar:       on(p.barText, p.bar),
		BarStrong: on(p.barText, p.bar).Bold(true),

		Tab:       fg(p.muted),
		TabActive: fg(p.accent).Bold(true).Underline(true),

		Key:     fg(p.accent).Bold(true),
		KeyText: fg(p.muted),

		ColumnHead: text.Bold(true).Underline(true),
		Selected:   on(p.selectedText, p.selected).Bold(true),
		Match:      fg(p.warn).Underline(true),
		Absent:     fg(p.faint).Italic(true),

		Toast:    on(p.barText, p.bar).Padding(0, 1),
		ToastBad: on(p.barWarn, p.bar).Bold(true).Padding(0, 1),

		Glyphs: glyphs(),
	}
	t.Form = Form{
		Label:        fg(p.muted),
		LabelFocused: fg(p.accent).Bold(true),
		Hint:         fg(p.faint),
		Error:        fg(p.bad),
		Input:        text,
		Prompt:       fg(p.accent),
		PromptIdle:   lipgloss.NewStyle(),
		Cursor:       fg(p.accent),
		OptionChosen: fg(p.accent).Bold(true),
		Frame:        text.Border(lipgloss.ThickBorder(), false, false, false, true).BorderForeground(p.accent.lipgloss()).PaddingLeft(1),
		FrameIdle:    text.Border(lipgloss.HiddenBorder(), false, false, false, true).PaddingLeft(1),
	}
	return t
}

func glyphs() Glyphs {
	return Glyphs{
		Primary: "★", Bullet: "•", Cursor: "›",
		Open: "▾", Closed: "▸",
		Ascending: "↑", Descending: "↓",
		Warning: "!", Good: "✓", Bad: "✗",
		Separator: "·", Crumb: "›", More: "…",
		BarFull: "█", BarEmpty: "░",
		Spinner:      []string{"⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"},
		MissingValue: "·", NullValue: "null",
	}
}
