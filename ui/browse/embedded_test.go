package browse

import (
	"context"
	"fmt"
	"io"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/lists"
	"gatehouse/internal/testkit/uitest"
	"gatehouse/ui/grid"
	"gatehouse/ui/screen"
)

// fleet is a screen of another package that shows records of its own.
type fleet struct {
	*List
	opened []string
	feed   *io.PipeWriter
}

// ships is a body that comes as it is written.
type ships struct {
	*io.PipeReader
	ctx context.Context
}

func (s ships) ContentLength() int64       { return -1 }
func (s ships) Unreadable(err error) error { return err }
func (s ships) Records() int               { return 4 }

func newFleet(env *screen.Env) *fleet {
	reader, writer := io.Pipe()
	f := &fleet{feed: writer}
	f.List = NewList(env, f, Options{
		One: "ship", Many: "ships", Doing: "counting", Again: "counts all again", Columns: []string{"ship", "state", "port"},
		Fetch: func(ctx context.Context) (Body, error) {
			context.AfterFunc(ctx, func() { _ = writer.CloseWithError(ctx.Err()) })
			return ships{reader, ctx}, nil
		},
		Open: func(record []byte) tea.Cmd {
			f.opened = append(f.opened, string(record))
			return nil
		},
		Mark: func(column string, _ lists.Cell, cell *grid.Cell) {
			if column == "state" {
				cell.Text = "<" + cell.Text + ">"
			}
		},
		Notes: func() []string { return []string{strings.Repeat("far too long ", 20), "2 of them leak"} },
	})
	return f
}

func (f *fleet) Title() string { return "Fleet" }
func (f *fleet) Init() tea.Cmd { return f.Load() }

func (f *fleet) write(from, to int) {
	for i := from; i <= to; i++ {
		state := "dry"
		if i%2 == 0 {
			state = "wet"
		}
		fmt.Fprintf(f.feed, `{"id":"x%d","port":"Minato","state":%q,"ship":"Ship %d"}`+"\n", i, state, i)
	}
}

func TestAnotherScreenShowsItsOwnRecordsInTheList(t *testing.T) {
	for _, width := range []int{80, 120} {
		uitest.RunAlone(t, func(t *testing.T) {
			stage := uitest.NewStage(t, width, 24)
			f := newFleet(stage.Env)
			stage.Show(f).Expect("counting the ships").Settle()
			f.write(1, 2)
			stage.Expect("counting: 2 of 4 ships", "Ship ", "<dry>")
			if p := f.View().Progress; p != (screen.Progress{Done: 2, Total: 4, Working: true}) {
				t.Errorf("the progress is %+v", p)
			}
			if x, _ := stage.At("▌ Ship 1"); x > 5 {
				t.Errorf("the column that comes first begins at cell %d:\n%s", x, stage.Frame())
			}
			f.write(3, 4)
			_ = f.feed.Close()
			stage.Expect("4 ships", "2 of them leak").Gone("counting")
			if f.Arrived() != 4 {
				t.Errorf("%d have arrived", f.Arrived())
			}
			stage.Press("down", "enter")
			if len(f.opened) != 1 || !strings.Contains(f.opened[0], `"ship":"Ship 2"`) {
				t.Errorf("opened %q", f.opened)
			}
			stage.Press("/").Type("wet").Press("enter").Expect("2 of 4 ships").Gone("leak")
		})
	}
}
