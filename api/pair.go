package api

import (
	"bytes"
	"slices"
	"strings"

	markup "golang.org/x/net/html"

	"gatehouse/internal/text/hostname"
)

// pair is the content of a look-up (interface section 2.3).
type pair struct{ email, domain string }

// parsePair reads a line with an address and a domain, which may be empty. Each may be quoted, or
// both together, and a comma may follow. ok is false for any other line.
func parsePair(line string) (p pair, ok bool) {
	email, domain, hasComma := strings.Cut(unquoted(line), ",")
	p = pair{unquoted(email), unquoted(strings.TrimRight(domain, ", \t"))}
	isProse := strings.ContainsAny(p.email+p.domain, " \t,")
	if !hasComma || !strings.Contains(p.email, "@") || isProse {
		return pair{}, false
	}
	return p, true
}

// domainsOf are the domains that lines name for an address, in any letter case and each once;
// isAnswer reports whether a line is about the address at all.
func domainsOf(lines []string, email string) (isAnswer bool, domains []string) {
	for _, line := range lines {
		pair, _ := parsePair(line) // of no address if it is none
		if !strings.EqualFold(pair.email, email) {
			continue
		}
		isAnswer = true
		isSame := func(other string) bool {
			return strings.EqualFold(strings.TrimSuffix(other, "."), strings.TrimSuffix(pair.domain, "."))
		}
		if pair.domain != "" && !slices.ContainsFunc(domains, isSame) {
			domains = append(domains, pair.domain)
		}
	}
	return isAnswer, domains
}

// onlyPair is the pair of an answer that is nothing else and names an e-mail address; a page may
// name others, too.
func onlyPair(lines []string) (pair, bool) {
	if len(lines) != 1 {
		return pair{}, false
	}
	p, _ := parsePair(lines[0]) // of no address if it is none
	return p, hostname.EmailObjection(p.email) == ""
}

// blankForPlus finds the address that was asked about in an answer that has a blank for each "+" of it.
func blankForPlus(lines []string, asked string) (answered string, isRead bool) {
	if len(lines) != 1 || !strings.Contains(asked, "+") {
		return "", false
	}
	email, _, hasComma := strings.Cut(unquoted(lines[0]), ",")
	answered = unquoted(email)
	return answered, hasComma && strings.EqualFold(answered, strings.ReplaceAll(asked, "+", " "))
}

// unquoted returns a text without blanks and quotation marks around it.
func unquoted(text string) string { return strings.Trim(text, " \t\"'\u201c\u201d") }

// isMarkup reports whether a body begins with markup.
func isMarkup(body []byte) bool { return bytes.HasPrefix(withoutBOM(body), []byte("<")) }

// inline are the elements that do not begin a new line.
var inline = []string{"a", "abbr", "b", "code", "em", "font", "i", "pre", "small", "span", "strong", "tt", "u"}

// unseen are the elements whose text a page does not show.
var unseen = []string{"script", "style", "title", "noscript", "template"}

// visibleLines returns the lines of a body that a browser would show, without blank ones and with
// entities decoded. Plain text stays as it is.
func visibleLines(body []byte) (lines []string) {
	var seen strings.Builder
	hidden := 0
	tokens := markup.NewTokenizer(bytes.NewReader(body))
	for kind := tokens.Next(); kind != markup.ErrorToken; kind = tokens.Next() {
		token := tokens.Token()
		isHidden := slices.Contains(unseen, token.Data)
		switch {
		case kind == markup.TextToken && hidden == 0:
			seen.WriteString(token.Data)
		case kind == markup.StartTagToken && isHidden:
			hidden++
		case kind == markup.EndTagToken && isHidden:
			hidden = max(hidden-1, 0)
		case kind != markup.TextToken && !slices.Contains(inline, token.Data):
			seen.WriteString("\n")
		}
	}
	for line := range strings.Lines(seen.String()) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}
