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

// FilterPurpose is what people read about a [FilterLine]: its Name, which is a verb as
// well ("filter", "search"), and what Open and Clear do, as sentences for the help, of which that of
// Open says the name.
// With Anew the line is empty each time that it is opened.
type FilterPurpose struct {
	Name, Open, Clear string
	Anew              bool
	// OpenID, KeepID and ClearID are the actions of the line.
	OpenID, KeepID, ClearID screen.ActionID
}

// ByWords is the purpose of a line whose words must all be found.
var ByWords = FilterPurpose{
	Name: "filter", Open: "filter by words; all must match", Clear: "show everything again",
	OpenID: screen.FilterOpen, KeepID: screen.FilterKeep, ClearID: screen.FilterClear,
}

// MaxFilter is how many characters a filter line takes.
const MaxFilter = 1000

// FilterLine is the line in which a person types what to look for, in a list or in a
// document: one for every screen that can be filtered or searched.
type FilterLine struct {
	// Example gives what may be typed, safe to print, when the line is opened; nil: nothing.
	Example func() string
	// Earlier keeps what was typed into lines of this Kind; nil: nothing.
	Earlier *screen.History
	Kind    string
	// TooLong tells the person that a text of so many characters was not taken; it may be nil.
	TooLong func(characters int) tea.Cmd

	example  string
	purpose  FilterPurpose
	onChange func(text string) tea.Cmd
	theme    *styles.Theme
	field    *textinput.Model // see input
	open     bool
	back     int // how many texts back the one in the line is; 0: it was typed
}

// NewFilterLine makes a closed, empty line. Each change of its text is answered by
// onChange with the work that it asks for.
func NewFilterLine(theme *styles.Theme, purpose FilterPurpose, onChange func(text string) tea.Cmd) *FilterLine {
	return &FilterLine{purpose: purpose, onChange: onChange, theme: theme}
}

// input is the field of the line. It is made when it is needed first: most lists are never
// filtered, and a field takes a dozen kilobytes.
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

// Text is what the list is filtered by.
func (f *FilterLine) Text() string { return strings.TrimSpace(f.value()) }

// Words are the parts of the text, each of which must be found.
func (f *FilterLine) Words() []string { return strings.Fields(f.value()) }

// Set puts a text into the line, which is answered as if it had been typed. One that is too long is
// not taken: a part of it would find something else.
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

// Typing reports that the line has the focus.
func (f *FilterLine) Typing() bool { return f.open }

// Visible reports that the line takes a row of the screen.
func (f *FilterLine) Visible() bool { return f.open || f.Text() != "" }

// Actions are the keys of the line: to open, keep and clear it.
func (f *FilterLine) Actions() []screen.Action {
	if f.open {
		return append(f.recalls(),
			screen.Action{ID: f.purpose.KeepID, Run: f.keep},
			screen.Action{ID: f.purpose.ClearID, Title: "clear", Description: f.purpose.Clear, Run: f.clear},
		)
	}
	list := []screen.Action{
		{ID: f.purpose.OpenID, Title: f.purpose.Name, Description: f.purpose.Open, SaysTitle: true, Run: f.Edit},
	}
	if f.Visible() {
		list = append(list, screen.Action{ID: f.purpose.ClearID, Title: "clear " + f.purpose.Name, Description: f.purpose.Clear, Run: f.clear})
	}
	return list
}

// Update takes keys and pastes while the line has the focus. The field's own
// command is dropped: it would read the clipboard of the machine that runs the
// program, which need not be the person's.
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

// SaidTooLong says that a text of so many characters was not taken.
func SaidTooLong(characters int) string {
	return fmt.Sprintf("A filter has at most %s characters, and this would have %s. Nothing was changed.",
		human.Number(MaxFilter), human.Number(characters))
}

func (f *FilterLine) tooLong(characters int) tea.Cmd {
	if f.TooLong == nil {
		return nil
	}
	return f.TooLong(characters)
}

// recalls are the keys that bring back what was typed before: into an empty line, and from there to
// older texts and back.
func (f *FilterLine) recalls() (list []screen.Action) {
	if f.value() != "" && f.back == 0 {
		return nil
	}
	if _, ok := f.Earlier.Back(f.Kind, f.back+1); ok {
		list = append(list, screen.Action{ID: screen.FilterEarlier, Run: func() tea.Cmd { return f.recall(f.back + 1) }})
	}
	if f.back > 0 {
		list = append(list, screen.Action{ID: screen.FilterLater, Run: func() tea.Cmd { return f.recall(f.back - 1) }})
	}
	return list
}

// recall puts the text into the line that is so many back; none for 0.
func (f *FilterLine) recall(back int) tea.Cmd {
	text, _ := f.Earlier.Back(f.Kind, back)
	changed := f.Set(text)
	f.back = back
	return changed
}

// label stands before what is typed.
const label = "/ "

// Draw implements [screen.Part]: one line, or none where there is nothing to see of it.
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

// Say implements [screen.Part]: what a list is filtered by is said with what it found.
func (f *FilterLine) Say() iter.Seq[string] { return screen.Texts() }

// Focus gives the line the keyboard, with the text that is in it.
func (f *FilterLine) Focus() {
	f.open = true
	if f.example = ""; f.Example != nil && f.value() == "" {
		f.example = f.Example()
	}
	f.input().Focus()
}

// Edit gives the line the focus.
func (f *FilterLine) Edit() tea.Cmd {
	f.Focus()
	if f.purpose.Anew {
		return f.empty()
	}
	return nil
}

func (f *FilterLine) keep() tea.Cmd {
	f.open, f.back = false, 0
	f.Earlier.Add(f.Kind, f.Text())
	f.input().Blur()
	return nil
}

func (f *FilterLine) clear() tea.Cmd {
	f.keep()
	return f.empty()
}

func (f *FilterLine) empty() tea.Cmd {
	if f.value() == "" {
		return nil
	}
	f.Earlier.Add(f.Kind, f.Text())
	f.input().SetValue("")
	return f.onChange("")
}

// AppendMarked appends safe text with the words in it, without case, in another
// style. Grapheme clusters are marked whole: a sequence inside one would take it
// apart.
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

// ContainsAll reports whether a text has all of the words in it.
func ContainsAll(text string, words []string) bool {
	return !slices.ContainsFunc(words, func(word string) bool { return !Contains(text, word) })
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

// matchEnd returns the end of the longest word that begins in text[from:to],
// 0 if none does.
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

// foldedPrefix returns how many bytes of text are the word, without case; 0 if
// text does not begin with it.
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

// sameLetter compares as the filter of records does.
func sameLetter(a, b rune) bool {
	switch {
	case a == b:
		return true
	case a < utf8.RuneSelf && b < utf8.RuneSelf:
		return lower(byte(a)) == lower(byte(b))
	}
	return lists.FoldRune(a) == lists.FoldRune(b)
}
