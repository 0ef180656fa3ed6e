package records

import (
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"gatehouse/internal/jsonscan"
)

// Words returns the words of a camelCase, snake_case or dotted name in lower
// case: of "HTTPServer.last_seenAt" http, server, last, seen and at.
func Words(name string) (words []string) {
	for _, word := range wordsIn(name) {
		words = append(words, strings.ToLower(name[word.Start:word.End]))
	}
	return words
}

// wordsIn returns where the words of a name stand.
func wordsIn(name string) (words []jsonscan.Span) {
	start := 0
	cut := func(end int) {
		if end > start {
			words = append(words, jsonscan.Span{Start: start, End: end})
		}
		start = end
	}
	previous := rune(0)
	for i, r := range name {
		size := utf8.RuneLen(r)
		if r == utf8.RuneError {
			_, size = utf8.DecodeRuneInString(name[i:])
		}
		switch {
		case !unicode.IsLetter(r):
			cut(i)
			start = i + size
		case unicode.IsUpper(r) && i > 0:
			next, _ := utf8.DecodeRuneInString(name[i+size:])
			if !unicode.IsUpper(previous) || unicode.IsLower(next) {
				cut(i)
			}
		}
		previous = r
	}
	cut(len(name))
	return words
}

// labelsOf returns what people call each column: the words of the shortest part of its name that
// is no other column's, "Disk" for SpaceUsage.DiskUsage and "Changed" for ShareTick. Columns
// that share a name share the label.
func labelsOf(columns []string) []string {
	noun := commonNoun(columns)
	labels, parts := make([]string, len(columns)), make([]int, len(columns))
	for col, column := range columns {
		labels[col] = labelOf(column, noun, 0)
	}
	for longer := true; longer; {
		longer = false
		for _, alike := range sharedLabels(labels) {
			// Deleted is the size before it is the time.
			isVerb := func(col int) bool { return parts[col] == 0 && hasVerb(columns[col]) }
			if times := slices.DeleteFunc(slices.Clone(alike), func(col int) bool { return !isVerb(col) }); len(times) > 0 {
				alike = times
			}
			for _, col := range alike {
				if labels[col] != columns[col] {
					parts[col]++
					labels[col] = labelOf(columns[col], noun, parts[col])
					longer = true
				}
			}
		}
	}
	return labels
}

// sharedLabels returns the columns that have their label, but for its case, in common with others.
func sharedLabels(labels []string) map[string][]int {
	called := map[string][]int{}
	for col, label := range labels {
		folded := foldedName(label)
		called[folded] = append(called[folded], col)
	}
	maps.DeleteFunc(called, func(_ string, alike []int) bool { return len(alike) < 2 })
	return called
}

// commonNoun returns the word with which the names of many members of a record begin, "" if there
// is none: in a share, ShareType, ShareTick and ShareIds begin with the same.
func commonNoun(columns []string) (noun string) {
	const many = 3
	counts, counted := map[string]int{}, map[string]bool{}
	for _, c := range columns {
		member, _, _ := strings.Cut(c, ".")
		words := Words(member)
		if len(words) < 2 || counted[member] {
			continue
		}
		counted[member] = true
		counts[words[0]]++
		if counts[words[0]] >= many && counts[words[0]] > counts[noun] {
			noun = words[0]
		}
	}
	return noun
}

// labelOf writes the last parts of a name in words, as many as are asked for; the name itself
// where it has fewer. For none it leaves out of the last part what people know without it.
func labelOf(name, noun string, parts int) string {
	members := strings.Split(name, ".")
	if parts > len(members) {
		return name
	}
	members = members[len(members)-max(parts, 1):]
	last := &members[len(members)-1]
	spoken := *last
	if parts == 0 {
		spoken = shortened(spoken, noun)
	}
	if *last = spoken; parts != 1 {
		*last = whenOf(spoken)
	}
	return sentence(members)
}

// shortened cuts off a member the common noun of the record, or the id, type, quota or usage that
// a column is.
func shortened(member, noun string) string {
	if !isWords(member) {
		return member
	}
	words := wordsIn(member)
	word := func(i int) string { return strings.ToLower(member[words[i].Start:words[i].End]) }
	switch last := len(words) - 1; {
	case last < 1:
	case word(0) == noun && (word(1) == "tick" || word(1) == "ticks"):
		return "Changed" // when the record was
	case word(0) == noun && slices.Contains([]string{"id", "ids", "name", "number", "time"}, word(1)):
	case word(0) == noun:
		return shortened(member[words[1].Start:], "")
	case slices.Contains([]string{"id", "type", "quota", "usage"}, word(last)):
		return strings.TrimRight(member[:words[last].Start], "_- ")
	}
	return member
}

// happened are the verbs in the names of times as people say them.
var happened = map[string]string{
	"access": "accessed", "change": "changed", "create": "created", "delete": "deleted", "end": "ended", "expire": "expires", "join": "joined",
	"leave": "left", "modify": "modified", "start": "started", "update": "updated", "upload": "uploaded", "write": "written",
}

// whenOf says what happened at a time whose name is a verb: created of CreateTime.
func whenOf(member string) string {
	words := Words(member)
	last := len(words) - 1
	if last < 1 || !slices.Contains([]string{"at", "date", "stamp", "tick", "ticks", "time", "timestamp"}, words[last]) {
		return member
	}
	verb := happened[words[last-1]]
	if verb == "" {
		return member
	}
	return strings.Join(append(words[:last-1], verb), " ")
}

// hasVerb reports whether a column is called by the verb in its name.
func hasVerb(name string) bool {
	member := lastMember(name)
	return whenOf(member) != member
}

// sentence writes members as words that begin with a capital. Abbreviations stay as they are, and
// so do members with anything but letters.
func sentence(members []string) string {
	var words []string
	for _, member := range members {
		if !isWords(member) {
			words = append(words, member)
			continue
		}
		for _, at := range wordsIn(member) {
			word := member[at.Start:at.End]
			if len(word) == 1 || word != strings.ToUpper(word) {
				word = strings.ToLower(word)
			}
			words = append(words, word)
		}
	}
	text := strings.Join(words, " ")
	_, size := utf8.DecodeRuneInString(text)
	return strings.ToUpper(text[:size]) + text[size:]
}

// isWords reports whether nothing of a member is lost if it is written in words.
func isWords(member string) bool {
	return !strings.ContainsFunc(member, func(r rune) bool { return !unicode.IsLetter(r) && !strings.ContainsRune("_- ", r) })
}
