package check

import (
	"cmp"
	"errors"
	"io"
	"math/big"
	"slices"
	"strings"

	"gatehouse/internal/lists"
	"gatehouse/internal/text/human"
	"gatehouse/internal/text/jsonscan"
)

// MostCounted limits how many bytes of a list are read to count it: a survey of many domains
// must not load every list of the account.
const MostCounted = 1 << 20

// maxLargest is how many of the largest shares are remembered.
const maxLargest = 3

// ShareCount is what was counted in a list of shares.
type ShareCount struct {
	Shares int
	// More is set where the list was not read to its end: all that was counted is a lower bound.
	More bool
	// Further is what the list says of shares that it leaves out, and HasFurther is set where there
	// are some: such a list was read whole, and the shares are more.
	Further    lists.Further
	HasFurther bool
	// Beside is what the service says beside the list.
	Beside lists.Beside
	// Size is how many bytes the shares take together, in digits; "" where no record tells.
	Size    string
	Largest []Share // the largest first, at most three
}

// Share is a share and how many bytes it takes, in digits. Its name comes from outside.
type Share struct{ Name, Size string }

// String writes the count for people, see [ShareCount.Count].
func (c ShareCount) String() string { return c.Count().String() }

// Count is how many shares there are; a lower bound is a round figure: 2,000+. Of a list that
// names a further page it is as many as were sent, and of how many, if that is known: 3 of 300, or 3+.
func (c ShareCount) Count() human.Amount {
	switch {
	case c.HasFurther && c.Further.Total != "":
		return human.Amount{Number: human.Number(c.Shares), Unit: "of " + human.Grouped(c.Further.Total)}
	case c.HasFurther:
		return human.Amount{Number: human.Number(c.Shares) + "+"}
	case !c.More:
		return human.Amount{Number: human.Number(c.Shares)}
	}
	round := 1
	for round*10 <= c.Shares {
		round *= 10
	}
	return human.Amount{Number: human.Number(c.Shares/round*round) + "+"}
}

// TotalSize is the size of all shares together: 3.6 TB, or 1.2 TB+ where there is more.
func (c ShareCount) TotalSize() human.Amount {
	size, _ := human.SizeOf(c.Size)
	if c.IsLowerBound() {
		size.Unit += "+"
	}
	return size
}

// IsLowerBound reports whether there are more shares than were counted.
func (c ShareCount) IsLowerBound() bool { return c.More || c.HasFurther }

// Others are how many shares there are beside the largest, and how many bytes they take.
func (c ShareCount) Others() (int, string) {
	left, ok := new(big.Int).SetString(c.Size, 10)
	if !ok {
		return 0, ""
	}
	for _, share := range c.Largest {
		size, _ := new(big.Int).SetString(share.Size, 10)
		left.Sub(left, size)
	}
	return c.Shares - len(c.Largest), left.String()
}

// CountShares counts a list of shares up to a limit in bytes and throws it away. What a limit or a
// deadline cuts off is a lower bound; the error says that a body is no list.
func CountShares(body io.Reader, limit int64) (ShareCount, error) {
	stream := lists.NewStream(-1)
	_, err := stream.ReadFrom(io.LimitReader(body, limit))
	table := stream.Table()
	found := ShareCount{Shares: table.Len()}
	found.Further, found.HasFurther = table.Further()
	found.Beside = table.Beside()
	found.measure(table)
	cut, isCut := errors.AsType[*lists.CutError](err)
	syntax, isSyntax := errors.AsType[*jsonscan.SyntaxError](err) // also of a body that came to its end before the JSON did
	switch {
	case isCut && (cut.Bytes == limit || !isSyntax):
		found.More, found.HasFurther = true, false
		return found, nil
	case isSyntax:
		return found, syntax // and not how much came before it
	}
	return found, err
}

// measure adds up what the shares take on disk. The interface does not show the members of
// a share; where they are not those that are usual, nothing is known.
func (c *ShareCount) measure(table *lists.Table) {
	if c.Shares == 0 {
		c.Size = "0"
	}
	disk, name := columnNamed(table, "DiskUsage"), columnNamed(table, "Name")
	if disk < 0 {
		return
	}
	total, numbers := new(big.Int), 0
	for row := range table.Len() {
		cell := table.Cell(row, disk)
		if cell.Kind() != lists.Number {
			continue
		}
		size := cell.Text()
		digits, ok := new(big.Int).SetString(size, 10)
		if !ok || size[0] == '-' { // these are no sizes
			c.Largest = nil
			return
		}
		total.Add(total, digits)
		numbers++
		if name >= 0 {
			c.Largest = append(c.Largest, Share{table.Cell(row, name).Text(), size})
			slices.SortStableFunc(c.Largest, func(a, b Share) int { return CompareDigits(b.Size, a.Size) })
			c.Largest = c.Largest[:min(len(c.Largest), maxLargest)]
		}
	}
	if numbers > 0 {
		c.Size = total.String()
	}
}

// columnNamed is the first column whose own name is this one, -1 if there is none.
func columnNamed(table *lists.Table, name string) int {
	return slices.IndexFunc(table.Columns(), func(column string) bool {
		return column[strings.LastIndexByte(column, '.')+1:] == name
	})
}

// CompareDigits compares numbers that are written without leading zeros.
func CompareDigits(a, b string) int {
	return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
}

// InWords is a count for people: "12 shares, 1.1 TB".
func (c ShareCount) InWords() string {
	text := c.String() + " shares"
	if c.Shares == 1 && !c.IsLowerBound() {
		text = "1 share"
	}
	if c.Size != "" && c.Shares > 0 {
		text += ", " + c.TotalSize().String()
	}
	return text
}
