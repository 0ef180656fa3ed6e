// Package domains is the screen on which a person picks one of the domains that
// the account reaches: the claims of the access token (interface section 2.2).
package domains

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/hostname"
	"gatehouse/session"
	"gatehouse/ui/grid"
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
	screen.Explanation
	width, above int // of the last Draw: its width, and the lines above the table
}

// New makes the screen, with the cursor on the domain that was gone into last.
func New(env *screen.Env, o Options) *Model {
	m := &Model{env: env, service: o.Service, status: o.Status, deadline: deadline, gateways: map[string]*gateway{}}
	m.grid = grid.New(env.Theme, list{m})
	m.grid.RowsOnly = true
	m.grid.OnCopy = func(int, int) tea.Cmd { return m.copyName() }
	m.filter = grid.NewFilterLine(env.Theme, grid.ByWords, m.narrow)
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
	open := screen.Action{ID: "domains.open", Reason: m.noneSelected(), Run: m.open}
	check := screen.Action{ID: "root.check", Title: "check", Run: func() tea.Cmd { return m.env.Root.Check("") }}
	list := append([]screen.Action{open, check}, m.filter.Actions()...)
	return append(append(list, m.ownActions()...), m.grid.Actions()...)
}

func (m *Model) ownActions() []screen.Action {
	ask := screen.Action{ID: "domains.ask", Run: m.askAll}
	stop := screen.Action{ID: "domains.stop", Reason: "no request is running", Run: m.stop}
	switch {
	case len(m.domains) == 0:
		ask.Reason = "there is no domain to ask about"
	case m.asking():
		ask.Reason, stop.Reason = "the requests are already running", ""
	}
	return []screen.Action{
		stop, ask,
		{ID: "domains.address", Reason: m.noneSelected(), Run: m.showAddresses},
		{ID: "root.signin", Description: "sign in again to refresh the list of domains", Run: func() tea.Cmd { return m.env.Root.SignInAgain(m, "", nil) }},
		{ID: "domains.copy", Reason: m.noneSelected(), Run: m.copyName},
	}
}

func (m *Model) copyName() tea.Cmd {
	name, ok := m.selected()
	if !ok {
		return nil
	}
	return m.env.Root.Copy(name, name)
}

func (m *Model) noneSelected() string {
	if _, ok := m.selected(); ok {
		return ""
	}
	return "there is no domain here"
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

func (m *Model) narrow(string) tea.Cmd {
	m.shown = m.found()
	m.refresh()
	m.grid.SetMatch(m.filter.Words())
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
	hit := m.grid.Click(x, y-m.above)
	if hit.Target == grid.Row && hit.Again {
		return m.open()
	}
	return nil
}

func (m *Model) Wheel(lines int) { m.grid.Wheel(lines) }
