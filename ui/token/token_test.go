package token

import (
	"context"
	"encoding/base64"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

	"gatehouse/api"
	"gatehouse/internal/testkit"
	"gatehouse/internal/testkit/uitest"
	"gatehouse/internal/text/safetext"
	"gatehouse/internal/text/secret"
	"gatehouse/session"
	"gatehouse/styles"
	"gatehouse/ui/screen"
)

func TestMain(m *testing.M) { uitest.Main(m) }

// held is a session that stands still.
type held struct {
	status  session.Status
	history []session.Event
	token   secret.Text
	renewed int
	canKeep bool
}

func (h *held) Status() session.Status       { return h.status }
func (h *held) History() []session.Event     { return h.history }
func (h *held) CurrentToken() secret.Text    { return h.token }
func (h *held) Renew(context.Context) error  { h.renewed++; return nil }
func (h *held) CanKeep() bool                { return h.canKeep }
func (h *held) Forget(context.Context) error { return nil }

const claimsJSON = `{"iss":"https://auth.example.com","sub":"ada@harbor.example","aud":["domain_api","https://auth.example.com/resources"],` +
	`"exp":1772539200,"iat":1772452800.5,"client_id":"gatehouse-demo","amr":["pwd"],"scope":["openid","offline_access"],` +
	`"primary_domain":"harbor.example","domains":["quay.example","契約.example","\u001b[31mred"],` +
	`"custom":{"a":[1,2]},"stamp":123456789012345678901,"flag":true,"none":null,"text":"as \"sent\"","empty":[]}`

func active() *held {
	token := "eyJhbGciOiJSUzI1NiJ9." + base64.RawURLEncoding.EncodeToString([]byte(claimsJSON)) + ".c2lnbmF0dXJl"
	return &held{
		token: secret.New(token),
		status: session.Status{
			State: session.Active, Username: "ada@harbor.example", Authority: "main",
			Claims:    session.Claims{Present: true, JSON: []byte(claimsJSON)},
			ExpiresAt: uitest.Noon.Add(20 * time.Hour), Life: 24 * time.Hour, RenewAt: uitest.Noon.Add(18 * time.Hour),
			SignedInAt: uitest.Noon.Add(-4 * time.Hour), RefreshEndsAt: uitest.Noon.Add(716 * time.Hour), Renewable: true, Saved: true, Store: "keyring",
		},
		history: []session.Event{
			{Kind: session.EventSignedIn, At: uitest.Noon.Add(-28 * time.Hour)},
			{Kind: session.EventDelayed, At: uitest.Noon.Add(-time.Hour), Err: &session.DelayedError{RetryAt: uitest.Noon.Add(-59 * time.Minute), Err: &api.TokenError{Op: "renew the session", Host: "auth.harbor.example", Status: 503}}},
			{Kind: session.EventRenewed, At: uitest.Noon.Add(-59 * time.Minute)},
			{Kind: session.EventSignedOut, At: uitest.Noon},
		},
	}
}

// desk is a screen with somebody in front of it.
type desk struct {
	t    *testing.T
	m    *Model
	page screen.Stack // has the screen alone
	now  time.Time
	root uitest.Root
}

func newDesk(t *testing.T, s Session) *desk {
	d := &desk{t: t, now: uitest.Noon}
	env := &screen.Env{Context: t.Context(), Theme: styles.New(styles.Options{}), Keys: screen.DefaultKeys(), Now: func() time.Time { return d.now }}
	env.Root = &d.root
	d.m = New(env, s, &session.Key{Fingerprint: "SHA256:uNiVztksCsDhcc0u9e8BgrJXVGDQzP4xtGrsx1Fbh2M"})
	d.page.Restore(d.m)
	return d
}

func (d *desk) press(keys ...string) {
	d.t.Helper()
	for _, key := range keys {
		found, ok := screen.FindAction(d.m.env.Keys.Fill(d.m.Actions()), key, false)
		if !ok || !found.Enabled() {
			d.t.Fatalf("%q does nothing here: %s", key, found.Reason)
		}
		if cmd := found.Run(); cmd != nil {
			cmd()
		}
	}
}

func (d *desk) frame(width, height int) string {
	d.t.Helper()
	d.page.Layout(d.m.env.Theme, width, height)
	lines := strings.Split(ansi.Strip(d.page.Frame()), "\n")
	if len(lines) != height {
		d.t.Errorf("%d lines at %dx%d", len(lines), width, height)
	}
	for i, line := range lines {
		if w := safetext.Width(line); w > width {
			d.t.Errorf("a line of %d cells at %dx%d: %q", w, width, height, line)
		}
		lines[i] = strings.TrimRight(line, " ")
	}
	return strings.Join(lines, "\n") + "\n"
}

