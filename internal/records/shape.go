package records

import (
	"slices"
	"strings"
)

// listNames are the usual names of the list in an envelope, in lower case.
var listNames = [...]string{"data", "items", "value", "results", "records"}

// findRecords finds the records among the values of the body, and the members
// beside them if they stand in an envelope.
func (d *document) findRecords(body []byte) (batch, []Member) {
	if len(d.values.places) != 1 {
		return d.values, nil
	}
	switch body[d.values.places[0].start()] {
	case 'n':
		return batch{}, nil
	case '[':
		return d.elements, nil
	}
	if list := d.findList(body); list != nil {
		return *list.elements, d.membersBeside(body, list)
	}
	return d.values, nil
}

// findList returns the member that is the list of records, nil if there is none.
func (d *document) findList(body []byte) *member {
	var arrays, named []*member
	for i := range d.members {
		m := &d.members[i]
		if m.elements == nil {
			continue
		}
		arrays = append(arrays, m)
		if slices.Contains(listNames[:], strings.ToLower(m.name(body))) {
			named = append(named, m)
		}
	}
	switch {
	case len(arrays) == 1:
		return arrays[0]
	case len(named) == 1:
		return named[0]
	default:
		return nil
	}
}

func (d *document) membersBeside(body []byte, list *member) []Member {
	var beside []Member
	for i := range d.members {
		if m := &d.members[i]; m != list {
			beside = append(beside, Member{Name: m.name(body), Raw: m.value.of(body)})
		}
	}
	return beside
}

func (m *member) name(body []byte) string { return string(unquote(m.key.of(body))) }
