// Package token is the tab that shows what the session holds: how long the
// access token still lives and when it is renewed, its claims, decoded and not
// verified, and the token itself (interface sections 2.1, 2.2 and 5).
package token

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/tidwall/gjson"

	"gatehouse/internal/text/human"
	"gatehouse/internal/text/safetext"
	"gatehouse/internal/text/secret"
	"gatehouse/session"
	"gatehouse/ui/explain"
	"gatehouse/ui/fields"
	"gatehouse/ui/screen"
)

// Model is the screen.
type Model struct {
	env      *screen.Env
	session  Session
	key      *session.Key // nil: it is not known
	revealed bool         // the token is shown; for as long as the screen is
	width    int          // as settled last
	screen.Base
	fields.List
}

// Session is what the screen shows, and can renew.
type Session interface {
	Status() session.Status
	History() []session.Event
	CurrentToken() secret.Text
	Renew(ctx context.Context) error
	CanKeep() bool
	Forget(ctx context.Context) error
}

// New makes the screen of a session. key is what it can be kept for; nil if that is not
// known or it cannot be chosen.
func New(env *screen.Env, s Session, key *session.Key) *Model {
	m := &Model{env: env, session: s, key: key, List: fields.List{Theme: env.Theme}}
	m.Set(m.groups()) // so that the first frame has a pane that explains them
	return m
}

// Blur implements [screen.Screen]: the token is masked again.
func (m *Model) Blur() { m.revealed = false }

func (m *Model) Close() { m.revealed = false }

func (m *Model) Actions() []screen.Action {
	none := screen.If(m.session.CurrentToken().IsEmpty(), "there is no access token")
	renew := func() tea.Msg {
		_ = m.session.Renew(m.env.Context) // what comes of it is an event of the session
		return nil
	}
	list := []screen.Action{
		{
			ID: screen.TokenRenew, Reason: screen.If(!m.session.Status().Renewable, "there is no refresh token to renew it with"),
			Run: func() tea.Cmd { return renew },
		},
		{ID: screen.TokenReveal, Title: screen.If(m.revealed, "mask"), Reason: none, Run: screen.Do(m.reveal)},
		{ID: screen.TokenCopy, Run: m.copy},
		{ID: screen.TokenCopyWhole, Reason: none, Run: m.copyToken},
		{ID: screen.RootSignIn, Description: "get new claims with a new sign-in", Run: func() tea.Cmd { return m.env.Root.SignInAgain(m, "", nil) }},
	}
	if m.session.CanKeep() {
		list = append(list, screen.Action{ID: screen.TokenForget, Reason: screen.If(!m.session.Status().Saved, "the session is not kept"), Run: m.forget})
	}
	return append(list, m.Moves()...)
}

// forget forgets the session that is kept for the key.
func (m *Model) forget() tea.Cmd {
	work := func() error { return m.session.Forget(m.env.Context) }
	return screen.Reply(m, work, func(err error) tea.Cmd {
		if err != nil {
			described := screen.Describe(err)
			return m.env.Root.Say("The kept session could not be forgotten. "+described.Sentence+" "+described.Hint, true)
		}
		return m.env.Root.Say("The kept session is forgotten. You stay signed in until you leave.", false)
	})
}

// reveal shows the token, or masks it again, with the cursor on it.
func (m *Model) reveal() {
	m.revealed = !m.revealed
	m.Set(m.groups())
	m.Select(func(f *fields.Field) bool { return f.What == theToken })
}

func (m *Model) copy() tea.Cmd {
	selected := m.Selected()
	switch {
	case selected == nil:
		return nil
	case selected.What == theToken:
		return m.copyToken()
	case selected.Document:
		return m.env.Root.CopyDocument(selected.Copied, selected.What)
	}
	return m.env.Root.Copy(selected.Copied, selected.What)
}

func (m *Model) copyToken() tea.Cmd {
	return m.env.Root.Copy(m.session.CurrentToken().Reveal(), theToken)
}

// Settle implements [screen.Screen]: what is shown is of now.
func (m *Model) Settle(room screen.Room) {
	m.width = room.Width
	m.Set(m.groups())
	m.List.Settle(room)
}

// Frame implements [screen.Screen].
func (m *Model) Frame() screen.Frame { return screen.InPane }

// Beside implements [screen.Screen].
func (m *Model) Beside(width int) int { return m.List.Beside(width) }

