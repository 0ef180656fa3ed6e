package check

import (
	"bytes"
	"maps"
	"slices"

	"gatehouse/internal/desk/check"
	"gatehouse/internal/text/human"
	"gatehouse/internal/text/safetext"
	"gatehouse/styles"
	"gatehouse/ui/compare"
)

// checkedList is a list of addresses that was checked, in the history. It does not change.
type checkedList struct {
	many  *Many
	rows  [][]byte // of the table, as JSON, in the order in which they came
	ended state
}

// keep makes a checkedList of what a table shows.
func keep(t *table) *checkedList {
	ended, many := t.many.state(), t.many.clone()
	var rows [][]byte
	for row := range t.Records() {
		rows = append(rows, bytes.Clone(row))
	}
	return &checkedList{many: many, rows: rows, ended: ended}
}

// reportSize is about how many bytes of memory a report takes.
const reportSize = 4 << 10

// size is about how many bytes of memory the list takes.
func (c *checkedList) size() int {
	bytes := len(c.many.reports) * reportSize
	for _, row := range c.rows {
		bytes += len(row)
	}
	return bytes
}

// result describes the list among the results of the history. Lists cannot be compared with each
// other.
func (c *checkedList) result() compare.Result {
	return compare.Result{
		Name:    "list",
		Whose:   c.whose(),
		At:      c.many.began,
		Verdict: safetext.Line(c.ended.outcomes),
		Within:  title,
		Mark:    func(t *styles.Theme) (string, *styles.Style) { return Mark(t, c.ended.worst()) },
	}
}

// whose says what the list is: the name of its file, and how many addresses it has.
func (c *checkedList) whose() string {
	count := human.Count(c.many.Len(), "address", "addresses")
	if c.many.list.File == "" {
		return count
	}
	return safetext.Clip(c.many.list.File, maxFileName) + ", " + count
}

// maxFileName is how many cells of the name of a file are shown.
const maxFileName = 40

// worst is the worst state of all addresses: fail, unknown, or else ok.
func (s state) worst() check.State {
	switch {
	case s.failed > 0:
		return check.Fail
	case s.unknown > 0:
		return check.Unknown
	}
	return check.OK
}

// table makes a table that shows the list again. reopened is as in [table].
func (c *checkedList) table(desk *Model, reopened bool) *table {
	many := c.many.clone()
	many.checker = desk.options.NewChecker()
	t := tableOf(desk, many)
	t.kept, t.reopened = c, reopened
	return t
}

// clone makes a copy with the outcomes that are known. From then on the two know nothing of each
// other.
func (m *Many) clone() *Many {
	m.mu.Lock()
	defer m.mu.Unlock()
	c := NewMany(m.checker, m.list)
	c.began = m.began
	c.reports, c.rows, c.before = maps.Clone(m.reports), maps.Clone(m.rows), maps.Clone(m.before)
	return c
}

// hasAsked reports whether checks have begun.
func (m *Many) hasAsked() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.asked
}

// again returns rows that were kept, as the body of a list. It checks no address.
func (m *Many) again(rows [][]byte) (*keptRows, error) {
	kept, outcomes, summary, err := m.sumUp(slices.Values(rows), func(row) bool { return true })
	if err != nil {
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.rows, m.summary = outcomes, summary
	text := slices.Concat([]byte("["), bytes.Join(kept, []byte(",\n")), []byte("]"))
	return &keptRows{bytes.NewReader(text), len(rows)}, nil
}

// keptRows is a [browse.Counted] of rows that were kept.
type keptRows struct {
	*bytes.Reader
	count int
}

// Close implements [io.Closer].
func (*keptRows) Close() error { return nil }

// ContentLength implements [browse.Body].
func (r *keptRows) ContentLength() int64 { return r.Size() }

// Unreadable implements [browse.Body].
func (*keptRows) Unreadable(err error) error { return err }

// Records implements [browse.Counted].
func (r *keptRows) Records() int { return r.count }
