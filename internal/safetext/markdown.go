package safetext

import "strings"

// Markdown makes text from outside one line of Markdown that reads as the text does: it
// cannot begin markup, a link, HTML or a block, nor end the cell of a table.
func Markdown(text string) string {
	text = Line(text)
	escaped := markup.Replace(text)
	if text != "" && strings.ContainsRune("#+-=>", rune(text[0])) {
		return `\` + escaped
	}
	return escaped
}

// markup are the characters that mean something to Markdown inside a line.
var markup = strings.NewReplacer(`\`, `\\`, "|", `\|`, "`", "\\`", "*", `\*`, "<", `\<`, "[", `\[`, "_", `\_`, "~", `\~`)
