// Package domains is the screen on which a person chooses one of the domains of their account, as
// the claims of the access token list them (interface section 2.2). It asks the gateway of each
// domain that can be seen for its shares, and shows how many there are.
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

// lastKey is the key in the state for the domain that was opened last.
const lastKey = "domains.last"

// Options say what the screen works with.
type Options struct {
	Service Service
	Session Session
}

// Session is the session of the signed-in user.
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
	shown  []int32 // the rows that match the filter

	domains   []string // a row for each
	addresses []string // the URLs of their gateways; "" for those that have none
	primary   string   // the primary one of the domains; "" if it is not known
	brief     bool     // the cells have shorter texts, as the screen is narrow

	deadline time.Duration       // for one gateway
	gateways map[string]*gateway // what is known of them, by URL
	round    *round              // nil if no gateway is to be asked
	covered  bool                // another screen is shown

	answeredAt time.Time // when a gateway answered last

	screen.Base
	explained bool // a pane beside the list explains the domain under the cursor
}

// New makes the screen, with the cursor on the domain that was opened last.
func New(env *screen.Env, o Options) *Model {
	m := &Model{
		env:      env,
		service:  o.Service,
		session:  o.Session,
		deadline: deadline,
		gateways: map[string]*gateway{},
	}
	m.grid = grid.New(env.Theme, domainSource{m})
	m.grid.RowsOnly, m.grid.OnClick = true, m.clicked
	m.grid.OnCopy = func(row, _ int) tea.Cmd { return m.copy(m.domains[row]) }
	m.grid.OnMark = func() tea.Cmd { return nil }
	m.filter = grid.NewFilterLine(env.Theme, grid.ByWords, func(string) tea.Cmd {
		m.shown = m.matching()
		m.grid.SetRows(m.shown)
		m.grid.SetMatch(m.filter.Words())
		return nil
	})
	m.filter.Earlier, m.filter.Kind = env.Earlier, "domains"
	m.filter.TooLong = func(characters int) tea.Cmd {
		return env.Root.Say(grid.SaidTooLong(characters), true)
	}
	m.read()
	var last string
	if env.State.Get(lastKey, &last) {
		m.grid.Select(slices.Index(m.domains, last))
	}
	return m
}

// Remember notes that a domain was opened, and moves the cursor to it.
func (m *Model) Remember(domain string) {
	m.grid.Select(slices.Index(m.domains, domain))
	m.env.State.Set(lastKey, domain)
}

// Place is where the person is in the list: its filter, and the domain under the cursor.
func (m *Model) Place() (filter, domain string) {
	domain, _ = m.selected()
	return m.filter.Text(), domain
}

// Return goes back to a place. A filter that no domain matches any more is dropped.
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

// begin asks the gateways, but not for a person who hears the UI and would have to wait until the
// slowest one has answered.
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
		// If the profile has no gateway for the domain, the person learns why by opening it.
		m.addresses[i], _ = m.service.GatewayURL(name)
	}
	m.shown = m.matching()
	m.grid.SetSource(domainSource{m}, m.shown)
}

func (m *Model) Init() tea.Cmd { return m.begin() }

func (m *Model) Close() { m.stop() }

// Blur implements [screen.Screen]: no further gateway is asked. Requests that are running go on.
func (m *Model) Blur() { m.covered = true }

