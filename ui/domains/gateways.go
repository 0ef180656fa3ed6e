package domains

import (
	"context"
	"crypto/tls"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatehouse/api"
	"gatehouse/internal/desk/check"
	"gatehouse/internal/text/human"
	"gatehouse/internal/text/problem"
	"gatehouse/ui/screen"
)

const (
	atOnce   = 3               // gateways asked at the same time
	deadline = 5 * time.Second // for each of them, until its shares are counted
)

// Service is what the screen asks of the service.
type Service interface {
	// Glance asks the gateway of a domain for the shares of the signed-in user,
	// once, and tells how long it took to answer.
	Glance(ctx context.Context, domain string) (*api.Body, time.Duration, error)
	// GatewayURL is the address of a domain's gateway.
	GatewayURL(domain string) (string, error)
}

// gateway is what is known of one gateway.
type gateway struct {
	asking  bool
	verdict *verdict         // nil: not asked yet
	trouble *problem.Problem // nil: there is none
	answer                   // the last one with shares; old where there is trouble
}

// certificate is what a connection shows of its encryption.
type certificate struct {
	version string // of TLS
	ends    time.Time
}

// String names the end of the certificate and the encryption:
// "certificate valid until 2027-01-02, TLS 1.3".
func (c *certificate) String() string {
	return "certificate valid until " + human.Date(c.ends.Local()) + ", " + c.version
}

// clock is by how much that of a gateway is ahead of this machine's, and how far off that may
// be: 0 where it is not known.
type clock struct{ ahead, within time.Duration }

// round is one asking of all gateways: when the screen is entered, and when a
// person wants it again.
type round struct {
	*screen.Work
	started time.Time
	asked   map[string]bool // addresses
	waiting int             // asked and not answered yet
}

// answer is what a gateway said, or why it did not.
type answer struct {
	at          time.Time
	latency     time.Duration
	shares      *check.ShareCount // nil: none could be read
	certificate *certificate      // nil: not known
	clock       clock
	err         error
}

// askAll begins a round. Which rows can be seen is known when the screen is settled.
func (m *Model) askAll() tea.Cmd {
	m.stop()
	m.round = &round{Work: screen.NewWork(m.env), started: m.env.Now(), asked: map[string]bool{}}
	return nil
}

// Shown implements [screen.Screen]: the gateways of the rows that have come into sight
// are asked.
func (m *Model) Shown() tea.Cmd {
	if m.next() < 0 {
		return nil
	}
	return func() tea.Msg { return screen.Addressed{To: m, Take: m.ask} }
}

// ask asks as many gateways as may be asked at once.
func (m *Model) ask() tea.Cmd {
	cmds := []tea.Cmd{}
	for row := m.next(); row >= 0; row = m.next() {
		cmds = append(cmds, m.askGateway(m.domains[row], m.addresses[row]))
	}
	if len(cmds) > 0 {
		m.grid.SetRows(m.shown)
	}
	return tea.Batch(cmds...)
}

// next is the row to ask next, of those that can be seen; -1 if there is none, or none may be asked
// now: while the screen is covered, nothing new is begun. The one under the cursor comes first.
func (m *Model) next() int {
	if m.round == nil || m.covered || m.round.waiting >= atOnce {
		return -1
	}
	if row, ok := m.grid.Selected(); ok && m.wanted(row) {
		return row
	}
	first, end := m.grid.Visible()
	for _, row := range m.shown[first:end] {
		if m.wanted(int(row)) {
			return int(row)
		}
	}
	return -1
}

// wanted reports whether the gateway of a row has not been asked in this round.
// Where a profile has one gateway for all domains, it is asked once.
func (m *Model) wanted(row int) bool {
	address := m.addresses[row]
	return address != "" && !m.round.asked[address]
}

func (m *Model) askGateway(domain, address string) tea.Cmd {
	current, service, limit, now := m.round, m.service, m.deadline, m.env.Now
	current.asked[address] = true
	current.waiting++
	if m.gateways[address] == nil {
		m.gateways[address] = &gateway{}
	}
	m.gateways[address].asking = true
	glance := func() answer {
		ctx, cancel := context.WithTimeout(current.Context, limit)
		defer cancel()
		return glance(ctx, service, domain, now)
	}
	return screen.Reply(m, glance, func(a answer) tea.Cmd { return m.answered(current, address, a) })
}

// glance asks one gateway and counts what it has.
func glance(ctx context.Context, service Service, domain string, now func() time.Time) answer {
	body, latency, err := service.Glance(ctx, domain)
	a := answer{at: now(), latency: latency, err: err}
	if err != nil {
		return a
	}
	defer body.Close()
	counted, err := check.CountShares(body, check.MostCounted)
	if err != nil {
		a.err = body.Unreadable(err)
		return a
	}
	a.shares, a.certificate = &counted, certificateOf(body.TLS())
	a.clock.ahead, a.clock.within = body.Skew(a.at.Add(-latency), a.at)
	return a
}

func certificateOf(connection *tls.ConnectionState) *certificate {
	if connection == nil || len(connection.PeerCertificates) == 0 {
		return nil
	}
	return &certificate{tls.VersionName(connection.Version), connection.PeerCertificates[0].NotAfter}
}

// answered takes an answer; one of a round that has ended is dropped.
func (m *Model) answered(asked *round, address string, a answer) tea.Cmd {
	if asked != m.round {
		return nil
	}
	m.round.waiting--
	m.answeredAt = m.env.Now()
	m.gateways[address].learn(a)
	m.grid.SetRows(m.shown)
	return m.ask()
}

func (g *gateway) learn(a answer) {
	v := judge(a.latency, a.err)
	g.asking, g.verdict, g.trouble = false, &v, nil
	if a.err == nil {
		g.answer = a
		return
	}
	described := screen.Describe(a.err)
	g.trouble = &described
}

// asking reports whether answers are waited for.
func (m *Model) asking() bool { return m.round != nil && m.round.waiting > 0 }

// stop ends the round; what is known stays.
func (m *Model) stop() {
	if m.round == nil {
		return
	}
	m.round.Cancel()
	m.round = nil
	for _, g := range m.gateways {
		g.asking = false
	}
	m.grid.SetRows(m.shown)
}
