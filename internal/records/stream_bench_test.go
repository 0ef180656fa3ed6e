package records_test

import (
	"bytes"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"time"

	"gatehouse/internal/records"
)

// BenchmarkStream is what Parse costs, and the copy into growing memory. Beside the
// time to the end it measures that from the first bytes to the cells of 50 rows, and
// what is kept beyond the bytes of the body.
func BenchmarkStream(b *testing.B) {
	for _, n := range sizes {
		for _, piece := range []int{64 << 10, 1 << 20} {
			b.Run(fmt.Sprintf("%d/pieces of %d KB", n, piece>>10), func(b *testing.B) {
				body := shareBodies()[n]
				benchmarkStream(b, body, int64(len(body)), piece)
			})
		}
	}
	b.Run("1000000/of unknown length", func(b *testing.B) {
		benchmarkStream(b, shareBodies()[1_000_000], -1, 64<<10)
	})
}

// BenchmarkStreamOfOneRecord is to take as long as that of as many bytes in short records.
func BenchmarkStreamOfOneRecord(b *testing.B) {
	body := []byte(`[{"a":["` + strings.Repeat(`a text of 32 bytes, as they come","`, 3_000_000) + `"]}]`)
	benchmarkStream(b, body, int64(len(body)), 64<<10)
}

func benchmarkStream(b *testing.B, body []byte, expected int64, piece int) {
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	var first time.Duration
	for b.Loop() {
		stream := records.NewStream(expected)
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
	stream := records.NewStream(expected)
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
	stream *records.Stream
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
