package device

import (
	"strconv"
	"strings"
	"time"

	"gatehouse/api"
	"gatehouse/internal/safetext"
	"gatehouse/styles"
	"gatehouse/ui/screen"
)

// maxCode is how many cells of a code are shown.
const maxCode = 40

// whose says whose answer it is and when it came, as far as there is room in a border.
func (a *answer) whose(room int) string {
	const around = 10 // cells of the border, and of the space around texts in it
	dot := " " + a.env.Theme.Glyphs.Separator + " "
	result := "result " + strconv.Itoa(a.entry.number)
	timed := result + dot + a.entry.at.Local().Format(time.TimeOnly)
	for _, note := range []string{safetext.Clip(a.entry.sent["email"], maxName) + dot + timed, timed} {
		if safetext.Width(note)+around <= room {
			return note
		}
	}
	return result
}

// fillVerdict sets what the card says: what happened and what to do next.
func (a *answer) fillVerdict() {
	const longest = 400 // cells of a text
	v := screen.Verdict{Sentences: []string{safetext.Clip(a.meaning.Meaning, longest)}, Steps: a.nextActions()}
	if a.entry.answer.Wipe {
		v.Advice = append(v.Advice, wipeStep)
	}
	if _, byKey := a.wrongDomain(); a.meaning.NextStep != "" && !byKey {
		v.Advice = append(v.Advice, safetext.Clip(a.meaning.NextStep, longest))
	}
	a.verdict = v
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
const wipeStep = "Ask an administrator whether the wipe is intended."

// verdict is the answer in a few words with its code; an order to wipe outweighs the code.
func (e *entry) verdict() string {
	meaning := e.meaning()
	verdict := meaning.Title
	if code := safetext.Clip(meaning.Code, maxCode); code != "" {
		verdict += " (" + code + ")"
	}
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
