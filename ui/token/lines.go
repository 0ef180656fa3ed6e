package token

import (
	"fmt"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"gatehouse/internal/problem"
	"gatehouse/internal/safetext"
	"gatehouse/internal/secret"
	"gatehouse/session"
	"gatehouse/styles"
	"gatehouse/ui/screen"
)

// writer writes the lines of the screen.
type writer struct {
	glyphs styles.Glyphs
	keys   *screen.KeyMap
	width  int
	now    time.Time
	lines  []line
}

func (w *writer) add(l line) { w.lines = append(w.lines, l) }

// title begins a part, with a free line above it.
func (w *writer) title(text string) {
	w.add(line{})
	w.add(line{text: text, role: title})
}

// said adds text over as many lines as it needs, which cannot be selected.
func (w *writer) said(r role, text string) {
	for part := range strings.SplitSeq(screen.Wrap(text, w.width-1), "\n") {
		w.add(line{text: part, role: r})
	}
}

func (w *writer) fact(label, text, remark string) {
	w.add(line{label: label, text: text, remark: remark, copied: text, what: strings.ToLower(label)})
}

// state tells what is known of the session besides the claims.
func (w *writer) state(s session.Status) {
	for _, f := range Facts(s, w.now) {
		text, remark := f.Text, ""
		if !f.At.IsZero() {
			text, remark = strings.TrimSpace(text+" "+f.stamp()), relative(f.At, w.now)
		}
		w.fact(f.Label, text, remark)
	}
}

func (f Fact) stamp() string {
	if f.About {
		return f.At.Local().Format("2 Jan 2006 15:04")
	}
	return stamp(f.At)
}

// theToken is what the lines of the token itself are called.
const theToken = "the access token"

// token shows the access token, masked unless the person asks for it.
func (w *writer) token(held secret.Text, revealed bool) {
	if held.IsEmpty() {
		return
	}
	w.title("Access token")
	value := held.Reveal()
	if !revealed {
		w.add(line{text: held.String(), remark: screen.Number(len(value)) + " characters; " + w.keys.Key("token.reveal") + " shows it, " + w.keys.Key("token.copywhole") + " copies it", what: theToken})
		return
	}
	for _, part := range chunks(safetext.Line(value), max(w.width-2, 1)) {
		w.add(line{text: part, what: theToken})
	}
}

// chunks cuts safe text into lines of a width.
func chunks(text string, width int) []string {
	return strings.Split(ansi.Hardwrap(text, width, true), "\n")
}

// history lists what the session did in this run, the newest first.
func (w *writer) history(events []session.Event) {
	w.title("Renewals of this run")
	shown := 0
	for i := len(events) - 1; i >= 0; i-- {
		text, r := w.event(events[i])
		if text == "" {
			continue
		}
		shown++
		w.add(line{label: clock(events[i].At, w.now), text: text, role: r, copied: text, what: "what happened then"})
	}
	if shown == 0 {
		w.add(line{text: "None yet.", role: muted})
	}
}

// event is what happened, with a sign; nothing for what is no renewal.
func (w *writer) event(e session.Event) (text string, r role) {
	why := ""
	if e.Err != nil {
		why = problem.Describe(e.Err, problem.Screen).Sentence
	}
	switch e.Kind {
	case session.EventSignedIn, session.EventRenewed:
		text = "renewed"
		if e.Kind == session.EventSignedIn {
			text = "signed in"
		}
		if why != "" {
			return w.glyphs.Warning + " " + text + ", but not saved: " + why, warned
		}
		return w.glyphs.Good + " " + text, plain
	case session.EventDelayed, session.EventEnded:
		return w.glyphs.Bad + " " + why, bad
	}
	return "", plain
}

// life draws the remaining life of the token as a bar of the whole, with words.
func (m *Model) life(width int) string {
	t, s := m.env.Theme, m.session.Status()
	label := t.Muted.Render(" " + safetext.Pad("Life left", labelWidth(width)))
	left := s.ExpiresAt.Sub(m.env.Now())
	text := screen.Span(left)
	switch {
	case s.ExpiresAt.IsZero():
		return label + "not said by the authority"
	case left <= 0:
		return label + t.Bad.Render(t.Glyphs.Bad+" none: expired "+relative(s.ExpiresAt, m.env.Now()))
	case s.Life > 0:
		text += " of " + screen.Span(s.Life)
	}
	cells := min(30, width-labelWidth(width)-len(text)-2)
	if s.Life <= 0 || cells < 5 {
		return label + text
	}
	full := min(max(int(int64(cells)*int64(left)/int64(s.Life)), 1), cells)
	style := t.Good
	if full*10 < cells {
		style = t.Warn
	}
	return label + style.Render(strings.Repeat(t.Glyphs.BarFull, full)+strings.Repeat(t.Glyphs.BarEmpty, cells-full)) + " " + text
}

func stamp(t time.Time) string { return t.Local().Format("2 Jan 2006 15:04:05") }

// clock is the time of the day, with the day where that is another one.
func clock(t, now time.Time) string {
	t, now = t.Local(), now.Local()
	if t.YearDay() == now.YearDay() && t.Year() == now.Year() {
		return t.Format(time.TimeOnly)
	}
	return t.Format("2 Jan 15:04:05")
}

// relative says how far off a moment is: to the second in the last minute, and
// otherwise no closer than a minute, so that a screen that is only looked at
// seldom changes.
func relative(t, now time.Time) string {
	d := t.Sub(now)
	switch {
	case d < -time.Minute:
		return span(-d) + " ago"
	case d <= 0:
		return "just now"
	}
	return "in " + span(d)
}

func span(d time.Duration) string {
	if d >= time.Minute && d < time.Hour {
		return fmt.Sprintf("%dm", d/time.Minute)
	}
	return screen.Span(d)
}
