// Package domains is the screen on which a person picks one of the domains that
// the account reaches: the claims of the access token (interface section 2.2).
package domains

import (
	"cmp"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/text/hostname"
	"gatehouse/internal/text/problem"
	"gatehouse/internal/text/safetext"
	"gatehouse/session"
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
	explained bool // what is under the cursor stands beside the list
}

// New makes the screen, with the cursor on the domain that was gone into last.
func New(env *screen.Env, o Options) *Model {
	m := &Model{env: env, service: o.Service, session: o.Session, deadline: deadline, gateways: map[string]*gateway{}}
	m.grid = grid.New(env.Theme, list{m})
	m.grid.RowsOnly, m.grid.OnClick = true, m.clicked
	m.grid.OnCopy = func(row, _ int) tea.Cmd { return m.copy(m.domains[row]) }
	m.grid.OnMark = func() tea.Cmd { return nil }
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
	claims, before := m.session.Status().Claims, m.domains
	m.domains, m.primary = claims.AllDomains(), claims.PrimaryDomain
	if !slices.Equal(m.domains, before) {
		m.grid.SetMarks(grid.Marks{})
	}
	m.addresses = make([]string, len(m.domains))
	for i, name := range m.domains {
		// What the profile has no gateway for is not asked; going in says why.
		m.addresses[i], _ = m.service.GatewayURL(name)
	}
	m.shown = m.found()
	m.grid.SetSource(list{m}, m.shown)
}

func (m *Model) Init() tea.Cmd { return m.begin() }

func (m *Model) Close() { m.stop() }

// Blur implements [screen.Screen]: what is under way may end, and no other
// gateway is asked.
func (m *Model) Blur() { m.covered = true }

// Focus implements [screen.Screen]: the round goes on where it stopped.
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
	signIn := screen.Action{ID: screen.RootSignIn, Description: "refresh the domains with a new sign-in", Run: func() tea.Cmd { return m.env.Root.SignInAgain(m, "", nil) }}
	list := append([]screen.Action{
		{ID: screen.DomainsOpen, Reason: none, Run: m.open},
		{ID: screen.RootCheck, Title: "check", Run: func() tea.Cmd { return m.env.Root.Check("") }},
		{ID: screen.DomainsStop, Reason: screen.If(!waiting, "no request is running"), Run: screen.Do(m.stop)},
		{
			ID: screen.DomainsAsk, Run: m.askAll,
			Reason: cmp.Or(screen.If(len(m.domains) == 0, "there is no domain to ask about"), screen.If(waiting, "the requests are already running")),
		},
	}, m.filter.Actions()...)
	list = append(list,
		screen.Action{ID: screen.DomainsAddress, Reason: none, Run: m.showAddresses},
		signIn,
		screen.Action{ID: screen.DomainsCopy, Reason: none, Run: func() tea.Cmd { return m.copy(name) }},
		screen.Action{ID: screen.DomainsExport, Reason: cmp.Or(none, m.isElsewhere()), Run: m.export},
	)
	compared := screen.Action{ID: screen.DomainsCompare, Reason: m.notTwo(), Run: m.compare}
	list = slices.Insert(list, 1, compared) // two were marked for that
	list = slices.Concat(m.grid.Unmarking(), list, m.grid.Markings())
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

// clicked opens a domain that was under the cursor already.
func (m *Model) clicked(hit grid.Hit) tea.Cmd {
	if hit.Target == grid.Row && hit.Again {
		return m.open()
	}
	return nil
}

// showAddresses shows where a domain can be reached, to open or copy that.
func (m *Model) showAddresses() tea.Cmd {
	row, ok := m.grid.Selected()
	if !ok {
		return nil
	}
	root, name := m.env.Root, m.domains[row]
	entry := func(kind, note, url string) screen.Entry {
		return screen.Entry{
			Group: kind + ", " + note, Title: url, Said: url + ": " + kind + ", " + note, Drawn: screen.Link(m.env.Theme, safetext.Clip(url, maxAddress), url),
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
