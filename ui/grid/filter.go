package grid

import (
	"fmt"
	"iter"
	"slices"
	"strings"
	"unicode/utf8"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/lists"
	"gatehouse/internal/text/human"
	"gatehouse/internal/text/safetext"
	"gatehouse/styles"
	"gatehouse/ui/screen"
)

// FilterPurpose says what a [FilterLine] is for.
type FilterPurpose struct {
	// Name is a verb, such as "filter" or "search". Open and Clear describe the actions that open
	// and clear the line, for the help; Open contains the name.
	Name, Open, Clear string
	// Anew means that the line is empty each time that it is opened.
	Anew bool
	// OpenID, KeepID and ClearID are the actions of the line.
	OpenID, KeepID, ClearID screen.ActionID
}

// ByWords is the purpose of a line that filters a list by words, all of which must match.
var ByWords = FilterPurpose{
	Name: "filter", Open: "filter by words; all must match", Clear: "show everything again",
	OpenID: screen.FilterOpen, KeepID: screen.FilterKeep, ClearID: screen.FilterClear,
}

// MaxFilter limits the text of a filter line, in characters.
const MaxFilter = 1000

// FilterLine is the line in which a person types what to look for in a list or a document. All
// screens that can be filtered or searched have one.
type FilterLine struct {
	// Example returns an example of what may be typed, safe to print. It is called when the line is
	// opened, and may be nil.
	Example func() string
	// Earlier keeps the texts of lines of this Kind; nil keeps nothing.
	Earlier *screen.History
	Kind    string
	// TooLong tells the person that a text was refused, and how many characters it has; it may be
	// nil.
	TooLong func(characters int) tea.Cmd

	example  string
	purpose  FilterPurpose
	onChange func(text string) tea.Cmd
	theme    *styles.Theme
	field    *textinput.Model // see input
	open     bool             // the line has the focus
	back     int              // which text of the history the line has, see recall; 0 for none
}

// NewFilterLine makes a closed, empty line. It calls onChange each time that its text changes.
func NewFilterLine(
	theme *styles.Theme, purpose FilterPurpose, onChange func(text string) tea.Cmd,
) *FilterLine {
	return &FilterLine{purpose: purpose, onChange: onChange, theme: theme}
}

// input is the field of the line. It is made when it is first needed: most lists are never filtered,
// and a field takes a dozen kilobytes.
func (f *FilterLine) input() *textinput.Model {
	if f.field == nil {
		field := screen.NewInput(MaxFilter)
		f.field = &field
	}
	return f.field
}

// value is the text of the line.
func (f *FilterLine) value() string {
	if f.field == nil {
		return ""
	}
	return f.field.Value()
}

// Text is the text of the line, without spaces around it.
func (f *FilterLine) Text() string { return strings.TrimSpace(f.value()) }

// Words are the words of the text.
func (f *FilterLine) Words() []string { return strings.Fields(f.value()) }

// Set puts a text into the line, as if it had been typed. A text that is too long is refused, as a
// part of it would match something else.
func (f *FilterLine) Set(text string) tea.Cmd {
	if length := utf8.RuneCountInString(text); length > MaxFilter {
		return f.tooLong(length)
	}
	f.back = 0
	if text != f.value() || f.open {
		f.input().SetValue(text)
		f.input().CursorEnd()
	}
	return f.onChange(f.Text())
}

// Filter puts a text into the line as Set does, and keeps it. The line does not take the focus.
func (f *FilterLine) Filter(text string) tea.Cmd {
	f.Earlier.Add(f.Kind, f.Text())
	changed := f.Set(screen.CleanText(text))
	f.Earlier.Add(f.Kind, f.Text())
	return changed
}

// Typing reports whether the line has the focus.
func (f *FilterLine) Typing() bool { return f.open }

// Visible reports whether the line is shown.
func (f *FilterLine) Visible() bool { return f.open || f.Text() != "" }

