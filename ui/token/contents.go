package token

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/tidwall/gjson"

	"gatehouse/internal/problem"
	"gatehouse/internal/safetext"
	"gatehouse/internal/secret"
	"gatehouse/session"
	"gatehouse/styles"
	"gatehouse/ui/screen"
)

// Fact is one thing that is known of a session: what it is called, and what it is in
// words, which a time may follow.
type Fact struct {
	Label, Text string
	// At is the time; it is zero where there is none, and to the minute if About is set.
	At    time.Time
	About bool
}

// Facts is what is known of a session besides the claims (interface sections 2.1, 2.2
// and 5).
func Facts(s session.Status, now time.Time) []Fact {
	expires := Fact{Label: "Expires", At: s.ExpiresAt}
	if s.ExpiresAt.IsZero() {
		expires.Text = "not said by the authority"
	}
	facts := []Fact{expires, renewal(s, now)}
	if !s.RefreshEndsAt.IsZero() {
		facts = append(facts, Fact{Label: "Refresh token ends", At: s.RefreshEndsAt})
	}
	facts = append(facts, Fact{Label: "User", Text: s.Username}, Fact{Label: "Authority", Text: s.Authority})
	if !s.SignedInAt.IsZero() {
		facts = append(facts, Fact{Label: "Signed in", At: s.SignedInAt})
	}
	return append(facts, Fact{Label: "Kept in", Text: kept(s)})
}

func renewal(s session.Status, now time.Time) Fact {
	f := Fact{Label: "Renewal"}
	switch {
	case s.State == session.Ended:
		f.Text = "none: the session is over"
	case !s.Renewable:
		f.Text = "none: no refresh token was issued"
	case s.State == session.Renewing:
		f.Text = "under way"
	case s.State == session.Delayed:
		f.Text, f.At = "it failed; the next try is at", s.RenewAt
	case !s.RenewAt.After(now):
		f.Text = "by itself, due now"
	default:
		f.Text, f.At, f.About = "by itself, about", s.RenewAt, true
	}
	return f
}

func kept(s session.Status) string {
	switch {
	case s.Saved:
		return s.Store
	case s.Store == "memory":
		return "memory only: gone when the program ends"
	}
	return "memory only: it could not be saved in the " + s.Store + " store"
}

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

// lifeLeft draws the remaining life of the token as a bar of the whole, with words.
func lifeLeft(env *screen.Env, s session.Status, width int) string {
	t := env.Theme
	label := t.Muted.Render(" " + safetext.Pad("Life left", labelWidth(width)))
	left := s.ExpiresAt.Sub(env.Now())
	text := screen.Span(left)
	switch {
	case s.ExpiresAt.IsZero():
		return label + "not said by the authority"
	case left <= 0:
		return label + t.Bad.Render(t.Glyphs.Bad+" none: expired "+relative(s.ExpiresAt, env.Now()))
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

// words name the standard claims and the two of interface section 2.2.
var words = map[string]string{
	"iss": "issued by", "sub": "user", "aud": "meant for", "exp": "expires", "nbf": "not valid before", "iat": "issued",
	"jti": "token id", "scope": "allows", "client_id": "for the client", "azp": "for the client", "amr": "signed in with",
	"acr": "assurance", "auth_time": "signed in", "idp": "identity provider", "sid": "session id", "name": "name", "email": "e-mail",
	"preferred_username": "user name", "given_name": "first name", "family_name": "last name", "role": "role",
	"primary_domain": "primary domain", "domains": "other domains",
}

// claims shows the claims in the order in which the token has them.
func (w *writer) claims(c session.Claims) {
	w.title("Claims")
	if !c.Present {
		w.said(muted, "This access token is not a JWT that can be read, so it shows no claims.")
		return
	}
	w.said(warned, w.glyphs.Warning+" Claims: decoded, not verified. They are as old as the sign-in.")
	gjson.ParseBytes(c.JSON).ForEach(func(name, value gjson.Result) bool {
		w.claim(name.Str, value)
		return true
	})
}

// claim shows one claim; the items of an array stand below one another.
func (w *writer) claim(name string, value gjson.Result) {
	l := line{label: words[name], name: name, text: value.Raw, copied: copied(value), document: value.IsObject() || value.IsArray(), what: "the claim " + name}
	items := value.Array()
	if !value.IsArray() || len(items) == 0 {
		l.text, l.remark = shown(name, value), w.remark(name, value)
		w.add(l)
		return
	}
	for i, item := range items {
		if i > 0 {
			l.label, l.name, l.below = "", "", true
		}
		l.text, l.copied, l.document = shown(name, item), copied(item), item.IsObject() || item.IsArray()
		w.add(l)
	}
}

// shown is a value to look at: the text of a claim with a known meaning, and all
// else exactly as it was sent.
func shown(name string, value gjson.Result) string {
	if _, known := words[name]; known && value.Type == gjson.String {
		return value.Str
	}
	return value.Raw
}

func copied(value gjson.Result) string {
	if value.Type == gjson.String {
		return value.Str
	}
	return value.Raw
}

// lastSecond is the last one with a year of four digits.
const lastSecond = 253402300799

// remark says when it is that a claim with a time speaks of.
func (w *writer) remark(name string, value gjson.Result) string {
	switch name {
	case "exp", "nbf", "iat", "auth_time":
	default:
		return ""
	}
	whole, _, _ := strings.Cut(copied(value), ".")
	seconds, err := strconv.ParseInt(whole, 10, 64)
	if err != nil || seconds < 0 || seconds > lastSecond {
		return ""
	}
	t := time.Unix(seconds, 0)
	return stamp(t) + ", " + relative(t, w.now)
}
