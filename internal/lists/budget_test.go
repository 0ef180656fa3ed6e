package lists

import (
	"bytes"
	"errors"
	"fmt"
	"testing"
)

// lines is a body of so many bytes and a few more.
func lines(size int) []byte {
	var body []byte
	for i := 0; len(body) < size; i++ {
		body = fmt.Appendf(body, `{"Id":%d,"Name":"share %[1]d","Size":{"Disk":%d}}`+"\n", i, i*i)
	}
	return body
}

func TestListsTakeNoMoreMemoryThanTheirBudgetHas(t *testing.T) {
	const size = 6 << 20
	body := lines(size)
	for name, test := range map[string]struct {
		expected, limit int64
		body            []byte
	}{
		"announced":   {int64(len(body)), size * 3 / 2, body},
		"unannounced": {-1, size * 9 / 4, body},
		// The places of these records take more than the body.
		"short records": {2 << 20, 20 << 20, append(bytes.Repeat([]byte("1\n"), 1<<20-1), "1 "...)},
	} {
		t.Run(name, func(t *testing.T) {
			budget := &Budget{Limit: test.limit}
			read := func() (*Share, error) {
				share, stream := budget.Share(), NewStream(test.expected)
				stream.Share = share
				_, err := stream.ReadFrom(bytes.NewReader(test.body))
				return share, err
			}
			first, err := read()
			if err != nil || budget.Held() < int64(len(test.body)) || budget.Held() > test.limit {
				t.Fatalf("%d bytes are taken for %d: %v", budget.Held(), len(test.body), err)
			}
			second, err := read()
			if full, ok := errors.AsType[*FullError](err); !ok || full.Limit != test.limit || budget.Refused() != 1 {
				t.Errorf("the second list: %v, %d refused", err, budget.Refused())
			}
			second.Release()
			first.Release()
			first.Release()
			if budget.Held() != 0 {
				t.Errorf("%d bytes are taken by released lists", budget.Held())
			}
			if _, err := read(); err != nil {
				t.Errorf("a list after those that were released: %v", err)
			}
		})
	}
}

// A body may still be read when its list is left: what came late would be taken forever.
func TestAListThatIsReleasedTakesNothingAnyMore(t *testing.T) {
	budget := &Budget{Limit: 1 << 20}
	share, late := budget.Share(), NewStream(-1)
	late.Share = share
	share.Release()
	body := lines(64 << 10)
	if n, err := late.ReadFrom(bytes.NewReader(body)); n != int64(len(body)) || err != nil {
		t.Errorf("%d bytes, %v", n, err)
	}
	share.Release()
	if budget.Held() != 0 {
		t.Errorf("%d bytes are taken", budget.Held())
	}
}