// View implements [screen.Screen]. The border keeps the life of the token in sight.
func (m *Model) View() screen.View {
	status := m.session.Status()
	return screen.View{
		Title: title, Timed: true,
		Border: screen.Pane{Title: title, Note: Life(m.env, status, m.width-len(title)-aroundTexts)},
		Body:   &m.List, Side: m.Explained(), Wheel: m.List.Wheel,
		Said: []string{screen.Labelled("Time left", TimeLeft(m.env, status))},
	}
}

// title is the name of the screen, and aroundTexts is how many cells of its border are around that
// and the life of the token.
const title, aroundTexts = "Token", 9

// groups are all that is shown below the first line, what matters most first.
func (m *Model) groups() []fields.Group {
	w := writer{env: m.env, width: m.width, now: m.env.Now()}
	status := m.session.Status()
	w.state(status, Lasting(m.env, status, m.session.CanKeep(), m.key))
	w.claims(status.Claims)
	w.token(m.session.CurrentToken(), m.revealed)
	w.history(m.session.History())
	return w.groups
}

// writer writes the lines of the screen.
type writer struct {
	env    *screen.Env
	width  int
	now    time.Time
	groups []fields.Group
	values int  // of claims
	cut    bool // there are more of them than maxValues
}

// group begins a group.
func (w *writer) group(title string) { w.groups = append(w.groups, fields.Group{Title: title}) }

// add adds a field to the group.
func (w *writer) add(f fields.Field) {
	last := &w.groups[len(w.groups)-1]
	last.Fields = append(last.Fields, f)
}

// state tells what is known of the session besides the claims (interface sections 2.1, 2.2 and 5).
func (w *writer) state(s session.Status, lasting []fields.Field) {
	w.group("Session")
	expires, signedIn := fields.Fact("Expires", "unknown, the authority does not say"), fields.Field{}
	if !s.ExpiresAt.IsZero() {
		expires = moment(w.env, "Expires", s.ExpiresAt)
	}
	if !s.SignedInAt.IsZero() {
		signedIn = moment(w.env, "Signed in", s.SignedInAt)
	}
	user, authority := fields.Fact("User", s.Username), fields.Fact("Authority", session.AuthorityTitle(s.Authority))
	for _, f := range slices.Concat([]fields.Field{about("expires", expires)}, lasting, []fields.Field{
		about("user", user), about("authority", authority), about("signed in", signedIn),
	}) {
		if f.Text != "" {
			w.add(f)
		}
	}
}

// theToken is what the lines of the token itself are called.
const theToken = "the access token"

// token shows the access token, masked unless the person asks for it.
func (w *writer) token(held secret.Text, revealed bool) {
	if held.IsEmpty() {
		return
	}
	w.group("Access token")
	value := held.Reveal()
	if !revealed {
		hint := human.Number(len(value)) + " characters; " + w.env.Keys.Key(screen.TokenReveal) + " shows it, " + w.env.Keys.Key(screen.TokenCopyWhole) + " copies it"
		w.add(fields.Field{
			Text: held.String(), Role: fields.Absent, Behind: []string{hint}, What: theToken,
			Said: human.Number(len(value)) + " characters, which are not said",
		})
		return
	}
	whole := "A part of the access token, which has " + human.Number(len(value)) + " characters; " + w.env.Keys.Key(screen.TokenCopyWhole) + " copies all of it."
	for _, part := range strings.Split(safetext.Hardwrap(safetext.Line(value), max(w.width-2, 1)), "\n") {
		w.add(fields.Field{Text: part, What: theToken, Meaning: whole, Unsaid: true})
	}
}

// history lists what the session did in this run, the newest first.
func (w *writer) history(events []session.Event) {
	w.group("History")
	for _, e := range slices.Backward(events) {
		if text, r := w.event(e); text != "" {
			w.add(fields.Field{Label: human.Clock(e.At, w.now), Text: text, Role: r, Copied: text, What: "the entry of the history"})
		}
	}
	if len(w.groups[len(w.groups)-1].Fields) == 0 {
		w.add(fields.Field{Text: "None yet.", Role: fields.Aside})
	}
}

