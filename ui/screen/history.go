package screen

import "slices"

// History has the texts that a person has typed into lines such as filters, to be brought back
// until the program ends. Each kind of line has a history of its own. Nil keeps nothing.
type History struct {
	texts map[string][]string // by kind, the newest text last
}

// NewHistory makes an empty history.
func NewHistory() *History { return &History{texts: map[string][]string{}} }

// maxHistory is how many texts of a kind are kept.
const maxHistory = 50

// Add makes a text the newest one of a kind. A text is kept once.
func (h *History) Add(kind, text string) {
	if h == nil || text == "" {
		return
	}
	others := slices.DeleteFunc(h.texts[kind], func(old string) bool { return old == text })
	texts := append(others, text)
	h.texts[kind] = texts[max(0, len(texts)-maxHistory):]
}

// Back returns a text of a kind, counted from the newest one, which is 1; ok is false if there is no
// such text.
func (h *History) Back(kind string, steps int) (text string, ok bool) {
	if h == nil || steps < 1 || steps > len(h.texts[kind]) {
		return "", false
	}
	texts := h.texts[kind]
	return texts[len(texts)-steps], true
}
