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

// Load loads the list, for the first time or again.
func (l *List) Load() tea.Cmd { return l.load(l.fetch) }

// LoadOnce loads the list with another fetch. [List.Load] and reloading go on to use the usual one.
func (l *List) LoadOnce(fetch fetch) tea.Cmd {
	usual := l.fetch
	cmd := l.load(fetch)
	l.fetch = usual
	return cmd
}

// load starts loading the list. If records are shown, they stay until the new answer is complete;
// otherwise the records are shown as they arrive.
func (l *List) load(fetch fetch) tea.Cmd {
	l.fetch, l.delayed = fetch, nil
	started := l.loader.start(l.env.Context, fetch)
	l.release()
	o := &origin{format: newCellFormat(l.env), options: l.options, loading: started}
	load := screen.Reply(l.owner, o.load, func(result loadResult) tea.Cmd {
		return l.takeLoaded(started, result)
	})
	return tea.Batch(load, l.watch(o))
}

// loadResult is the result of a loading. With an error, source has the records that were complete
// before the error; it is nil if there was no body.
type loadResult struct {
	source *source
	err    error
}

// load runs the loading to its end.
func (o *origin) load() loadResult {
	table, err := o.loading.run()
	if table == nil {
		return loadResult{err: err}
	}
	return loadResult{newSource(o, table), err}
}

// watch waits for more rows of a loading and shows them, until the loading ends.
func (l *List) watch(o *origin) tea.Cmd {
	more, owner := o.loading.nextTable(), l.owner
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

// arrived shows the rows that have arrived so far, and waits for more. s is nil if there are none
// yet.
func (l *List) arrived(o *origin, s *source) tea.Cmd {
	if o.loading != l.loader.current || !o.loading.underWay() {
		return nil
	}
	if s != nil {
		o.loading.firstShown()
	}
	isSame := s != nil && l.latest != nil && l.latest.table == s.table
	if s == nil || l.reloading() || isSame {
		return l.watch(o)
	}
	l.latest = s
	return tea.Batch(l.watch(o), l.arrange())
}

// takeLoaded shows the result of a loading. After an error the records that came before it are
// shown, unless there is a complete list from earlier.
func (l *List) takeLoaded(from *loading, result loadResult) tea.Cmd {
	if from != l.loader.current {
		return nil
	}
	hasRecords := result.source != nil && result.source.Len() > 0
	isPartial := result.err != nil && hasRecords && !l.reloading()
	l.loader.finished()
	if result.err != nil && !isPartial {
		l.release()
		return l.showFailure(from, result.err)
	}
	if isPartial {
		result.source.missing = l.missing(from, result)
	}
	l.problem, l.latest, l.loadedAt = nil, result.source, l.env.Now()
	return l.arrange()
}

// Stop cancels the loading and keeps the records that have arrived.
func (l *List) Stop() tea.Cmd {
	if current := l.loader.current; current == nil || current.cancelled {
		return nil
	}
	return l.cancelLoading()
}

// cancelLoading ends the loading, as the person does not want to wait. The records that have
// arrived are kept, unless a complete list from earlier is shown.
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

// stopLoading ends the loading and drops what has arrived.
func (l *List) stopLoading() {
	l.loader.stop()
	l.release()
}

// release releases the memory of the loadings whose records are neither shown nor about to be.
func (l *List) release() { l.loader.releaseAllBut(l.latest.loading(), l.source.loading()) }

// isLoading reports whether a loading is under way.
func (l *List) isLoading() bool { return l.loader.current != nil }

// reloading reports whether a loading is under way while records of an earlier one are shown.
func (l *List) reloading() bool {
	return l.isLoading() && l.source != nil && l.source.loading() != l.loader.current
}

// Renew shows a table that the caller keeps up to date, instead of loading one. The newest record
// comes first, and newest is its number: each record has a number one higher than the record
// before it. A cursor that the person has moved stays on its record.
func (l *List) Renew(table *lists.Table, newest int) tea.Cmd {
	if l.liveOrigin == nil {
		l.liveOrigin = &origin{format: newCellFormat(l.env), options: l.options}
	}
	l.latest = newSource(l.liveOrigin, table)
	l.latest.first = newest
	return l.arrange()
}

// missing says in a sentence what is missing of a body that has arrived in part.
func (l *List) missing(from *loading, end loadResult) string {
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

// showFailure shows why a loading has failed. If only signing in helps, it leads to the sign-in
// form.
func (l *List) showFailure(from *loading, err error) tea.Cmd {
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

// cancelledProblem is the problem of a list whose loading the person has cancelled.
func (l *List) cancelledProblem() *problem.Problem {
	doing := l.options.doing()
	return &problem.Problem{
		Sentence: screen.Capital(doing) + " the " + l.options.Many + " was cancelled.",
		Hint:     l.env.Keys.Press(screen.BrowseReload) + " to try again.",
		Kind:     problem.Cancelled,
	}
}

// stillComing is the reason of an action that needs the complete list.
func (l *List) stillComing() string {
	return "the list is not complete yet; " + l.env.Keys.Key(screen.BrowseCancel) +
		" stops and keeps what is there"
}

// Retry loads the list again after a failure that may be over. It does nothing if the person has
// cancelled the loading, or the session waits before it is renewed again.
func (l *List) Retry() tea.Cmd {
	p := l.problem
	if p == nil || p.Kind == problem.Cancelled || l.delayed != nil || l.isLoading() {
		return nil
	}
	return l.Load()
}

// signInAgain shows the sign-in form with a reason, and loads the list again afterwards.
func (l *List) signInAgain(reason string) tea.Cmd {
	return l.env.Root.SignInAgain(l.owner, reason, l.Load)
}
