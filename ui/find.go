package ui

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/sahilm/fuzzy"

	"gatehouse/styles"
)

// found is an item of the palette that matches what was typed, and the bytes of its texts
// that do.
type found struct {
	item        int
	rank        int // less is better
	title, note []int
}

// The ranks: names come before descriptions, and both before the heading.
const (
	nameBegins = iota
	wordBegins
	nameContains
	nameHasLetters
	wordsContained
	groupBegins
	notFound
)

// findItems returns the items that match, sorted by the rank of the best of each group and
// then by their own. Of the same rank, those used last come first. If nothing is typed,
// all match.
func findItems(items []item, typed string, used []string) []found {
	typed = strings.ToLower(strings.TrimSpace(typed))
	list, best := []found{}, map[string]int{}
	for n, i := range items {
		f := i.match(typed)
		if f.rank == notFound {
			continue
		}
		f.item = n
		list = append(list, f)
		if rank, ok := best[i.group]; !ok || f.rank < rank {
			best[i.group] = f.rank
		}
	}
	order := map[string]int{}
	for _, i := range items {
		if _, ok := order[i.group]; !ok {
			order[i.group] = len(order)
		}
	}
	lastUse := func(f found) int {
		at := slices.Index(used, items[f.item].title)
		if at < 0 || typed == "" {
			return len(used)
		}
		return at
	}
	slices.SortStableFunc(list, func(a, b found) int {
		first, second := items[a.item].group, items[b.item].group
		return cmp.Or(cmp.Compare(best[first], best[second]), cmp.Compare(order[first], order[second]),
			cmp.Compare(a.rank, b.rank), cmp.Compare(lastUse(a), lastUse(b)))
	})
	return list
}

// match says how well an item matches what was typed, which is in lower case.
func (i item) match(typed string) found {
	name, note := lower(i.title), lower(i.note)
	at := strings.Index(name, typed)
	word := strings.Index(" "+name, " "+typed)
	switch {
	case typed == "":
		return found{}
	case at == 0:
		return found{rank: nameBegins, title: span(0, len(typed))}
	case word >= 0:
		return found{rank: wordBegins, title: span(word, len(typed))}
	case at > 0:
		return found{rank: nameContains, title: span(at, len(typed))}
	}
	if hits := fuzzy.Find(strings.ReplaceAll(typed, " ", ""), []string{name}); len(hits) > 0 && isSelective(typed) {
		return found{rank: nameHasLetters, title: hits[0].MatchedIndexes}
	}
	f := found{rank: wordsContained}
	for w := range strings.FieldsSeq(typed) {
		inName, inNote := strings.Index(name, w), strings.Index(note, w)
		if inName < 0 && inNote < 0 {
			if strings.Contains(" "+i.also, " "+w) {
				continue
			}
			if !i.groupHas(w) {
				return found{rank: notFound}
			}
			f.rank = groupBegins
		}
		if inName >= 0 {
			f.title = append(f.title, span(inName, len(w))...)
		}
		if inNote >= 0 {
			f.note = append(f.note, span(inNote, len(w))...)
		}
	}
	return f
}

// alsoCalled are other words by which people look for an action.
var alsoCalled = map[string]string{
	"root.help":         "help shortcuts",
	"root.quit":         "exit leave",
	"root.close":        "exit quit",
	"root.signin":       "login log in renew",
	"root.mouse":        "select text",
	"browse.export":     "download save csv excel",
	"browse.reload":     "refresh update",
	"browse.columns":    "settings fields",
	"browse.values":     "count group statistics",
	"filter.open":       "search find query",
	"search.open":       "find filter",
	"activity.export":   "download save har",
	"check.bundle":      "download save zip",
	"check.again":       "refresh retry",
	"domains.ask":       "reload update",
	"tree.copyall":      "clipboard json",
	"device.ticket":     "clipboard markdown",
	"check.ticket":      "clipboard markdown",
	"token.copywhole":   "clipboard",
	"token.renew":       "refresh",
	"record.tree":       "json raw",
	"device.results":    "history",
	"signin.check":      "diagnose support",
	"check.compare":     "diff",
	"device.compare":    "diff",
	"browse.preview":    "pane side",
	"browse.savefilter": "bookmark",
}

// groupHas reports whether a word of the item's group begins so.
func (i item) groupHas(word string) bool {
	return isSelective(word) && strings.Contains(" "+lower(i.group)+" "+lower(i.home), " "+word)
}

// isSelective reports whether letters in order, with others between them, are enough to
// find a name: one or two are in nearly every one.
func isSelective(typed string) bool { return utf8.RuneCountInString(typed) > 2 }

// lower is a text in lower case in which every byte is where it was.
func lower(text string) string {
	if folded := strings.ToLower(text); len(folded) == len(text) {
		return folded
	}
	return text
}

// capital begins a text with a capital letter.
func capital(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[size:]
}

// span lists the bytes of a part of a text.
func span(from, length int) []int {
	list := make([]int, length)
	for i := range list {
		list[i] = from + i
	}
	return list
}

// marked draws a text with the characters at some bytes highlighted.
func marked(text string, hits []int, style, match styles.Style) string {
	var b strings.Builder
	for start := 0; start < len(text); {
		hit := slices.Contains(hits, start)
		end := start + 1
		for end < len(text) && (!utf8.RuneStart(text[end]) || slices.Contains(hits, end) == hit) {
			end++
		}
		if part := text[start:end]; hit {
			b.WriteString(match.Render(part))
		} else {
			b.WriteString(style.Render(part))
		}
		start = end
	}
	return b.String()
}
