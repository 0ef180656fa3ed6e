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
	key      *session.Key // see [New]
	revealed bool         // the token is shown
	width    int          // of the screen
	screen.Base
	fields.List
}

// Session is the session that the screen shows.
type Session interface {
	Status() session.Status
	History() []session.Event
	CurrentToken() secret.Text
	Renew(ctx context.Context) error
	CanKeep() bool
	Forget(ctx context.Context) error
}

// New makes the screen of a session. key is the key for which the session can be kept; nil if it is
// not known, or the session cannot be kept for a key.
func New(env *screen.Env, s Session, key *session.Key) *Model {
	m := &Model{env: env, session: s, key: key, List: fields.List{Theme: env.Theme}}
	m.Set(m.groups()) // so that the first frame has a pane that explains a field
	return m
}

// Blur implements [screen.Screen]: the token is masked again.
func (m *Model) Blur() { m.revealed = false }

func (m *Model) Close() { m.revealed = false }

func (m *Model) Actions() []screen.Action {
	none := screen.If(m.session.CurrentToken().IsEmpty(), "there is no access token")
	renew := func() tea.Msg {
		_ = m.session.Renew(m.env.Context) // an event of the session reports the result
		return nil
	}
	status := m.session.Status()
	list := []screen.Action{
		{
			ID:     screen.TokenRenew,
			Reason: screen.If(!status.Renewable, "there is no refresh token to renew it with"),
			Run:    func() tea.Cmd { return renew },
		},
		{
			ID:     screen.TokenReveal,
			Title:  screen.If(m.revealed, "mask"),
			Reason: none,
			Run:    screen.Do(m.reveal),
		},
		{ID: screen.TokenCopy, Run: m.copy},
		{ID: screen.TokenCopyWhole, Reason: none, Run: m.copyToken},
		{
			ID:          screen.RootSignIn,
			Description: "get new claims with a new sign-in",
			Run:         func() tea.Cmd { return m.env.Root.SignInAgain(m, "", nil) },
		},
	}
	if m.session.CanKeep() {
		list = append(list, screen.Action{
			ID:     screen.TokenForget,
			Reason: screen.If(!status.Saved, "the session is not kept"),
			Run:    m.forget,
		})
	}
	return append(list, m.Moves()...)
}

// forget erases the session that is kept for the key.
func (m *Model) forget() tea.Cmd {
	work := func() error { return m.session.Forget(m.env.Context) }
	return screen.Reply(m, work, func(err error) tea.Cmd {
		if err != nil {
			described := screen.Describe(err)
			failed := "The kept session could not be forgotten. "
			return m.env.Root.Say(failed+described.Sentence+" "+described.Hint, true)
		}
		forgotten := "The kept session is forgotten. You stay signed in until you leave."
		return m.env.Root.Say(forgotten, false)
	})
}

// reveal shows or masks the token, and moves the cursor to it.
func (m *Model) reveal() {
	m.revealed = !m.revealed
	m.Set(m.groups())
	m.Select(isOfToken)
}

// copy copies the field under the cursor.
func (m *Model) copy() tea.Cmd {
	selected := m.Selected()
	switch {
	case selected == nil:
		return nil
	case isOfToken(selected):
		return m.copyToken()
	case selected.Document:
		return m.env.Root.CopyDocument(selected.Copied, selected.What)
	}
	return m.env.Root.Copy(selected.Copied, selected.What)
}

func (m *Model) copyToken() tea.Cmd {
	return m.env.Root.Copy(m.session.CurrentToken().Reveal(), theToken)
}

// Settle implements [screen.Screen]. It updates the fields.
func (m *Model) Settle(room screen.Room) {
	m.width = room.Width
	m.Set(m.groups())
	m.List.Settle(room)
}

// Frame implements [screen.Screen].
func (m *Model) Frame() screen.Frame { return screen.InPane }

// Beside implements [screen.Screen].
func (m *Model) Beside(width int) int { return m.List.Beside(width) }

