package domains

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"gatehouse/internal/check"
	"gatehouse/internal/config"
	"gatehouse/internal/human"
	"gatehouse/internal/safetext"
	"gatehouse/session"
	"gatehouse/styles"
	"gatehouse/ui/screen"
)

// labelWidth is how many cells the labels beside what is known of a domain take.
const labelWidth = 11

// facts writes lines of a label and what is known.
type facts struct {
	env   *screen.Env
	width int
	lines []string
}

// room is the width of what stands beside a label.
func (f *facts) room() int { return max(f.width-labelWidth, 1) }

// add adds drawn values below each other, beside a label or "" where they go on.
func (f *facts) add(label string, values ...string) {
	for _, value := range values {
		f.lines = append(f.lines, screen.Field(f.env.Theme, label, value, labelWidth, f.width))
		label = ""
	}
}

// address adds an address, broken where it is too long.
func (f *facts) address(label, address string) {
	for part := range strings.SplitSeq(screen.WrapAddress(safetext.Line(address), f.room()), "\n") {
		f.add(label, screen.Link(f.env.Theme, part, address))
		label = ""
	}
}

// details is what is known of the domain under the cursor, in lines of a width.
func (m *Model) details(width int) []string {
	row, ok := m.grid.Selected()
	if !ok {
		return nil
	}
	f := &facts{env: m.env, width: width}
	f.add("Role", m.role(row))
	f.lines = append(f.lines, "")
	address := m.addresses[row]
	if address == "" {
		f.add("Gateway", m.env.Theme.Muted.Render(noAddress))
		return f.lines
	}
	known := m.gateways[address]
	f.address("Gateway", address)
	f.gateway(known)
	if authority := m.status().AuthorityURL; authority != "" {
		f.address("Authority", authority)
	}
	if known != nil && known.shares != nil {
		f.lines = append(f.lines, "")
		f.shares(known)
		f.answers(known)
	}
	return f.lines
}

func (m *Model) role(row int) string {
	role := "another domain"
	switch m.primary {
	case m.domains[row]:
		role = "primary domain"
	case "": // there is none to be another one of
		role = "a domain"
	}
	if user := m.status().Username; user != "" {
		role += " of " + safetext.Line(user)
	}
	return role
}

// noAddress is said of a gateway that cannot be asked.
const noAddress = "the profile has no address for it"

// gateway adds how a gateway does, and what its last answer told.
func (f *facts) gateway(known *gateway) {
	t := f.env.Theme
	switch {
	case known == nil || known.verdict == nil && !known.asking:
		return
	case known.verdict == nil:
		f.add("", t.Muted.Render("asking"+t.Glyphs.More))
		return
	}
	f.add("", f.state(known))
	if c := known.certificate; c != nil {
		f.add("", t.Muted.Render(c.String()))
	}
	if known.trouble != nil {
		f.add("", strings.Split(screen.Wrap(known.trouble.Sentence+" "+known.trouble.Hint, f.room()), "\n")...)
	} else if known.clock.within > 0 {
		f.add("", f.clock(known.clock))
	}
}

// clock is how the clock of a gateway stands to this machine's.
func (f *facts) clock(c clock) string {
	t := f.env.Theme
	switch text, state := check.ClockDifference(c.ahead, c.within); {
	case text == "":
		return t.Muted.Render("clock agrees with this machine's")
	case state != check.OK:
		return t.Warn.Render(t.Glyphs.Warning + " clock " + text)
	default:
		return t.Muted.Render("clock " + text)
	}
}

// state is whether the gateway can be reached, and how long its answers take.
func (f *facts) state(known *gateway) string {
	t, mark := f.env.Theme, known.verdict.mark
	sign, _, style := mark.drawn(t)
	line := style.Render(sign + " " + known.state())
	if !mark.reachable() {
		return line
	}
	sorted, several := slices.Sorted(slices.Values(known.answers)), len(known.answers) > 1
	middle := took(sorted[len(sorted)/2])
	switch {
	case mark == good && several:
		line += "  " + middle + t.Muted.Render("  "+t.Glyphs.Separator+" median of "+strconv.Itoa(len(known.answers)))
	case mark == good:
		line += "  " + middle
	case several:
		line += t.Muted.Render("  median " + middle)
	}
	return line
}

// The name of a share may take minName cells, and up to maxName where these leave room for the
// longest bar beside it.
const (
	minName, maxName = 20, 40
	minBar, maxBar   = 5, 16
)

func (f *facts) shares(known *gateway) {
	t, counted := f.env.Theme, known.shares
	text := t.Number.Render(counted.String())
	if counted.Size != "" {
		number, unit, _ := strings.Cut(counted.SizeText(), " ")
		text += "   " + t.Number.Render(number) + " " + t.Muted.Render(unit)
	}
	if known.stale {
		text += t.Muted.Render("  at " + known.countedAt.Local().Format(time.TimeOnly))
	}
	f.add("Shares", text)
	if counted.Size == "" || len(counted.Largest) == 0 {
		return
	}
	most := max(minName, min(f.room()-maxBar-len("    999.9 PB"), maxName))
	names := 0
	for _, share := range counted.Largest {
		names = max(names, safetext.Width(safetext.Clip(share.Name, most)))
	}
	names = max(names, safetext.Width(othersText(counted)))
	_, rest := counted.Others()
	largest := counted.Largest[0].Size
	if check.CompareDigits(rest, largest) > 0 {
		largest = rest
	}
	for _, share := range counted.Largest {
		f.bar(safetext.Clip(share.Name, most), share.Size, largest, names, t.Warn)
	}
	if text := othersText(counted); text != "" {
		f.bar(t.Muted.Render(text), rest, largest, names, t.Muted)
	}
}

