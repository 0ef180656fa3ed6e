// Package domains is the screen on which a person picks one of the domains that
// the account reaches: the claims of the access token (interface section 2.2).
package domains

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/text/hostname"
	"gatehouse/internal/text/human"
	"gatehouse/internal/text/problem"
	"gatehouse/internal/text/safetext"
	"gatehouse/session"
	"gatehouse/ui/fields"
	"gatehouse/ui/grid"
	"gatehouse/ui/menu"
	"gatehouse/ui/screen"
)

// lastKey is the key under which the state keeps the domain opened last.
const lastKey = "domains.last"

// Options are what the screen is made with.
type Options struct {
	Service Service
	Session Session
}

// Session is who is signed in.
type Session interface {
	Status() session.Status
	CanKeep() bool
}

// Model is the screen.
type Model struct {
	env     *screen.Env
	service Service
	session Session

	filter *grid.FilterLine
	grid   *grid.Model
	shown  []int32 // rows that the filter found

	domains   []string
	addresses []string // of their gateways; "" where there is none
	primary   string   // of the domains
	brief     bool     // cells are put in fewer words

	deadline time.Duration       // for one gateway
	gateways map[string]*gateway // by address
	round    *round              // nil: none is to be asked
	covered  bool                // another screen is shown

	answeredAt time.Time // the last time

	screen.Base
	width, above int // of the last Draw: its width, and the lines above the table
}

// New makes the screen, with the cursor on the domain that was gone into last.
func New(env *screen.Env, o Options) *Model {
	m := &Model{env: env, service: o.Service, session: o.Session, deadline: deadline, gateways: map[string]*gateway{}}
	m.grid = grid.New(env.Theme, list{m})
	m.grid.RowsOnly = true
	m.grid.OnCopy = func(row, _ int) tea.Cmd { return m.env.Root.Copy(m.domains[row], m.domains[row]) }
	m.filter = grid.NewFilterLine(env.Theme, grid.ByWords, func(string) tea.Cmd {
		m.shown = m.found()
		m.grid.SetRows(m.shown)
		m.grid.SetMatch(m.filter.Words())
		return nil
	})
	m.filter.Earlier, m.filter.Kind = env.Earlier, "domains"
	m.filter.TooLong = func(characters int) tea.Cmd { return env.Root.Say(grid.SaidTooLong(characters), true) }
	m.read()
	var last string
	if env.State.Get(lastKey, &last) {
		m.grid.Select(slices.Index(m.domains, last))
	}
	return m
}

// Remember makes a domain the one that was gone into last.
func (m *Model) Remember(domain string) {
	m.grid.Select(slices.Index(m.domains, domain))
	m.env.State.Set(lastKey, domain)
}

// Place is where the person is in the list: its filter, and the domain under the cursor.
func (m *Model) Place() (filter, domain string) {
	domain, _ = m.selected()
	return m.filter.Text(), domain
}

// Return goes back to a place, as far as it is there.
func (m *Model) Return(filter, domain string) {
	m.filter.Set(filter)
	if len(m.shown) == 0 {
		m.filter.Set("")
	}
	m.grid.Select(slices.Index(m.domains, domain))
}

// Refresh reads the claims again, after a sign-in, and asks the gateways.
func (m *Model) Refresh() tea.Cmd {
	m.read()
	return m.begin()
}

// begin asks the gateways unless somebody would have to wait for the slowest, as nothing is
// drawn meanwhile.
func (m *Model) begin() tea.Cmd {
	if m.env.Theme.Options.Spoken {
		return nil
	}
	return m.askAll()
}

// read takes the domains from the claims.
func (m *Model) read() {
	claims := m.session.Status().Claims
	m.domains, m.primary = claims.AllDomains(), claims.PrimaryDomain
	m.addresses = make([]string, len(m.domains))
	for i, name := range m.domains {
		// What the profile has no gateway for is not asked; going in says why.
		m.addresses[i], _ = m.service.GatewayURL(name)
	}
	m.shown = m.found()
	m.grid.SetSource(list{m}, m.shown)
}

func (m *Model) Title() string { return "Domains" }

func (m *Model) Init() tea.Cmd { return m.begin() }

func (m *Model) Timed() {}

func (m *Model) Typing() bool { return m.filter.Typing() }

func (m *Model) Close() { m.stop() }

// Blur implements [screen.Focuser]: what is under way may end, and no other
// gateway is asked.
func (m *Model) Blur() { m.covered = true }

// Focus implements [screen.Focuser]: the round goes on where it stopped.
func (m *Model) Focus() tea.Cmd {
	m.covered = false
	return m.ask()
}

