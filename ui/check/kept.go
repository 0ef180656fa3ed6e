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

// checkedList is a list of addresses that was checked, to be shown once more. It does not change.
type checkedList struct {
	many  *Many
	rows  [][]byte // as the table had them, in the order in which they came
	ended state
}

// keep takes over what a table shows.
func keep(t *table) *checkedList {
	ended, many := t.many.state(), t.many.clone()
	var rows [][]byte
	for row := range t.Records() {
		rows = append(rows, bytes.Clone(row))
	}
	return &checkedList{many: many, rows: rows, ended: ended}
}

// reportSize is about how many bytes a report takes.
const reportSize = 4 << 10

// size is how many bytes it takes.
func (c *checkedList) size() int {
	bytes := len(c.many.reports) * reportSize
	for _, row := range c.rows {
		bytes += len(row)
	}
	return bytes
}

// result is the list in a few words. Lists are not compared with each other.
func (c *checkedList) result() compare.Result {
	return compare.Result{
		Name: "list", Whose: human.Count(c.many.Len(), "address", "addresses"),
		At: c.many.began, Verdict: safetext.Line(c.ended.outcomes), Within: title,
		Mark: func(t *styles.Theme) (string, *styles.Style) { return Mark(t, c.ended.worst()) },
	}
}

// worst is the state of the address that came out worst.
func (s state) worst() check.State {
	switch {
	case s.failed > 0:
		return check.Fail
	case s.unknown > 0:
		return check.Unknown
	}
	return check.OK
}

// table is the table of the list as it was.
func (c *checkedList) table(desk *Model, reopened bool) *table {
	many := c.many.clone()
	many.checker = desk.options.NewChecker()
	t := tableOf(desk, many)
	t.kept, t.reopened = c, reopened
	return t
}

// clone has what is known of the list; what is asked from now on is known to one of the two alone.
// It has asked about nothing.
func (m *Many) clone() *Many {
	m.mu.Lock()
	defer m.mu.Unlock()
	c := NewMany(m.checker, m.list)
	c.began = m.began
	c.reports, c.rows, c.before = maps.Clone(m.reports), maps.Clone(m.rows), maps.Clone(m.before)
	return c
}

// hasAsked reports whether checks were begun.
func (m *Many) hasAsked() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.asked
}

// again gives rows that were kept once more, and asks about no address.
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

// keptRows is the JSON of rows that were kept, as a [browse.Counted].
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
