package linemode

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"

	"gatehouse/internal/files"
	"gatehouse/internal/human"
	"gatehouse/internal/records"
	"gatehouse/ui/browse"
)

const (
	pageSize        = 10 // records said at a time
	fieldsPerRecord = 4  // said of a record in a list
	maxListText     = 120
)

// names are the words for what a list contains.
type names struct {
	one, many string // "share", "shares"
	of        string // "harbor.example", from outside

	// What follows is for a list that is not loaded from the service. columns are those to
	// say first; doing and still are said before and while it is made, loaded is called
	// then; open says a record in place of its values.
	columns []string
	doing   string
	still   func() string
	loaded  func()
	open    func(record []byte) error
}

// list is a list of records, with a filter and a sort order.
type list struct {
	*conversation
	names names
	fetch func(ctx context.Context) (browse.Body, error)

	table *records.Table
	query string    // "" matches every record
	order []sorting // the first is the first that counts; none is the order of the service
	rows  []int32   // the records that match, in order
	from  int       // the first of the current page
	next  int       // the first of the next page
}

// browse loads a list and runs commands on it.
func (c *conversation) browse(n names, fetch func(context.Context) (browse.Body, error)) error {
	l := &list{conversation: c, names: n, fetch: fetch}
	if err := l.reload(""); err != nil {
		return err
	}
	for {
		command, rest, err := l.command()
		if err != nil {
			return err
		}
		if err := command(rest); err != nil {
			return err
		}
	}
}

// reload loads the list again, keeps filter and order, and says its beginning. If that
// fails, the old list is kept.
func (l *list) reload(string) error {
	err := l.attempt(func() error {
		table, err := l.load()
		if err != nil {
			return err
		}
		l.table = table
		return nil
	})
	if errors.Is(err, errBack) && l.table != nil {
		return nil // explained; the old list is still there
	}
	if err != nil {
		return err
	}
	if l.table.Truncated() {
		l.say("The %s have more than %d columns, or longer names than a column can have. Open a record to hear all of it.", l.names.many, records.MaxColumns)
	}
	return l.arrange()
}

// load reads the list from the service.
func (l *list) load() (*records.Table, error) {
	var body progress
	still := body.still
	if l.names.doing != "" {
		l.say("%s", l.names.doing)
		still = l.names.still
	} else {
		l.say("Loading the %s of %s.", l.names.many, l.names.of)
	}
	var table *records.Table
	err := l.await(still, func(ctx context.Context) (err error) {
		table, err = body.load(ctx, l.fetch)
		return err
	})
	if err == nil && table.Len() == 0 {
		l.say("There are no %s.", l.names.many)
		if message := table.Explanation(); message != "" {
			l.say("The service says: %s", sentence(clip(message, maxValue)))
		}
	}
	if err == nil && l.names.loaded != nil {
		l.names.loaded()
	}
	return table, err
}

// arrange filters and sorts the list and says the first page.
func (l *list) arrange() error {
	var rows []int32
	err := l.await(func() string { return "Still looking." }, func(ctx context.Context) (err error) {
		rows, err = l.filterAndSort(ctx)
		return err
	})
	if err != nil {
		return errQuit // the context has ended: nothing else can fail
	}
	for _, note := range l.table.Query(l.query, l.options.Now()).Notes() {
		l.say("%s", sentence(note))
	}
	l.rows, l.from, l.next = rows, 0, 0
	if l.table.Len() == 0 {
		return nil
	}
	l.say("%s", l.summary())
	if len(rows) == 0 {
		return nil
	}
	return l.more("")
}

func (l *list) filterAndSort(ctx context.Context) ([]int32, error) {
	rows, err := l.table.Find(ctx, l.table.Query(l.query, l.options.Now()))
	if err != nil {
		return nil, err
	}
	return rows, l.table.SortBy(ctx, rows, l.sortKeys()...)
}

// summary says how many records there are, and their order.
func (l *list) summary() string {
	text := human.Count(len(l.rows), l.names.one, l.names.many)
	if l.query != "" {
		text = fmt.Sprintf("%s of %s found with the filter %s", human.Number(len(l.rows)), human.Count(l.table.Len(), l.names.one, l.names.many), line(l.query))
	}
	return text + l.sortedBy() + "."
}

