package screen

import "strings"

// KeyNames writes the bound keys for display, such as "↓/j".
func (a Action) KeyNames() string {
	names := make([]string, len(a.Keys))
	for i, k := range a.Keys {
		names[i] = keyName(k, false)
	}
	return strings.Join(names, "/")
}
