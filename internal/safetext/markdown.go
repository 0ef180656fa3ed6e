package safetext

import "strings"

// Markdown makes text from outside one line of Markdown that reads as the text does: it
// cannot begin markup, a link, HTML or a block, nor end the cell of a table.
func Markdown(text string) string {
	text = Line(text)
	escaped := markup.Replace(text)
	if beginsBlock(text) {
		return `\` + escaped
	}
	return escaped
}

// beginsBlock reports whether text could be a heading, a list, a quotation or a line. A
// number with a sign is none.
func beginsBlock(text string) bool {
	if text == "" {
		return false
	}
	isNumber := len(text) > 1 && text[1] >= '0' && text[1] <= '9'
	return strings.ContainsRune("#>", rune(text[0])) || strings.ContainsRune("+-=", rune(text[0])) && !isNumber
}

// markup are the characters that mean something to Markdown inside a line.
var markup = strings.NewReplacer(`\`, `\\`, "|", `\|`, "`", "\\`", "*", `\*`, "<", `\<`, "[", `\[`, "_", `\_`, "~", `\~`)
