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

// MaxCounted is how many bytes of a list are read to count it: a survey of many domains must not
// load every list of the account.
const MaxCounted = 1 << 20

// maxLargest is how many of the largest shares are remembered.
const maxLargest = 3

// ShareCount is what was counted in a list of shares.
type ShareCount struct {
	Shares int // in the list, as far as it was read
	// More means that the list was not read to its end, so all counts are lower bounds.
	More bool
	// HasFurther means that the list was read to its end, but says that there are more shares on
	// further pages. Further is what it says about them.
	HasFurther bool
	Further    lists.Further
	// Beside is what the service says beside the list.
	Beside  lists.Beside
	Size    string  // of all shares together, in bytes, as digits; "" if no record has a size
	Largest []Share // the largest first, at most three
}

// Share is a share and how many bytes it takes, in digits. Its name comes from outside.
type Share struct{ Name, Size string }

// String writes the count for people, see [ShareCount.Count].
func (c ShareCount) String() string { return c.Count().String() }

// Count returns how many shares there are: "12". If the list was not read to its end, that is a round
// lower bound: "2,000+". If there are further pages, it is how many were sent, and of how many, if
// that is known: "3 of 300" or "3+".
func (c ShareCount) Count() human.Amount {
	sent := human.Number(c.Shares)
	switch {
	case c.HasFurther && c.Further.Total != "":
		return human.Amount{Number: sent, Unit: "of " + human.Grouped(c.Further.Total)}
	case c.HasFurther:
		return human.Amount{Number: sent + "+"}
	case c.More:
		return human.Amount{Number: human.Number(roundedDown(c.Shares)) + "+"}
	}
	return human.Amount{Number: sent}
}

// roundedDown returns a number with zeros after its first digit: 2,000 for 2,345.
func roundedDown(n int) int {
	unit := 1
	for unit*10 <= n {
		unit *= 10
	}
	return n / unit * unit
}

// TotalSize returns the size of all shares together: "3.6 TB", or "1.2 TB+" if that is a lower bound.
func (c ShareCount) TotalSize() human.Amount {
	size, _ := human.SizeOf(c.Size)
	if c.IsLowerBound() {
		size.Unit += "+"
	}
	return size
}

// IsLowerBound reports whether there are more shares than were counted.
func (c ShareCount) IsLowerBound() bool { return c.More || c.HasFurther }

// Others returns how many shares there are besides the largest, and how many bytes they take, as
// digits. If the sizes are not known, it returns 0 and "".
func (c ShareCount) Others() (count int, size string) {
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

// CountShares counts the shares of a list, of which it reads at most limit bytes. If the limit or a
// deadline cuts the list off, the count is a lower bound and there is no error. An error means that
// the body is not a list.
func CountShares(body io.Reader, limit int64) (ShareCount, error) {
	stream := lists.NewStream(-1)
	_, err := stream.ReadFrom(io.LimitReader(body, limit))
	table := stream.Table()
	found := ShareCount{Shares: table.Len()}
	found.Further, found.HasFurther = table.Further()
	found.Beside = table.Beside()
	found.measure(table)
	cut, isCut := errors.AsType[*lists.CutError](err)
	// A body that ends before its JSON does is cut, and a syntax error as well.
	syntax, isSyntax := errors.AsType[*jsonscan.SyntaxError](err)
	isLimited := isCut && (cut.Bytes == limit || !isSyntax)
	switch {
	case isLimited:
		found.More, found.HasFurther = true, false
		return found, nil
	case isSyntax:
		return found, syntax // without how much came before it
	}
	return found, err
}

// measure sets the size of all shares and the largest ones. The interface does not define the members
// of a share: if the usual ones are missing, the sizes are not known.
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
		digits := cell.Text()
		size, isWhole := new(big.Int).SetString(digits, 10)
		if isNegative := digits[0] == '-'; !isWhole || isNegative { // the column has no sizes
			c.Largest = nil
			return
		}
		total.Add(total, size)
		numbers++
		if name >= 0 {
			c.addLarge(Share{Name: table.Cell(row, name).Text(), Size: digits})
		}
	}
	if numbers > 0 {
		c.Size = total.String()
	}
}

// addLarge adds a share to the largest ones, if it is one of them.
func (c *ShareCount) addLarge(share Share) {
	c.Largest = append(c.Largest, share)
	slices.SortStableFunc(c.Largest, func(a, b Share) int { return CompareDigits(b.Size, a.Size) })
	c.Largest = c.Largest[:min(len(c.Largest), maxLargest)]
}

// columnNamed returns the index of the first column with a name, or with that name after the last
// dot; -1 if there is none.
func columnNamed(table *lists.Table, name string) int {
	return slices.IndexFunc(table.Columns(), func(column string) bool {
		return column[strings.LastIndexByte(column, '.')+1:] == name
	})
}

// CompareDigits compares numbers that are written in digits, without leading zeros, as [cmp.Compare]
// does.
func CompareDigits(a, b string) int {
	return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
}

// InWords returns the count for people: "12 shares, 1.1 TB".
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
