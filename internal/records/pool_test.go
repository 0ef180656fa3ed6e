package records

import (
	"bytes"
	"errors"
	"runtime"
	"strings"
	"testing"
)

// readLimited reads a body into a pool that may have no memory for it.
func readLimited(pool *Pool, expected int64, body []byte) (*Table, error) {
	s := NewStream(expected)
	s.ShareIn(pool)
	_, err := s.ReadFrom(bytes.NewReader(body))
	return s.Table(), err
}

func TestBodiesTakeNoMoreMemoryThanTheirPoolMay(t *testing.T) {
	const size = 6 << 20
	first, other := lines(size), bytes.ReplaceAll(lines(size), []byte("share"), []byte("other"))
	for expected, limit := range map[int64]int64{int64(len(first)): size * 3 / 2, -1: size * 9 / 4} {
		pool := &Pool{Limit: limit}
		held, err := readLimited(pool, expected, first)
		if err != nil {
			t.Fatal(err)
		}
		for range 3 { // the same body takes no more
			if again, err := readLimited(pool, expected, first); err != nil || again != held {
				t.Fatalf("the same body again: %v", err)
			}
		}
		before := pool.Refused()
		part, err := readLimited(pool, expected, other)
		full, isFull := errors.AsType[*FullError](err)
		cut, isCut := errors.AsType[*CutError](err)
		if !isFull || !isCut || full.Limit != pool.Limit || cut.Rows != part.Len() || pool.Refused() != before+1 {
			t.Errorf("another body, with %d of %d bytes taken: %v", pool.Held(), pool.Limit, err)
		}
		if pool.Held() > pool.Limit {
			t.Errorf("%d of %d bytes are taken", pool.Held(), pool.Limit)
		}
		for i := range part.Len() {
			if !strings.Contains(string(part.Record(i)), "other") {
				t.Fatalf("row %d is %s", i, part.Record(i))
			}
		}
		runtime.KeepAlive(held)
		held, part = nil, nil
		if _, err := readLimited(pool, expected, other); err != nil {
			t.Errorf("after the first body is used no more, with %d of %d bytes taken: %v", pool.Held(), pool.Limit, err)
		}
	}
}

func TestThePlacesOfRecordsCountAsMemory(t *testing.T) {
	pool := &Pool{Limit: 1 << 20}
	table, err := readLimited(pool, -1, []byte("["+strings.Repeat("1,", 200_000)+"1]"))
	if _, full := errors.AsType[*FullError](err); !full || table.Len() == 0 {
		t.Errorf("%d records of a digit each, and the error %v", table.Len(), err)
	}
}

func TestWhatNobodyUsesIsNotTaken(t *testing.T) {
	pool := new(Pool)
	table, err := readLimited(pool, -1, lines(300_000))
	if err != nil || pool.Held() < 300_000 {
		t.Fatalf("%d bytes are taken, error %v", pool.Held(), err)
	}
	runtime.KeepAlive(table)
	for tries := 0; pool.Held() > 0; tries++ {
		if tries == 1000 {
			t.Fatalf("%d bytes are taken by nobody", pool.Held())
		}
		runtime.GC()
	}
}