// View implements [screen.Screen]. The border shows the life of the token.
func (m *Model) View() screen.View {
	status := m.session.Status()
	life := Life(m.env, status, m.width-len(title)-aroundTexts)
	return screen.View{
		Title:  title,
		Timed:  true,
		Border: screen.Pane{Title: title, Note: life},
		Body:   &m.List,
		Side:   m.Explained(),
		Wheel:  m.List.Wheel,
		Said:   []string{screen.Labelled("Time left", TimeLeft(m.env, status))},
	}
}

const (
	// title is the name of the screen.
	title = "Token"
	// aroundTexts is how many cells of the border are around the title and the life of the token.
	aroundTexts = 9
)

// groups are all fields of the screen, the most important first.
func (m *Model) groups() []fields.Group {
	w := writer{env: m.env, width: m.width, now: m.env.Now()}
	status := m.session.Status()
	w.state(status, Lasting(m.env, status, m.session.CanKeep(), m.key))
	w.claims(status.Claims)
	w.token(m.session.CurrentToken(), m.revealed)
	w.history(m.session.History())
	return w.groups
}

// writer collects the fields of the screen.
type writer struct {
	env    *screen.Env
	width  int
	now    time.Time
	groups []fields.Group
	values int  // how many values of claims were added
	cut    bool // there are more values than maxValues
}

// usualFields is how many fields most groups have at most.
const usualFields = 8

// group begins a group.
func (w *writer) group(title string) {
	room := make([]fields.Field, 0, usualFields)
	w.groups = append(w.groups, fields.Group{Title: title, Fields: room})
}

// add adds a field to the group that was begun last.
func (w *writer) add(f fields.Field) {
	last := &w.groups[len(w.groups)-1]
	last.Fields = append(last.Fields, f)
}

// state adds what is known of the session beside its claims (interface sections 2.1, 2.2 and 5).
func (w *writer) state(s session.Status, lasting []fields.Field) {
	w.group("Session")
	expires, signedIn := fields.Fact("Expires", "unknown, the authority does not say"), fields.Field{}
	if !s.ExpiresAt.IsZero() {
		expires = moment(w.env, "Expires", s.ExpiresAt)
	}
	if !s.SignedInAt.IsZero() {
		signedIn = moment(w.env, "Signed in", s.SignedInAt)
	}
	user := fields.Fact("User", s.Username)
	authority := fields.Fact("Authority", session.AuthorityTitle(s.Authority))
	all := append([]fields.Field{about("expires", expires)}, lasting...)
	all = append(all, about("user", user), about("authority", authority), about("signed in", signedIn))
	for _, f := range all {
		if f.Text != "" {
			w.add(f)
		}
	}
}

// theToken names the access token itself, and tokenField is the ID of the fields that show it or
// its parts.
const (
	theToken   = "the access token"
	tokenField = 1
)

// isOfToken reports whether a field shows the access token itself, or a part of it.
func isOfToken(f *fields.Field) bool { return f.ID == tokenField }

// token adds the access token, masked unless it is revealed.
func (w *writer) token(token secret.Text, revealed bool) {
	if token.IsEmpty() {
		return
	}
	w.group("Access token")
	value := token.Reveal()
	length := human.Number(len(value)) + " characters"
	copyKey := w.env.Keys.Key(screen.TokenCopyWhole)
	if !revealed {
		revealKey := w.env.Keys.Key(screen.TokenReveal)
		w.add(fields.Field{
			ID:     tokenField,
			Text:   token.String(),
			Role:   fields.Absent,
			Behind: []string{length + "; " + revealKey + " shows it, " + copyKey + " copies it"},
			What:   theToken,
			Said:   length + ", which are not said",
		})
		return
	}
	meaning := "A part of the access token, which has " + length + "; " + copyKey + " copies all of it."
	wrapped := safetext.Hardwrap(safetext.Line(value), max(w.width-2, 1))
	for part := range strings.SplitSeq(wrapped, "\n") {
		w.add(fields.Field{
			ID:      tokenField,
			Text:    part,
			What:    theToken,
			Meaning: meaning,
			Unsaid:  true,
		})
	}
}