// Actions are the actions of the line: to open, keep and clear it.
func (f *FilterLine) Actions() []screen.Action {
	clear := screen.Action{
		ID:          f.purpose.ClearID,
		Title:       "clear",
		Description: f.purpose.Clear,
		Run:         f.clear,
	}
	if f.open {
		return append(f.recalls(), screen.Action{ID: f.purpose.KeepID, Run: f.keep}, clear)
	}
	list := []screen.Action{{
		ID:          f.purpose.OpenID,
		Title:       f.purpose.Name,
		Description: f.purpose.Open,
		SaysTitle:   true,
		Run:         f.Edit,
	}}
	if f.Visible() {
		clear.Title = "clear " + f.purpose.Name
		list = append(list, clear)
	}
	return list
}

// Update handles keys and pastes while the line has the focus. It drops the command of the field, which
// would read the clipboard of the machine that runs the program; that may not be the person's.
func (f *FilterLine) Update(msg tea.Msg) tea.Cmd {
	if !f.open {
		return nil
	}
	before := f.value()
	msg = screen.CleanInput(msg)
	if pasted, ok := msg.(tea.PasteMsg); ok {
		length := utf8.RuneCountInString(before) + utf8.RuneCountInString(pasted.Content)
		if length > MaxFilter {
			return f.tooLong(length)
		}
	}
	*f.input(), _ = f.input().Update(msg)
	if f.value() == before {
		return nil
	}
	f.back = 0
	return f.onChange(f.Text())
}

// SaidTooLong says that a text was refused; characters is its length.
func SaidTooLong(characters int) string {
	return fmt.Sprintf("A filter has at most %s characters, and this would have %s. Nothing was changed.",
		human.Number(MaxFilter), human.Number(characters))
}

// tooLong calls TooLong if there is one.
func (f *FilterLine) tooLong(characters int) tea.Cmd {
	if f.TooLong == nil {
		return nil
	}
	return f.TooLong(characters)
}

// recalls are the actions that bring back earlier texts, as long as nothing was typed.
func (f *FilterLine) recalls() (list []screen.Action) {
	isTyped := f.value() != "" && f.back == 0
	if isTyped {
		return nil
	}
	if _, ok := f.Earlier.Back(f.Kind, f.back+1); ok {
		earlier := func() tea.Cmd { return f.recall(f.back + 1) }
		list = append(list, screen.Action{ID: screen.FilterEarlier, Run: earlier})
	}
	if f.back > 0 {
		later := func() tea.Cmd { return f.recall(f.back - 1) }
		list = append(list, screen.Action{ID: screen.FilterLater, Run: later})
	}
	return list
}

// recall puts an earlier text into the line, see [screen.History.Back]; 0 empties the line.
func (f *FilterLine) recall(back int) tea.Cmd {
	text, _ := f.Earlier.Back(f.Kind, back)
	changed := f.Set(text)
	f.back = back
	return changed
}

// label is the beginning of the line, before the text.
const label = "/ "

// Draw implements [screen.Part]: one line, or none if the line is not visible.
func (f *FilterLine) Draw(width, height int) screen.Drawing {
	if !f.Visible() || height < 1 {
		return screen.Drawing{}
	}
	focus := func(int, int) tea.Cmd {
		f.Focus()
		return nil
	}
	drawn := screen.Drawing{Spots: []screen.Spot{{Width: width, Height: 1, Click: focus}}}
	room := width - len(label)
	text := safetext.Truncate(safetext.Line(f.Text()), max(room, 0))
	if f.open {
		var caret int
		text, caret = screen.DrawTyped(styles.Style{}, f.value(), f.input().Position(), room)
		drawn.Spots = append(drawn.Spots, screen.CaretAt(len(label)+caret, 0))
	}
	if f.open && f.value() == "" {
		text += f.theme.Faint.Render(safetext.Truncate(f.example, max(room-1, 0)))
	}
	drawn.Lines = []string{f.theme.Accent.Render(label) + text}
	return drawn
}

