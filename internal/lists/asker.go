package lists

import (
	"slices"
	"strings"
	"time"
)

// Asker is who asks a query, and when.
type Asker struct {
	// Now is the time that 7d and yesterday are counted back from.
	Now time.Time
	// Me is the address of who is signed in, so that owner:me finds what is theirs. Where it is
	// empty, "me" is a text as any other.
	Me string
}

// meWords are the words that people write in place of their own address.
var meWords = []string{"me", "@me", "myself", "self"}

// person returns the address that a value stands for in a column, if it is the word for who asks.
// A value in quotes is a text.
func (a Asker) person(value itemValue, column ColumnInfo) (address string, ok bool) {
	names := column.Role == RolePerson || column.Kind == EmailColumn || column.Kind == ListColumn
	isMe := slices.Contains(meWords, strings.ToLower(value.value))
	return a.Me, a.Me != "" && names && isMe && !value.quoted && !value.nearly
}