// event is what happened, with a sign; nothing for what is no renewal.
func (w *writer) event(e session.Event) (text string, r fields.Role) {
	why := ""
	if e.Err != nil {
		why = screen.Describe(e.Err).Sentence
	}
	switch e.Kind {
	case session.EventSignedIn, session.EventRenewed:
		text = "renewed"
		if e.Kind == session.EventSignedIn {
			text = "signed in"
		}
		if why != "" {
			return w.env.Theme.Glyphs.Warning + " " + text + ", but not saved: " + why, fields.Warn
		}
		return w.env.Theme.Glyphs.Good + " " + text, fields.Plain
	case session.EventRepeated:
		return w.env.Theme.Glyphs.Warning + " the answer to the last renewal was lost: its refresh token is sent again once", fields.Warn
	case session.EventWaiting:
		return w.env.Theme.Glyphs.Warning + " " + why, fields.Warn
	case session.EventDelayed, session.EventEnded:
		return w.env.Theme.Glyphs.Bad + " " + why, fields.Bad
	}
	return "", fields.Plain
}

// words name the standard claims and the two of interface section 2.2.
var words = map[string]string{
	"iss": "issued by", "sub": "user", "aud": "audience", "exp": "expires", "nbf": "not valid before", "iat": "issued",
	"jti": "token id", "scope": "scopes", "client_id": "client", "azp": "client", "amr": "signed in with",
	"acr": "assurance", "auth_time": "signed in", "idp": "identity provider", "sid": "session id", "name": "name", "email": "e-mail",
	"preferred_username": "user name", "given_name": "first name", "family_name": "last name", "role": "role",
	"primary_domain": "primary domain", "domains": "other domains",
}

// claims shows the claims in the order in which the token has them.
func (w *writer) claims(c session.Claims) {
	if !c.Present {
		w.group("Claims")
		none := screen.Wrap("This access token is not a readable JWT, so there are no claims to show.", max(w.width-2, 1))
		for part := range strings.SplitSeq(none, "\n") {
			w.add(fields.Field{Text: part, Role: fields.Aside})
		}
		return
	}
	w.group("Claims " + w.env.Theme.Glyphs.Separator + " decoded, not verified")
	for _, note := range c.Notes() {
		w.add(fields.Field{Text: w.env.Theme.Glyphs.Warning + " " + note, Role: fields.Warn})
	}
	gjson.ParseBytes(c.JSON).ForEach(func(name, value gjson.Result) bool {
		return w.claim(name.Str, value)
	})
	if w.cut {
		only := "Only the first " + human.Number(maxValues) + " values are shown. "
		w.add(fields.Field{Text: only + w.env.Keys.Key(screen.TokenCopyWhole) + " copies the whole token.", Role: fields.Aside})
	}
}

// maxValues is how many values of claims are shown: they are drawn once a second, and nobody reads more.
const maxValues = 1000

// value adds a value of a claim, and reports whether there was room for it.
func (w *writer) value(f fields.Field) bool {
	if w.cut = w.values == maxValues; w.cut {
		return false
	}
	w.values++
	w.add(f)
	return true
}

// claim shows one claim; the items of an array stand below one another. It reports whether there was
// room for it.
func (w *writer) claim(name string, value gjson.Result) bool {
	meaning, documented := explain.Field(explain.Claims, name)
	f := fields.Field{
		Label: label(name), What: "the claim " + name, Path: name, Behind: []string{name},
		Meaning: meaning, Undocumented: !documented,
	}
	if !value.IsArray() || value.Get("0").Raw == "" {
		return w.value(w.timed(claimed(f, name, value), name, value))
	}
	value.ForEach(func(_, item gjson.Result) bool {
		shown := w.value(claimed(f, name, item))
		f.Label, f.Behind = " ", nil // below what this line began
		return shown
	})
	return !w.cut
}

// claimed is a field with the value of a claim.
func claimed(f fields.Field, name string, value gjson.Result) fields.Field {
	f.Text, f.Copied = shown(name, value), copied(value)
	f.Exact, f.AsSent = value.Raw, true
	f.Document = value.IsObject() || value.IsArray()
	return f
}

// label is what a claim is called in words, or its name.
func label(name string) string {
	const maxLabel = 40
	if word := words[name]; word != "" {
		return screen.Capital(word)
	}
	return cmp.Or(safetext.Clip(name, maxLabel), `""`)
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

// timed makes the claim of a time readable, with the number that was sent after it.
func (w *writer) timed(f fields.Field, name string, value gjson.Result) fields.Field {
	switch name {
	case "exp", "nbf", "iat", "auth_time":
	default:
		return f
	}
	whole, _, _ := strings.Cut(copied(value), ".")
	seconds, err := strconv.ParseInt(whole, 10, 64)
	if err != nil || seconds < 0 || seconds > lastSecond {
		return f
	}
	t := time.Unix(seconds, 0)
	f.Text = human.Moment(t.Local())
	f.Behind = []string{away(w.env, t), copied(value), name}
	return f
}
