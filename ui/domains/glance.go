package domains

import (
	"context"
	"errors"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatehouse/api"
	"gatehouse/internal/jsonscan"
	"gatehouse/internal/problem"
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

// look is what is known of one gateway.
type look struct {
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
	flying  int             // asked and not answered yet
}

// finding is what came of a glance.
type finding struct {
	latency time.Duration
	count   *count
	err     error
}

type glancedMsg struct {
	round   *round
	address string
	finding finding
}

// askAll begins a round.
func (m *Model) askAll() tea.Cmd {
	m.stop()
	ctx, cancel := context.WithCancel(m.env.Context)
	m.round = &round{ctx: ctx, cancel: cancel, started: m.env.Now(), asked: map[string]bool{}}
	return m.ask()
}

// ask sends as many glances as there is room for. It is called whenever that or
// the cursor has changed; while the screen is covered, nothing new is begun.
func (m *Model) ask() tea.Cmd {
	if m.round == nil || m.covered {
		return nil
	}
	cmds := []tea.Cmd{}
	for m.round.flying < atOnce {
		row := m.next()
		if row < 0 {
			break
		}
		cmds = append(cmds, m.glance(m.names.domains[row], m.names.addresses[row]))
	}
	if len(cmds) > 0 {
		m.redraw()
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

func (m *Model) glance(domain, address string) tea.Cmd {
	current, service, limit := m.round, m.service, m.deadline
	current.asked[address] = true
	current.flying++
	m.look(address).asking = true
	return screen.Reply(m, func() tea.Msg {
		ctx, cancel := context.WithTimeout(current.ctx, limit)
		defer cancel()
		return glancedMsg{current, address, take(ctx, service, domain)}
	})
}

// take asks one gateway and counts what it has.
func take(ctx context.Context, service Service, domain string) finding {
	body, latency, err := service.Glance(ctx, domain)
	if err != nil {
		return finding{latency: latency, err: err}
	}
	defer body.Close()
	shares, err := countRecords(body, mostRead)
	if syntax, ok := errors.AsType[*jsonscan.SyntaxError](err); ok {
		err = syntax // and not how much came before it
	}
	if err != nil {
		return finding{latency: latency, err: body.Unreadable(err)}
	}
	return finding{latency: latency, count: &shares}
}

// glanced takes an answer; one of a round that is over is dropped.
func (m *Model) glanced(msg glancedMsg) tea.Cmd {
	if msg.round != m.round {
		return nil
	}
	m.round.flying--
	m.look(msg.address).settle(msg.finding, m.env.Now())
	m.redraw()
	return m.ask()
}

func (l *look) settle(f finding, now time.Time) {
	said := judge(f.latency, f.err)
	l.asking, l.verdict, l.trouble = false, &said, nil
	if f.err == nil {
		l.count, l.countedAt, l.stale = f.count, now, false
		return
	}
	described := problem.Describe(f.err, problem.Screen)
	l.trouble, l.stale = &described, true
}

func (m *Model) look(address string) *look {
	found, ok := m.looks[address]
	if !ok {
		found = &look{}
		m.looks[address] = found
	}
	return found
}

// asking reports whether answers are waited for.
func (m *Model) asking() bool { return m.round != nil && m.round.flying > 0 }

// stop ends the round; what is known stays.
func (m *Model) stop() tea.Cmd {
	if m.round == nil {
		return nil
	}
	m.round.cancel()
	m.round = nil
	for _, l := range m.looks {
		l.asking = false
	}
	m.redraw()
	return nil
}
