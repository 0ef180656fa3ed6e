package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"gatehouse/internal/desk/batch"
	"gatehouse/internal/files"
	"gatehouse/internal/lists"
	"gatehouse/internal/text/human"
	"gatehouse/internal/text/problem"
	"gatehouse/internal/text/safetext"
)

// inquiry asks about each address of a list. NDJSON has each answer as soon as it is known, other
// formats in the order of the addresses.
type inquiry[T any] struct {
	app     *app
	command string // its name
	flags   *batchFlags
	list    *batch.List
	ask     func(ctx context.Context, email string) batch.Answer[T]
	// line returns the part of a value that is about its line in the list.
	line func(value *T) *line
	// outcome reads an element of the journal. Its error says why that is not a result.
	outcome func(element []byte) (batch.Outcome, error)
	form    form[T]
	// alone is set for addresses given as arguments, perhaps with a password. There is neither
	// progress nor a summary, and an interrupt cancels the request in flight at once, which
	// otherwise gets a few seconds.
	alone bool

	journal *batch.Journal
	sink    *sink[T]
	// lineWidth is the width of the line on stderr that shows the progress, or 0 if there is none.
	lineWidth int

	reports int // how often the progress was reported
	next    int // the next line to write
}

// line is the part of a result that is about its line in the list.
type line struct {
	File batch.Row `json:"file,omitzero"` // all columns of the file, unchanged

	isKept bool // an earlier run found the result
}

// askedColumn is the column with the address that was asked about. It follows the columns of the
// file, whose own cell may have a name beside the address, or several addresses.
const askedColumn = "asked"

// listed returns a form with the columns of the file before those of the results. In a table with a
// journal, another column tells results of the journal from new ones.
func (q *inquiry[T]) listed(f form[T]) form[T] {
	if q.list.Columns != nil {
		f.columns = q.besideFile(f)
	}
	if q.flags.resume != "" {
		f.columns = append(slices.Clone(f.columns), column[T]{title: "From", cell: q.from})
	}
	return f
}

// from says in a cell whether an earlier run found a result.
func (q *inquiry[T]) from(value T) tableCell {
	if q.line(&value).isKept {
		return textCell("journal")
	}
	return textCell("now")
}

// besideFile returns the columns of a form after those of the file, which are in the place of the
// address. Formats that have columns have the address that was asked about in a column after them;
// the table for people has it in the cell of the file that named it.
func (q *inquiry[T]) besideFile(f form[T]) []column[T] {
	hasText := func(c column[T]) bool { return c.text != nil }
	at := slices.IndexFunc(f.columns, hasText)
	address := f.columns[at]
	asked := column[T]{
		name: askedColumn,
		kind: address.kind,
		host: address.host,
		text: address.text,
	}
	results := slices.Concat([]column[T]{asked}, f.columns[at+1:])
	all := slices.Concat(f.columns[:at], q.fileColumns(&address))
	for _, result := range results {
		if hasText(result) {
			result.name = q.freeName(result.name, all)
		}
		all = append(all, result)
	}
	return all
}

// fileColumns returns the columns of the file. In a table, the cell with the address shows the one
// that was asked about.
func (q *inquiry[T]) fileColumns(address *column[T]) []column[T] {
	columns := make([]column[T], len(q.list.Columns))
	for i, name := range q.list.Columns {
		text := func(value T) string { return q.line(&value).File.Values[i] }
		cell := func(value T) tableCell { return textCell(text(value)) }
		if i == q.list.AddressColumn {
			cell = address.drawn
		}
		columns[i] = column[T]{name: name, own: true, text: text, title: name, cell: cell}
	}
	return columns
}

// freeName returns a name for a column of the results that no other column has. The columns of the
// file keep their names. A column of the results with the same name, or the same heading where
// those of a screen are written, in whatever case, gets that of the command in front: check_id.
func (q *inquiry[T]) freeName(name string, others []column[T]) string {
	isTaken := func(other column[T]) bool {
		isShown := q.app.shows() && strings.EqualFold(other.name, lists.HeadingOf(name))
		return other.text != nil && (strings.EqualFold(other.name, name) || isShown)
	}
	for slices.ContainsFunc(others, isTaken) {
		name = q.command + "_" + name
	}
	return name
}

