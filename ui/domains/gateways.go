package domains

import (
	"context"
	"errors"
	"io"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatehouse/api"
	"gatehouse/internal/jsonscan"
	"gatehouse/internal/problem"
	"gatehouse/internal/records"
	"gatehouse/ui/screen"
)

const (
	atOnce   = 3               // gateways asked at the same time
	deadline = 5 * time.Second // for each of them, until its shares are counted
	eager    = 30              // domains of a list that are asked wherever the cursor is
	near     = 10              // rows from the cursor that are asked wherever they are
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
	// count is of the last time that the shares could be read; nil: never. It is
	// stale where the gateway failed since.
	count     *count
	countedAt time.Time
	stale     bool
}

// round is one asking of all gateways: when the screen is entered, and when a
// person wants it again. It ends with its context.
type round struct {
	ctx     context.Context
	cancel  context.CancelFunc
	started time.Time
	asked   map[string]bool // addresses
	waiting int             // asked and not answered yet
}

// answer is what a gateway said, or why it did not.
type answer struct {
	latency time.Duration
	count   *count
	err     error
}

// answerMsg is the answer to a question of a round.
type answerMsg struct {
	round   *round
	address string
	answer  answer
}

// askAll begins a round.
func (m *Model) askAll() tea.Cmd {
	m.stop()
	ctx, cancel := context.WithCancel(m.env.Context)
	m.round = &round{ctx: ctx, cancel: cancel, started: m.env.Now(), asked: map[string]bool{}}
	return m.ask()
}

// ask asks as many gateways as may be asked at once. It is called whenever that or
// the cursor has changed; while the screen is covered, nothing new is begun.
func (m *Model) ask() tea.Cmd {
	if m.round == nil || m.covered {
		return nil
	}
	cmds := []tea.Cmd{}
	for m.round.waiting < atOnce {
		row := m.next()
		if row < 0 {
			break
		}
		cmds = append(cmds, m.askGateway(m.names.domains[row], m.names.addresses[row]))
	}
	if len(cmds) > 0 {
		m.refresh()
	}
	return tea.Batch(cmds...)
}

// next is the row to ask next, -1 if there is none: those around the cursor come
// first, then those at the top of the list.
func (m *Model) next() int {
	at := 0
	if row, ok := m.grid.Selected(); ok {
		at = max(slices.Index(m.shown, int32(row)), 0)
	}
	around := m.shown[max(at-near, 0):min(at+near+1, len(m.shown))]
	for _, row := range around {
		if m.wanted(int(row)) {
			return int(row)
		}
	}
	for row := range min(eager, len(m.names.domains)) {
		if m.wanted(row) {
			return row
		}
	}
	return -1
}

// wanted reports whether the gateway of a row has not been asked in this round.
// Where a profile has one gateway for all domains, it is asked once.
func (m *Model) wanted(row int) bool {
	address := m.names.addresses[row]
	return address != "" && !m.round.asked[address]
}

func (m *Model) askGateway(domain, address string) tea.Cmd {
	current, service, limit := m.round, m.service, m.deadline
	current.asked[address] = true
	current.waiting++
	m.gateway(address).asking = true
	return screen.Reply(m, func() tea.Msg {
		ctx, cancel := context.WithTimeout(current.ctx, limit)
		defer cancel()
		return answerMsg{current, address, glance(ctx, service, domain)}
	})
}

// glance asks one gateway and counts what it has.
func glance(ctx context.Context, service Service, domain string) answer {
	body, latency, err := service.Glance(ctx, domain)
	if err != nil {
		return answer{latency: latency, err: err}
	}
	defer body.Close()
	shares, err := countRecords(body, mostRead)
	if syntax, ok := errors.AsType[*jsonscan.SyntaxError](err); ok {
		err = syntax // and not how much came before it
	}
	if err != nil {
		return answer{latency: latency, err: body.Unreadable(err)}
	}
	return answer{latency: latency, count: &shares}
}

// answered takes an answer; one of a round that has ended is dropped.
func (m *Model) answered(msg answerMsg) tea.Cmd {
	if msg.round != m.round {
		return nil
	}
	m.round.waiting--
	m.gateway(msg.address).learn(msg.answer, m.env.Now())
	m.refresh()
	return m.ask()
}

func (g *gateway) learn(a answer, now time.Time) {
	v := judge(a.latency, a.err)
	g.asking, g.verdict, g.trouble = false, &v, nil
	if a.err == nil {
		g.count, g.countedAt, g.stale = a.count, now, false
		return
	}
	described := problem.Describe(a.err, problem.Screen)
	g.trouble, g.stale = &described, true
}

func (m *Model) gateway(address string) *gateway {
	known, ok := m.gateways[address]
	if !ok {
		known = &gateway{}
		m.gateways[address] = known
	}
	return known
}

// asking reports whether answers are waited for.
func (m *Model) asking() bool { return m.round != nil && m.round.waiting > 0 }

// stop ends the round; what is known stays.
func (m *Model) stop() tea.Cmd {
	if m.round == nil {
		return nil
	}
	m.round.cancel()
	m.round = nil
	for _, g := range m.gateways {
		g.asking = false
	}
	m.refresh()
	return nil
}

// mostRead is how many bytes of the shares are read to count them: a list of
// domains must not load all that the account has.
const mostRead = 8 << 20

// count is how many records a body has. It is a lower bound where more is set.
type count struct {
	records int
	more    bool
}

// countRecords reads a body up to a limit and throws it away. What a limit or a
// deadline cuts off is a lower bound; the error is that of a body that is no list.
func countRecords(body io.Reader, limit int64) (count, error) {
	stream := records.NewStream(-1)
	_, err := stream.ReadFrom(io.LimitReader(body, limit))
	found := count{records: stream.Table().Len()}
	if cut, ok := errors.AsType[*records.CutError](err); ok && (cut.Bytes == limit || !endless(cut)) {
		return count{found.records, true}, nil
	}
	return found, err
}

// endless reports whether the body came to its end without the end of the JSON.
func endless(cut *records.CutError) bool {
	_, syntax := errors.AsType[*jsonscan.SyntaxError](cut)
	return syntax
}