// more says the next page.
func (l *list) more(string) error {
	if l.next >= len(l.rows) {
		l.say("There are no more %s.", l.names.many)
		return nil
	}
	l.from = l.next
	l.next = min(l.from+pageSize, len(l.rows))
	if len(l.rows) > pageSize {
		l.say("Numbers %s to %s of %s:", human.Number(l.from+1), human.Number(l.next), human.Number(len(l.rows)))
	}
	columns := l.columnOrder()
	var cells []records.Cell
	for i := l.from; i < l.next; i++ {
		cells = l.table.Cells(int(l.rows[i]), cells[:0])
		l.say("%s", strconv.Itoa(i+1)+". "+l.recordSummary(columns, cells))
	}
	return nil
}

// previous says the page before the current one.
func (l *list) previous(string) error {
	if l.from == 0 {
		l.say("You are at the first %s already.", l.names.many)
		return nil
	}
	l.next = max(l.from-pageSize, 0)
	return l.more("")
}

// progress reports how much of an answer has been received.
type progress struct{ body atomic.Pointer[browse.Body] }

// load reads an answer to its end into a table.
func (p *progress) load(ctx context.Context, fetch func(context.Context) (browse.Body, error)) (*records.Table, error) {
	body, err := fetch(ctx)
	if err != nil {
		return nil, err
	}
	p.body.Store(&body)
	defer body.Close()
	stream := records.NewStream(body.ContentLength())
	if _, err := stream.ReadFrom(body); err != nil {
		return nil, body.Unreadable(err)
	}
	return stream.Table(), nil
}

// still says how much has been received so far.
func (p *progress) still() string {
	body := p.body.Load()
	if body == nil {
		return stillWaiting()
	}
	received, ok := (*body).(interface{ Received() int64 })
	if !ok {
		return stillWaiting()
	}
	text := "Still loading: " + size(received.Received())
	if whole := (*body).ContentLength(); whole > 0 {
		text += " of " + size(whole)
	}
	return text + " so far."
}

// export writes the matching records, in their order, to a file.
func (l *list) export(path string) error {
	write := l.writer(path)
	if write == nil {
		l.say("Type export and the name of a file that ends in .csv, .json or .ndjson.")
		return nil
	}
	path, err := files.ExpandHome(path)
	if err == nil {
		err = l.write(path, false, write)
	}
	if errors.Is(err, files.ErrExists) {
		chosen, refused := l.choose("A file with that name exists.", []string{"Leave it as it is", "Replace it"})
		if refused != nil && !errors.Is(refused, errBack) {
			return refused
		}
		if refused != nil || chosen == 0 {
			l.say("Nothing was written.")
			return nil
		}
		err = l.write(path, true, write)
	}
	switch {
	case l.ctx.Err() != nil:
		return errQuit
	case err != nil:
		l.explain(err)
	default:
		l.say("%s written to %s.", human.Count(len(l.rows), l.names.one, l.names.many), path)
	}
	return nil
}

// writer returns the function that writes the list in the format of a file's extension,
// or nil.
func (l *list) writer(path string) func(context.Context, io.Writer) error {
	view := records.View{Rows: l.rows}
	switch strings.ToLower(filepath.Ext(path)) {
	case ".csv":
		return func(ctx context.Context, w io.Writer) error { return l.table.WriteCSV(ctx, w, view) }
	case ".json":
		return func(ctx context.Context, w io.Writer) error { return l.table.WriteJSON(ctx, w, view) }
	case ".ndjson":
		return func(ctx context.Context, w io.Writer) error { return l.table.WriteNDJSON(ctx, w, view) }
	}
	return nil
}

func (l *list) write(path string, replace bool, write func(context.Context, io.Writer) error) error {
	return l.await(func() string { return "Still writing." }, func(ctx context.Context) error {
		return files.Export(ctx, path, replace, func(w io.Writer) error { return write(ctx, w) })
	})
}
