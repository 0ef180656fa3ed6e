package redact

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"

	"gatehouse/internal/jsonscan"
)

// Excerpt is the beginning of an answer's body without its secrets, at most about 4 KB.
type Excerpt struct {
	Text    string // truncated JSON is closed again, so that it is valid
	JSON    bool
	Cut     bool   // the body is longer than Text
	Omitted string // why a body is not kept, as a clause; "" if it is kept or empty
}

const (
	// MaxHead is how much of a body, in bytes, has to be passed to [Exchange.Answer]: a
	// secret at the beginning may be recognised only by a name further on.
	MaxHead = 64 << 10

	maxExcerpt = 4 << 10 // bytes
)

// The clauses of [Excerpt.Omitted].
const (
	omittedText    = "it is not JSON, and may repeat what was sent"
	omittedSecret  = "it may hold a secret"
	omittedBinary  = "it is not text"
	omittedTooLong = "its first value is longer than what is kept"
)

// Answer returns the headers of the answer, sorted by name, and an excerpt of its body.
// head is the beginning of the body; whole reports that it is all of it. It is called
// once.
func (x *Exchange) Answer(header http.Header, head []byte, whole bool) ([]Pair, Excerpt) {
	for name, values := range header {
		for _, value := range values {
			if IsSecretName(name) {
				_, cookieValue, _ := strings.Cut(value, "=")
				cookieValue, _, _ = strings.Cut(cookieValue, ";")
				x.found.addNamed(value)
				x.found.addNamed(cookieValue)
			}
		}
	}
	body := x.excerpt(head, whole)
	return x.headers(header), body
}

func (x *Exchange) excerpt(head []byte, whole bool) Excerpt {
	head = bytes.TrimPrefix(head, []byte("\uFEFF"))
	if len(bytes.TrimSpace(head)) == 0 {
		return Excerpt{}
	}
	text, err := x.excerptJSON(head, whole)
	switch {
	case err == nil && text == nil:
		return Excerpt{Omitted: omittedTooLong}
	case err == nil:
		short, cut := truncateJSON(text)
		return Excerpt{Text: string(short), JSON: true, Cut: cut || !whole || len(head) > maxExcerpt}
	case !x.plain:
		return Excerpt{Omitted: omittedText}
	}
	return x.excerptText(head, whole)
}

// excerptJSON returns the beginning of head as compact JSON without its secrets, closed
// where it was cut; nothing if already the first value is cut. Secrets are collected from
// all of head.
func (x *Exchange) excerptJSON(head []byte, whole bool) ([]byte, error) {
	x.found.gather(head)
	m := masker{sent: x.sent, found: x.found, names: true, shapes: true}
	if x.listed {
		m.public = publicMembers
		if !whole { // a secret may be in the rest, and repeated in what is listed
			m.public = []string{}
		}
	}
	beginning := head[:min(len(head), maxExcerpt)]
	masked, err := m.mask(beginning, whole && len(beginning) == len(head))
	if err != nil || len(masked) == 0 {
		return nil, err
	}
	var compact bytes.Buffer
	compact.Grow(len(masked))
	err = json.Compact(&compact, masked)
	return compact.Bytes(), err
}

// truncateJSON cuts JSON that is longer than an excerpt.
func truncateJSON(text []byte) (short []byte, cut bool) {
	if len(text) <= maxExcerpt {
		return text, false
	}
	short, _ = (&masker{}).mask(text[:maxExcerpt], false) // it is valid JSON up to there
	return short, true
}

