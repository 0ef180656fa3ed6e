package browse

import (
	"cmp"
	"errors"
	"io"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/lists"
	"gatehouse/internal/text/human"
	"gatehouse/internal/text/problem"
	"gatehouse/session"
	"gatehouse/ui/screen"
)

// Load loads the list, again if it was loaded before.
func (l *List) Load() tea.Cmd { return l.load(l.fetch) }

// LoadOnce loads the list from elsewhere; [List.Load] and reloading stay as they are.
func (l *List) LoadOnce(fetch fetch) tea.Cmd {
	usual := l.fetch
	loads := l.load(fetch)
	l.fetch = usual
	return loads
}

// load asks for the list. What is shown stays until the new answer is whole; where
// nothing is shown, the records are shown as they come.
func (l *List) load(fetch fetch) tea.Cmd {
	l.fetch, l.delayed = fetch, nil
	begun := l.loader.begin(l.env.Context, fetch)
	l.release()
	o := &origin{format: newCellFormat(l.env), options: l.options, loading: begun}
	load := screen.Reply(l.owner, o.load, func(end loaded) tea.Cmd { return l.loaded(begun, end) })
	return tea.Batch(load, l.watch(o))
}

// loaded is the end of a loading. With an error, source has the records that were complete
// before it; it is nil where there is no body.
type loaded struct {
	source *source
	err    error
}

// load loads all rows.
func (o *origin) load() loaded {
	table, err := o.loading.run()
	if table == nil {
		return loaded{err: err}
	}
	return loaded{newSource(o, table), err}
}

// watch waits for more rows of a loading, and shows them.
func (l *List) watch(o *origin) tea.Cmd {
	more, owner := o.loading.more(), l.owner
	return func() tea.Msg {
		table, ok := more()
		if !ok {
			return nil
		}
		var s *source
		if table != nil {
			s = newSource(o, table)
			s.growing = true
		}
		return screen.Addressed{To: owner, Take: func() tea.Cmd { return l.arrived(o, s) }}
	}
}

// arrived shows what came so far, nil where there is nothing to show yet.
func (l *List) arrived(o *origin, s *source) tea.Cmd {
	if o.loading != l.loader.current || !o.loading.underWay() {
		return nil
	}
	if s != nil {
		o.loading.given()
	}
	if s == nil || l.reloading() || l.newest != nil && l.newest.table == s.table {
		return l.watch(o)
	}
	l.newest = s
	return tea.Batch(l.watch(o), l.arrange())
}

// loaded takes what a loading brought. What came before an error is kept where
// nothing better is there.
func (l *List) loaded(from *loading, end loaded) tea.Cmd {
	if from != l.loader.current {
		return nil
	}
	keep := end.err == nil || !l.reloading() && end.source != nil && end.source.Len() > 0
	l.loader.ended()
	if !keep {
		l.release()
		return l.failed(from, end.err)
	}
	if end.err != nil {
		end.source.missing = l.missing(from, end)
	}
	l.problem, l.newest, l.loadedAt = nil, end.source, l.env.Now()
	return l.arrange()
}

// Stop ends the loading, and keeps the records that have arrived.
func (l *List) Stop() tea.Cmd {
	if current := l.loader.current; current == nil || current.cancelled {
		return nil
	}
	return l.cancelLoading()
}

// cancelLoading ends the loading for a person who does not want to wait. What came
// is kept, unless the records of an earlier answer are shown: those are whole.
func (l *List) cancelLoading() tea.Cmd {
	switch current := l.loader.current; {
	case l.source == nil && current.progress().Rows == 0:
		l.stopLoading()
		l.problem = l.cancelledProblem()
	case l.reloading():
		l.stopLoading()
	default:
		current.cancel()
	}
	return nil
}

// stopLoading ends the loading; what it brings is dropped.
func (l *List) stopLoading() {
	l.loader.stop()
	l.release()
}

// release releases the memory of loadings of which nothing is shown any more.
func (l *List) release() { l.loader.keep(l.newest.brought(), l.source.brought()) }

// isLoading reports that a loading is under way.
func (l *List) isLoading() bool { return l.loader.current != nil }

// reloading reports that what is shown is an answer from before.
func (l *List) reloading() bool {
	return l.isLoading() && l.source != nil && l.source.brought() != l.loader.current
}

// Renew shows a table that the caller keeps up, with the newest record first and its number,
// which is one more with each record. A cursor that a person has moved stays on its record.
func (l *List) Renew(table *lists.Table, newest int) tea.Cmd {
	if l.renewed == nil {
		l.renewed = &origin{format: newCellFormat(l.env), options: l.options}
	}
	l.newest = newSource(l.renewed, table)
	l.newest.first = newest
	return l.arrange()
}

// missing says what is not there of a body that came in part.
func (l *List) missing(from *loading, end loaded) string {
	rows := l.options.count(end.source.Len())
	again := "; " + l.env.Keys.Key(screen.BrowseReload) + " " + cmp.Or(l.options.Again, "refreshes") + "."
	cut, isCut := errors.AsType[*lists.CutError](end.err)
	switch {
	case from.cancelled && from.total.Load() > 0:
		return rows + " of " + human.Number(int(from.total.Load())) + " kept; " +
			l.options.doing() + " was cancelled" + again
	case from.cancelled:
		return rows + " kept; " + l.options.doing() + " was cancelled after " +
			human.Bytes(from.progress().Bytes) + again
	case isCut && errors.Is(cut.Err, io.ErrUnexpectedEOF):
		return "The answer was cut off after " + cutAt(cut) + ": " + rows + " before that are complete" + again
	}
	return screen.Describe(end.err).Sentence + " " + rows + " before that are complete" + again
}

// cutAt says where a body was cut off.
func cutAt(cut *lists.CutError) string {
	at := human.Bytes(cut.Bytes)
	if cut.Expected >= 0 {
		at += " of " + human.Bytes(cut.Expected)
	}
	return at
}

// failed says what went wrong. Where only signing in helps, the root shows the form.
func (l *List) failed(from *loading, err error) tea.Cmd {
	if from.cancelled {
		l.problem = l.cancelledProblem()
		return nil
	}
	l.delayed, _ = errors.AsType[*session.DelayedError](err)
	described := screen.Describe(err)
	l.problem = &described
	if described.Kind != problem.SignIn {
		return nil
	}
	return l.signInAgain(described.Sentence)
}

// cancelledProblem says that the person has cancelled the loading.
func (l *List) cancelledProblem() *problem.Problem {
	doing := l.options.doing()
	return &problem.Problem{
		Sentence: screen.Capital(doing) + " the " + l.options.Many + " was cancelled.",
		Hint:     l.env.Keys.Press(screen.BrowseReload) + " to try again.",
		Kind:     problem.Cancelled,
	}
}

// stillComing is why something waits for the end of the loading.
func (l *List) stillComing() string {
	return "the list is not complete yet; " + l.env.Keys.Key(screen.BrowseCancel) + " stops and keeps what is there"
}

// Retry loads the list again after a failure that may be over. It leaves what the person has
// cancelled, and what waits for the next attempt to renew the session.
func (l *List) Retry() tea.Cmd {
	p := l.problem
	if p == nil || p.Kind == problem.Cancelled || l.delayed != nil || l.isLoading() {
		return nil
	}
	return l.Load()
}

// signInAgain leads through the sign-in form back to the list, loaded again.
func (l *List) signInAgain(reason string) tea.Cmd {
	return l.env.Root.SignInAgain(l.owner, reason, l.Load)
}
