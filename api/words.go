package api

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/tidwall/gjson"
	markup "golang.org/x/net/html"
	"golang.org/x/text/encoding/charmap"
	utf16 "golang.org/x/text/encoding/unicode"
)

// maxWords is how many characters of a message of the service are kept: enough for a sentence that
// a person reads to somebody else.
const maxWords = 160

// said returns what a service says in the body of a refusal: one line of at most maxWords
// characters, or "" if the body says nothing. The interface shows no body of a refusal (sections 4.1
// and 7), so every usual form is read: JSON, a form, XML, a page, plain text. Text that repeats a
// secret of the request is left out, and omitted says why.
func (c *call) said(resp *http.Response, body []byte) (words string, omitted Omission) {
	c.credential(resp)
	body = body[:min(len(body), refusalLimit)]
	words = wordsOf(mediaType(resp.Header.Get("Content-Type")), withoutBOM(inUTF8(body)))
	if words == "" || IsBareCode(words) {
		words = cmp.Or(wordsOfChallenge(resp.Header), words)
	}
	return c.shown(words, maxWords)
}

// inUTF8 returns a body, or its beginning, as UTF-8. UTF-16 is known by its byte-order mark. Any other
// encoding is read as Windows-1252, which contains Latin-1.
func inUTF8(body []byte) []byte {
	if utf8.Valid(body) {
		return body
	}
	if isUTF16(body) {
		if text, err := utf16.UTF16(utf16.LittleEndian, utf16.ExpectBOM).NewDecoder().Bytes(body); err == nil {
			return text
		}
	}
	if whole := withoutCut(body); utf8.Valid(whole) && utf8.RuneCount(whole) < len(whole) {
		return whole
	}
	text, err := charmap.Windows1252.NewDecoder().Bytes(body)
	if err != nil {
		return body
	}
	return text
}

// isUTF16 reports whether a body begins with the byte-order mark of UTF-16.
func isUTF16(body []byte) bool {
	return bytes.HasPrefix(body, []byte("\xff\xfe")) || bytes.HasPrefix(body, []byte("\xfe\xff"))
}

// withoutCut returns a text without its last character if that was cut off in the middle.
func withoutCut(text []byte) []byte {
	for size := 1; size < utf8.UTFMax && size <= len(text); size++ {
		last := text[len(text)-size:]
		if !utf8.RuneStart(last[0]) {
			continue
		}
		if utf8.FullRune(last) {
			return text
		}
		return text[:len(text)-size]
	}
	return text
}

