package records

import "strings"

// Narrow returns the query that finds, of the rows that query finds, those that terms find
// too. Terms are one alternative, such as [Bucket.Term].
func Narrow(query, terms string) string {
	var alternatives []string
	alternative := ""
	end := func() {
		if alternative != "" {
			alternatives = append(alternatives, alternative+terms)
		}
		alternative = ""
	}
	for item := range items(query) {
		if item.or {
			end()
		} else {
			alternative += item.String() + " "
		}
	}
	end()
	if alternatives == nil {
		return terms
	}
	return strings.Join(alternatives, " | ")
}

// String returns the item as it is typed, with its quote closed.
func (i queryItem) String() string {
	text := i.typed
	if i.negated {
		text = "!" + text
	}
	if i.open {
		text += `"`
	}
	return text
}
