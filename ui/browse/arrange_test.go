package browse

import (
	"bytes"
	"io"
	"slices"
	"testing"

	"gatehouse/internal/files"
	"gatehouse/internal/lists"
	"gatehouse/ui/screen"
)

// findAll goes through all stretches.
func findAll(t testing.TB, a *arrangeJob) []int32 {
	t.Helper()
	for more := true; more; {
		step := a.step()
		if more = step.unfinished; step.err != nil {
			t.Fatal(step.err)
		}
	}
	return a.matches
}

func TestAFilterLooksAtNewRowsAlone(t *testing.T) {
	env := testEnv(t)
	body := []byte(`[{"Name":"ab"},{"Name":"b"},{"Name":"ab"},{"Name":"ab"}]`)
	stream := lists.NewStream(-1)
	o := &origin{format: newCellFormat(env)}
	reader := &pieces{body: body, cut: bytes.LastIndexByte(body, '{')}
	var growing *source
	reader.between = func() { growing = newSource(o, stream.Table()) }
	if _, err := stream.ReadFrom(reader); err != nil {
		t.Fatal(err)
	}
	first := newArrangeJob(screen.NewWork(env), growing, arrangement{filter: "ab"}, nil, lists.Asker{Now: noon})
	if got := findAll(t, first); !slices.Equal(got, []int32{0, 2}) {
		t.Fatalf("found %v of %d rows", got, growing.Len())
	}
	then := newArrangeJob(screen.NewWork(env), newSource(o, stream.Table()), arrangement{filter: "ab"}, nil, lists.Asker{Now: noon})
	then.previous = first
	if got := findAll(t, then); !slices.Equal(got, []int32{0, 2, 3}) || !slices.Equal(then.foundBefore, []int32{0, 2}) {
		t.Fatalf("found %v, of which %v were known", got, then.foundBefore)
	}
}

// A list whose rows come faster than they are looked at would never show what it has found.
func TestRowsThatArriveDoNotBeginAFilterAgain(t *testing.T) {
	env := testEnv(t)
	env.State = files.MemoryState()
	body := []byte(`[{"Name":"ab"},{"Name":"b"},{"Name":"ab"}]`)
	stream := lists.NewStream(-1)
	o := &origin{format: newCellFormat(env)}
	growing := func() *source {
		s := newSource(o, stream.Table())
		s.growing = true
		return s
	}
	l := NewList(env, nil, Options{})
	reader := &pieces{body: body, cut: bytes.LastIndexByte(body, '{')}
	reader.between = func() { l.latest = growing() }
	if _, err := stream.ReadFrom(reader); err != nil {
		t.Fatal(err)
	}
	l.filter.Set("ab")
	begun := l.job
	if !l.working() || begun.filter != "ab" || begun.source.Len() != 2 {
		t.Fatalf("the filter %q looks at %d rows", begun.filter, begun.source.Len())
	}
	l.latest = growing()
	if l.arrange() != nil || l.job != begun || !l.working() {
		t.Error("with more rows it begins again")
	}
	l.filter.Set("a")
	if l.job == begun || l.job.source.Len() != 3 {
		t.Error("another filter does not begin")
	}
	other := l.job
	l.latest = newSource(o, stream.Table())
	if l.arrange() == nil || l.job == other {
		t.Error("the whole list is not looked at")
	}
}

// pieces is a body in two parts.
type pieces struct {
	body    []byte
	cut     int
	between func()
}

func (p *pieces) Read(dst []byte) (int, error) {
	if p.cut == 0 && p.between != nil {
		p.between()
		p.between = nil
	}
	n := p.cut
	if n == 0 {
		n = len(p.body)
	}
	n = copy(dst, p.body[:n])
	p.body, p.cut = p.body[n:], max(p.cut-n, 0)
	if n == 0 {
		return 0, io.EOF
	}
	return n, nil
}

func TestAnArrangementIsAppliedToASourceWithoutAList(t *testing.T) {
	s := sourceOf(t, `[{"Name":"b","Disk":2000},{"Name":"a","Disk":1000},{"Name":"c","Disk":3000}]`)
	for name, tt := range map[string]struct {
		arrangement
		first *Leading
		want  []int32
	}{
		"as they came":       {arrangement{}, nil, nil},
		"filtered":           {arrangement{filter: "disk>1500"}, nil, []int32{0, 2}},
		"sorted":             {arrangement{order: order{{Column: "Name"}}}, nil, []int32{1, 0, 2}},
		"both":               {arrangement{filter: "disk>1500", order: order{{"Disk", true}}}, nil, []int32{2, 0}},
		"some come first":    {arrangement{}, &Leading{Column: "Name", Values: []string{"c"}}, []int32{2, 0, 1}},
		"but by no column":   {arrangement{}, &Leading{Column: "Gone", Values: []string{"c"}}, []int32{0, 1, 2}},
		"by a missing one":   {arrangement{order: order{{Column: "Gone"}}}, nil, nil},
		"found by no filter": {arrangement{filter: "nowhere"}, nil, []int32{}},
	} {
		a := newArrangeJob(screen.NewWork(testEnv(t)), s, tt.arrangement, tt.first, lists.Asker{Now: noon})
		f := a.step()
		for f.unfinished {
			f = a.step()
		}
		if f.err != nil || !slices.Equal(f.rows, tt.want) || (f.rows == nil) != (tt.want == nil) {
			t.Errorf("%s: %v, %v, want %v", name, f.rows, f.err, tt.want)
		}
	}
}

func TestAnArrangingThatIsCancelledFindsNothing(t *testing.T) {
	s := sourceOf(t, `[{"Name":"b"},{"Name":"a"}]`)
	a := newArrangeJob(screen.NewWork(testEnv(t)), s, arrangement{filter: "a"}, nil, lists.Asker{Now: noon})
	a.Cancel()
	if f := a.step(); f.err == nil {
		t.Errorf("it has found %v", f.rows)
	}
}
