package api

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"
)

// maxExcerpt is how much is kept of a body, in bytes.
const maxExcerpt = 4 << 10

// maskRules say what may be kept of the body of an answer.
type maskRules struct {
	sent      *sent
	tokens    bool // it is an answer of the token endpoint: only what is known to be public may be seen
	plainText bool // text that is not JSON may be kept, for the request carried no secret that it could repeat
}

// The clauses of [Excerpt.Omitted].
const (
	omittedText    = "it is not JSON, and may repeat what was sent"
	omittedSecret  = "it may hold a secret"
	omittedBinary  = "it is not text"
	omittedTooLong = "its first value is longer than what is kept"
)

// excerpt makes what is kept of a body that begins with head; whole says that
// this is all of it.
func (m maskRules) excerpt(head []byte, whole bool) Excerpt {
	head = bytes.TrimPrefix(head, []byte("\uFEFF"))
	if len(bytes.TrimSpace(head)) == 0 {
		return Excerpt{}
	}
	copied := masker{rules: m, in: head, whole: whole}
	text, err := copied.copy()
	switch {
	case err == nil && text == "":
		return Excerpt{Omitted: omittedTooLong}
	case err == nil:
		return Excerpt{Text: text, JSON: true, Cut: !whole || copied.full}
	case !m.plainText:
		return Excerpt{Omitted: omittedText}
	}
	return textExcerpt(head, whole)
}

// textExcerpt keeps text in which no secret is spoken of.
func textExcerpt(head []byte, whole bool) Excerpt {
	if bytes.IndexByte(head, 0) >= 0 { // compressed, or in UTF-16
		return Excerpt{Omitted: omittedBinary}
	}
	text := strings.ToValidUTF8(string(head), "")
	if speaksOfSecrets(text) || looksSecret(text) {
		return Excerpt{Omitted: omittedSecret}
	}
	if !whole {
		// The last word may be the beginning of a secret that has no shape yet.
		text = text[:max(strings.LastIndexAny(text, " \t\r\n"), 0)]
		if text == "" {
			return Excerpt{Omitted: omittedTooLong}
		}
	}
	return Excerpt{Text: text, Cut: !whole}
}

// publicMembers are those of a token answer (interface section 2.1) and of a
// refusal (RFC 6749 section 5.2) that hold no secret.
var publicMembers = []string{"expires_in", "token_type", "scope", "error", "error_description", "error_uri"}

// hidesMember reports whether the value of a member of this name is hidden.
func (m maskRules) hidesMember(name string) bool {
	if m.tokens {
		return !slices.Contains(publicMembers, name)
	}
	return soundsSecret(name) // names all that IsSecretName does
}

// hidesValue reports whether a text is hidden wherever it stands.
func (m maskRules) hidesValue(text string) bool { return m.sent.in(text) || looksSecret(text) }

// masker copies JSON, or the beginning of it, without its secrets.
type masker struct {
	rules maskRules
	in    []byte
	at    int
	whole bool // in is all there is

	out  []byte
	safe int  // up to here out can be closed to valid JSON
	full bool // out has all the room there is
	hid  bool // something is masked
}

var (
	errNotJSON = errors.New("not JSON")
	errCutOff  = errors.New("cut off")
)

// copy returns the JSON, closed where it was cut.
func (m *masker) copy() (string, error) {
	if m.space(); m.rules.tokens && m.in[m.at] != '{' {
		return "", errNotJSON // only members are known to be public
	}
	err := m.value(false)
	m.space()
	switch {
	case err != nil && err != errCutOff:
		return "", err
	case err == nil && m.at < len(m.in):
		return "", errNotJSON
	}
	return string(closed(m.out[:m.safe])), nil
}

// value copies a value, or leaves it out where the mask stands already.
func (m *masker) value(hidden bool) error {
	m.space()
	switch {
	case m.at == len(m.in):
		return m.end()
	case len(m.out) > maxExcerpt:
		m.full = true
		return errCutOff
	}
	switch m.in[m.at] {
	case '{':
		return m.container('}', hidden, m.member)
	case '[':
		return m.container(']', hidden, m.value)
	case '"':
		return m.text(hidden)
	}
	return m.literal(hidden)
}

// container copies an object or an array; item copies one of what is in it.
func (m *masker) container(end byte, hidden bool, item func(hidden bool) error) error {
	m.put(1, hidden)
	m.mark(hidden)
	for first := true; ; first = false {
		m.space()
		switch {
		case m.at == len(m.in):
			return m.end()
		case m.in[m.at] == end:
			m.put(1, hidden)
			m.mark(hidden)
			return nil
		case !first && m.in[m.at] != ',':
			return errNotJSON
		case !first:
			m.put(1, hidden)
			m.space()
			// Nothing may follow the comma but another item.
			if m.at < len(m.in) && m.in[m.at] == end {
				return errNotJSON
			}
		}
		if err := item(hidden); err != nil {
			return err
		}
	}
}

