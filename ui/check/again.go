package check

import (
	"context"
	"encoding/json"
	"iter"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/check"
	"gatehouse/ui/browse"
	"gatehouse/ui/screen"
)

// StartFailed checks those addresses again that have no row among the given ones, or one that
// says fail or unknown. The other rows come first, as they are, and their reports are kept. It
// ends as [Many.Start] does.
func (m *Many) StartFailed(ctx context.Context, shown iter.Seq[[]byte]) (*Rows, error) {
	var kept [][]byte
	before, rows, tally := map[string]outcome{}, map[string]outcome{}, check.Tally{}
	for element := range shown {
		var r row
		if err := json.Unmarshal(element, &r); err != nil {
			return nil, err
		}
		before[r.Email] = outcome{r.State, r.Cause}
		if !r.State.Failed() {
			kept = append(kept, element)
			rows[r.Email] = before[r.Email]
			tally.Count(r.Cause, r.State)
		}
	}
	asked := m.list.Only(func(email string) bool {
		_, known := rows[email]
		return !known
	})
	m.mu.Lock()
	m.before, m.rows, m.tally, m.waiting = before, rows, tally, 0
	m.mu.Unlock()
	return m.start(ctx, asked, kept), nil
}

// checkFailed checks the addresses again that have failed.
func (t *table) checkFailed() tea.Cmd {
	shown := t.Records()
	return t.LoadOnce(func(ctx context.Context) (browse.Body, error) { return t.many.StartFailed(ctx, shown) })
}

func (t *table) failedAction() screen.Action {
	a := screen.Action{ID: "checks.failed", Run: t.checkFailed}
	switch _, _, working := t.Progress(); {
	case working:
		a.Reason = "the addresses are still being checked"
	case t.many.Failed() == 0 && t.many.Done() == t.many.Len():
		a.Reason = "none has failed"
	}
	return a
}