func (d *desk) golden(name string) {
	d.t.Helper()
	testkit.Golden(d.t, "token/"+name+"-80x24", d.frame(80, 24))
	testkit.Golden(d.t, "token/"+name+"-120x40", d.frame(120, 40))
}

func TestTheHistorySaysThatARefreshTokenWasSentOnceMore(t *testing.T) {
	repeated := active()
	repeated.history = []session.Event{{Kind: session.EventRepeated, At: uitest.Noon}}
	if got := newDesk(t, repeated).frame(200, 50); !strings.Contains(got, "the answer to the last renewal was lost: its refresh token is sent again once") {
		t.Errorf("the history is not there:\n%s", got)
	}
}

func TestEveryStateLooksAsItShould(t *testing.T) {
	d := newDesk(t, active())
	d.golden("active")
	d.press("v")
	d.golden("revealed")
	d.press("v", "G")
	d.golden("end")

	opaque := active()
	opaque.status.Claims, opaque.token = session.Claims{}, secret.New("opaque")
	newDesk(t, opaque).golden("opaque")

	ended := active()
	ended.status.State, ended.status.Renewable = session.Ended, false
	ended.status.RefreshEndsAt, ended.status.RenewAt = time.Time{}, time.Time{}
	ended.status.ExpiresAt = uitest.Noon.Add(20 * time.Hour) // of a token that is gone
	ended.history = append(ended.history[:3:3], session.Event{
		Kind: session.EventEnded, At: uitest.Noon, Err: &session.EndedError{Reason: session.EndSignedOut},
	})
	newDesk(t, ended).golden("ended")

	delayed := active()
	delayed.status.State, delayed.status.Saved, delayed.status.Store = session.Delayed, false, "memory"
	delayed.status.ExpiresAt, delayed.status.RenewAt = uitest.Noon.Add(40*time.Minute), uitest.Noon.Add(30*time.Second)
	delayed.status.RefreshEndsAt, delayed.history = uitest.Noon.Add(50*time.Hour), nil // within the last three days
	delayed.status.Reason = &session.DelayedError{Err: &api.TokenError{Op: "renew the session", Host: "auth.harbor.example", Status: 503, Code: "temporarily_unavailable"}}
	d = newDesk(t, delayed)
	d.frame(120, 40)
	d.press("j") // the side explains why
	d.golden("delayed")
}

func TestASmallScreenIsEnough(t *testing.T) {
	d := newDesk(t, active())
	d.frame(40, 6)
	for range 9 {
		d.press("j")
	}
	for _, want := range []string{"Token", "20h 0m of 24h 0m", "https://auth.exam"} {
		if frame := d.frame(40, 6); !strings.Contains(frame, want) {
			t.Errorf("at 40x6 the screen lacks %q:\n%s", want, frame)
		}
	}
}

func TestTheTokenIsMaskedUntilItIsRevealedAndAgainAfterwards(t *testing.T) {
	s := active()
	d := newDesk(t, s)
	shows := func() bool {
		return strings.Contains(strings.ReplaceAll(d.frame(100, 60), "\n", ""), "c2lnbmF0dXJl")
	}
	if shows() {
		t.Fatal("the token shows before it is revealed")
	}
	d.press("v")
	if !shows() {
		t.Fatalf("the token is not revealed:\n%s", d.frame(120, 60))
	}
	d.m.Blur()
	d.m.Focus()
	if shows() {
		t.Fatal("the token shows after the screen was left")
	}
	d.press("v", "v")
	if shows() {
		t.Fatal("the token is not masked again")
	}
}

func TestWhatIsUnderTheCursorIsCopiedExactly(t *testing.T) {
	s := active()
	d := newDesk(t, s)
	d.frame(120, 60)
	copied := map[string]string{}
	for range 40 {
		d.press("y", "j")
	}
	for _, request := range d.root.Told {
		c := request.(uitest.Copy)
		copied[c.What] = copied[c.What] + c.Text + "|"
	}
	for what, want := range map[string]string{
		"user": "ada@harbor.example|", "the claim exp": "1772539200|", "the claim iat": "1772452800.5|",
		"the claim domains": "quay.example|契約.example|\x1b[31mred|", "the claim custom": `{"a":[1,2]}|`,
		"the claim stamp": "123456789012345678901|", "the claim text": `as "sent"|`, "the claim empty": "[]|", "the claim none": "null|",
		"the access token": s.token.Reveal() + "|",
	} {
		if copied[what] != want {
			t.Errorf("%s: copied %q, want %q", what, copied[what], want)
		}
	}
	d.root.Told = nil
	d.press("g", "Y")
	if diff := cmp.Diff([]any{uitest.Copy{Text: s.token.Reveal(), What: "the access token"}}, d.root.Told); diff != "" {
		t.Errorf("what was copied differs (-want +got):\n%s", diff)
	}
}

