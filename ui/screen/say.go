package screen

import (
	"iter"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/tidwall/gjson"

	"gatehouse/internal/text/safetext"
	"gatehouse/internal/text/secret"
)

// Said is what a screen says: first what is only said, and then its body.
func Said(s Screen) iter.Seq[string] {
	v := s.View()
	return Concat(Texts(v.Said...), v.Body.Say())
}

// SaidBeside is what the pane beside a screen says, such as about the row under the cursor.
func SaidBeside(s Screen) iter.Seq[string] {
	side := s.View().Side
	if side.Body == nil {
		return Texts()
	}
	return Concat(side.Border.Say(), side.Body.Say())
}

// Say says the texts in the upper border of a pane.
func (p Pane) Say() iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, text := range []string{p.Title, p.Note} {
			if text != "" && !yield(Labelled("", text)) {
				return
			}
		}
	}
}

const (
	maxSaid       = 1000 // cells of a value; longer ones can be exported
	maxSaidInList = 120  // cells of a value in a list
	maxSaidDepth  = 64   // levels of nested objects and arrays
)

// SayLine is a text as one line that is safe for a terminal. A text that is too long to listen to
// is cut.
func SayLine(text string) string { return sayLine(text, maxSaid) }

// sayLine is [SayLine] with another limit, in cells.
func sayLine(text string, limit int) string {
	const maxCell = 2 // maximum cells of one character
	if safetext.Width(safetext.Clip(text, limit+maxCell)) <= limit {
		return safetext.Line(text)
	}
	return strings.TrimSuffix(safetext.Clip(text, limit), "…") + ", and more"
}

// Sentence begins a text with a capital letter, unless it begins with an e-mail address, and ends
// it with a full stop, unless it ends with other punctuation.
func Sentence(text string) string {
	if word, _, _ := strings.Cut(text, " "); strings.Contains(word, "@") {
		return ended(text)
	}
	return ended(Capital(text))
}

// Capital begins a text with a capital letter; "" stays so.
func Capital(text string) string {
	if text == "" {
		return ""
	}
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[size:]
}

// ended ends a text with a full stop, unless it ends with other punctuation.
func ended(text string) string {
	if last, _ := utf8.DecodeLastRuneInString(text); strings.ContainsRune(".!?:", last) {
		return text
	}
	return text + "."
}

// Labelled says a value after its label, which may be empty: "Owner: ada@harbor.example."
func Labelled(label, value string) string {
	return sayLabelled(label, value, maxSaid)
}

// InList is [Labelled] for a value in a list, with less of a long value.
func InList(label, value string) string { return sayLabelled(label, value, maxSaidInList) }

// sayLabelled is [Labelled] with another limit, in cells.
func sayLabelled(label, value string, limit int) string {
	value = sayLine(value, limit)
	if label == "" {
		return ended(value)
	}
	return ended(sayLine(label, limit) + ": " + value)
}

// SayValues yields each value of a JSON document as a sentence, after the names that lead to it:
// "ShareDefault.Owner: ada@harbor.example." Elements of arrays are numbered from 1. name is the
// first of the names; it may be empty. read writes a value, given its path, as [SayValue] does.
func SayValues(name string, document []byte, read func(path string, value gjson.Result) string) iter.Seq[string] {
	return func(yield func(string) bool) {
		sayEach(name, gjson.ParseBytes(document), 0, read, yield)
	}
}

// sayEach yields a value, or the values inside it. It returns false if yield did.
func sayEach(
	path string, value gjson.Result, depth int,
	read func(string, gjson.Result) string, yield func(string) bool,
) bool {
	hasValues := value.IsObject() || value.IsArray()
	if depth == maxSaidDepth || !hasValues {
		return yield(Labelled(path, read(path, value)))
	}
	more, elements := true, 0
	value.ForEach(func(key, element gjson.Result) bool {
		elements++
		name := key.String()
		if value.IsArray() {
			name = strconv.Itoa(elements)
		}
		if path != "" {
			name = path + "." + name
		}
		more = sayEach(name, element, depth+1, read, yield)
		return more
	})
	switch {
	case elements > 0:
		return more
	case value.IsArray():
		return yield(Labelled(path, "an empty list"))
	}
	return yield(Labelled(path, "an empty object"))
}

// SayValue writes a value that is no object or array. Numbers keep the digits that were sent, and
// a masked secret is "hidden".
func SayValue(_ string, value gjson.Result) string {
	switch {
	case value.Type == gjson.Null:
		return "nothing"
	case value.Type != gjson.String:
		return value.Raw
	case value.Str == "":
		return "empty"
	case value.Str == secret.Mask:
		return "hidden"
	}
	return value.Str
}

// Concat joins sequences of sentences.
func Concat(parts ...iter.Seq[string]) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, part := range parts {
			for text := range part {
				if !yield(text) {
					return
				}
			}
		}
	}
}

// Texts yields texts as sentences. Empty ones are left out.
func Texts(texts ...string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, text := range texts {
			if text = strings.TrimSpace(text); text != "" && !yield(Sentence(SayLine(text))) {
				return
			}
		}
	}
}
