package domains

import (
	"cmp"
	"context"
	"errors"
	"io"
	"math/big"
	"slices"
	"strings"

	"gatehouse/internal/human"
	"gatehouse/internal/jsonscan"
	"gatehouse/internal/records"
	"gatehouse/ui/screen"
)

// mostRead is how many bytes of the shares are read to count them: a list of
// domains must not load all that the account has.
const mostRead = 1 << 20

// mostLargest is how many of the largest shares are remembered.
const mostLargest = 3

// tally is what was counted in a list of shares. All of it is a lower bound where more is
// set, for the list was not read to its end.
type tally struct {
	count int
	more  bool
	// size is how many bytes the shares take together, in digits; "" where no record tells.
	size    string
	largest []sized // the largest first
}

// sized is a share and how many bytes it takes, in digits. Its name comes from outside.
type sized struct{ name, size string }

// String writes the count for people; a lower bound is a round figure: 2,000+.
func (t tally) String() string {
	if !t.more {
		return screen.Number(t.count)
	}
	round := 1
	for round*10 <= t.count {
		round *= 10
	}
	return screen.Number(t.count/round*round) + "+"
}

// sizeText is the size for people: 3.6 TB, or 1.2 TB+ where there is more.
func (t tally) sizeText() string {
	number, unit, _ := human.SizeOf(t.size)
	if t.more {
		unit += "+"
	}
	return number + " " + unit
}

// others are how many shares there are beside the largest, and how many bytes they take.
func (t tally) others() (int, string) {
	left, ok := new(big.Int).SetString(t.size, 10)
	if !ok {
		return 0, ""
	}
	for _, share := range t.largest {
		size, _ := new(big.Int).SetString(share.size, 10)
		left.Sub(left, size)
	}
	return t.count - len(t.largest), left.String()
}

// count reads a list of shares up to a limit and throws it away. What a limit or a
// deadline cuts off is a lower bound; the error is that of a body that is no list.
func count(ctx context.Context, body io.Reader, limit int64) (tally, error) {
	stream := records.NewStream(-1)
	_, err := stream.ReadFrom(io.LimitReader(body, limit))
	table := stream.Table()
	found := tally{count: table.Len()}
	found.measure(ctx, table)
	if cut, ok := errors.AsType[*records.CutError](err); ok && (cut.Bytes == limit || !endless(cut)) {
		found.more = true
		return found, nil
	}
	return found, err
}

// endless reports whether the body came to its end without the end of the JSON.
func endless(cut *records.CutError) bool {
	_, syntax := errors.AsType[*jsonscan.SyntaxError](cut)
	return syntax
}

// measure adds up what the shares take on disk. The interface does not show the members of
// a share; where they are not those that are usual, nothing is known.
func (t *tally) measure(ctx context.Context, table *records.Table) {
	if t.count == 0 {
		t.size = "0"
	}
	disk, name := columnNamed(table, "DiskUsage"), columnNamed(table, "Name")
	if disk < 0 {
		return
	}
	sum, err := table.Sum(ctx, nil, disk)
	if err != nil || sum.Numbers == 0 || !isDigits(sum.Total) {
		return
	}
	t.size = sum.Total
	for row := range table.Len() {
		if size := string(table.Cell(row, disk).Raw()); name >= 0 && isDigits(size) {
			t.consider(table, row, name, size)
		}
	}
}

// consider remembers a share if it is among the largest.
func (t *tally) consider(table *records.Table, row, name int, size string) {
	at, _ := slices.BinarySearchFunc(t.largest, size, func(known sized, size string) int {
		if compareDigits(known.size, size) >= 0 {
			return -1
		}
		return 1
	})
	if at < mostLargest {
		t.largest = slices.Insert(t.largest, at, sized{table.Cell(row, name).Text(), size})
		t.largest = t.largest[:min(len(t.largest), mostLargest)]
	}
}

// columnNamed is the first column whose own name is this one, -1 if there is none.
func columnNamed(table *records.Table, name string) int {
	return slices.IndexFunc(table.Columns(), func(c records.Column) bool {
		return c.Name[strings.LastIndexByte(c.Name, '.')+1:] == name
	})
}

func isDigits(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }

// compareDigits compares numbers that are written without leading zeros.
func compareDigits(a, b string) int {
	return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
}
