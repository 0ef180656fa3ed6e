package lists

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"gatehouse/internal/text/jsonscan"
)

// Words returns the words of a camelCase, snake_case or dotted name in lower
// case: of "HTTPServer.last_seenAt" http, server, last, seen and at.
func Words(name string) (words []string) {
	found := wordsIn(name)
	words = make([]string, len(found))
	for i, word := range found {
		words[i] = strings.ToLower(name[word.Start:word.End])
	}
	return words
}

// wordsIn returns where the words of a name stand.
func wordsIn(name string) []jsonscan.Span {
	words, start := make([]jsonscan.Span, 0, 4), 0
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

// knownLabels are what people call members by their names, as far as these are known from public
// clients of the service.
var knownLabels = map[string]string{
	"DiskUsage": "Disk", "HistoryUsage": "History", "DeletedUsage": "Deleted", "SpaceUsage": "Space",
	"ShareAssociationType": "Association", "ShareRelations": "Relations", "ShareCategory": "Category", "ShareType": "Type",
	"ShareTick": "Changed", "CreateTime": "Created", "UpdateTime": "Updated", "ModifyTime": "Modified", "ExpireTime": "Expires",
}

// labelsOf returns what people call each column: the shortest part of its name, in words, that is no
// other column's. Columns that share a name share the label.
func labelsOf(columns []string) []string {
	labels, parts := make([]string, len(columns)), make([]int, len(columns))
	for longer := true; longer; {
		longer = false
		called := map[string]int{} // how many columns have a label
		for col, column := range columns {
			labels[col] = labelOf(column, parts[col])
			called[foldedName(labels[col])]++
		}
		for col, label := range labels {
			if called[foldedName(label)] > 1 && label != columns[col] {
				parts[col]++
				longer = true
			}
		}
	}
	return labels
}

// labelOf writes the last parts of a name in words, as many as are asked for; the name itself
// where it has fewer. For none it is what the last part is called, without an id at its end.
func labelOf(name string, parts int) string {
	members := strings.Split(name, ".")
	if parts > len(members) {
		return name
	}
	members = members[len(members)-max(parts, 1):]
	if last := members[0]; parts == 0 {
		if known := knownLabels[last]; known != "" {
			return known
		}
		words := wordsIn(last)
		if n := len(words) - 1; n > 0 && isWords(last) && strings.EqualFold(last[words[n].Start:], "id") {
			members[0] = strings.TrimRight(last[:words[n].Start], "_- ")
		}
	}
	return sentence(members)
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
