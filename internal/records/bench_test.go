package records_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"

	"gatehouse/internal/records"
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

var sizes = []int{1_000, 100_000, 1_000_000}

// shareBodies are made once: a million records take longer to make than to read.
var shareBodies = sync.OnceValue(func() map[int][]byte {
	bodies := make(map[int][]byte)
	for _, n := range sizes {
		bodies[n] = shareBody(n)
	}
	return bodies
})

// benchmark runs work on tables of each size.
func benchmark(b *testing.B, work func(b *testing.B, table *records.Table)) {
	for _, n := range sizes {
		b.Run(fmt.Sprintf("%d", n), func(b *testing.B) {
			table := parse(b, string(shareBodies()[n]))
			b.ReportAllocs()
			b.ResetTimer()
			work(b, table)
		})
	}
}

func BenchmarkParse(b *testing.B) {
	for _, n := range sizes {
		b.Run(fmt.Sprintf("%d", n), func(b *testing.B) {
			body := shareBodies()[n]
			b.SetBytes(int64(len(body)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := records.Parse(body); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkRawMessages is what Parse is measured by: encoding/json to the same records.
func BenchmarkRawMessages(b *testing.B) {
	for _, n := range sizes {
		b.Run(fmt.Sprintf("%d", n), func(b *testing.B) {
			body := shareBodies()[n]
			b.SetBytes(int64(len(body)))
			b.ReportAllocs()
			for b.Loop() {
				var envelope struct{ Data []json.RawMessage }
				if err := json.Unmarshal(body, &envelope); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkCellsOf40Rows(b *testing.B) {
	benchmark(b, func(b *testing.B, table *records.Table) {
		var cells []records.Cell
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

// BenchmarkCellsOfADeepRecord is to take as long as the cells of as many bytes that
// are not nested.
func BenchmarkCellsOfADeepRecord(b *testing.B) {
	const depth = 63
	body := strings.Repeat(`{"a":`, depth) + `{"text":"` + strings.Repeat("long ", 1<<20) + `"}` + strings.Repeat("}", depth)
	table := parse(b, body)
	b.SetBytes(int64(len(body)))
	var cells []records.Cell
	for b.Loop() {
		cells = table.Cells(0, cells)
	}
}

func BenchmarkFilter(b *testing.B) {
	for _, query := range []string{"東京 99", "lars.jensen", "harbor", "nothing", "a", "635", "is"} {
		b.Run(query, func(b *testing.B) {
			benchmark(b, func(b *testing.B, table *records.Table) {
				for b.Loop() {
					filter(b, table, query, nil)
				}
			})
		})
	}
}

// BenchmarkFilterOfOneRecord is to take as long as that of as many bytes in short
// records: the word is in all the names, and in no value.
func BenchmarkFilterOfOneRecord(b *testing.B) {
	body := `{"a":{` + strings.Repeat(`"nothing":0,`, 1_000_000) + `"escaped":"\n"}}`
	table := parse(b, body)
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		filter(b, table, "nothing", nil)
	}
}

func BenchmarkSort(b *testing.B) {
	for _, column := range []string{"Name", "Id", "TimeStamps.CreateTime", "SpaceUsage.DiskUsage", "ShareTick"} {
		b.Run(column, func(b *testing.B) {
			benchmark(b, func(b *testing.B, table *records.Table) {
				col := columnIndex(b, table, column)
				for b.Loop() {
					sortRows(b, table, allRows(table), col, false)
				}
			})
		})
	}
}

func columnIndex(tb testing.TB, table *records.Table, name string) int {
	tb.Helper()
	for i, column := range table.Columns() {
		if column.Name == name {
			return i
		}
	}
	tb.Fatalf("no column %q", name)
	return 0
}
