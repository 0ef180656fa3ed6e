package browse

import (
	"context"
	"io"
	"slices"
	"sync/atomic"
	"time"

	"gatehouse/api"
	"gatehouse/internal/lists"
)

// loader runs the loadings of a list, one at a time, and accounts for the memory that they take.
// It knows no list and no screen; it only produces tables.
type loader struct {
	budget     *lists.Budget // of memory, shared with other lists; nil for no limit
	now        func() time.Time
	current    *loading   // nil if none is under way
	unreleased []*loading // the loadings whose memory was not released
}

// start starts a loading, and ends the one that is under way. The loading ends with ctx.
func (l *loader) start(ctx context.Context, fetch fetch) *loading {
	l.stop()
	started := &loading{
		fetch:   fetch,
		started: l.now(),
		first:   make(chan struct{}),
		share:   l.budget.Share(),
		alone:   l.budget == nil,
	}
	started.context, started.end = context.WithCancel(ctx)
	l.current = started
	l.unreleased = append(l.unreleased, started)
	return started
}

// stop ends the loading that is under way, if there is one. Its result is dropped.
func (l *loader) stop() {
	if l.current != nil {
		l.current.end()
		l.current = nil
	}
}

// finished notes that the current loading has ended and its result was taken.
func (l *loader) finished() { l.current = nil }

// releaseAllBut releases the memory of all loadings but the current one and those that are shown.
func (l *loader) releaseAllBut(shown ...*loading) {
	l.unreleased = slices.DeleteFunc(l.unreleased, func(one *loading) bool {
		if one == l.current || slices.Contains(shown, one) {
			return false
		}
		one.share.Release()
		return true
	})
}

// close ends all work and releases all memory.
func (l *loader) close() {
	l.stop()
	l.releaseAllBut()
}

const (
	// frameTime is how often a list that is loading shows the rows that have arrived.
	frameTime = 100 * time.Millisecond
	// firstRows is how many rows are shown at once, without waiting for the next frame.
	firstRows = 50
)

// loading is one loading of a list. Methods that say how far it is may be called while it runs on
// another goroutine.
type loading struct {
	context context.Context
	end     context.CancelFunc
	fetch   fetch
	started time.Time
	alone   bool         // there is no budget of memory
	share   *lists.Share // of the budget, released when nothing of this loading is shown any more
	// cancelled means that the person has cancelled the loading.
	cancelled bool
	// first is closed when the first rows have arrived, and nil after they were shown.
	first chan struct{}
	// stream is what run fills; nil before.
	stream atomic.Pointer[lists.Stream]
	// total is how many records there will be, 0 if it is not known.
	total atomic.Int64
}

// underWay reports whether the loading has neither ended nor been cancelled.
func (l *loading) underWay() bool { return l.context.Err() == nil }

// cancel ends the loading for the person, who wants to keep what has arrived.
func (l *loading) cancel() {
	l.cancelled = true
	l.end()
}

// run fetches and decodes the whole list. With an error, the table has the records that were
// complete before the error; it is nil if there was no body.
func (l *loading) run() (*lists.Table, error) {
	defer l.end()
	body, err := l.fetch(l.context)
	if err != nil {
		return nil, err
	}
	defer body.Close()
	l.total.Store(int64(body.Records()))
	stream := lists.NewStream(body.ContentLength())
	if stream.Share = l.share; l.alone {
		stream.HoldOnce = api.UnannouncedBodyLimit
	}
	l.stream.Store(stream)
	_, err = stream.ReadFrom(&arrival{body: body, stream: stream, first: l.first})
	return stream.Table(), body.Unreadable(err)
}

// nextTable returns a function that waits for more rows, but at most for a frame, and returns the
// table so far, nil while it has no rows. ok is false if the loading has ended, as run returns
// its table then.
func (l *loading) nextTable() func() (table *lists.Table, ok bool) {
	first := l.first
	return func() (*lists.Table, bool) {
		timer := time.NewTimer(frameTime)
		defer timer.Stop()
		select {
		case <-first:
		case <-timer.C:
		case <-l.context.Done():
		}
		if !l.underWay() {
			return nil, false
		}
		stream := l.stream.Load()
		if stream == nil {
			return nil, true
		}
		table := stream.Table()
		if table.Len() == 0 {
			return nil, true
		}
		return table, true
	}
}

// firstShown notes that the first rows were shown. From now on nextTable waits for a frame each
// time.
func (l *loading) firstShown() { l.first = nil }

// done returns how much of the loading is done, and of how much: in records if their number is
// known, and otherwise in bytes. total is 0 or less if it is not known.
func (l *loading) done() (done, total int64) {
	p := l.progress()
	if total := l.total.Load(); total > 0 {
		return int64(p.Rows), total
	}
	return p.Bytes, p.Expected
}

// progress returns how much has arrived so far.
func (l *loading) progress() lists.Progress {
	stream := l.stream.Load()
	if stream == nil {
		return lists.Progress{Expected: -1}
	}
	return stream.Progress()
}

// arrival reads a body, and closes first when the stream has decoded the first rows of it.
type arrival struct {
	body   io.Reader
	stream *lists.Stream
	first  chan<- struct{}
}

func (a *arrival) Read(p []byte) (int, error) {
	if a.first != nil && a.stream.Progress().Rows >= firstRows {
		close(a.first)
		a.first = nil
	}
	return a.body.Read(p)
}
