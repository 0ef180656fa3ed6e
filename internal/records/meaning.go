package records

import (
	"bytes"

	"gatehouse/internal/jsonscan"
)

// meaning returns what tells a value from others of its kind: a string decoded, an
// array or object without white space between its tokens, anything else as it was
// sent. It is part of the cell, or written over what is in scratch.
func (c Cell) meaning(scratch *[]byte) []byte {
	switch c.Kind() {
	case String:
		return jsonscan.UnquoteInto(scratch, c.raw)
	case Array, Object:
		*scratch = appendCompact((*scratch)[:0], c.raw)
		return *scratch
	default:
		return c.raw
	}
}

// identity returns what tells a value from others of its kind where the spelling of
// text counts nowhere: the meaning, but in an array or object all strings are written
// in one way, which a terminal can show.
func (c Cell) identity(scratch *[]byte) []byte {
	meaning := c.meaning(scratch)
	if c.Kind() >= Array && bytes.ContainsFunc(meaning, isSpelledInWays) {
		*scratch = appendRespelled(nil, meaning)
		return *scratch
	}
	return meaning
}

// isSpelledInWays reports whether strings with such a character may be spelled in several ways.
func isSpelledInWays(r rune) bool { return r == '\\' || r > '~' }

// appendRespelled appends a compact JSON value with all its strings as queries have them.
func appendRespelled(dst, compact []byte) []byte {
	for at := 0; at < len(compact); {
		if compact[at] != '"' {
			dst = append(dst, compact[at])
			at++
			continue
		}
		end := jsonscan.SkipString(compact, at)
		dst = append(dst, quoteQuery(string(jsonscan.Unquote(compact[at:end])))...)
		at = end
	}
	return dst
}

// appendCompact appends a JSON value without the white space between its tokens.
func appendCompact(dst, raw []byte) []byte {
	for at := 0; at < len(raw); {
		end := at + 1
		if raw[at] == '"' {
			end = jsonscan.SkipString(raw, at)
		}
		if !jsonscan.IsSpace(raw[at]) {
			dst = append(dst, raw[at:end]...)
		}
		at = end
	}
	return dst
}

// appendLine appends a JSON value without its line breaks. All of them stand
// between tokens, for a string has none that is not escaped.
func appendLine(dst, raw []byte) []byte {
	for {
		end := bytes.IndexByte(raw, '\n')
		if end < 0 {
			break
		}
		dst = appendWithoutReturns(dst, raw[:end])
		raw = raw[end+1:]
	}
	return appendWithoutReturns(dst, raw)
}

func appendWithoutReturns(dst, raw []byte) []byte {
	for part := range bytes.SplitSeq(raw, []byte{'\r'}) {
		dst = append(dst, part...)
	}
	return dst
}
