package records

import (
	"cmp"
	"slices"
	"strings"
)

// Role is what a column is good for, as far as its name tells.
type Role uint8

// The roles, in the order in which people look for them.
const (
	RoleName Role = iota // tells a person which record it is
	RoleOther
	RoleID // tells a program
)

// Role returns the role of the column.
func (c Column) Role() Role {
	if strings.EqualFold(c.Name, "name") {
		return RoleName
	}
	member := c.Name[strings.LastIndexByte(c.Name, '.')+1:]
	isID := func(suffix string) bool { return strings.HasSuffix(member, suffix) }
	if strings.EqualFold(member, "id") || slices.ContainsFunc([]string{"Id", "Ids", "ID", "IDs", "_id", "_ids"}, isID) {
		return RoleID
	}
	return RoleOther
}

// DisplayOrder returns the numbers of all columns in the order in which people
// look for them: names first, ids last, and each kind as it was first seen.
func (t *Table) DisplayOrder() []int {
	order := make([]int, len(t.columns.columns))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(t.columns.columns[a].Role(), t.columns.columns[b].Role())
	})
	return order
}
