package check

import (
	"context"
	"encoding/json"
	"io"
	"iter"
	"maps"
	"slices"
	"sync"
	"time"

	"gatehouse/internal/desk/batch"
	"gatehouse/internal/desk/check"
)

const (
	// usualJobs is how many addresses are checked at the same time, as on the command line.
	usualJobs = 8
	// perSecond is how many checks are begun each second at most, as on the command line.
	perSecond = 10
	// maxKept is the length of a list up to which its reports are kept. In a longer list the card
	// of an address checks it again.
	maxKept = 1_000
)

// Many checks the addresses of a list, and remembers the outcomes. It is safe for concurrent use.
type Many struct {
	checker Checker
	list    *batch.List
	jobs    int
	now     func() time.Time

	mu      sync.Mutex
	began   time.Time                // when the last run began, also before it was cloned
	asked   bool                     // checks have begun
	reports map[string]check.Report  // by address; empty for a list longer than maxKept
	rows    map[string]batch.Outcome // of this run, by address
	before  map[string]batch.Outcome // of earlier runs, by address
	summary *batch.Summary
	waiting time.Duration // how long the service has asked to wait; zero for not at all
}

// NewMany makes a Many of a list.
func NewMany(checker Checker, list *batch.List) *Many {
	return &Many{
		checker: checker,
		list:    list,
		jobs:    usualJobs,
		now:     time.Now,
		reports: map[string]check.Report{},
		before:  map[string]batch.Outcome{},
		summary: batch.NewSummary(list),
	}
}

// Len is the number of lines of the list. Lines that repeat an address count as well.
func (m *Many) Len() int { return m.list.Len() }

// Report returns the last report of an address; ok is false if it was not kept.
func (m *Many) Report(email string) (check.Report, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	found, ok := m.reports[email]
	return found, ok
}

// state is how far the checks of a list are. Numbers are of lines of the list.
type state struct {
	done, failed, unknown int
	summary               string          // of how the lines ended, in a sentence
	outcomes              string          // how many lines ended in each state
	causes                []batch.Counted // may have names of hosts from outside
	waiting               time.Duration   // how long the service has asked to wait
}

// state returns how far the checks are now.
func (m *Many) state() state {
	m.mu.Lock()
	defer m.mu.Unlock()
	s := m.summary
	return state{
		done:     s.Done(),
		failed:   s.Ended(batch.Failed),
		unknown:  s.Ended(batch.Unknown),
		summary:  s.String(),
		outcomes: s.Outcomes(),
		causes:   s.Causes(),
		waiting:  m.waiting,
	}
}

// columns are the columns of the table in the order in which people look for them. Those of the
// file come after the cause, and the column of the addresses, which repeats the first one, last.
func (m *Many) columns() []string {
	list := []string{"email", "state", "cause", "before"}
	last := []string{"scope", "primary_domain", "host", "ms", "sentence", "id"}
	for at, column := range m.list.Columns {
		if at == m.list.AddressColumn {
			last = append(last, fileColumn+column)
		} else {
			list = append(list, fileColumn+column)
		}
	}
	return append(list, last...)
}

// fileColumn is the prefix of the columns of the file, which are members of an object.
const fileColumn = "file."

// row is the report of an address as a record of the table.
type row struct {
	Email         string      `json:"email"`
	State         check.State `json:"state"`
	Cause         string      `json:"cause"`
	Before        string      `json:"before,omitempty"` // the last outcome, if it was another one
	Scope         check.Scope `json:"scope"`
	PrimaryDomain string      `json:"primary_domain,omitempty"`
	Host          string      `json:"host,omitempty"`
	MS            int64       `json:"ms"`
	Sentence      string      `json:"sentence"`
	ID            string      `json:"id"`
	File          batch.Row   `json:"file,omitzero"` // all columns of the file, unchanged
}

// newRow makes the row of a report, without Before and File.
func newRow(r check.Report) row {
	made := row{
		Email:    r.Email,
		State:    r.Verdict.State,
		Cause:    r.Cause().What,
		Scope:    r.Verdict.Scope,
		Host:     r.CauseHost(),
		MS:       r.MS,
		Sentence: r.Verdict.Sentence,
		ID:       r.ID,
	}
	for _, c := range r.Checks {
		if c.ID == check.Lookup {
			made.PrimaryDomain = c.Detail.Text(check.FactPrimaryDomain)
		}
	}
	return made
}

// Rows is a [browse.Counted] of the rows of a list: a JSON array that arrives while the addresses
// are checked.
type Rows struct {
	*io.PipeReader
	count    int
	cancel   context.CancelFunc
	done     chan struct{} // closed when the checks have ended
	panicked any           // what the checks have panicked with; nil for nothing
}