func (m *Model) Update(msg tea.Msg) tea.Cmd {
	return m.filter.Update(msg)
}

func (m *Model) Actions() []screen.Action {
	if m.filter.Typing() {
		return m.filter.Actions()
	}
	name, selected := m.selected()
	none, waiting := screen.If(!selected, "there is no domain here"), m.asking()
	signIn := screen.Action{ID: screen.RootSignIn, Description: "sign in again to refresh the list of domains", Run: func() tea.Cmd { return m.env.Root.SignInAgain(m, "", nil) }}
	list := append([]screen.Action{
		{ID: screen.DomainsOpen, Reason: none, Run: m.open},
		{ID: screen.RootCheck, Title: "check", Run: func() tea.Cmd { return m.env.Root.Check("") }},
	}, m.filter.Actions()...)
	list = append(list,
		screen.Action{ID: screen.DomainsStop, Reason: screen.If(!waiting, "no request is running"), Run: screen.Do(m.stop)},
		screen.Action{
			ID: screen.DomainsAsk, Run: m.askAll,
			Reason: cmp.Or(screen.If(len(m.domains) == 0, "there is no domain to ask about"), screen.If(waiting, "the requests are already running")),
		},
		screen.Action{ID: screen.DomainsAddress, Reason: none, Run: m.showAddresses},
		signIn,
		screen.Action{ID: screen.DomainsCopy, Reason: none, Run: func() tea.Cmd { return m.env.Root.Copy(name, name) }},
	)
	if known := m.current(); known != nil && known.trouble != nil && known.trouble.Kind == problem.SignIn {
		list = slices.Insert(list, 0, signIn) // what mends it comes first
	}
	return append(list, m.grid.Actions()...)
}

// current is what is known of the gateway of the domain under the cursor; nil: nothing.
func (m *Model) current() *gateway {
	if row, ok := m.grid.Selected(); ok {
		return m.gateways[m.addresses[row]]
	}
	return nil
}

func (m *Model) selected() (string, bool) {
	if row, ok := m.grid.Selected(); ok {
		return m.domains[row], true
	}
	return "", false
}

// open goes into the domain under the cursor: who hears the list has chosen it only just.
func (m *Model) open() tea.Cmd {
	if name, ok := m.selected(); ok {
		return m.env.Root.EnterDomain(name)
	}
	return nil
}

// found are the domains that hold every word of the filter.
func (m *Model) found() []int32 {
	words := m.filter.Words()
	rows := make([]int32, 0, len(m.domains))
	for i, name := range m.domains {
		if grid.ContainsAll(hostname.Readable(name), words) {
			rows = append(rows, int32(i))
		}
	}
	return rows
}

// Click implements [screen.MouseHandler]: a domain under the cursor is gone into,
// and the filter typed into.
func (m *Model) Click(x, y int) tea.Cmd {
	switch {
	case x >= m.width: // in the panes beside it
		return nil
	case y < m.above:
		m.filter.Click()
		return nil
	}
	if hit := m.grid.Click(x, y-m.above); hit.Target == grid.Row && hit.Again {
		return m.open()
	}
	return nil
}

func (m *Model) Wheel(lines int) { m.grid.Wheel(lines) }

// showAddresses shows where a domain can be reached, to open or copy that.
func (m *Model) showAddresses() tea.Cmd {
	row, ok := m.grid.Selected()
	if !ok {
		return nil
	}
	root, name := m.env.Root, m.domains[row]
	entry := func(kind, note, url string) screen.Entry {
		return screen.Entry{
			Group: kind + ", " + note, Title: url, Drawn: screen.Link(m.env.Theme, safetext.Clip(url, maxAddress), url),
			Run:  func() tea.Cmd { return root.OpenLink(url) },
			Copy: func() tea.Cmd { return root.Copy(url, "the "+strings.ToLower(kind)+" address") },
		}
	}
	entries := []screen.Entry{entry("Browser", "guessed from the name; a device login shows the real one", "https://"+name)}
	if gateway := m.addresses[row]; gateway != "" {
		entries = append(entries, entry("Gateway", "for programs such as this one", gateway))
	}
	list := menu.New(m.env, "URLs of "+safetext.Clip(hostname.Readable(name), maxAddress), "open", entries)
	list.Stays, list.Opener = true, screen.DomainsAddress
	return root.Push(m, list)
}

// maxAddress is how many cells of an address are shown.
const maxAddress = 66