// run asks about all addresses, writes the answers, and sums them up on stderr.
func (q *inquiry[T]) run(ctx context.Context) (err error) {
	if err = q.app.format().CheckRows(q.list.Len()); err != nil {
		return tooManyRows(err)
	}
	if err = q.openJournal(); err != nil {
		return err
	}
	defer func() {
		if closed := q.journal.Close(); err == nil && closed != nil {
			err = q.journalProblem(closed)
		}
	}()
	output := q.outputContext(ctx)
	q.sink = newSink(q.app, q.app.stdout(output), q.listed(q.form))
	if q.rewritesProgress() {
		const maxWidth = 80
		q.lineWidth = min(cmp.Or(q.app.tableWidth(), maxWidth), maxWidth)
	}
	if err := q.writeKept(q.streams()); err != nil {
		return err
	}
	err = q.askAll(ctx, output)
	q.rewrite("")
	interrupted := err != nil && errors.Is(err, ctx.Err()) && output.Err() == nil
	if err != nil && !interrupted {
		return err
	}
	if err := q.writeKept(true); err != nil {
		return err
	}
	if err := q.sink.close(output); err != nil {
		return err
	}
	return q.conclude(interrupted)
}

// outputContext returns the context in which answers are written. After ctrl+c, which ends ctx, a
// person can still read the answers so far. The end of a visitor's connection ends it.
func (q *inquiry[T]) outputContext(ctx context.Context) context.Context {
	if q.app.local {
		return context.WithoutCancel(ctx)
	}
	return ctx
}

// askAll asks about the addresses that have no answer yet, and writes the answers. After ctx has
// ended, requests in flight get a few more seconds, for as long as their answers can be written to
// output. For addresses given as arguments they end at once.
func (q *inquiry[T]) askAll(ctx, output context.Context) error {
	flightsEnd := output
	if q.alone {
		flightsEnd = ctx
	}
	return batch.Run(ctx, q.list, batch.Options[T]{
		Jobs:     q.flags.jobs,
		Rate:     q.flags.rate,
		Known:    q.journal.Outcome,
		Take:     q.take,
		Progress: q.show,
		Ask: func(flight context.Context, email string) batch.Answer[T] {
			flight, end := context.WithCancel(flight)
			defer end()
			defer context.AfterFunc(flightsEnd, end)()
			answer := q.ask(flight, email)
			answer.Busy = answer.Busy && !q.alone
			return answer
		},
	})
}

// rewritesProgress reports whether the progress is one line that is rewritten. A screen reader would
// read all of that line each time.
func (q *inquiry[T]) rewritesProgress() bool {
	a := q.app
	isReadAloud := a.flags.accessible || a.accessibleDefault()
	return !q.flags.quiet && a.env.StderrIsTerminal && !isReadAloud
}

// quiet reports whether there is neither progress nor a summary.
func (q *inquiry[T]) quiet() bool { return q.alone || q.flags.quiet }

// streams reports whether answers are written in the order in which they come.
func (q *inquiry[T]) streams() bool { return q.app.format().Stream }

// openJournal opens the journal of the list, or makes one in memory.
func (q *inquiry[T]) openJournal() (err error) {
	path := q.flags.resume
	if path == "" {
		q.journal = batch.NewJournal(q.list)
		return nil
	}
	q.journal, err = batch.OpenJournal(path, q.list, q.outcome)
	if err != nil {
		return usage("the journal "+path+" cannot be used: "+files.Reason(err).Error(),
			"The file was not changed. Name another one with --resume; a file that does not exist is created.")
	}
	if q.flags.retryFailed {
		q.journal.ForgetFailures()
	}
	if q.journal.Torn {
		q.app.warn("The last line of " + path + " was incomplete and has been removed:" +
			" that address is asked about again.")
	}
	if n := q.journal.Foreign; n > 0 {
		q.app.warn(fmt.Sprintf("%s in %s for addresses that are not in the list:"+
			" they stay in the file and are left out here.",
			human.Count(n, "result", "results"), path))
	}
	return nil
}

// journalProblem returns the error for a journal that can no longer be read or written.
func (q *inquiry[T]) journalProblem(err error) error {
	return problem.New("cannot write "+q.flags.resume+": "+files.Reason(err).Error(),
		"The results so far are kept. Run the same command again once the file can be written.")
}