// othersText names the shares beside the largest, "" where there are none.
func othersText(counted *check.ShareCount) string {
	others, _ := counted.Others()
	switch {
	case others < 1:
		return ""
	case counted.More:
		return "others counted"
	}
	return human.Count(others, "other", "others")
}

// bar adds a name, a bar as long as its size is beside the largest, and the size. The bar is
// left out where there is no room for it.
func (f *facts) bar(name, size, largest string, names int, style styles.Style) {
	t := f.env.Theme
	number, unit, _ := human.SizeOf(size)
	label := safetext.PadLeft(number, len("999.9")) + " " + t.Muted.Render(unit)
	text := name + strings.Repeat(" ", max(names-screen.Cells(name), 0)) + "  "
	cells := min(f.room()-names-len("  ")-len("  999.9 PB"), maxBar)
	if cells >= minBar {
		text += screen.Bar(t, style, part(size, largest), cells) + "  "
	}
	f.add("", text+label)
}

// part is how large one number is beside another, both in digits, at most 1.
func part(size, whole string) float64 {
	a, _ := strconv.ParseFloat(size, 64)
	b, _ := strconv.ParseFloat(whole, 64)
	if b <= 0 {
		return 0
	}
	return min(a/b, 1)
}

// answers shows how long the latest answers took, where there are several.
func (f *facts) answers(known *gateway) {
	if len(known.answers) < 2 {
		return
	}
	values := make([]float64, len(known.answers))
	for i, answer := range known.answers {
		values[i] = answer.Seconds()
	}
	t := f.env.Theme
	f.lines = append(f.lines, "")
	f.add("Answers", screen.Spark(t, values)+t.Muted.Render("  last "+strconv.Itoa(len(values))+", slowest "+took(slices.Max(known.answers))))
}

// soon is how long before its end a sign-in is warned of.
const soon = 3 * 24 * time.Hour

// lifeWidth is how many cells the line of what is left of a token takes.
const lifeWidth = 20

// session is what is known of the session, in lines of a width.
func (m *Model) session(width int) []string {
	f := &facts{env: m.env, width: width}
	status := m.status()
	f.token(status)
	if !over(status) {
		f.add("Renews", m.renewal(status))
		f.signIn(status)
		f.store(status)
	}
	from := "the access token"
	if !status.SignedInAt.IsZero() {
		from = "the sign-in at " + human.Clock(status.SignedInAt, m.env.Now())
	}
	t := m.env.Theme
	f.add("List as of", from+"  "+t.Key.Render(screen.ShortKeyName(m.env.Keys.Key("root.signin")))+t.Muted.Render(" sign in again"))
	return f.lines
}

// over reports that a session can do nothing any more.
func over(s session.Status) bool { return s.State == session.Ended || s.State == session.SignedOut }

func (f *facts) token(s session.Status) {
	t := f.env.Theme
	left := s.ExpiresAt.Sub(f.env.Now())
	switch {
	case over(s):
		f.add("Token", t.Bad.Render(t.Glyphs.Bad+" the session is over"))
	case s.ExpiresAt.IsZero(): // unknown
	case left <= 0:
		f.add("Token", t.Warn.Render(t.Glyphs.Warning+" expired"))
	case s.Life <= 0:
		f.add("Token", f.env.Left(left)+" left")
	default:
		part := float64(left) / float64(s.Life)
		f.add("Token", screen.Life(t, part, min(lifeWidth, f.room()/2))+" "+f.env.Left(left)+" left")
	}
}

func (m *Model) renewal(s session.Status) string {
	t := m.env.Theme
	switch {
	case !s.Renewable:
		return t.Warn.Render(t.Glyphs.Warning + " not at all: no refresh token was issued")
	case s.State == session.Renewing:
		return "right now" + t.Glyphs.More
	case s.State == session.Delayed:
		return t.Warn.Render(t.Glyphs.Warning + " failed: next attempt at " + human.Clock(s.RenewAt, m.env.Now()))
	case !s.RenewAt.After(m.env.Now()):
		return "automatic, due now"
	}
	return "automatic, next about " + human.Clock(s.RenewAt, m.env.Now())
}

func (f *facts) signIn(s session.Status) {
	t := f.env.Theme
	if s.RefreshEndsAt.IsZero() {
		f.add("Session", "ends with the token")
		return
	}
	text := "ends " + human.Date(s.RefreshEndsAt.Local()) + ", " + human.Age(s.RefreshEndsAt, f.env.Now())
	if left := s.RefreshEndsAt.Sub(f.env.Now()); left < soon {
		text = t.Warn.Render(t.Glyphs.Warning + " " + text)
	}
	f.add("Session", text)
}

func (f *facts) store(s session.Status) {
	t := f.env.Theme
	switch {
	case s.Saved:
		f.add("Kept in", session.StoreTitle(s.Store))
	case s.Store == "": // unknown
	case s.Store == config.StoreMemory && f.env.Remote:
		f.add("Kept in", t.Warn.Render("memory: gone when you leave"))
	case s.Store == config.StoreMemory:
		f.add("Kept in", t.Warn.Render("memory: gone when the program ends"))
	default:
		f.add("Kept in", t.Warn.Render(t.Glyphs.Warning+" memory: not saved in the "+s.Store))
	}
}