// Say says how many domains there are, and what is wrong with the list.
func (m *Model) Say() iter.Seq[string] {
	if len(m.domains) == 0 {
		return screen.ReadLines(m.nothing(screen.ReadWidth)...)
	}
	return screen.Concat(screen.Texts(m.count(), m.progress()), screen.ReadLines(m.said(screen.ReadWidth)...))
}

func (m *Model) Rows() int { return m.grid.Len() }

func (m *Model) Choose(at int) { m.grid.Choose(at) }

// SayRow says a domain, and what is known of its gateway.
func (m *Model) SayRow(at int) string {
	row, _ := m.grid.At(at)
	text := hostname.Readable(m.domains[row])
	if m.domains[row] == m.primary {
		text += ", your primary domain"
	}
	switch known := m.gateways[m.addresses[row]]; {
	case m.addresses[row] == "":
		text += ", gateway unknown: " + noAddress
	case known != nil && known.verdict != nil:
		text += ": " + known.words()
	}
	return screen.Labelled("", text)
}

// words says what is known of a gateway that was asked.
func (g *gateway) words() string {
	text := g.spoken()
	if g.verdict.mark == good {
		text += " in " + human.Took(g.latency)
	}
	if g.shares != nil {
		text = g.shares.InWords() + ", " + text
	}
	if g.trouble != nil {
		text += ". " + g.explained()
	}
	return text
}

// explained says why the gateway gave no shares, and from when those are that are shown.
func (g *gateway) explained() string {
	text := g.trouble.Sentence + " " + g.trouble.Hint
	if g.shares != nil {
		text = "The figures are from " + g.at.Local().Format(time.TimeOnly) + ". " + text
	}
	return strings.TrimSpace(text)
}

const (
	// maxList is how wide the pane of the list is at most.
	maxList = 90
	// minSession is the height from which on there is a pane of the session, and minRoomy
	// that from which on the panes have free lines at their ends.
	minSession, minRoomy = 20, 28
)

// Draw draws the list, and below it what the panes beside it do not say.
func (m *Model) Draw(width, height int) string {
	if brief := width < narrowWidth; brief != m.brief {
		m.brief = brief
		m.grid.SetSource(list{m}, m.shown)
		m.grid.SetMatch(m.filter.Words())
	}
	m.width, m.above = width, 0
	var lines []string
	if m.filter.Visible() {
		lines, m.above = []string{" " + m.filter.Draw(width-2)}, 1
	}
	if len(m.domains) == 0 {
		lines = append(append(lines, ""), screen.Indented(m.nothing(width-2), 1)...)
	} else {
		lines = append(lines, m.list(width, height-m.above)...)
	}
	return screen.Box(strings.Join(lines, "\n"), width, height)
}

// list is the table with what stands below it.
func (m *Model) list(width, height int) []string {
	below := m.below(width, height)
	if len(below) > 0 && len(below) < height-minRows {
		below = append([]string{""}, below...)
	}
	rows := m.grid.Draw(width, max(height-len(below), 0))
	if m.grid.Len() == 0 {
		return append([]string{"", m.env.Theme.Muted.Render(" " + screen.Cut("No domains match the filter.", max(width-2, 0)))}, below...)
	}
	return append([]string{rows}, below...)
}

// below is what is said below the table: what the panes leave out, and without them what is
// known of the domain under the cursor and of the session, as far as there is room.
func (m *Model) below(width, height int) []string {
	said, room := screen.Indented(m.said(width-2), 1), height-m.grid.Len()-2
	if name, ok := m.selected(); ok && !m.Beside {
		domain := m.details(width)
		domain[0].Title = safetext.Clip(hostname.Readable(name), width)
		known := append(m.lines(domain, width), said...)
		if last := &domain[len(domain)-1]; len(known) > room && len(domain) > 2 { // the largest shares give way
			last.Fields = last.Fields[:min(len(last.Fields), 2)]
			known = append(m.lines(domain, width), said...)
		}
		lasting := m.lasting(width)
		lasting.Title = "Session"
		whole := slices.Concat(known, []string{""}, m.lines([]fields.Group{lasting}, width))
		switch {
		case len(whole) <= room:
			return whole
		case len(known) <= room:
			return known
		}
		said = append(screen.Indented(m.trouble(width-2), 1), said...)
	}
	return screen.AtMost(said, height-minRows, width-1)
}

func (m *Model) Rest() { m.grid.Rest() }

// Pane shows how many domains there are, and how many can be used.
func (m *Model) Pane() screen.Pane {
	number, rest, _ := strings.Cut(m.count(), " ")
	t, refreshed := m.env.Theme, screen.If(!m.answeredAt.IsZero(), "refreshed "+m.answeredAt.Local().Format(time.TimeOnly))
	return screen.Pane{
		Title: t.Strong.Render(number) + " " + t.Muted.Render(rest),
		Note:  cmp.Or(m.progress(), refreshed), Foot: screen.If(len(m.domains) > 0, m.grid.Position()),
	}
}

