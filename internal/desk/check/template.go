package check

import (
	"regexp"
	"strings"
	"sync"
)

// word matches a word of a template, such as {host}, and optional a part in brackets.
var (
	word     = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\{[A-Za-z]+\}`) })
	optional = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\[[^\[\]]*\]`) })
)

// fill writes a template: {word} stands for the value of that name, and a part in brackets is left
// out where one of its words has no value.
//
//	fill("{host} refuses it[ and says: {said}].", values)
func fill(template string, values map[string]string) string {
	kept := optional().ReplaceAllStringFunc(template, func(part string) string {
		for _, name := range word().FindAllString(part, -1) {
			if values[strings.Trim(name, "{}")] == "" {
				return ""
			}
		}
		return part[1 : len(part)-1]
	})
	return word().ReplaceAllStringFunc(kept, func(name string) string { return values[strings.Trim(name, "{}")] })
}