// challengeWords finds the error_description of a challenge (RFC 6750 section 3), quoted or not.
var challengeWords = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\berror_description\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))`)
})

// wordsOfChallenge returns the words in the challenges of a 401 or 403, or "". Gateways often say
// only there why they do not accept a token.
func wordsOfChallenge(header http.Header) string {
	for _, challenge := range header.Values("WWW-Authenticate") {
		if found := challengeWords().FindStringSubmatch(challenge); found != nil {
			return strings.ReplaceAll(found[1], `\`, "") + found[2]
		}
	}
	return ""
}

// wordsOf finds the message in a body. The content decides whether it is read as JSON, a page or
// plain text, as the media type may be wrong; only a form cannot be told by its content.
func wordsOf(mediaType string, body []byte) string {
	switch {
	case len(body) == 0:
		return ""
	case gjson.ValidBytes(body):
		return wordsOfJSON(gjson.ParseBytes(body), 0)
	case body[0] == '<':
		return wordsOfMarkup(body)
	case mediaType == "application/x-www-form-urlencoded":
		return wordsOfForm(string(body))
	case body[0] == '{', body[0] == '[': // it was cut off
		return ""
	}
	return firstLine(string(body))
}

// tellingNames are the members of a refusal that say something to people, by their plainName. If a
// body has several, the first in this list counts: OAuth 2.0, exceptions of .NET, problem+json (RFC
// 9457), then what others use. A title names the kind of problem, and says less than its detail.
var tellingNames = []string{
	"errordescription", "exceptionmessage", "detail", "message", "errormessage", "usermessage", "msg",
	"description", "reason", "faultstring", "title", "error", "errors", "fault", "responseinfo",
}

// plainName returns the name of a member in lower case, without underscores, hyphens and dots.
func plainName(name string) string {
	return strings.NewReplacer("_", "", "-", "", ".", "").Replace(strings.ToLower(name))
}

// maxWordsDepth is how deep inside an answer words are looked for.
const maxWordsDepth = 3

// wordsOfJSON returns the words in a value: a text, the first telling member of an object, or those
// of all elements of a list.
func wordsOfJSON(value gjson.Result, depth int) string {
	switch {
	case value.Type == gjson.String:
		return wordsOfText(value.Str)
	case depth == maxWordsDepth:
		return ""
	case value.IsArray():
		var all []string
		for _, element := range value.Array() {
			if words := wordsOfJSON(element, depth+1); words != "" {
				all = append(all, words)
			}
		}
		return strings.Join(all, "; ")
	case !value.IsObject():
		return ""
	}
	found := map[int]string{}
	value.ForEach(func(name, member gjson.Result) bool {
		rank := slices.Index(tellingNames, plainName(name.Str))
		if _, has := found[rank]; rank >= 0 && !has {
			if words := wordsOfJSON(member, depth+1); words != "" {
				found[rank] = words
			}
		}
		return true
	})
	for rank := range tellingNames {
		if words, has := found[rank]; has {
			return withTitle(found[titleRank], tellingNames[rank], words)
		}
	}
	return ""
}

// titleRank is the place of the title in [tellingNames].
var titleRank = slices.Index(tellingNames, "title")

// withTitle puts the title of a problem (RFC 9457) before the words of its member name, if that is
// the detail and the title says anything more.
func withTitle(title, name, words string) string {
	saysMore := title != "" && !strings.Contains(words, title) && !isNameOfStatus(title)
	if name != "detail" || !saysMore {
		return words
	}
	return strings.TrimRight(title, ".:") + ": " + words
}

// isNameOfStatus reports whether a text says no more than a status does: "Bad Request", "502 Bad Gateway".
func isNameOfStatus(text string) bool {
	for status := http.StatusBadRequest; status <= http.StatusNetworkAuthenticationRequired; status++ {
		if http.StatusText(status) != "" && repeatsStatus(text, status) {
			return true
		}
	}
	return false
}

// wordsOfText returns the words of a string in JSON, which may itself be a page or JSON.
func wordsOfText(text string) string {
	text = strings.TrimSpace(text)
	if strings.HasPrefix(text, "<") {
		return wordsOfMarkup([]byte(text))
	}
	if strings.HasPrefix(text, "{") && json.Valid([]byte(text)) {
		return wordsOfJSON(gjson.Parse(text), maxWordsDepth-1)
	}
	return text
}

// wordsOfForm returns the words of a refusal that is a form, as some authorities of OAuth send it.
func wordsOfForm(body string) string {
	form, err := url.ParseQuery(body)
	if err != nil {
		return ""
	}
	for _, telling := range tellingNames {
		for name, values := range form {
			if plainName(name) == telling {
				return values[0]
			}
		}
	}
	return ""
}

// Elements of a page that say what it is, the best first.
var headings = []string{"title", "h1", "h2", "h3"}

// wordsOfMarkup returns the title of a page, or else its first heading, or the first telling element
// of XML, or else the first text that is shown.
func wordsOfMarkup(body []byte) string {
	found, first := map[string]string{}, ""
	var open []string
	tokens := markup.NewTokenizer(bytes.NewReader(body))
	for {
		switch tokens.Next() {
		case markup.ErrorToken:
			return withEnd(bestWords(found, first), body)
		case markup.StartTagToken:
			name, _ := tokens.TagName()
			open = append(open, elementName(string(name)))
		case markup.EndTagToken:
			open = open[:max(len(open)-1, 0)]
		case markup.TextToken:
			text := strings.Join(strings.Fields(html.UnescapeString(string(tokens.Text()))), " ")
			isCode := slices.Contains(open, "script") || slices.Contains(open, "style")
			if text == "" || len(open) == 0 || isCode {
				continue
			}
			if first == "" {
				first = text
			}
			if inner := open[len(open)-1]; found[inner] == "" {
				found[inner] = text
			}
		}
	}
}

// untilWhen finds when something ends, in lower case.
var untilWhen = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\b(?:until|till|back (?:at|by|on|in)|bis|indtil|jusqu)\b.*\d|\d.*\b(?:until|till)\b`)
})

// withEnd adds the line of a page about maintenance that says when that ends.
func withEnd(words string, page []byte) string {
	if ReasonOf(words) != ReasonMaintenance || untilWhen().MatchString(strings.ToLower(words)) {
		return words
	}
	for _, line := range visibleLines(page) {
		if untilWhen().MatchString(strings.ToLower(line)) {
			return strings.TrimRight(words, ".:") + ": " + line
		}
	}
	return words
}

// elementName is the name of an element without its namespace.
func elementName(name string) string { return name[strings.LastIndexByte(name, ':')+1:] }

// bestWords chooses among the texts of elements.
func bestWords(found map[string]string, first string) string {
	for _, name := range headings {
		if found[name] != "" {
			return found[name]
		}
	}
	for _, telling := range tellingNames {
		for name, text := range found {
			if plainName(name) == telling {
				return text
			}
		}
	}
	return first
}

// firstLine returns the first line of a text that is not blank.
func firstLine(text string) string {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			return line
		}
	}
	return ""
}

// forPeople are the words of a service if they can be read to a person, "" for a bare code.
func forPeople(words string) string {
	if IsBareCode(words) {
		return ""
	}
	return words
}

// SaidBy is what a service said beside a refusal in an error, if that can be read to a person.
func SaidBy(err error) string {
	if refused, ok := errors.AsType[*TokenError](err); ok {
		return refused.said()
	}
	if refused, ok := errors.AsType[*StatusError](err); ok {
		return forPeople(refused.Message)
	}
	return ""
}

// isForPeople reports whether a character stands in no code for programs: a blank, or a letter of
// another script than ours, which may have no blanks.
func isForPeople(r rune) bool { return r == ' ' || r > unicode.MaxASCII && unicode.IsLetter(r) }

// IsBareCode reports whether what a service says is one word for programs, such as
// "invalid_username_or_password", and nothing that can be read to a person. One word with a
// capital, such as "Maintenance", is for people, and so are words in Japanese.
func IsBareCode(words string) bool {
	if words == "" || strings.ContainsFunc(words, isForPeople) {
		return false
	}
	return strings.ContainsAny(words, "_-.:") || words == strings.ToLower(words)
}