// member copies a member of an object, its value hidden where its name asks for it.
func (m *masker) member(hidden bool) error {
	m.space()
	raw, name, err := m.token()
	if err != nil {
		return err
	}
	if !hidden {
		if m.rules.hidesValue(name) {
			raw, m.hid = []byte(`"`+masked+`"`), true
		}
		m.out = append(m.out, raw...)
	}
	m.space()
	if m.at == len(m.in) {
		return m.end()
	}
	if m.in[m.at] != ':' {
		return errNotJSON
	}
	m.put(1, hidden)
	m.space()
	secret := !hidden && m.at < len(m.in) && m.in[m.at] != 'n' && m.rules.hidesMember(name)
	if secret {
		m.hide()
	}
	return m.value(hidden || secret)
}

// text copies a string.
func (m *masker) text(hidden bool) error {
	raw, decoded, err := m.token()
	if err != nil || hidden {
		return err
	}
	if nested, ok := m.nested(decoded); ok {
		raw, decoded = nested, ""
	}
	return m.scalar(raw, decoded)
}

// nested masks JSON that is the value of a string, as some services wrap it.
func (m *masker) nested(text string) (quoted []byte, ok bool) {
	start := strings.TrimLeft(text, " \t\r\n")
	if start == "" || start[0] != '{' && start[0] != '[' {
		return nil, false
	}
	inner := masker{rules: m.rules, in: []byte(text), whole: true}
	copied, err := inner.copy()
	if err != nil || !inner.hid || m.rules.sent.in(copied) {
		return nil, false
	}
	quoted, err = json.Marshal(copied)
	return quoted, err == nil
}

// literal copies a number, true, false or null.
func (m *masker) literal(hidden bool) error {
	end := m.at
	for end < len(m.in) && !strings.ContainsRune(",]} \t\r\n", rune(m.in[end])) {
		end++
	}
	if end == len(m.in) && !m.whole {
		return errCutOff
	}
	raw := m.in[m.at:end]
	if !json.Valid(raw) {
		return errNotJSON
	}
	m.at = end
	if hidden {
		return nil
	}
	return m.scalar(raw, string(raw))
}

func (m *masker) scalar(raw []byte, text string) error {
	if m.rules.hidesValue(text) || m.rules.sent.in(string(raw)) {
		m.hide()
		return nil
	}
	m.out = append(m.out, raw...)
	m.mark(false)
	return nil
}

// token reads a string.
func (m *masker) token() (raw []byte, decoded string, err error) {
	if m.at == len(m.in) {
		return nil, "", m.end()
	}
	if m.in[m.at] != '"' {
		return nil, "", errNotJSON
	}
	for end := m.at + 1; end < len(m.in); end++ {
		switch m.in[end] {
		case '\\':
			end++
		case '"':
			raw, m.at = m.in[m.at:end+1], end+1
			if json.Unmarshal(raw, &decoded) != nil {
				return nil, "", errNotJSON
			}
			return raw, decoded, nil
		}
	}
	return nil, "", m.end()
}

// end is what it means that there is no more.
func (m *masker) end() error {
	if m.whole {
		return errNotJSON
	}
	return errCutOff
}

func (m *masker) space() {
	for m.at < len(m.in) && strings.IndexByte(" \t\r\n", m.in[m.at]) >= 0 {
		m.at++
	}
}

// put copies some bytes as they are.
func (m *masker) put(n int, hidden bool) {
	if !hidden {
		m.out = append(m.out, m.in[m.at:m.at+n]...)
	}
	m.at += n
}

func (m *masker) hide() {
	m.hid = true
	m.out = append(m.out, `"`+masked+`"`...)
	m.mark(false)
}

func (m *masker) mark(hidden bool) {
	if !hidden {
		m.safe = len(m.out)
	}
}

// closed adds the brackets that a beginning of JSON lacks.
func closed(text []byte) []byte {
	var open []byte
	inString := false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case inString && c == '\\':
			i++
		case c == '"':
			inString = !inString
		case inString:
		case c == '{':
			open = append(open, '}')
		case c == '[':
			open = append(open, ']')
		case c == '}', c == ']':
			open = open[:len(open)-1]
		}
	}
	slices.Reverse(open)
	return append(text, open...)
}
