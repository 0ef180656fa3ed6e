package screen

import "slices"

// History is what a person has typed into lines that they come back to, such as filters, until the
// program ends. Nil keeps nothing.
type History struct{ texts map[string][]string }

// NewHistory makes an empty one.
func NewHistory() *History { return &History{texts: map[string][]string{}} }

// maxHistory is how many texts of a kind are kept.
const maxHistory = 50

// Add keeps a text of a kind as the newest one, once.
func (h *History) Add(kind, text string) {
	if h == nil || text == "" {
		return
	}
	others := slices.DeleteFunc(h.texts[kind], func(old string) bool { return old == text })
	texts := append(others, text)
	h.texts[kind] = texts[max(0, len(texts)-maxHistory):]
}

// Back returns the text of a kind that is so many back, the newest one for 1.
func (h *History) Back(kind string, steps int) (text string, ok bool) {
	if h == nil || steps < 1 || steps > len(h.texts[kind]) {
		return "", false
	}
	texts := h.texts[kind]
	return texts[len(texts)-steps], true
}
