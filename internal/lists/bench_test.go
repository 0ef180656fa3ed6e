package lists_test

import (
	"bytes"
	"fmt"
	"io"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"gatehouse/internal/lists"
)

// shareBody is an envelope of n records of some 390 bytes, as clients of such a service see them.
func shareBody(n int) []byte {
	names := []string{"Annual report", "Møder og referater", "東京支社", `\u6771\u4eac`, "مشاريع", "Photos 📷", "Legal (2019)"}
	var body bytes.Buffer
	body.WriteString(`{"Data":[`)
	for i := range n {
		if i > 0 {
			body.WriteByte(',')
		}
		fmt.Fprintf(&body, `{"Id":"%08x-0000-4000-8000-%012x","CompanyId":%d,"Name":"%s %d","ShareAssociationType":%d,"ShareRelations":[],`+
			`"ShareDefault":{"Owner":"ann.lee%d@harbor.example","ShareCategory":%d},"ShareTick":%d,`+
			`"SpaceUsage":{"DiskUsage":%d,"HistoryUsage":%d,"DeletedUsage":0},"ParentShareId":null,`+
			`"TimeStamps":{"CreateTime":"2017-10-03T12:57:14.295242Z","DeleteTime":"0001-01-01T00:00:00Z"}}`,
			i, i*7919, i%40, names[i%len(names)], n-i, i%3, i%100, i%3, 635584236915068204+i, (i*7919)%1_000_000_007, i%1000)
	}
	body.WriteString(`],"Message":"Ok."}`)
	return body.Bytes()
}

// sizes are the lengths of the lists; the longest takes minutes, and is left out of a short run.
func sizes() []int {
	if testing.Short() {
		return []int{1_000, 100_000}
	}
	return []int{1_000, 100_000, 1_000_000}
}

// shareBodies are made once: a million records take longer to make than to read.
var shareBodies = sync.OnceValue(func() map[int][]byte {
	bodies := make(map[int][]byte)
	for _, n := range sizes() {
		bodies[n] = shareBody(n)
	}
	return bodies
})

// benchmark runs work on tables of each size.
func benchmark(b *testing.B, work func(b *testing.B, table *lists.Table)) {
	for _, n := range sizes() {
		b.Run(fmt.Sprintf("%d", n), func(b *testing.B) {
			table := parse(b, string(shareBodies()[n]))
			b.ReportAllocs()
			b.ResetTimer()
			work(b, table)
		})
	}
}

func BenchmarkParse(b *testing.B) {
	for _, n := range sizes() {
		b.Run(fmt.Sprintf("%d", n), func(b *testing.B) {
			body := shareBodies()[n]
			b.SetBytes(int64(len(body)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := lists.Parse(body); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkCellsOf40Rows(b *testing.B) {
	benchmark(b, func(b *testing.B, table *lists.Table) {
		var cells []lists.Cell
		for b.Loop() {
			for row := range 40 {
				cells = table.Cells(table.Len()-1-row, cells)
				for _, cell := range cells {
					_ = cell.Text()
				}
			}
		}
	})
}

func BenchmarkFilter(b *testing.B) {
	for _, query := range []string{"東京 99", "lars.jensen", "harbor", "nothing", "a", "635", "is"} {
		b.Run(query, func(b *testing.B) {
			benchmark(b, func(b *testing.B, table *lists.Table) {
				for b.Loop() {
					filter(b, table, query, nil)
				}
			})
		})
	}
}

func BenchmarkSort(b *testing.B) {
	for _, column := range []string{"Name", "Id", "TimeStamps.CreateTime", "SpaceUsage.DiskUsage", "ShareTick"} {
		b.Run(column, func(b *testing.B) {
			benchmark(b, func(b *testing.B, table *lists.Table) {
				col := columnIndex(b, table, column)
				for b.Loop() {
					sortRows(b, table, allRows(table), col, false)
				}
			})
		})
	}
}

func columnIndex(tb testing.TB, table *lists.Table, name string) int {
	tb.Helper()
	col := slices.Index(table.Columns(), name)
	if col < 0 {
		tb.Fatalf("no column %q", name)
	}
	return col
}

func BenchmarkQuery(b *testing.B) {
	for _, query := range []string{
		"!harbor", `"annual report 99"`, "owner:lee99", "owner:harbor", "owner=ann.lee42@harbor.example", "companyid=7", "name:a",
		"diskusage>1.5GB", "diskusage<=500MB", "sharetick>=2015-02", "createtime<2020", "name>m", "parentshareid=null",
		"annual | legal", "disk>1GB | owner:lee9", "usage>1000",
	} {
		b.Run(query, func(b *testing.B) {
			benchmark(b, func(b *testing.B, table *lists.Table) {
				for b.Loop() {
					filter(b, table, query, nil)
				}
			})
		})
	}
}

// BenchmarkStream is what Parse costs, and the copy into growing memory. Beside the
// time to the end it measures that from the first bytes to the cells of 50 rows, and
// what is kept beyond the bytes of the body.
func BenchmarkStream(b *testing.B) {
	for _, n := range sizes() {
		for _, piece := range []int{64 << 10, 1 << 20} {
			b.Run(fmt.Sprintf("%d/pieces of %d KB", n, piece>>10), func(b *testing.B) {
				body := shareBodies()[n]
				benchmarkStream(b, body, int64(len(body)), piece)
			})
		}
	}
	longest := slices.Max(sizes())
	b.Run(fmt.Sprintf("%d/of unknown length", longest), func(b *testing.B) {
		benchmarkStream(b, shareBodies()[longest], -1, 64<<10)
	})
}

func benchmarkStream(b *testing.B, body []byte, expected int64, piece int) {
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	var first time.Duration
	for b.Loop() {
		stream := lists.NewStream(expected)
		reader := &firstRows{reader: bytes.NewReader(body), piece: piece, stream: stream}
		if _, err := stream.ReadFrom(reader); err != nil {
			b.Fatal(err)
		}
		first += reader.first
	}
	b.ReportMetric(float64(first.Microseconds())/1000/float64(b.N), "ms-to-50-rows")
	b.StopTimer()
	b.ReportMetric(keptBeyond(b, body, expected), "B-kept/record")
}

// keptBeyond returns how much memory a stream and its table keep beyond the body, a record.
func keptBeyond(b *testing.B, body []byte, expected int64) float64 {
	before := heap()
	stream := lists.NewStream(expected)
	if _, err := stream.ReadFrom(bytes.NewReader(body)); err != nil {
		b.Fatal(err)
	}
	table := stream.Table()
	kept := heap() - before - int64(len(body))
	runtime.KeepAlive(stream)
	return float64(kept) / float64(table.Len())
}

func heap() int64 {
	runtime.GC()
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	return int64(memory.HeapAlloc)
}

// firstRows reads in pieces and measures when 50 rows can be shown.
type firstRows struct {
	reader io.Reader
	piece  int
	stream *lists.Stream
	start  time.Time
	first  time.Duration
}

func (r *firstRows) Read(p []byte) (int, error) {
	if r.start.IsZero() {
		r.start = time.Now()
	}
	if r.first == 0 && r.stream.Progress().Rows >= 50 {
		table := r.stream.Table()
		for row := range 50 {
			_ = table.Cells(row, nil)
		}
		r.first = time.Since(r.start)
	}
	return r.reader.Read(p[:min(r.piece, len(p))])
}