// excerptText returns text, unless it mentions secrets.
func (x *Exchange) excerptText(head []byte, whole bool) Excerpt {
	if bytes.IndexByte(head, 0) >= 0 { // compressed, or in UTF-16
		return Excerpt{Omitted: omittedBinary}
	}
	text := strings.ToValidUTF8(string(head), "")
	if mentionsSecrets(text) || looksSecret(text) || x.found.In(text) {
		return Excerpt{Omitted: omittedSecret}
	}
	if len(text) > maxExcerpt {
		text, whole = strings.ToValidUTF8(text[:maxExcerpt], ""), false
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

// Repeated returns JSON in which each string, number and name that repeats a secret is
// masked. All other bytes are unchanged, and so is text that is not JSON.
func (s *Secrets) Repeated(text []byte) []byte {
	masked, err := (&masker{sent: *s}).mask(text, true)
	if err != nil {
		return text
	}
	return masked
}

// Result returns JSON in which each value with a secret name, and everything that repeats
// such a value, is masked. null and all other bytes are unchanged. It returns nil if text
// is not JSON. It takes linear time.
func Result(text []byte) []byte {
	m := masker{names: true}
	m.found.gather(text)
	masked, err := m.mask(text, true)
	if err != nil {
		return nil
	}
	return masked
}

// Found returns the secrets in JSON, recognised by their names.
func Found(text []byte) *Secrets {
	secrets := &Secrets{}
	secrets.gather(text)
	return secrets
}

// gather adds the values with secret names in JSON, which may be truncated, and in the
// JSON that its strings hold. It reports whether there are any.
func (s *Secrets) gather(text []byte) (any bool) {
	scan := jsonscan.Scanner{Text: text}
	names := cache[bool]{}
	under := 0 // the depth of the secret container that is open, 0 for none
	named := false
	for {
		t, err := scan.Next()
		if err != nil || t.Kind == jsonscan.End {
			return any
		}
		switch t.Kind {
		case jsonscan.Name:
			named = names.of(t.Of(text), IsSecretName)
			continue
		case jsonscan.ObjectStart, jsonscan.ArrayStart:
			if named && under == 0 {
				under = scan.Depth()
			}
		case jsonscan.ObjectEnd, jsonscan.ArrayEnd:
			if scan.Depth() < under {
				under = 0
			}
		case jsonscan.String, jsonscan.Number:
			if named || under > 0 {
				s.addNamed(decoded(text, t))
				any = true
			} else {
				any = s.gatherNested(text, t) || any
			}
		}
		named = false
	}
}

// gatherNested is gather for the JSON that a string may hold.
func (s *Secrets) gatherNested(text []byte, t jsonscan.Token) (any bool) {
	if !mayBeNested(t.Of(text)) {
		return false
	}
	value := decoded(text, t)
	return isNested(value) && s.gather([]byte(value))
}

// mayBeNested is isNested for a value as it was sent: most need not be decoded to be told.
func mayBeNested(raw []byte) bool {
	return len(raw) > 2 && raw[0] == '"' && bytes.IndexByte([]byte(" {[\\"), raw[1]) >= 0
}

// isNested reports whether a string may hold JSON.
func isNested(value string) bool {
	value = strings.TrimLeft(value, " \t\r\n")
	return value != "" && (value[0] == '{' || value[0] == '[')
}

// cache remembers what is known of names, as records repeat their names.
type cache[V any] map[string]V

const maxNames = 1000 // in the cache

// of is what is known of a name as it was sent; find finds it out.
func (c cache[V]) of(raw []byte, find func(name string) V) V {
	result, known := c[string(raw)]
	if !known {
		result = find(string(jsonscan.Unquote(raw)))
		if len(c) < maxNames {
			c[string(raw)] = result
		}
	}
	return result
}

// decoded is the text of a name or string, and the raw text of any other value.
func decoded(text []byte, t jsonscan.Token) string {
	raw := t.Of(text)
	if raw[0] != '"' {
		return string(raw)
	}
	return string(jsonscan.Unquote(raw))
}

// masker rewrites JSON without its secrets. The zero masker hides nothing.
type masker struct {
	sent   Secrets  // values and names that repeat one of these are hidden
	found  Secrets  // so are those that repeat one of these
	names  bool     // values with secret names are hidden
	public []string // if not nil, values without one of these names are hidden
	shapes bool     // what looks like a secret is hidden

	text []byte
	scan jsonscan.Scanner
	hide bool   // the next value has a secret name
	name string // of the next value, or of the array that it is in
	open []container

	known cache[knownName]

	out    []byte
	copied int // how much of text is in out or was replaced
	safe   int // out can be closed to valid JSON after this many bytes
}

// container is an object or array that is open in the output.
type container struct {
	closing byte
	name    string
}

var errNotJSON = errors.New("not JSON")

// mask returns JSON without its secrets. If text is only the beginning of a document
// (whole is false), incomplete values are dropped and containers are closed; the result
// may be empty.
func (m *masker) mask(text []byte, whole bool) ([]byte, error) {
	m.text, m.scan, m.known = text, jsonscan.Scanner{Text: text}, cache[knownName]{}
	m.out = make([]byte, 0, len(text))
	cutOff := func() bool { return !whole && m.scan.At == len(text) }
	for {
		t, err := m.scan.Next()
		if err == nil && t.Kind == jsonscan.End {
			if m.safe == 0 {
				return nil, errNotJSON // the text is empty
			}
			return append(m.out, text[m.copied:]...), nil
		}
		if m.safe > 0 && len(m.open) == 0 {
			return nil, errNotJSON // there is more than one value
		}
		if err == nil && cutOff() && (t.Kind == jsonscan.Number || t.Kind == jsonscan.Literal) {
			return m.closed(), nil // there may be more of it
		}
		if err == nil {
			err = m.token(t)
		}
		switch {
		case err != nil && cutOff():
			return m.closed(), nil
		case err != nil:
			return nil, errNotJSON
		}
	}
}

// token writes a token or its mask.
func (m *masker) token(t jsonscan.Token) error {
	switch t.Kind {
	case jsonscan.Name:
		m.memberName(t)
		return nil
	case jsonscan.ObjectStart, jsonscan.ArrayStart:
		if m.hide {
			return m.hideContainer(t)
		}
		m.write(t.End)
		m.open = append(m.open, container{m.text[t.Start] + '}' - '{', m.name})
	case jsonscan.ObjectEnd, jsonscan.ArrayEnd:
		m.write(t.End)
		m.open = m.open[:len(m.open)-1]
	default:
		if m.hidesScalar(t) {
			m.replace(t.Start, t.End)
		} else {
			m.write(t.End)
		}
	}
	m.valueDone()
	return nil
}

// memberName writes a name, and decides whether its value is hidden.
func (m *masker) memberName(t jsonscan.Token) {
	known := m.known.of(t.Of(m.text), m.judge)
	m.name, m.hide = known.name, known.secret
	if known.masked {
		m.replace(t.Start, t.End)
	}
}

// knownName is what a masker knows of a name.
type knownName struct {
	name           string
	secret, masked bool // its value has to be hidden, and so has it itself
}

func (m *masker) judge(name string) knownName {
	return knownName{
		name:   name,
		secret: m.names && IsSecretName(name),
		masked: m.sent.In(name) || m.found.pieces.in(strings.ToLower(name)) || m.shapes && looksSecret(name),
	}
}

// hidesScalar reports whether a string, number or literal is hidden. null reveals
// nothing.
func (m *masker) hidesScalar(t jsonscan.Token) bool {
	switch {
	case m.text[t.Start] == 'n':
		return false
	case m.hide, m.public != nil && !slices.Contains(m.public, m.name):
		return true
	case t.Kind == jsonscan.Literal:
		return false
	}
	text := decoded(m.text, t)
	return m.sent.In(text) || m.found.In(text) || m.shapes && looksSecret(text) ||
		m.names && isNested(text) && new(Secrets).gather([]byte(text))
}

// hideContainer replaces an object or array by the mask, even if the text ends inside it.
func (m *masker) hideContainer(t jsonscan.Token) (err error) {
	for depth := m.scan.Depth(); err == nil && m.scan.Depth() >= depth; {
		_, err = m.scan.Next()
	}
	m.replace(t.Start, m.scan.At)
	m.valueDone()
	return err
}

// valueDone is called after a value, and after an opening bracket.
func (m *masker) valueDone() {
	m.safe, m.hide, m.name = len(m.out), false, ""
	if n := len(m.open); n > 0 {
		m.name = m.open[n-1].name
	}
}

// write copies the text up to an offset.
func (m *masker) write(to int) {
	m.out = append(m.out, m.text[m.copied:to]...)
	m.copied = to
}

// replace writes the mask instead of a part of the text.
func (m *masker) replace(from, to int) {
	m.write(from)
	m.out = append(m.out, `"`+mask+`"`...)
	m.copied = to
}

// closed is the output up to the last complete value, with the missing closing brackets.
func (m *masker) closed() []byte {
	out := m.out[:m.safe]
	for _, c := range slices.Backward(m.open) {
		out = append(out, c.closing)
	}
	return out
}
