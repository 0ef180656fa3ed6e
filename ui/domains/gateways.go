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
	maxRequests = 3               // how many gateways are asked at the same time
	deadline    = 5 * time.Second // for each of them, until its shares are counted
)

// Service asks the gateways.
type Service interface {
	// Glance asks the gateway of a domain once, without another try, for the shares of the
	// signed-in user. It also returns how long the gateway took to answer.
	Glance(ctx context.Context, domain string) (*api.Body, time.Duration, error)
	// GatewayURL is the URL of a domain's gateway.
	GatewayURL(domain string) (string, error)
}

// gateway is what is known of one gateway.
type gateway struct {
	asking  bool
	verdict *verdict         // nil if it was not asked yet
	trouble *problem.Problem // why the newest answer has no shares; nil if it has
	answer                   // the newest answer with shares, which is old if there is trouble
}

// certificate describes the encryption of a connection.
type certificate struct {
	version string // of TLS
	ends    time.Time
}

// String names the end of the certificate and the encryption:
// "certificate valid until 2027-01-02, TLS 1.3".
func (c *certificate) String() string {
	return "certificate valid until " + human.Date(c.ends.Local()) + ", " + c.version
}

// clock says by how much the clock of a gateway is ahead of this machine's, and how inaccurate that
// may be. within is 0 if the difference is not known.
type clock struct{ ahead, within time.Duration }

// round asks each gateway once. There is one when the screen is opened, and another when the person
// refreshes the list.
type round struct {
	*screen.Work
	started time.Time
	asked   map[string]bool // the URLs of the gateways that were asked
	waiting int             // how many of them have not answered yet
}

// answer is the answer of a gateway, or the error.
type answer struct {
	at          time.Time
	latency     time.Duration
	shares      *check.ShareCount // nil if there is an error
	certificate *certificate      // nil if it is not known
	clock       clock
	err         error
}

// askAll begins a round. [Model.Shown] asks the first gateways, once it is known which rows can be
// seen.
func (m *Model) askAll() tea.Cmd {
	m.stop()
	m.round = &round{Work: screen.NewWork(m.env), started: m.env.Now(), asked: map[string]bool{}}
	return nil
}

// Shown implements [screen.Screen]: it asks the gateways of the rows that can be seen now.
func (m *Model) Shown() tea.Cmd {
	if m.next() < 0 {
		return nil
	}
	return func() tea.Msg { return screen.Addressed{To: m, Take: m.ask} }
}

// ask asks further gateways until maxRequests are running.
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

// next is the row whose gateway is to be asked next, that under the cursor or else the first one
// that can be seen. It is -1 if there is none, or if no further gateway may be asked now.
func (m *Model) next() int {
	if m.round == nil || m.covered || m.round.waiting >= maxRequests {
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

// wanted reports whether the gateway of a row is still to be asked in this round. A gateway that
// several domains share is asked once.
func (m *Model) wanted(row int) bool {
	address := m.addresses[row]
	return address != "" && !m.round.asked[address]
}

// askGateway asks the gateway of a domain, whose URL is address.
func (m *Model) askGateway(domain, address string) tea.Cmd {
	current, service, limit, now := m.round, m.service, m.deadline, m.env.Now
	current.asked[address] = true
	current.waiting++
	if m.gateways[address] == nil {
		m.gateways[address] = &gateway{}
	}
	m.gateways[address].asking = true
	ask := func() answer {
		ctx, cancel := context.WithTimeout(current.Context, limit)
		defer cancel()
		return glance(ctx, service, domain, now)
	}
	take := func(a answer) tea.Cmd { return m.answered(current, address, a) }
	return screen.Reply(m, ask, take)
}

// glance asks one gateway and counts its shares.
func glance(ctx context.Context, service Service, domain string, now func() time.Time) answer {
	body, latency, err := service.Glance(ctx, domain)
	a := answer{at: now(), latency: latency, err: err}
	if err != nil {
		return a
	}
	defer body.Close()
	counted, err := check.CountShares(body, check.MaxCounted)
	if err != nil {
		a.err = body.Unreadable(err)
		return a
	}
	a.shares, a.certificate = &counted, certificateOf(body.TLS())
	a.clock.ahead, a.clock.within = body.Skew(a.at.Add(-latency), a.at)
	return a
}

// certificateOf describes a connection; nil if it is not encrypted.
func certificateOf(connection *tls.ConnectionState) *certificate {
	if connection == nil || len(connection.PeerCertificates) == 0 {
		return nil
	}
	return &certificate{
		version: tls.VersionName(connection.Version),
		ends:    connection.PeerCertificates[0].NotAfter,
	}
}

// answered shows an answer, unless the round in which it was asked has ended, and asks the next
// gateway.
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

// learn notes an answer. If it is an error, the shares of an earlier answer stay.
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

// asking reports whether requests are running.
func (m *Model) asking() bool { return m.round != nil && m.round.waiting > 0 }

// stop ends the round and cancels its requests. What is known of the gateways stays.
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