// take puts the answer about the ith address into the journal, with the first line of that address,
// and writes all lines that can be written now.
func (q *inquiry[T]) take(i int, a batch.Answer[T]) error {
	if errors.Is(a.Err, context.Canceled) {
		return a.Err
	}
	lines := q.list.LinesOf(i)
	q.line(&a.Value).File = q.list.Row(lines[0])
	element := jsonLine(a.Value)
	if err := q.journal.Add(i, element, a.Outcome); err != nil {
		return q.journalProblem(err)
	}
	isArgument := q.flags.from == ""
	if a.Err != nil && isArgument {
		q.app.sayProblem(problem.Describe(a.Err, commandLine))
	}
	if !q.streams() {
		if q.next < q.list.Len() && q.list.AddressOf(q.next) != i {
			return nil
		}
		return q.writeKept(false)
	}
	for _, at := range lines {
		if err := q.write(at, a.Value); err != nil {
			return err
		}
	}
	return nil
}

// write writes the value of a line.
func (q *inquiry[T]) write(at int, value T) error {
	address := q.list.AddressOf(at)
	defer q.journal.Forget(address)
	if q.app.env.StdoutIsTerminal {
		q.rewrite("")
	}
	*q.line(&value) = line{q.list.Row(at), q.journal.IsKept(address)}
	return q.sink.add(value, jsonLine(value))
}

// writeKept writes the answers in the journal from the next line on: all of them, or only those
// before the first line without an answer.
func (q *inquiry[T]) writeKept(all bool) error {
	for ; q.next < q.list.Len(); q.next++ {
		address := q.list.AddressOf(q.next)
		if q.journal.Outcome(address).State == batch.Open {
			if all {
				continue
			}
			return nil
		}
		var value T
		element, err := q.journal.Element(address)
		if err == nil {
			err = json.Unmarshal(element, &value)
		}
		if err != nil {
			return q.journalProblem(err)
		}
		if err := q.write(q.next, value); err != nil {
			return err
		}
	}
	return nil
}

// show shows the progress on stderr: on a terminal as one line that is rewritten, elsewhere as a
// line every ten seconds. It is called at the start, every second and at the end.
func (q *inquiry[T]) show(progress batch.Progress) {
	const plainEvery = 10 // seconds
	q.reports++
	if progress.Ending && q.app.env.LetInterrupt != nil {
		q.app.env.LetInterrupt()
	}
	switch {
	case q.quiet():
	case q.lineWidth > 0:
		q.rewrite(progress.String())
	case q.reports%plainEvery == 1 && q.reports > 1:
		q.app.say("%s", progress)
	}
}

// conclude sums the answers up on stderr, and says how to resume.
func (q *inquiry[T]) conclude(interrupted bool) error {
	a, f := q.app, q.flags
	summary := q.journal.SumUp()
	if !q.quiet() {
		a.say("%s.", summary)
		for _, line := range causesInLines(summary) {
			a.say("%s", line)
		}
	}
	if interrupted {
		finished := human.Number(summary.Done())
		total := human.Count(summary.Lines, "address", "addresses")
		a.say("gatehouse: Interrupted after %s of %s.", finished, total)
	}
	switch {
	case !interrupted || f.from == "":
	case f.resume == "":
		a.say("Use --resume FILE to keep the results, and to continue from them in the next run.")
	default:
		a.say("Resume with: gatehouse %s", a.shell().Join(a.args...))
	}
	if interrupted || summary.HasFailures() {
		return errReported
	}
	return nil
}

// causesInLines returns a line for each cause of trouble, with how many lines of the list it
// concerns.
func causesInLines(s *batch.Summary) (list []string) {
	causes := s.Causes()
	shown := causes[:min(len(causes), maxCauses)]
	for _, c := range shown {
		list = append(list, fmt.Sprintf("  %s: %s", c.State.Counted(c.Count), c.Cause))
	}
	if more := len(causes) - len(shown); more > 0 {
		list = append(list, "  and "+human.Count(more, "more cause", "more causes"))
	}
	return list
}

// maxCauses is how many causes a summary names.
const maxCauses = 20

// clearLine clears the line of the cursor on a terminal.
const clearLine = "\r\x1b[K"

// rewrite replaces the text of the progress line, if there is one.
func (q *inquiry[T]) rewrite(text string) {
	if q.lineWidth > 0 {
		_, _ = io.WriteString(q.app.env.Stderr, clearLine+safetext.Clip(text, q.lineWidth-1))
	}
}
