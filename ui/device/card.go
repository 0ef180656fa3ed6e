package device

import (
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatehouse/api"
	"gatehouse/internal/safetext"
	"gatehouse/styles"
	"gatehouse/ui/screen"
)

// longestCode is how many cells of a code are shown.
const longestCode = 40

// Verdict is the answer in a few words with its code, safe on a terminal.
func Verdict(meaning api.CodeMeaning) string {
	if code := safetext.Clip(meaning.Code, longestCode); code != "" {
		return meaning.Title + " (" + code + ")"
	}
	return meaning.Title
}

// whose says whose answer it is and when it came, as far as there is room in a border.
func (a *answer) whose(room int) string {
	const around = 10 // cells of the border, and of the space around texts in it
	note := "result " + strconv.Itoa(a.entry.number)
	for _, more := range []string{
		note + " " + a.env.Theme.Glyphs.Separator + " " + a.entry.at.Local().Format(time.TimeOnly),
		safetext.Clip(a.entry.sent["email"], longestName) + " " + a.env.Theme.Glyphs.Separator + " " + note +
			" " + a.env.Theme.Glyphs.Separator + " " + a.entry.at.Local().Format(time.TimeOnly),
	} {
		if safetext.Width(more)+around <= room {
			note = more
		}
	}
	return note
}

// sentences say what happened and what to do next.
func (a *answer) sentences(width int) []string {
	t := a.env.Theme
	lines := split(screen.Wrap(safetext.Clip(a.meaning.Meaning, 4*width), width))
	if a.entry.answer.Wipe {
		lines = append(lines, split(screen.Wrap(wipeStep, width))...)
	}
	if _, byKey := a.wrongDomain(); a.meaning.NextStep != "" && !byKey {
		lines = append(lines, split(t.Muted.Render(screen.Wrap(safetext.Clip(a.meaning.NextStep, 4*width), width)))...)
	}
	return append(lines, a.next(width))
}

// next is the line of keys that lead on.
func (a *answer) next(width int) string {
	t := a.env.Theme
	line := t.Muted.Render("Next")
	for _, action := range a.nextActions() {
		if action.Enabled() {
			line += "  " + t.Key.Render(a.env.Keys.Key(action.ID)) + " " + action.Title
		}
	}
	return screen.Cut(line, width)
}

// clickNext does what stands at a cell of the line of keys.
func (a *answer) clickNext(x int) tea.Cmd {
	at := 1 + safetext.Width("Next")
	for _, action := range a.nextActions() {
		if !action.Enabled() {
			continue
		}
		at += 2
		end := at + safetext.Width(a.env.Keys.Key(action.ID)) + 1 + safetext.Width(action.Title)
		if x >= at && x < end {
			return action.Run()
		}
		at = end
	}
	return nil
}

// wipe is the warning that comes before everything else.
func (a *answer) wipe(width int) []string {
	if !a.entry.answer.Wipe {
		return nil
	}
	t := a.env.Theme
	band := func(text string) string { return t.ToastBad.Render(safetext.Fit(text, max(width-2, 0))) }
	lines := []string{band(t.Glyphs.Warning + " WIPE ORDERED")}
	for _, line := range split(screen.Wrap(api.WipeMeaning, max(width-4, 1))) {
		lines = append(lines, band("  "+line))
	}
	return append(lines, "")
}

// wipeStep is what to do about an order to wipe, before anything about the code.
const wipeStep = "Ask an administrator whether the wipe is meant."

// verdict is the answer in a few words with its code; an order to wipe outweighs the code.
func (e *entry) verdict() string {
	verdict := Verdict(e.meaning())
	if e.answer.Wipe {
		return "Wipe ordered; " + strings.ToLower(verdict[:1]) + verdict[1:]
	}
	return verdict
}

// verdictMark is the sign and the style of the verdict.
func (e *entry) verdictMark(t *styles.Theme) (string, styles.Style) {
	switch meaning := e.meaning(); {
	case meaning.Known, e.answer.Wipe:
		return t.Glyphs.Bad, t.Bad
	case meaning.Fine:
		return t.Glyphs.Good, t.Good
	}
	return t.Glyphs.Warning, t.Warn
}

func split(text string) []string { return strings.Split(text, "\n") }
