package lists

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"gatehouse/internal/text/jsonscan"
)

// Words returns the words of a camelCase, snake_case or dotted name in lower case. The words of
// "HTTPServer.last_seenAt" are http, server, last, seen and at.
func Words(name string) (words []string) {
	found := wordsIn(name)
	words = make([]string, len(found))
	for i, word := range found {
		words[i] = strings.ToLower(name[word.Start:word.End])
	}
	return words
}

// wordsIn returns where the words of a name are.
func wordsIn(name string) []jsonscan.Span {
	const usualWords = 4
	words := make([]jsonscan.Span, 0, usualWords)
	start := 0
	endWord := func(end int) {
		if end > start {
			words = append(words, jsonscan.Span{Start: start, End: end})
		}
		start = end
	}
	previous := rune(0)
	for at := 0; at < len(name); {
		r, size := utf8.DecodeRuneInString(name[at:])
		switch {
		case !unicode.IsLetter(r):
			endWord(at)
			start = at + size
		case unicode.IsUpper(r) && at > 0:
			next, _ := utf8.DecodeRuneInString(name[at+size:])
			isInAbbreviation := unicode.IsUpper(previous) && !unicode.IsLower(next)
			if !isInAbbreviation {
				endWord(at)
			}
		}
		previous = r
		at += size
	}
	endWord(len(name))
	return words
}

// knownMember is what is known of a member of records.
type knownMember struct {
	label string // of its column
	event event  // which a time is about
}

// event is what happened at a time, as a word that names of columns have for it: "created". Names
// of other services may have any other word.
type event string

// The events that queries know, see otherNames.
const (
	eventChanged  event = "changed"
	eventModified event = "modified"
	eventModify   event = "modify"
	eventUpdated  event = "updated"
	eventUpdate   event = "update"
	eventEdited   event = "edited"

	eventCreated  event = "created"
	eventCreate   event = "create"
	eventCreation event = "creation"
)

// knownMembers are the members that are known from public clients of the service, by their names.
var knownMembers = map[string]knownMember{
	"DiskUsage":    {label: "Disk"},
	"HistoryUsage": {label: "History"},
	"DeletedUsage": {label: "Deleted"},
	"SpaceUsage":   {label: "Space"},

	"ShareAssociationType": {label: "Association"},
	"ShareRelations":       {label: "Relations"},
	"ShareCategory":        {label: "Category"},
	"ShareType":            {label: "Type"},

	"ShareTick":  {label: "Changed", event: eventChanged},
	"CreateTime": {label: "Created", event: eventCreated},
	"UpdateTime": {label: "Updated", event: eventUpdated},
	"ModifyTime": {label: "Modified", event: eventModified},
	"ExpireTime": {label: "Expires"},
}

// labelsOf returns the labels of columns, by their names. A label is as short as it can be without
// being that of another column. Columns that share a name share the label.
func labelsOf(columns []string) []string {
	labels := make([]string, len(columns))
	parts := make([]int, len(columns)) // see labelOf
	for isUnclear := true; isUnclear; {
		isUnclear = false
		uses := map[string]int{} // how many columns have a label
		for col, column := range columns {
			labels[col] = labelOf(column, parts[col])
			uses[foldedName(labels[col])]++
		}
		for col, label := range labels {
			if uses[foldedName(label)] > 1 && label != columns[col] {
				parts[col]++
				isUnclear = true
			}
		}
	}
	return labels
}

// labelOf returns a label made of the last parts of a name: of 0 parts, it is the shortest label of
// the last one. If the name has fewer parts, it is the name itself.
func labelOf(name string, parts int) string {
	members := strings.Split(name, ".")
	switch {
	case parts == 0:
		return shortLabel(members[len(members)-1])
	case parts > len(members):
		return name
	}
	return inWords(members[len(members)-parts:]...)
}

// shortLabel returns the label of a member: what people call it, or its words without an id at the
// end.
func shortLabel(member string) string {
	if known, ok := knownMembers[member]; ok {
		return known.label
	}
	return inWords(withoutID(member))
}

// withoutID returns a member without the word "id" at its end: "owner" of "owner_id". A member that
// has no other word, or is more than words, stays as it is.
func withoutID(member string) string {
	words := wordsIn(member)
	if len(words) < 2 || !isWords(member) {
		return member
	}
	last := words[len(words)-1].Start
	if !strings.EqualFold(member[last:], "id") {
		return member
	}
	return strings.TrimRight(member[:last], wordSeparators)
}

// inWords writes members as words, the first with a capital. Abbreviations stay as they are, and so
// do members that are not words.
func inWords(members ...string) string {
	var words []string
	for _, member := range members {
		if !isWords(member) {
			words = append(words, member)
			continue
		}
		for _, at := range wordsIn(member) {
			word := member[at.Start:at.End]
			isAbbreviation := len(word) > 1 && word == strings.ToUpper(word)
			if !isAbbreviation {
				word = strings.ToLower(word)
			}
			words = append(words, word)
		}
	}
	text := strings.Join(words, " ")
	_, size := utf8.DecodeRuneInString(text)
	return strings.ToUpper(text[:size]) + text[size:]
}

// wordSeparators are the characters between words that are not lost if each is written as a blank.
const wordSeparators = "_- "

// isWords reports whether a member can be written in words without losing anything: it has nothing
// but letters and separators.
func isWords(member string) bool {
	isOther := func(r rune) bool {
		return !unicode.IsLetter(r) && !strings.ContainsRune(wordSeparators, r)
	}
	return !strings.ContainsFunc(member, isOther)
}
