package records

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"gatehouse/internal/jsonscan"
)

// leastNearly is how many letters a word must have that may be spelled a little wrong: nearly
// anything is like a shorter one.
const leastNearly = 4

// nearly holds where a word is in a string, number or boolean, or where something that
// is like the word begins a word there: with one letter that is another, too many or
// left out, or with two letters the other way round.
type nearly struct {
	word  []byte     // folded
	parts []*matcher // one of these is in every record with such a word
}

// newNearly makes the condition for a folded word of at least leastNearly letters. One
// half of the word is as it should be, unless the letters on both sides of the middle
// have changed places.
func newNearly(word []byte, newMatcher func(word []byte) *matcher) *nearly {
	middle := 0
	for range utf8.RuneCount(word) / 2 {
		_, size := utf8.DecodeRune(word[middle:])
		middle += size
	}
	_, left := utf8.DecodeLastRune(word[:middle])
	_, right := utf8.DecodeRune(word[middle:])
	swapped := bytes.Join([][]byte{word[:middle-left], word[middle : middle+right], word[middle-left : middle], word[middle+right:]}, nil)
	return &nearly{word, []*matcher{newMatcher(word[:middle]), newMatcher(word[middle:]), newMatcher(swapped)}}
}

func (n *nearly) needs(func([]byte) *matcher) []*matcher { return n.parts }

func (n *nearly) holds(c Cell) bool { return c.Kind() > Null && n.isIn(c.raw) }

// isIn looks through the strings, numbers and booleans inside a value.
func (n *nearly) isIn(value []byte) bool {
	var decoded, folded [shortText]byte
	for at := 0; at < len(value); {
		start := at
		switch c := value[at]; {
		case c == '"':
			at = jsonscan.SkipString(value, at)
			if !isKey(value, at) && n.isInText(appendFolded(folded[:0], jsonscan.AppendUnquoted(decoded[:0], value[start:at]))) {
				return true
			}
		case jsonscan.EndsScalar(c):
			at++
		default:
			at = jsonscan.SkipScalar(value, at)
			if c != 'n' && n.isInText(appendFolded(folded[:0], value[start:at])) {
				return true
			}
		}
	}
	return false
}

// isInText looks at each place of a folded text where a word can begin.
func (n *nearly) isInText(text []byte) bool {
	if !slices.ContainsFunc(n.parts, func(part *matcher) bool { return bytes.Contains(text, part.word) }) {
		return false // as most texts, which is faster to see in this way
	}
	inWord := false
	for at, c := range text {
		if !inWord && utf8.RuneStart(c) && isLike(text[at:], n.word) {
			return true
		}
		inWord = 'a' <= c && c <= 'z' || jsonscan.IsDigit(c)
	}
	return bytes.Contains(text, n.word)
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
