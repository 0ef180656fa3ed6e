package browse

import (
	"bytes"
	"context"
	"errors"
	"io"
	"testing"
	"testing/synctest"
	"time"

	"gatehouse/internal/lists"
	"gatehouse/internal/testkit/uitest"
)

// read is a body that a test gives out piece by piece.
type read struct {
	io.Reader
	length  int64
	records int
}

func (r *read) Close() error               { return nil }
func (r *read) ContentLength() int64       { return r.length }
func (r *read) Records() int               { return r.records }
func (r *read) Unreadable(err error) error { return err }

// gives fetches a body.
func gives(r io.Reader, length, records int) fetch {
	return func(context.Context) (Body, error) { return &read{r, int64(length), records}, nil }
}

func newLoader() *loader { return &loader{now: time.Now} }

func TestALoadingGivesATable(t *testing.T) {
	body := uitest.Library(120)
	l := newLoader()
	begun := l.start(t.Context(), gives(bytes.NewReader(body), len(body), 0))
	table, err := begun.run()
	if err != nil || table.Len() != 120 {
		t.Fatalf("%v rows, %v", table, err)
	}
	if p := begun.progress(); p.Rows != 120 || p.Bytes != int64(len(body)) || begun.underWay() {
		t.Errorf("it is at %+v", p)
	}
	if done, total := begun.done(); done != total || total != int64(len(body)) {
		t.Errorf("%d of %d bytes are done", done, total)
	}
	if _, ok := begun.nextTable()(); ok {
		t.Error("more is to come")
	}
}

func TestALoadingGivesItsFirstRowsAtOnceAndThenFrameByFrame(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		body := uitest.Library(120)
		some := uitest.UpTo(t, body, firstRows+10)
		reader, writer := io.Pipe()
		l := newLoader()
		begun := l.start(t.Context(), gives(reader, -1, 120))
		ended := make(chan error)
		go func() {
			_, err := begun.run()
			ended <- err
		}()
		began := time.Now()
		if table, ok := begun.nextTable()(); !ok || table != nil || time.Since(began) != frameTime {
			t.Errorf("without rows there is %v after %v", table, time.Since(began))
		}
		_, _ = writer.Write(body[:some])
		began = time.Now()
		if table, ok := begun.nextTable()(); !ok || table.Len() < firstRows || time.Since(began) != 0 {
			t.Errorf("the first rows: %v after %v", table, time.Since(began))
		}
		begun.firstShown()
		began = time.Now()
		if _, ok := begun.nextTable()(); !ok || time.Since(began) != frameTime {
			t.Errorf("the next ones come after %v", time.Since(began))
		}
		if done, total := begun.done(); done < firstRows || total != 120 {
			t.Errorf("%d of %d records are done", done, total)
		}
		_, _ = writer.Write(body[some:])
		_ = writer.Close()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
}

func TestALoadingThatFailsKeepsTheRowsBeforeThat(t *testing.T) {
	body := uitest.Library(120)
	cut := io.MultiReader(bytes.NewReader(body[:len(body)/2]), cutBody{})
	table, err := newLoader().start(t.Context(), gives(cut, -1, 0)).run()
	if err == nil || table.Len() == 0 || table.Len() == 120 {
		t.Errorf("%v rows, %v", table, err)
	}
	unreached := func(context.Context) (Body, error) { return nil, errCut }
	if table, err = newLoader().start(t.Context(), unreached).run(); table != nil || !errors.Is(err, errCut) {
		t.Errorf("without a body: %v, %v", table, err)
	}
}

var errCut = errors.New("cut")

// cutBody is a body that is cut off.
type cutBody struct{}

func (cutBody) Read([]byte) (int, error) { return 0, errCut }

func TestALoaderHasOneLoadingAtATime(t *testing.T) {
	l := newLoader()
	first := l.start(t.Context(), nil)
	second := l.start(t.Context(), nil)
	if first.underWay() || !second.underWay() || l.current != second {
		t.Error("the first one goes on")
	}
	second.cancel()
	if second.underWay() || !second.cancelled || l.current != second {
		t.Error("a cancelled one goes on, or is not kept")
	}
	if l.finished(); l.current != nil {
		t.Error("it has not ended")
	}
}

func TestALoaderReleasesTheMemoryOfWhatIsShownNoMore(t *testing.T) {
	budget := &lists.Budget{Limit: 1 << 30}
	l := &loader{now: time.Now, budget: budget}
	body := uitest.Library(120)
	load := func() *loading {
		begun := l.start(t.Context(), gives(bytes.NewReader(body), len(body), 0))
		if _, err := begun.run(); err != nil {
			t.Fatal(err)
		}
		l.finished()
		return begun
	}
	first := load()
	held := budget.Held()
	load()
	if both := budget.Held(); held == 0 || both != 2*held {
		t.Errorf("one table takes %d bytes and two take %d", held, both)
	}
	if l.releaseAllBut(nil, first); budget.Held() != held {
		t.Errorf("of one that is shown %d bytes are held, want %d", budget.Held(), held)
	}
	third := l.start(t.Context(), nil)
	if l.releaseAllBut(); budget.Held() != 0 || !third.underWay() {
		t.Errorf("%d bytes are held of what is shown no more", budget.Held())
	}
	if l.close(); third.underWay() {
		t.Error("it goes on after the end")
	}
}
