package check

import (
	"strings"

	"gatehouse/internal/text/human"
)

// Part is a stretch of a sentence: the name of a host, a domain or a person, or the words between
// such names.
type Part struct {
	Text   string
	IsName bool
	// IsPerson means that the part is the address that was checked.
	IsPerson bool
}

// phrase is a text that knows which of its parts are names.
type phrase []Part

// plain is a phrase without names; "" is none at all.
func plain(text string) phrase {
	if text == "" {
		return nil
	}
	return phrase{{Text: text}}
}

// named is the phrase that is a name; "" is none at all.
func named(name string) phrase {
	if name == "" {
		return nil
	}
	return phrase{{Text: name, IsName: true}}
}

// namedPerson is the phrase that is the address that was checked; "" is none at all.
func namedPerson(address string) phrase {
	person := named(address)
	for i := range person {
		person[i].IsPerson = true
	}
	return person
}

// namedAll are names, each a phrase of its own.
func namedAll(names []string) (phrases []phrase) {
	for _, name := range names {
		phrases = append(phrases, named(name))
	}
	return phrases
}

// joined are phrases one behind the other.
func joined(phrases ...phrase) (all phrase) {
	for _, p := range phrases {
		all = append(all, p...)
	}
	return all
}

// listed are phrases as [human.List] writes names: "a, b and c".
func listed(phrases []phrase) (all phrase) {
	for i, p := range phrases {
		all = append(joined(all, p), plain(human.Joint(i, len(phrases)))...)
	}
	return all
}

// String is the phrase without its marks.
func (p phrase) String() string {
	var b strings.Builder
	for _, part := range p {
		b.WriteString(part.Text)
	}
	return b.String()
}

// or is the phrase, or another one where it is empty.
func (p phrase) or(other phrase) phrase {
	if len(p) == 0 {
		return other
	}
	return p
}

// upperFirst is the phrase with a capital at its beginning.
func (p phrase) upperFirst() phrase {
	if len(p) == 0 {
		return nil
	}
	first := p[0]
	first.Text = upperFirst(first.Text)
	return joined(phrase{first}, p[1:])
}

// trimmed is the phrase without blanks around it, which optional parts of a template leave.
func (p phrase) trimmed() (all phrase) {
	for i, part := range p {
		if i == 0 {
			part.Text = strings.TrimLeft(part.Text, " ")
		}
		if i == len(p)-1 {
			part.Text = strings.TrimRight(part.Text, " ")
		}
		all = append(all, part)
	}
	return all
}