// Start checks the addresses until ctx ends or the rows are closed, which the caller has to do.
// shown are the rows of an earlier run, as JSON. Those that did not fail come first, unchanged,
// and are not checked again.
func (m *Many) Start(ctx context.Context, shown iter.Seq[[]byte]) (*Rows, error) {
	kept, rows, summary, err := m.sumUp(shown, func(r row) bool { return !r.State.Failed() })
	if err != nil {
		return nil, err
	}
	open := slices.DeleteFunc(slices.Clone(m.list.Addresses), func(email string) bool {
		_, isKept := rows[email]
		return isKept
	})
	list, err := batch.Of(open)
	if err != nil {
		return nil, err
	}
	m.mu.Lock()
	maps.Copy(m.before, m.rows)
	m.began, m.asked = m.now(), true
	m.rows, m.summary, m.waiting = rows, summary, 0
	m.mu.Unlock()

	ctx, cancel := context.WithCancel(ctx)
	reader, writer := io.Pipe()
	r := &Rows{PipeReader: reader, count: m.list.Len(), cancel: cancel, done: make(chan struct{})}
	go func() { // ends with ctx, which Close cancels
		defer close(r.done)
		defer func() {
			if r.panicked = recover(); r.panicked != nil {
				_ = writer.Close()
			}
		}()
		_ = writer.CloseWithError(m.run(ctx, writer, list, kept))
	}()
	return r, nil
}

// sumUp selects rows of an earlier run, given as JSON, for which isKept is true. It returns them
// with their outcomes by address, and a summary of these.
func (m *Many) sumUp(shown iter.Seq[[]byte], isKept func(row) bool) (
	kept [][]byte, rows map[string]batch.Outcome, summary *batch.Summary, err error,
) {
	known := m.outcomes()
	rows, summary = map[string]batch.Outcome{}, batch.NewSummary(m.list)
	for element := range shown {
		var r row
		if err := json.Unmarshal(element, &r); err != nil {
			return nil, nil, nil, err
		}
		if !isKept(r) {
			continue
		}
		kept = append(kept, element)
		if _, isRepeated := rows[r.Email]; !isRepeated {
			summary.Count(known[r.Email], m.linesOf(r.Email), false)
		}
		rows[r.Email] = known[r.Email]
	}
	return kept, rows, summary, nil
}

// outcomes returns the outcomes of this run, by address.
func (m *Many) outcomes() map[string]batch.Outcome {
	m.mu.Lock()
	defer m.mu.Unlock()
	return maps.Clone(m.rows)
}

// ContentLength implements [browse.Body].
func (r *Rows) ContentLength() int64 { return -1 }

// Unreadable implements [browse.Body].
func (r *Rows) Unreadable(err error) error { return err }

// Records implements [browse.Counted].
func (r *Rows) Records() int { return r.count }

// Close ends the checks, and waits until they have ended. If they have panicked, it panics in
// turn, on a goroutine whose panics are reported.
func (r *Rows) Close() error {
	r.cancel()
	_ = r.PipeReader.Close()
	<-r.done
	if r.panicked != nil {
		panic(r.panicked)
	}
	return nil
}

// run writes the rows that are kept as JSON, and then, while it checks the addresses of a list,
// theirs.
func (m *Many) run(ctx context.Context, w io.Writer, list *batch.List, kept [][]byte) error {
	separator := "["
	write := func(rows [][]byte) error {
		for _, row := range rows {
			if _, err := w.Write(append([]byte(separator), row...)); err != nil {
				return err
			}
			separator = ",\n"
		}
		return nil
	}
	if err := write(kept); err != nil {
		return err
	}
	err := batch.Run(ctx, list, batch.Options[check.Report]{
		Jobs: m.jobs,
		Rate: perSecond,
		Ask: func(flight context.Context, email string) batch.Answer[check.Report] {
			flight, cancel := context.WithCancel(flight)
			defer cancel()
			defer context.AfterFunc(ctx, cancel)() // ends checks that are under way as well
			report := m.checker.Run(flight, check.Request{Email: email}, nil)
			wait, busy := report.Busy()
			return batch.Answer[check.Report]{Value: report, Busy: busy, Wait: wait}
		},
		Take: func(_ int, a batch.Answer[check.Report]) error {
			if ctx.Err() != nil {
				return ctx.Err() // the report of a stopped check means nothing
			}
			rows, err := m.known(a.Value)
			if err != nil {
				return err
			}
			return write(rows)
		},
		Progress: func(p batch.Progress) {
			m.mu.Lock()
			defer m.mu.Unlock()
			m.waiting = p.Waiting
		},
	})
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, "]")
	return err
}

// linesOf is how many lines of the list have an address.
func (m *Many) linesOf(email string) int {
	address, _ := m.list.Find(email)
	return m.list.Count(address)
}

// known remembers and counts the report of an address, and returns the rows of all lines with it,
// as JSON.
func (m *Many) known(report check.Report) (rows [][]byte, err error) {
	made := newRow(report)
	m.mu.Lock()
	defer m.mu.Unlock()
	now := report.Outcome()
	if before, known := m.before[made.Email]; known && before != now {
		made.Before = inWords(before)
	}
	m.rows[made.Email] = now
	m.summary.Count(now, m.linesOf(made.Email), false)
	if m.Len() <= maxKept {
		m.reports[made.Email] = report
	}
	address, _ := m.list.Find(made.Email)
	for _, line := range m.list.LinesOf(address) {
		made.File = m.list.Row(line)
		row, err := json.Marshal(made)
		if err != nil {
			return nil, err
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// inWords is an outcome in a few words: "fail, wrong domain".
func inWords(o batch.Outcome) string { return o.State.String() + ", " + o.Cause.String() }