// Focus implements [screen.Screen]: the other gateways of the round are asked.
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
	none, asking := screen.If(!selected, "there is no domain here"), m.asking()
	signIn := screen.Action{
		ID:          screen.RootSignIn,
		Description: "refresh the domains with a new sign-in",
		Run:         func() tea.Cmd { return m.env.Root.SignInAgain(m, "", nil) },
	}
	list := []screen.Action{
		{ID: screen.DomainsOpen, Reason: none, Run: m.open},
		{ID: screen.DomainsCompare, Reason: m.notTwo(), Run: m.compare},
		{ID: screen.RootCheck, Title: "check", Run: func() tea.Cmd { return m.env.Root.Check("") }},
		{
			ID:     screen.DomainsStop,
			Reason: screen.If(!asking, "no request is running"),
			Run:    screen.Do(m.stop),
		},
		{
			ID: screen.DomainsAsk,
			Reason: cmp.Or(
				screen.If(len(m.domains) == 0, "there is no domain to ask about"),
				screen.If(asking, "the requests are already running"),
			),
			Run: m.askAll,
		},
	}
	list = append(list, m.filter.Actions()...)
	list = append(list,
		screen.Action{ID: screen.DomainsAddress, Reason: none, Run: m.showAddresses},
		signIn,
		screen.Action{ID: screen.DomainsCopy, Reason: none, Run: func() tea.Cmd { return m.copy(name) }},
		screen.Action{ID: screen.DomainsExport, Reason: cmp.Or(none, m.noExport()), Run: m.export},
	)
	list = slices.Concat(
		m.grid.Unmarking(), list, m.grid.Marking(), m.grid.FurtherMarkings(), m.grid.Actions(),
	)
	known := m.current()
	if known != nil && known.trouble != nil && known.trouble.Kind == problem.SignIn {
		list = slices.Insert(list, 0, signIn) // it solves the problem, and so comes first
	}
	return list
}

// current is what is known of the gateway of the domain under the cursor; nil if nothing is.
func (m *Model) current() *gateway {
	if row, ok := m.grid.Selected(); ok {
		return m.gateways[m.addresses[row]]
	}
	return nil
}

// selected is the domain under the cursor; false if there is none.
func (m *Model) selected() (string, bool) {
	if row, ok := m.grid.Selected(); ok {
		return m.domains[row], true
	}
	return "", false
}

// open opens the domain under the cursor.
func (m *Model) open() tea.Cmd {
	if name, ok := m.selected(); ok {
		return m.env.Root.EnterDomain(name)
	}
	return nil
}

// matching are the rows of the domains that contain every word of the filter.
func (m *Model) matching() []int32 {
	words := m.filter.Words()
	rows := make([]int32, 0, len(m.domains))
	for i, name := range m.domains {
		if grid.ContainsAll(hostname.Readable(name), words) {
			rows = append(rows, int32(i))
		}
	}
	return rows
}

// clicked opens a domain if the click hit the row under the cursor. The first click on a row moves
// the cursor there.
func (m *Model) clicked(hit grid.Hit) tea.Cmd {
	if hit.Target == grid.Row && hit.Again {
		return m.open()
	}
	return nil
}

// showAddresses shows the URLs of the domain under the cursor, to open or copy them.
func (m *Model) showAddresses() tea.Cmd {
	row, ok := m.grid.Selected()
	if !ok {
		return nil
	}
	root, name := m.env.Root, m.domains[row]
	entry := func(kind, note, url string) screen.Entry {
		return screen.Entry{
			Group: kind + ", " + note,
			Title: url,
			Said:  url + ": " + kind + ", " + note,
			Drawn: screen.Link(m.env.Theme, safetext.Clip(url, maxURL), url),
			Run:   func() tea.Cmd { return root.OpenLink(url) },
			Copy:  func() tea.Cmd { return root.Copy(url, "the "+strings.ToLower(kind)+" address") },
		}
	}
	guessed := "guessed from the name; a device login shows the real one"
	entries := []screen.Entry{entry("Browser", guessed, "https://"+name)}
	if gateway := m.addresses[row]; gateway != "" {
		entries = append(entries, entry("Gateway", "for programs such as this one", gateway))
	}
	title := "URLs of " + safetext.Clip(hostname.Readable(name), maxURL)
	list := menu.New(m.env, title, "open", entries)
	list.Stays, list.Opener = true, screen.DomainsAddress
	return root.Push(m, list)
}

// maxURL is how many cells of a URL are shown.
const maxURL = 66
