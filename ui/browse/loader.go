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

// loader begins the loadings of a list, one at a time, and accounts for the memory that they take. It
// knows no list and no screen: it gives tables, to whoever waits for them.
type loader struct {
	budget  *lists.Budget    // shared with other lists; nil is no limit
	now     func() time.Time // the clock
	current *loading         // nil: none is under way
	held    []*loading       // those whose memory is not released
}

// begin begins a loading in place of the one that is under way. It ends with the context.
func (l *loader) begin(ctx context.Context, fetch fetch) *loading {
	l.stop()
	begun := &loading{
		fetch: fetch, started: l.now(), first: make(chan struct{}),
		share: l.budget.Share(), alone: l.budget == nil,
	}
	begun.context, begun.end = context.WithCancel(ctx)
	l.current = begun
	l.held = append(l.held, begun)
	return begun
}

// stop ends the loading that is under way, if any; what it brings is for nobody.
func (l *loader) stop() {
	if l.current != nil {
		l.current.end()
		l.current = nil
	}
}

// ended says that what the loading has brought was taken.
func (l *loader) ended() { l.current = nil }

// keep releases the memory of all loadings but the one under way and those of which something is shown.
func (l *loader) keep(shown ...*loading) {
	l.held = slices.DeleteFunc(l.held, func(held *loading) bool {
		if held == l.current || slices.Contains(shown, held) {
			return false
		}
		held.share.Release()
		return true
	})
}

// close ends all work and releases all memory.
func (l *loader) close() {
	l.stop()
	l.keep()
}

const (
	// frame is how often a list that is loading shows what came.
	frame = 100 * time.Millisecond
	// firstRows are shown as soon as they are there, whatever the frame.
	firstRows = 50
)

// loading is one loading of a list. Its table grows while it runs; methods that say how far it is may
// be called meanwhile.
type loading struct {
	context context.Context
	end     context.CancelFunc
	fetch   fetch
	started time.Time
	alone   bool         // no other program shares the memory
	share   *lists.Share // of the memory for lists, released once the list shows nothing of it
	// cancelled is set when the person wants no more of it.
	cancelled bool
	// first is closed when the first rows are there, nil once they were given out.
	first chan struct{}
	// stream is what run fills.
	stream atomic.Pointer[lists.Stream]
	// total is how many records there will be, 0 if that is not known.
	total atomic.Int64
}

// underWay reports that the loading has neither ended nor was cancelled.
func (l *loading) underWay() bool { return l.context.Err() == nil }

// cancel ends the loading for a person who wants no more of it than has come.
func (l *loading) cancel() {
	l.cancelled = true
	l.end()
}

// run fetches and decodes the whole list. With an error the table has the records that were complete
// before it; it is nil where there is no body.
func (l *loading) run() (*lists.Table, error) {
	defer l.end()
	body, err := l.fetch(l.context)
	if err != nil {
		return nil, err
	}
	defer body.Close()
	if counted, ok := body.(Counted); ok {
		l.total.Store(int64(counted.Records()))
	}
	stream := lists.NewStream(body.ContentLength())
	if stream.Share = l.share; l.alone {
		stream.HoldOnce = api.UnannouncedBodyLimit
	}
	l.stream.Store(stream)
	_, err = stream.ReadFrom(&arrival{body: body, stream: stream, first: l.first})
	return stream.Table(), body.Unreadable(err)
}

// more makes what waits for more rows, but no longer than a frame, and gives the table so far: nil
// while it has none. What the end of the loading brings is left to run: ok is false then.
func (l *loading) more() func() (table *lists.Table, ok bool) {
	first := l.first
	return func() (*lists.Table, bool) {
		timer := time.NewTimer(frame)
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

// given says that rows were given out: from now on they come frame by frame.
func (l *loading) given() { l.first = nil }

// done is how much of the loading is done, of a total that is 0 or less if it is not known:
// records where their number is known, else bytes.
func (l *loading) done() (done, total int64) {
	p := l.progress()
	if total := l.total.Load(); total > 0 {
		return int64(p.Rows), total
	}
	return p.Bytes, p.Expected
}

// progress is how far the loading has come.
func (l *loading) progress() lists.Progress {
	stream := l.stream.Load()
	if stream == nil {
		return lists.Progress{Expected: -1}
	}
	return stream.Progress()
}

// arrival passes on a body, and tells when its first rows are there.
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
