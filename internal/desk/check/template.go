package check

import (
	"regexp"
	"strings"
	"sync"
)

// word matches a word of a template, such as {host} or {only-ipv6}, and optional a part in brackets.
var (
	word     = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\{\pL[\pL\d-]*\}`) })
	optional = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\[[^\[\]]*\]`) })
)

// fill fills in a template: {word} stands for the value of that name, and a part in brackets is left
// out if one of its words has no value.
//
//	fill("{host} refuses it[ and says: {said}].", values)
func fill(template string, values map[string]phrase) phrase {
	kept := optional().ReplaceAllStringFunc(template, func(part string) string {
		for _, name := range word().FindAllString(part, -1) {
			if len(values[wordName(name)]) == 0 {
				return ""
			}
		}
		return part[1 : len(part)-1]
	})
	var filled phrase
	at := 0
	for _, found := range word().FindAllStringIndex(kept, -1) {
		from, to := found[0], found[1]
		filled = joined(filled, plain(kept[at:from]), values[wordName(kept[from:to])])
		at = to
	}
	return joined(filled, plain(kept[at:]))
}

// wordName returns the name in a word of a template: "host" for "{host}".
func wordName(word string) string { return strings.Trim(word, "{}") }
