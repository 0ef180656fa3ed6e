package menu

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sahilm/fuzzy"

	"gatehouse/styles"
	"gatehouse/ui/screen"
)

// found is an entry that matches what was typed.
type found struct {
	entry int // index
	rank  rank
	// title and note are the bytes of these texts that match.
	title, note []int
}

// rank says how well an entry matches. A lower rank is a better match.
type rank int

// The ranks, the best one first. A name counts for more than a description.
const (
	nameBegins rank = iota
	wordBegins
	nameContains
	nameHasLetters
	wordsContained
	notFound
)

// find returns the entries that match what was typed. The group with the best match comes first,
// and in each group the best match. If nothing is typed, all match and keep their order.
func find(entries []screen.Entry, typed string) []found {
	typed = strings.ToLower(strings.TrimSpace(typed))
	list, best, order := []found{}, map[string]rank{}, map[string]int{}
	for i, e := range entries {
		if _, ok := order[e.Group]; !ok {
			order[e.Group] = len(order)
		}
		f := match(e, typed)
		if f.rank == notFound {
			continue
		}
		f.entry = i
		list = append(list, f)
		if before, ok := best[e.Group]; !ok || f.rank < before {
			best[e.Group] = f.rank
		}
	}
	slices.SortStableFunc(list, func(a, b found) int {
		first, second := entries[a.entry].Group, entries[b.entry].Group
		return cmp.Or(
			cmp.Compare(best[first], best[second]),
			cmp.Compare(order[first], order[second]),
			cmp.Compare(a.rank, b.rank),
		)
	})
	return list
}

// match says how well an entry matches what was typed, which is in lower case.
func match(e screen.Entry, typed string) found {
	if typed == "" {
		return found{}
	}
	name := lower(e.Title)
	at := strings.Index(name, typed)
	word := strings.Index(" "+name, " "+typed)
	switch {
	case at == 0:
		return found{rank: nameBegins, title: span(0, len(typed))}
	case word >= 0:
		return found{rank: wordBegins, title: span(word, len(typed))}
	case at > 0:
		return found{rank: nameContains, title: span(at, len(typed))}
	}
	if hits, ok := matchLetters(name, typed); ok {
		return found{rank: nameHasLetters, title: hits}
	}
	return matchWords(e, typed)
}

// minLetters is how many letters a person has to type to find a name that has them in this order.
// One or two are in nearly every name.
const minLetters = 3

// matchLetters reports whether a name has all letters that were typed, in this order, and where.
func matchLetters(name, typed string) (hits []int, ok bool) {
	if utf8.RuneCountInString(typed) < minLetters {
		return nil, false
	}
	matches := fuzzy.Find(strings.ReplaceAll(typed, " ", ""), []string{name})
	if len(matches) == 0 {
		return nil, false
	}
	return matches[0].MatchedIndexes, true
}

// matchWords matches an entry of which each typed word is in the name or the description, or begins
// a word that is searched but not shown.
func matchWords(e screen.Entry, typed string) found {
	f := found{rank: wordsContained}
	name, note := lower(e.Title), lower(e.Note)
	for word := range strings.FieldsSeq(typed) {
		inName, inNote := strings.Index(name, word), strings.Index(note, word)
		inAlso := strings.Contains(" "+e.Also, " "+word)
		if inName < 0 && inNote < 0 && !inAlso {
			return found{rank: notFound}
		}
		if inName >= 0 {
			f.title = append(f.title, span(inName, len(word))...)
		}
		if inNote >= 0 {
			f.note = append(f.note, span(inNote, len(word))...)
		}
	}
	return f
}

// lower is a text in lower case, or the text itself if its bytes would not stay where they are.
func lower(text string) string {
	if folded := strings.ToLower(text); len(folded) == len(text) {
		return folded
	}
	return text
}

// span lists the bytes of a part of a text.
func span(from, length int) []int {
	list := make([]int, length)
	for i := range list {
		list[i] = from + i
	}
	return list
}

// highlighted draws a text, with the characters at the bytes of hits in the style of a match.
func highlighted(text string, hits []int, style, match styles.Style) string {
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
