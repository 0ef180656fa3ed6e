package device

import (
	"charm.land/lipgloss/v2"

	"gatehouse/api"
	"gatehouse/internal/safetext"
	"gatehouse/styles"
)

// longestCode is how many cells of a code are shown.
const longestCode = 40

// verdict is the answer in a few words. A code that the interface does not
// explain is not judged.
func verdict(meaning api.CodeMeaning) string {
	code := safetext.Clip(meaning.Code, longestCode)
	switch {
	case meaning.Title != "":
		return meaning.Title + " (" + code + ")"
	case code == "":
		return "Answered without a code"
	}
	return "Answered with " + code
}

// verdictMark is the sign and the style of a verdict.
func verdictMark(t *styles.Theme, meaning api.CodeMeaning) (string, lipgloss.Style) {
	if meaning.Known {
		return t.Glyphs.Bad, t.Bad.Bold(true)
	}
	return t.Glyphs.Bullet, t.Strong
}