func TestOddClaimsAreShownAsTheyAre(t *testing.T) {
	for claims, want := range map[string]string{
		`{"exp":"1772539200"}`:              "2026-03-03 12:00:00 UTC  in 24h 0m  1772539200  exp",
		`{"exp":1e300}`:                     "1e300",
		`{"exp":-5}`:                        "-5",
		`{"exp":{"a":1}}`:                   `{"a":1}`,
		`{"iat":"soon"}`:                    "soon",
		`{"amr":[["a"],null]}`:              `["a"]`,
		`{"":1}`:                            "1",
		`{"sub":"a","sub":"b"}`:             "b",
		`{"a\u001b]0;x":"\u202e"}`:          `"\u202e"`,
		`{"sub":"` + "\u202e\x1b[2J" + `"}`: "␛[2J",
	} {
		s := active()
		s.status.Claims.JSON = []byte(claims)
		d := newDesk(t, s)
		frame := d.frame(100, 60)
		if !strings.Contains(frame, want) || strings.ContainsAny(frame, "\x1b\u202e") {
			t.Errorf("%s lacks %q or is not safe:\n%q", claims, want, frame)
		}
	}
}

func TestOfALongTokenTheBeginningIsShown(t *testing.T) {
	said := func(claims session.Claims) string {
		s := active()
		claims.Present = true
		s.status.Claims = claims
		var text strings.Builder
		m := newDesk(t, s).m
		m.Settle(screen.Room{Width: 80, Height: 24})
		for sentence := range screen.Said(m) {
			text.WriteString(sentence + "\n")
		}
		return text.String()
	}
	values := func(n int) session.Claims {
		return session.Claims{JSON: []byte(`{"a":[7007` + strings.Repeat(`,7007`, n-2) + `],"b":7007}`)}
	}
	for n, want := range map[int]int{maxValues: maxValues, maxValues + 1: maxValues, 10 * maxValues: maxValues} {
		got := said(values(n))
		isCut := strings.Contains(got, "Only the first 1,000 values are shown.")
		if shown := strings.Count(got, "7007"); shown != want || isCut != (n > want) {
			t.Errorf("of %d values %d are said, cut %t", n, shown, isCut)
		}
	}
	ambiguous := said(session.Claims{JSON: []byte("{}"), Unread: 5, Ambiguous: []string{"primary_domain"}})
	for _, want := range []string{"Only the first 10,000 of the 10,005 other domains", "has the claim primary_domain twice"} {
		if !strings.Contains(ambiguous, want) {
			t.Errorf("it does not say %q:\n%s", want, ambiguous)
		}
	}
	s := active()
	s.status.Claims.JSON = []byte(testkit.ManyDomains(testkit.LargestClaims))
	d := newDesk(t, s)
	testkit.RequireCPU(t, time.Second, "drawing ten frames", func() {
		for range 10 {
			d.frame(100, 60)
		}
	})
}

func TestWhatCannotBeDoneSaysWhy(t *testing.T) {
	d := newDesk(t, &held{})
	d.frame(80, 20)
	for _, key := range []string{"v", "Y", "R"} {
		if found, _ := screen.FindAction(d.m.env.Keys.Fill(d.m.Actions()), key, false); found.Enabled() {
			t.Errorf("%s can be done without a session", key)
		}
	}
	s := active()
	d = newDesk(t, s)
	d.press("R", "ctrl+r")
	if s.renewed != 1 || len(d.root.Told) != 1 {
		t.Errorf("%d renewals, and %v was told", s.renewed, d.root.Told)
	}
}

func TestAScreenThatIsOnlyLookedAtSeldomChanges(t *testing.T) {
	d := newDesk(t, active())
	before := d.frame(120, 40)
	changes := 0
	for range 10 * 60 {
		d.now = d.now.Add(time.Second)
		if frame := d.frame(120, 40); frame != before {
			changes++
			before = frame
		}
	}
	if changes > 40 { // four times a minute, for the moments are not at full minutes
		t.Errorf("the screen changed %d times in ten minutes", changes)
	}
}
