// Package domains is the screen on which a person picks one of the domains that
// the account reaches: the claims of the access token (interface section 2.2).
package domains

import (
	"cmp"
	"iter"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/hostname"
	"gatehouse/internal/safetext"
	"gatehouse/session"
	"gatehouse/ui/grid"
	"gatehouse/ui/menu"
	"gatehouse/ui/screen"
)

// lastKey is where the state keeps the domain that was gone into last.
const lastKey = "domains.last"

// Options are what the screen is made with.
type Options struct {
	Service Service
	Status  func() session.Status // who is signed in
}

// Model is the screen.
type Model struct {
	env     *screen.Env
	service Service
	status  func() session.Status

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
	m := &Model{env: env, service: o.Service, status: o.Status, deadline: deadline, gateways: map[string]*gateway{}}
	m.grid = grid.New(env.Theme, list{m})
	m.grid.RowsOnly = true
	m.grid.OnCopy = func(row, _ int) tea.Cmd { return m.env.Root.Copy(m.domains[row], m.domains[row]) }
	m.filter = grid.NewFilterLine(env.Theme, grid.ByWords, func(string) tea.Cmd {
		m.shown = m.found()
		m.refresh()
		m.grid.SetMatch(m.filter.Words())
		return nil
	})
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
	claims := m.status().Claims
	m.domains, m.primary = claims.AllDomains(), claims.PrimaryDomain
	m.addresses = make([]string, len(m.domains))
	for i, name := range m.domains {
		// What the profile has no gateway for is not asked; going in says why.
		m.addresses[i], _ = m.service.GatewayURL(name)
	}
	m.shown = m.found()
	m.grid.SetSource(list{m}, m.shown)
}

// refresh takes over what has changed in the rows.
func (m *Model) refresh() { m.grid.SetRows(m.shown) }

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
	list := append([]screen.Action{
		{ID: "domains.open", Reason: none, Run: m.open},
		{ID: "root.check", Title: "check", Run: func() tea.Cmd { return m.env.Root.Check("") }},
	}, m.filter.Actions()...)
	list = append(list,
		screen.Action{ID: "domains.stop", Reason: screen.If(!waiting, "no request is running"), Run: screen.Do(m.stop)},
		screen.Action{
			ID: "domains.ask", Run: m.askAll,
			Reason: cmp.Or(screen.If(len(m.domains) == 0, "there is no domain to ask about"), screen.If(waiting, "the requests are already running")),
		},
		screen.Action{ID: "domains.address", Reason: none, Run: m.showAddresses},
		screen.Action{ID: "root.signin", Description: "sign in again to refresh the list of domains", Run: func() tea.Cmd { return m.env.Root.SignInAgain(m, "", nil) }},
		screen.Action{ID: "domains.copy", Reason: none, Run: func() tea.Cmd { return m.env.Root.Copy(name, name) }},
	)
	return append(list, m.grid.Actions()...)
}

func (m *Model) selected() (string, bool) {
	row, ok := m.grid.Selected()
	if !ok {
		return "", false
	}
	return m.domains[row], true
}

func (m *Model) open() tea.Cmd {
	name, ok := m.selected()
	if !ok {
		return nil
	}
	return m.env.Root.EnterDomain(name)
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
	hit := m.grid.Click(x, y-m.above)
	if hit.Target == grid.Row && hit.Again {
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
	list.Stays, list.Opener = true, "domains.address"
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
	if g.trouble != nil {
		return strings.TrimSpace("gateway " + g.state() + ". " + g.trouble.Sentence + " " + g.trouble.Hint)
	}
	shares := " shares"
	if g.shares.Shares == 1 && !g.shares.More {
		shares = " share"
	}
	parts := []string{g.shares.String() + shares}
	if g.shares.Size != "" {
		parts = append(parts, g.shares.SizeText())
	}
	state := "gateway " + g.state()
	if g.verdict.mark == good {
		state += " in " + took(g.last())
	}
	return strings.Join(append(parts, state), ", ")
}
