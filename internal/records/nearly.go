package records

import (
	"bytes"
	"unicode/utf8"

	"gatehouse/internal/jsonscan"
)

// minNearly is how many letters a word must have that may be spelled a little wrong: nearly
// anything is like a shorter one.
const minNearly = 4

// nearly holds where a word, which is folded and has at least minNearly letters, is in a
// string, number or boolean, or where something that is like the word begins a word there: with
// one letter that is another, too many or left out, or with two letters the other way round.
func nearly(word []byte) func(Cell) bool {
	return func(c Cell) bool {
		return anyText(c.raw, func(text []byte) bool {
			inWord := false
			for at, c := range text {
				if !inWord && utf8.RuneStart(c) && isLike(text[at:], word) {
					return true
				}
				inWord = 'a' <= c && c <= 'z' || jsonscan.IsDigit(c)
			}
			return bytes.Contains(text, word)
		})
	}
}

// isLike reports whether a text begins with something that is like the word. What comes
// before the first difference must be the same, so that there is one place to look at.
func isLike(text, word []byte) bool {
	same := 0
	for same < len(text) && same < len(word) && text[same] == word[same] {
		same++
	}
	if same == len(word) {
		return true
	}
	for same > 0 && !utf8.RuneStart(word[same]) {
		same--
	}
	text, word = text[same:], word[same:]
	_, want := utf8.DecodeRune(word)
	if bytes.HasPrefix(text, word[want:]) {
		return true // a letter too many was asked for
	}
	if len(text) == 0 {
		return false
	}
	_, have := utf8.DecodeRune(text)
	if bytes.HasPrefix(text[have:], word[want:]) || bytes.HasPrefix(text[have:], word) {
		return true // another letter was asked for, or one was left out
	}
	_, next := utf8.DecodeRune(word[want:])
	return bytes.HasPrefix(text, word[want:want+next]) && bytes.HasPrefix(text[next:], word[:want]) &&
		bytes.HasPrefix(text[next+want:], word[want+next:])
}
