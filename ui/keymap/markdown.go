package keymap

import (
	"fmt"
	"strings"
)

// Markdown writes the table for a page of documentation: the keys, what they do,
// and the name by which the config file binds others.
func (m *Map) Markdown() string {
	var b strings.Builder
	b.WriteString("| keys | what they do | name |\n|---|---|---|\n")
	for _, g := range m.Groups() {
		fmt.Fprintf(&b, "| **%s** | | |\n", g.Title)
		for _, e := range g.Entries {
			fmt.Fprintf(&b, "| %s | %s | `%s` |\n", markdownKeys(e.Keys), e.Description, e.ID)
		}
	}
	return b.String()
}

func markdownKeys(keys []string) string {
	quoted := make([]string, len(keys))
	for i, key := range keys {
		quoted[i] = "`" + strings.ReplaceAll(key, "|", `\|`) + "`"
	}
	return strings.Join(quoted, ", ")
}
