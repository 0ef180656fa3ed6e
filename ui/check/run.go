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

// run is the checking of one address. It ends with its context, which is that of the card.
type run struct {
	ctx     context.Context
	cancel  context.CancelFunc
	stop    context.CancelFunc // ends the checks; the report says what is not known
	stopped bool
	events  chan event
	started time.Time
	began   map[string]time.Time // by the ids of checks
}

// event is what a run tells: a check that begins or has ended, or the report at the end.
type event struct {
	check  check.Check
	report *check.Report
}

type eventMsg struct {
	run   *run
	event event
}

// tickMsg lets the time of checks under way go on.
type tickMsg struct{ run *run }

// begin starts the checks of a request.
func (c *card) begin(request check.Request) tea.Cmd {
	r := &run{events: make(chan event), started: c.env.Now(), began: map[string]time.Time{}}
	r.ctx, r.cancel = context.WithCancel(c.env.Context)
	var checks context.Context
	checks, r.stop = context.WithCancel(r.ctx)
	c.run = r
	checker := c.desk.options.NewChecker()
	work := func() tea.Msg {
		report := checker.Run(checks, request, func(done check.Check) { r.tell(event{check: done}) })
		r.stop()
		r.tell(event{report: &report})
		return nil
	}
	return tea.Batch(work, c.listen(r), c.tick(r))
}

// tell passes an event to the card, unless that is closed.
func (r *run) tell(e event) {
	select {
	case r.events <- e:
	case <-r.ctx.Done():
	}
}

// listen waits for the next event of a run.
func (c *card) listen(r *run) tea.Cmd {
	return func() tea.Msg {
		select {
		case e := <-r.events:
			return screen.Addressed{To: c, Msg: eventMsg{r, e}}
		case <-r.ctx.Done():
			return nil
		}
	}
}

// tick waits for the next second.
func (c *card) tick(r *run) tea.Cmd {
	return screen.After(r.ctx, time.Second, screen.Addressed{To: c, Msg: tickMsg{r}})
}

func (c *card) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case eventMsg:
		if msg.run == c.run {
			return c.take(msg.event)
		}
	case tickMsg:
		if msg.run == c.run {
			return c.tick(c.run)
		}
	}
	return nil
}

// take takes over what the run has found.
func (c *card) take(e event) tea.Cmd {
	if e.report != nil {
		c.run.cancel()
		c.run = nil
		c.finish(*e.report)
		return nil
	}
	if e.check.State == check.Running {
		c.run.began[e.check.ID] = c.env.Now()
	}
	c.put(e.check)
	return c.listen(c.run)
}

// put adds a check in causal order, or replaces what was known of it. The cursor stays on
// its check.
func (c *card) put(found check.Check) {
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
