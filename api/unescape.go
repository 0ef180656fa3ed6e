package api

import (
	"encoding/hex"
	"encoding/json"
	"html"
	"regexp"
	"strings"
)

// mostEscapes is how many layers of escapes are looked below.
const mostEscapes = 2

// escapeSigns begin an escape of some kind.
const escapeSigns = `%+\&`

// unescapings take one layer of escapes away. They know no errors: what is no
// escape stays.
var unescapings = []func(string) string{unescapePath, unescapeQuery, unescapeJSON, html.UnescapeString}

var (
	percentEscape = regexp.MustCompile(`%[0-9A-Fa-f]{2}`)
	jsonEscape    = regexp.MustCompile(`(?:\\u[0-9A-Fa-f]{4})+|\\["'\\/]`)
)

func unescapePath(text string) string {
	return percentEscape.ReplaceAllStringFunc(text, func(escape string) string {
		decoded, _ := hex.DecodeString(escape[1:]) // two digits
		return string(decoded)
	})
}

func unescapeQuery(text string) string { return unescapePath(strings.ReplaceAll(text, "+", " ")) }

func unescapeJSON(text string) string {
	return jsonEscape.ReplaceAllStringFunc(text, func(escape string) string {
		var decoded string
		if json.Unmarshal([]byte(`"`+escape+`"`), &decoded) != nil {
			return escape[1:] // \', which JSON does not know
		}
		return decoded
	})
}