// Say implements [screen.Part]. It says nothing, as the list says its filter with its rows.
func (f *FilterLine) Say() iter.Seq[string] { return screen.Texts() }

// Focus gives the line the focus, and keeps its text.
func (f *FilterLine) Focus() {
	f.open = true
	if f.example = ""; f.Example != nil && f.value() == "" {
		f.example = f.Example()
	}
	f.input().Focus()
}

// Edit gives the line the focus, and empties it if that is its purpose.
func (f *FilterLine) Edit() tea.Cmd {
	f.Focus()
	if f.purpose.Anew {
		return f.empty()
	}
	return nil
}

// keep closes the line and keeps its text.
func (f *FilterLine) keep() tea.Cmd {
	f.open, f.back = false, 0
	f.Earlier.Add(f.Kind, f.Text())
	f.input().Blur()
	return nil
}

// clear closes the line and empties it.
func (f *FilterLine) clear() tea.Cmd {
	f.keep()
	return f.empty()
}

// empty removes the text of the line. The history keeps it.
func (f *FilterLine) empty() tea.Cmd {
	if f.value() == "" {
		return nil
	}
	f.Earlier.Add(f.Kind, f.Text())
	f.input().SetValue("")
	return f.onChange("")
}

// AppendMarked appends safe text, with the given words in it in another style. It ignores case. It
// marks only whole grapheme clusters, as an escape sequence inside one would break it.
func AppendMarked(b []byte, text string, words []string, mark styles.SGR) []byte {
	ascii := !strings.ContainsFunc(text, func(r rune) bool { return r >= utf8.RuneSelf })
	marked, until := false, 0
	for i := 0; i < len(text); {
		size := 1
		if !ascii {
			cluster, _ := safetext.Cluster(text[i:])
			size = len(cluster)
		}
		until = max(until, matchEnd(text, i, i+size, words))
		if on := until > i; on != marked {
			toggle := mark.Close
			if marked = on; on {
				toggle = mark.Open
			}
			b = append(b, toggle...)
		}
		b = append(b, text[i:i+size]...)
		i += size
	}
	if marked {
		b = append(b, mark.Close...)
	}
	return b
}

// Contains reports whether AppendMarked would mark a word in a text.
func Contains(text, word string) bool {
	for i := range text {
		if foldedPrefix(text[i:], word) > 0 {
			return true
		}
	}
	return false
}

// ContainsAll reports whether a text contains all of the words.
func ContainsAll(text string, words []string) bool {
	isMissing := func(word string) bool { return !Contains(text, word) }
	return !slices.ContainsFunc(words, isMissing)
}

// lower is an ASCII letter in lower case.
func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

// matchEnd returns the end of the longest word that begins in text[from:to]; 0 if none does.
func matchEnd(text string, from, to int, words []string) int {
	end := 0
	for i := range text[from:to] {
		for _, word := range words {
			if n := foldedPrefix(text[from+i:], word); n > 0 {
				end = max(end, from+i+n)
			}
		}
	}
	return end
}

// foldedPrefix returns how many bytes of text the word takes at its beginning, in whatever case; 0 if
// text does not begin with the word.
func foldedPrefix(text, word string) int {
	at := 0
	for _, r := range word {
		if at == len(text) {
			return 0
		}
		c, size := utf8.DecodeRuneInString(text[at:])
		if !sameLetter(c, r) {
			return 0
		}
		at += size
	}
	return at
}

// sameLetter compares two letters like the filter of lists does.
func sameLetter(a, b rune) bool {
	switch {
	case a == b:
		return true
	case a < utf8.RuneSelf && b < utf8.RuneSelf:
		return lower(byte(a)) == lower(byte(b))
	}
	return lists.FoldRune(a) == lists.FoldRune(b)
}
