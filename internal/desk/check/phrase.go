package check

import (
	"strings"

	"gatehouse/internal/text/human"
	"gatehouse/internal/text/safetext"
)

// Part is a stretch of a sentence: the name of a host, a domain or a person, or the words between
// such names.
type Part struct {
	Text   string
	IsName bool
	// IsPerson means that the part is the address that was checked.
	IsPerson bool
	// IsCommand means that the part is a command, which stands between backticks in a text.
	IsCommand bool
}

// phrase is a text that knows which of its parts are names or commands.
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

// command is the phrase that is a command.
func command(text string) phrase { return phrase{{Text: text, IsCommand: true}} }

// ofFace is a sentence of a face, which has its commands between backticks and no text from outside.
func ofFace(sentence string) (all phrase) {
	for i, text := range strings.Split(sentence, "`") {
		if isCommand := i%2 == 1; isCommand {
			all = append(all, command(text)...)
		} else {
			all = append(all, plain(text)...)
		}
	}
	return all
}

// withCommands is a sentence that was read, with those commands of a list that stand in it: the first
// ones. rest are the others, which belong to the sentences that follow.
func withCommands(sentence string, commands []string) (all phrase, rest []string) {
	for i, text := range commands {
		before, after, isInSentence := strings.Cut(sentence, "`"+text+"`")
		if !isInSentence {
			return append(all, plain(sentence)...), commands[i:]
		}
		all = joined(all, plain(before), command(text))
		sentence = after
	}
	return append(all, plain(sentence)...), nil
}

// commands are the commands in a phrase.
func (p phrase) commands() (list []string) {
	for _, part := range p {
		if part.IsCommand {
			list = append(list, part.Text)
		}
	}
	return list
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

// String is the phrase as a text: names as they are, and commands between backticks.
func (p phrase) String() string {
	var b strings.Builder
	for _, part := range p {
		if part.IsCommand {
			b.WriteString("`" + part.Text + "`")
		} else {
			b.WriteString(part.Text)
		}
	}
	return b.String()
}

// spans is the phrase for Markdown.
func (p phrase) spans() (list []safetext.Span) {
	for _, part := range p {
		list = append(list, safetext.Span{Text: part.Text, IsCode: part.IsCommand})
	}
	return list
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
