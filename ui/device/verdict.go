package device

import (
	"strings"

	"charm.land/lipgloss/v2"

	"gatehouse/api"
	"gatehouse/internal/safetext"
	"gatehouse/styles"
)

// longestCode is how many cells of a code are shown.
const longestCode = 40

// Verdict is the answer in a few words, of which some may come from outside; they
// are safe on a terminal. A code that the interface does not explain is not judged.
func Verdict(meaning api.CodeMeaning) string {
	code := safetext.Clip(meaning.Code, longestCode)
	switch {
	case meaning.Title != "":
		return meaning.Title + " (" + code + ")"
	case code == "":
		return "Answered without a code"
	}
	return "Answered with " + code
}

// WipeMeaning says what it means that wipe is set.
const WipeMeaning = "A client on this device would be told to erase its data. Gatehouse does not."

// Fact is a part of an answer that people ask for. The value comes from outside.
type Fact struct{ Label, Value string }

// Facts are the parts of an answer that people ask for, the most asked first, but
// for its tokens. What the answer has not is left out. The separator stands between
// the flags, which are given as they came: the interface does not show what their
// numbers mean.
func Facts(r *api.LoginResult, separator string) []Fact {
	domain := api.Domain{DomainName: "none in the answer"}
	if p := r.PrimaryUserDomain; p != nil {
		domain = p.Domain
	}
	var facts []Fact
	for _, f := range []Fact{
		{"Domain", domain.DomainName},
		{"Device id", r.DeviceID},
		{"Flags", strings.Join(flags(r), separator)},
		{"Notification", notification(r.UserNotification)},
		{"Address", domain.URL},
		{"Domain id", domain.DomainID},
		{"Reseller id", domain.ResellerID},
	} {
		if f.Value != "" {
			facts = append(facts, f)
		}
	}
	return facts
}

func flags(r *api.LoginResult) []string {
	list := []string{"Wipe no"}
	if r.Wipe {
		list[0] = "Wipe YES"
	}
	if r.Validated != "" {
		list = append(list, "Validated "+r.Validated.String())
	}
	if p := r.PrimaryUserDomain; p != nil && p.Domain.DataSetup != "" {
		list = append(list, "DataSetup "+p.Domain.DataSetup.String())
	}
	return list
}

func notification(n *api.UserNotification) string {
	switch {
	case n == nil:
		return ""
	case n.URL == "":
		return "type " + n.NotificationType.String()
	}
	return "type " + n.NotificationType.String() + ", " + n.URL
}

// verdictMark is the sign and the style of a verdict.
func verdictMark(t *styles.Theme, meaning api.CodeMeaning) (string, lipgloss.Style) {
	if meaning.Known {
		return t.Glyphs.Bad, t.Bad.Bold(true)
	}
	return t.Glyphs.Bullet, t.Strong
}
