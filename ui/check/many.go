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
	// usualJobs is how many addresses are checked at the same time, and perSecond how many
	// are begun a second: what the command line does unless it is told otherwise.
	usualJobs, perSecond = 8, 10
	// maxKept is for how many addresses whole reports are kept. The card of an address in a
	// longer list checks it again.
	maxKept = 1_000
)

// Many checks the addresses of a list, and knows the outcomes. Its methods may be called
// from several goroutines.
type Many struct {
	checker Checker
	list    *batch.List
	jobs    int
	now     func() time.Time

	mu      sync.Mutex
	began   time.Time                // the last run, also of what it is a clone of
	asked   bool                     // about any address
	reports map[string]check.Report  // by address; none of a list that is too long
	rows    map[string]batch.Outcome // of this run, by address
	before  map[string]batch.Outcome // of earlier runs
	summary *batch.Summary
	waiting time.Duration // because the service wants it so
}

// NewMany makes it for a list, of which it checks eight addresses at the same time.
func NewMany(checker Checker, list *batch.List) *Many {
	return &Many{
		checker: checker, list: list, jobs: usualJobs, now: time.Now, reports: map[string]check.Report{},
		before: map[string]batch.Outcome{}, summary: batch.NewSummary(list),
	}
}

// Len is the number of lines of the list, one that repeats an address included.
func (m *Many) Len() int { return m.list.Len() }

// Report is the last report of an address, if it is kept.
func (m *Many) Report(email string) (check.Report, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	found, ok := m.reports[email]
	return found, ok
}

// state is how far the checks of a list are, in lines of the list.
type state struct {
	done, failed, unknown int
	summary               string          // how the lines ended
	outcomes              string          // how many lines ended in each state
	causes                []batch.Counted // names of hosts may come from outside
	waiting               time.Duration   // how long nothing is asked, because the service wants it so
}

func (m *Many) state() state {
	m.mu.Lock()
	defer m.mu.Unlock()
	s := m.summary
	return state{
		done: s.Done(), failed: s.Ended(batch.Failed), unknown: s.Ended(batch.Unknown),
		summary: s.String(), outcomes: s.Outcomes(), causes: s.Causes(), waiting: m.waiting,
	}
}

// columns are the members of a row in the order in which people look for them, with those of the
// file behind what was found.
func (m *Many) columns() []string {
	list := []string{"email", "state", "cause", "before"}
	last := []string{"scope", "primary_domain", "host", "ms", "sentence", "id"}
	for at, column := range m.list.Columns {
		if at == m.list.AddressColumn { // much like the address itself
			last = append(last, fileColumn+column)
		} else {
			list = append(list, fileColumn+column)
		}
	}
	return append(list, last...)
}

// fileColumn begins the names of the columns of the file, which are members of an object.
const fileColumn = "file."

// row is the report of an address in the table.
type row struct {
	Email         string      `json:"email"`
	State         check.State `json:"state"`
	Cause         string      `json:"cause"`
	Before        string      `json:"before,omitempty"` // how it came out the last time, where that changed
	Scope         check.Scope `json:"scope"`
	PrimaryDomain string      `json:"primary_domain,omitempty"`
	Host          string      `json:"host,omitempty"`
	MS            int64       `json:"ms"`
	Sentence      string      `json:"sentence"`
	ID            string      `json:"id"`
	File          batch.Row   `json:"file,omitzero"` // all columns of the file, as they stand there
}

func newRow(r check.Report) row {
	made := row{
		Email: r.Email, State: r.Verdict.State, Cause: r.Cause().What, Scope: r.Verdict.Scope,
		MS: r.MS, Sentence: r.Verdict.Sentence, ID: r.ID, Host: r.CauseHost(),
	}
	for _, c := range r.Checks {
		if c.ID == check.Lookup {
			made.PrimaryDomain = c.Detail.Text(check.FactPrimaryDomain)
		}
	}
	return made
}

// Rows is the JSON of the rows, an array that comes as the addresses are checked. It is a
// [browse.Counted].
type Rows struct {
	*io.PipeReader
	count    int
	cancel   context.CancelFunc
	done     chan struct{}
	panicked any
}

// Start checks the addresses until the context ends or the rows are closed, which the caller
// has to do. Of rows that are shown those that did not fail come first as they are, and are not
// checked again.
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

// sumUp takes some of the rows that are shown, with their outcomes by address, and counts these.
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

// outcomes are the outcomes that are known, by address.
func (m *Many) outcomes() map[string]batch.Outcome {
	m.mu.Lock()
	defer m.mu.Unlock()
	return maps.Clone(m.rows)
}

func (r *Rows) ContentLength() int64 { return -1 }

func (r *Rows) Unreadable(err error) error { return err }

func (r *Rows) Records() int { return r.count }

// Close ends the checks and waits for their end. A panic in them is one here, where it is
// reported.
func (r *Rows) Close() error {
	r.cancel()
	_ = r.PipeReader.Close()
	<-r.done
	if r.panicked != nil {
		panic(r.panicked)
	}
	return nil
}

// run checks the addresses of a list, and writes the rows that are kept, and then theirs.
func (m *Many) run(ctx context.Context, rows io.Writer, list *batch.List, kept [][]byte) error {
	before := "["
	for _, row := range kept {
		if _, err := rows.Write(append([]byte(before), row...)); err != nil {
			return err
		}
		before = ",\n"
	}
	err := batch.Run(ctx, list, batch.Options[check.Report]{
		Jobs: m.jobs, Rate: perSecond,
		Ask: func(flight context.Context, email string) batch.Answer[check.Report] {
			flight, cancel := context.WithCancel(flight)
			defer cancel()
			defer context.AfterFunc(ctx, cancel)() // nobody waits for what is in flight
			report := m.checker.Run(flight, check.Request{Email: email}, nil)
			wait, busy := report.Busy()
			return batch.Answer[check.Report]{Value: report, Busy: busy, Wait: wait}
		},
		Take: func(_ int, a batch.Answer[check.Report]) error {
			if ctx.Err() != nil {
				return ctx.Err() // a check that was stopped says nothing
			}
			found, err := m.known(a.Value)
			for _, row := range found {
				if err == nil {
					_, err = rows.Write(append([]byte(before), row...))
				}
				before = ",\n"
			}
			return err
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
	_, err = io.WriteString(rows, "]")
	return err
}

// linesOf is how many lines have an address.
func (m *Many) linesOf(email string) int {
	address, _ := m.list.Find(email)
	return m.list.Count(address)
}

// known counts what was found out about an address, and returns the row of each line with it.
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
