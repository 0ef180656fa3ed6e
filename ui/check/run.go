package check

import (
	"context"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/check"
	"gatehouse/ui/screen"
)

// run is the checking of one address, which ends with the card.
type run struct {
	*screen.Work
	stop    context.CancelFunc // ends the checks; the report says what is not known
	stopped bool
	events  chan func() // what the run has found, to be taken over by the card
	started time.Time
	began   map[string]time.Time // by the ids of checks
}

// begin starts the checks of a request.
func (c *card) begin(request check.Request) tea.Cmd {
	r := &run{Work: screen.NewWork(c.env), events: make(chan func()), started: c.env.Now(), began: map[string]time.Time{}}
	var checks context.Context
	checks, r.stop = context.WithCancel(r.Context)
	c.run = r
	checker := c.desk.options.NewChecker()
	work := func() tea.Msg {
		report := checker.Run(checks, request, func(done check.Check) { r.tell(func() { c.put(done) }) })
		r.stop()
		r.tell(func() { c.finish(report) })
		return nil
	}
	return tea.Batch(work, c.listen(r), c.tick(r))
}

// tell passes an event to the card, unless that is closed.
func (r *run) tell(event func()) {
	select {
	case r.events <- event:
	case <-r.Context.Done():
	}
}

// listen takes over what a run finds.
func (c *card) listen(r *run) tea.Cmd {
	return func() tea.Msg {
		select {
		case event := <-r.events:
			return screen.Addressed{To: c, Take: func() tea.Cmd {
				event()
				return c.listen(r)
			}}
		case <-r.Context.Done():
			return nil
		}
	}
}

// tick draws the time of checks under way each second.
func (c *card) tick(r *run) tea.Cmd {
	return screen.After(r.Context, time.Second, screen.Addressed{To: c, Take: func() tea.Cmd { return c.tick(r) }})
}

// put adds a check in causal order, or replaces what was known of it. The cursor stays on
// its check.
func (c *card) put(found check.Check) {
	if found.State == check.Running {
		c.run.began[found.ID] = c.env.Now()
	}
	if at := c.find(found.ID); at >= 0 {
		c.report.Checks[at] = found
		return
	}
	selected := c.selectedID()
	at := slices.IndexFunc(c.report.Checks, func(other check.Check) bool { return rank(other.ID) > rank(found.ID) })
	if at < 0 {
		at = len(c.report.Checks)
	}
	c.report.Checks = slices.Insert(c.report.Checks, at, found)
	c.cursor.Follow(len(c.report.Checks), max(c.find(selected), 0))
}

// rank is the place of a check in the causal order.
func rank(id string) int {
	if strings.HasPrefix(id, check.DomainPrefix) {
		id = check.DomainPrefix
	}
	return slices.Index([]string{
		check.Profile, check.Lookup, check.Global, check.Authority, check.Gateway, check.SignIn, check.Claims, check.DomainPrefix, check.Device, check.Control,
	}, id)
}

func (c *card) Progress() (done, total int64, working bool) { return 0, 0, c.run != nil }