func (m *Model) SideWidth(width int) int { return width - min(width/2+4, maxList) }

// Side shows what is known of the domain under the cursor.
func (m *Model) Side(width, height int) (screen.Pane, string) {
	name, ok := m.selected()
	if !ok {
		return screen.Pane{}, ""
	}
	pane := screen.Pane{Title: safetext.Clip(hostname.Readable(name), width)}
	if t := m.env.Theme; name == m.primary {
		pane.Title = t.Strong.Render(pane.Title) + " " + t.Warn.Render(t.Glyphs.Primary)
	}
	return pane, "\n" + fields.Draw(m.env.Theme, m.details(width), width, height-1)
}

// Lower shows the session.
func (m *Model) Lower(width, height int) (screen.Pane, []string) {
	pane, lines := screen.Pane{Title: "Session", Note: session.AuthorityTitle(m.session.Status().Authority)}, m.lines([]fields.Group{m.lasting(width)}, width)
	switch {
	case height < minSession:
		return pane, nil
	case height < minRoomy:
		return pane, lines
	}
	return pane, slices.Concat([]string{""}, lines, []string{""})
}

// minRows is how many lines the table keeps, its titles included.
const minRows = 3

// count says how many domains there are.
func (m *Model) count() string {
	total := human.Count(len(m.domains), "domain", "domains")
	if shown := m.grid.Len(); shown != len(m.domains) {
		return human.Number(shown) + " of " + total
	}
	return total
}

// progress says what is waited for and since when, or how many gateways are
// of use.
func (m *Model) progress() string {
	asked, reached, waiting, last := 0, 0, 0, ""
	for _, g := range m.gateways {
		switch {
		case g.asking:
			waiting++
		case g.verdict != nil:
			asked++
			last = g.verdict.text
			if g.verdict.mark <= slow {
				reached++
			}
		}
	}
	switch {
	case waiting > 0:
		return fmt.Sprintf("asking %s since %s", counted(waiting), m.round.started.Local().Format(time.TimeOnly))
	case asked == 1 && reached == 0:
		return "gateway: " + last
	case asked > reached:
		return fmt.Sprintf("%d of %s returned shares", reached, counted(asked))
	}
	return ""
}

func counted(n int) string { return human.Count(n, "gateway", "gateways") }

// said are the notes that the panes and what is known of a domain leave out.
func (m *Model) said(width int) []string { return append(m.ended(width), m.left(width)...) }

// maxTrouble is how many lines explain the gateway under the cursor.
const maxTrouble = 4

// trouble says in full why the gateway under the cursor gives no shares.
func (m *Model) trouble(width int) []string {
	known := m.current()
	if known == nil || known.trouble == nil {
		return nil
	}
	sign, _, style := known.verdict.mark.drawn(m.env.Theme)
	return screen.AtMost(screen.Wrapped(style, sign+" "+known.explained(), width), maxTrouble, width)
}

// ended says that what is shown is of a session that can do nothing any more.
func (m *Model) ended(width int) []string {
	if state := m.session.Status().State; state != session.Ended && state != session.SignedOut {
		return nil
	}
	text := m.env.Theme.Glyphs.Warning + " The session has ended; this list is from before. " + m.signInKey()
	return screen.Wrapped(m.env.Theme.Warn, text, width)
}

// left says what was left out of the list, and what had to be chosen for it.
func (m *Model) left(width int) (lines []string) {
	for _, note := range m.session.Status().Claims.Notes() {
		lines = append(lines, screen.Wrapped(m.env.Theme.Warn, m.env.Theme.Glyphs.Warning+" "+note, width)...)
	}
	return lines
}

// nothing says why there is no domain, and what leads to one.
func (m *Model) nothing(width int) []string {
	text := "The access token names no domain."
	switch claims := m.session.Status().Claims; {
	case !claims.Present:
		text = "The access token has no readable claims, so the domains are unknown."
	case len(claims.Rejected) > 0:
		text = "The access token names domains, and none that can be read."
	}
	lines := screen.Wrapped(m.env.Theme.Muted, text+" "+m.signInKey(), width)
	return append(append(lines, ""), m.said(width)...)
}

// signInKey says how to sign in again.
func (m *Model) signInKey() string {
	return "Press " + m.env.Keys.Key(screen.RootSignIn) + " to sign in again."
}