// history adds what the session did in this run, the newest event first.
func (w *writer) history(events []session.Event) {
	w.group("History")
	for _, e := range slices.Backward(events) {
		text, role := w.event(e)
		if text == "" {
			continue
		}
		w.add(fields.Field{
			Label:  human.Clock(e.At, w.now),
			Text:   text,
			Role:   role,
			Copied: text,
			What:   "the entry of the history",
		})
	}
	if len(w.groups[len(w.groups)-1].Fields) == 0 {
		w.add(fields.Field{Text: "None yet.", Role: fields.Aside})
	}
}

// event describes an event of the session, with a sign before it; "" for an event that is not
// listed.
func (w *writer) event(e session.Event) (text string, role fields.Role) {
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
		text = " the answer to the last renewal was lost: its refresh token is sent again once"
		return w.env.Theme.Glyphs.Warning + text, fields.Warn
	case session.EventWaiting:
		return w.env.Theme.Glyphs.Warning + " " + why, fields.Warn
	case session.EventDelayed, session.EventEnded:
		return w.env.Theme.Glyphs.Bad + " " + why, fields.Bad
	}
	return "", fields.Plain
}

// words are the labels of the standard claims, and of the two of interface section 2.2.
var words = map[string]string{
	"iss":                "issued by",
	"sub":                "user",
	"aud":                "audience",
	"exp":                "expires",
	"nbf":                "not valid before",
	"iat":                "issued",
	"jti":                "token id",
	"scope":              "scopes",
	"client_id":          "client",
	"azp":                "client",
	"amr":                "signed in with",
	"acr":                "assurance",
	"auth_time":          "signed in",
	"idp":                "identity provider",
	"sid":                "session id",
	"name":               "name",
	"email":              "e-mail",
	"preferred_username": "user name",
	"given_name":         "first name",
	"family_name":        "last name",
	"role":               "role",
	"primary_domain":     "primary domain",
	"domains":            "other domains",
}

// claims adds the claims in the order of the token.
func (w *writer) claims(c session.Claims) {
	if !c.Present {
		w.group("Claims")
		none := "This access token is not a readable JWT, so there are no claims to show."
		for part := range strings.SplitSeq(screen.Wrap(none, max(w.width-2, 1)), "\n") {
			w.add(fields.Field{Text: part, Role: fields.Aside})
		}
		return
	}
	w.group("Claims" + w.env.Theme.Between() + "decoded, not verified")
	for _, note := range c.Notes() {
		w.add(fields.Field{Text: w.env.Theme.Glyphs.Warning + " " + note, Role: fields.Warn})
	}
	gjson.ParseBytes(c.JSON).ForEach(func(name, value gjson.Result) bool {
		return w.claim(name.Str, value)
	})
	if w.cut {
		only := "Only the first " + human.Number(maxValues) + " values are shown. " +
			w.env.Keys.Key(screen.TokenCopyWhole) + " copies the whole token."
		w.add(fields.Field{Text: only, Role: fields.Aside})
	}
}

// maxValues limits the values of claims that are shown, as they are drawn once a second.
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

// claim adds a claim; each item of an array is a field of its own. It reports whether there was room
// for it.
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
		f.Label, f.Behind = " ", nil // only the first item has a label
		return shown
	})
	return !w.cut
}

// claimed gives a field the value of a claim.
func claimed(f fields.Field, name string, value gjson.Result) fields.Field {
	f.Text, f.Copied = shown(name, value), copied(value)
	f.Exact, f.AsSent = value.Raw, true
	f.Document = value.IsObject() || value.IsArray()
	return f
}

// label is the label of a claim, or its name if its meaning is not known.
func label(name string) string {
	const maxLabel = 40
	if word := words[name]; word != "" {
		return screen.Capital(word)
	}
	return cmp.Or(safetext.Clip(name, maxLabel), `""`)
}

// shown is a value for display: the text of a claim with a known meaning, or else the JSON as it was
// sent.
func shown(name string, value gjson.Result) string {
	if _, known := words[name]; known && value.Type == gjson.String {
		return value.Str
	}
	return value.Raw
}

// copied is a value for the clipboard: the text of a string, or else the JSON as it was sent.
func copied(value gjson.Result) string {
	if value.Type == gjson.String {
		return value.Str
	}
	return value.Raw
}

// lastSecond is the end of the year 9999, in seconds since 1970.
const lastSecond = 253402300799

// timed shows a claim that is a time as a date, with the number that was sent behind it.
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
