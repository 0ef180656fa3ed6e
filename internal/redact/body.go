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

// Excerpt is the beginning of the body of an answer without its secrets, about 4 KB at
// most.
type Excerpt struct {
	Text    string // JSON that was cut is closed again, so that it can be read
	JSON    bool
	Cut     bool   // there is more of the body than Text has
	Omitted string // why nothing is kept of a body, a clause; "" if something is or there is no body
}

const (
	// MaxHead is how much of a body has to be kept for [Exchange.Answer], in bytes: a
	// secret that has its name only further behind may stand at the beginning.
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

// Answer makes what is kept of the answer, once: its headers by name, and the beginning
// of its body. That begins with head; whole says that this is all of it.
func (x *Exchange) Answer(header http.Header, head []byte, whole bool) ([]Pair, Excerpt) {
	for name, values := range header {
		for _, value := range values {
			if IsSecretName(name) {
				_, inCookie, _ := strings.Cut(value, "=")
				inCookie, _, _ = strings.Cut(inCookie, ";")
				x.found.found(value)
				x.found.found(inCookie)
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
		short, cut := shortened(text)
		return Excerpt{Text: string(short), JSON: true, Cut: cut || !whole || len(head) > maxExcerpt}
	case !x.plain:
		return Excerpt{Omitted: omittedText}
	}
	return x.excerptText(head, whole)
}

// excerptJSON returns the beginning of the head, closed where it was cut, without
// blanks and secrets; nothing where its first value is cut off. The secrets are those of
// all of the head.
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
	err = json.Compact(&compact, masked)
	return compact.Bytes(), err
}

// shortened cuts JSON where it is longer than what is kept.
func shortened(text []byte) (short []byte, cut bool) {
	if len(text) <= maxExcerpt {
		return text, false
	}
	short, _ = (&masker{}).mask(text[:maxExcerpt], false) // it is the beginning of JSON
	return short, true
}

// excerptText keeps text in which no secret is spoken of.
func (x *Exchange) excerptText(head []byte, whole bool) Excerpt {
	if bytes.IndexByte(head, 0) >= 0 { // compressed, or in UTF-16
		return Excerpt{Omitted: omittedBinary}
	}
	text := strings.ToValidUTF8(string(head), "")
	if speaksOfSecrets(text) || looksSecret(text) || x.found.In(text) {
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

// Repeated returns JSON with the mask for each string, number and name that repeats a
// secret; every other byte stays what it is, and so does all that is not JSON.
func (s *Secrets) Repeated(text []byte) []byte {
	masked, err := (&masker{sent: *s}).mask(text, true)
	if err != nil {
		return text
	}
	return masked
}

// Result returns JSON with the mask for each value that has a secret name, and for what
// repeats one; null stays null, and every other byte what it is. It is nil if the text
// is not JSON. It takes time with the length of the text alone.
func Result(text []byte) []byte {
	m := masker{names: true}
	m.found.gather(text)
	masked, err := m.mask(text, true)
	if err != nil {
		return nil
	}
	return masked
}

// Found are the secrets in JSON by their names: what repeats one of them is secret, too.
func Found(text []byte) *Secrets {
	found := &Secrets{}
	found.gather(text)
	return found
}

// gather adds what stands under secret names in JSON, or in the beginning of it.
func (s *Secrets) gather(text []byte) {
	scan := jsonscan.Scanner{Text: text}
	names := nameCache{}
	under := 0 // the depth at which a secret container stands, 0 for none
	named := false
	for {
		t, err := scan.Next()
		if err != nil || t.Kind == jsonscan.End {
			return
		}
		switch t.Kind {
		case jsonscan.Name:
			named = names.areSecret(text, t)
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
				s.found(decoded(text, t))
			}
		}
		named = false
	}
}

// nameCache remembers which names are those of secrets, for records repeat them.
type nameCache map[string]bool

const mostNames = 1000 // that are remembered

func (c nameCache) areSecret(text []byte, name jsonscan.Token) bool {
	raw := name.Of(text)
	isSecret, known := c[string(raw)]
	if !known {
		isSecret = IsSecretName(string(jsonscan.Unquote(raw)))
		if len(c) < mostNames {
			c[string(raw)] = isSecret
		}
	}
	return isSecret
}

// decoded is the text of a name or a string, and of all else the text as it stands.
func decoded(text []byte, t jsonscan.Token) string {
	raw := t.Of(text)
	if raw[0] != '"' {
		return string(raw)
	}
	return string(jsonscan.Unquote(raw))
}

// masker writes JSON without its secrets. The zero masker hides nothing.
type masker struct {
	sent   Secrets  // what repeats one of these is hidden, names included
	found  Secrets  // and what repeats one of these
	names  bool     // all that is under a secret name is hidden
	public []string // not nil: every value that is under none of these names is hidden
	shapes bool     // what looks like a secret is hidden

	text []byte
	scan jsonscan.Scanner
	hide bool   // the value that comes next has a secret name
	name string // of that value, or of what it is an element of
	open []container

	secretNames nameCache

	out    []byte
	copied int // how much of the text is in out, or hidden
	safe   int // up to here out can be closed to valid JSON
}

// container is an object or array that is open in what is written.
type container struct {
	closing byte
	name    string
}

var errNotJSON = errors.New("not JSON")

// mask returns JSON without its secrets. Of the beginning of a text (whole is false)
// what is complete is kept and closed; that may be nothing.
func (m *masker) mask(text []byte, whole bool) ([]byte, error) {
	m.text, m.scan, m.secretNames = text, jsonscan.Scanner{Text: text}, nameCache{}
	m.out = make([]byte, 0, len(text))
	for {
		t, err := m.scan.Next()
		if err == nil && t.Kind == jsonscan.End {
			if m.safe == 0 {
				return nil, errNotJSON // there is nothing
			}
			return append(m.out, text[m.copied:]...), nil
		}
		if m.safe > 0 && len(m.open) == 0 {
			return nil, errNotJSON // there is more than one value
		}
		mayGoOn := t.Kind == jsonscan.Number || t.Kind == jsonscan.Literal
		if err == nil && !(mayGoOn && !whole && m.scan.At == len(text)) {
			err = m.token(t)
		} else if err == nil {
			return m.closed(), nil
		}
		if err != nil && !whole && m.scan.At == len(text) {
			return m.closed(), nil
		}
		if err != nil {
			return nil, errNotJSON
		}
	}
}

// token writes what comes of a token.
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

// memberName writes a name and settles what becomes of its value.
func (m *masker) memberName(t jsonscan.Token) {
	m.name = decoded(m.text, t)
	m.hide = m.names && m.secretNames.areSecret(m.text, t)
	if m.sent.In(m.name) || m.found.inside(strings.ToLower(m.name)) || m.shapes && looksSecret(m.name) {
		m.replace(t.Start, t.End)
	}
}

// hidesScalar reports whether a string, number or literal is hidden. Null tells nothing.
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
	return m.sent.In(text) || m.found.In(text) || m.shapes && looksSecret(text)
}

// hideContainer puts the mask in the place of an object or array, even where the text
// ends in it.
func (m *masker) hideContainer(t jsonscan.Token) (err error) {
	for depth := m.scan.Depth(); err == nil && m.scan.Depth() >= depth; {
		_, err = m.scan.Next()
	}
	m.replace(t.Start, m.scan.At)
	m.valueDone()
	return err
}

// valueDone is called behind a value, and behind the bracket that begins one.
func (m *masker) valueDone() {
	m.safe, m.hide, m.name = len(m.out), false, ""
	if n := len(m.open); n > 0 {
		m.name = m.open[n-1].name
	}
}

// write copies the text up to a place.
func (m *masker) write(to int) {
	m.out = append(m.out, m.text[m.copied:to]...)
	m.copied = to
}

// replace puts the mask in the place of a part of the text.
func (m *masker) replace(from, to int) {
	m.write(from)
	m.out = append(m.out, `"`+mask+`"`...)
	m.copied = to
}

// closed is what was written, with the brackets that it lacks.
func (m *masker) closed() []byte {
	out := m.out[:m.safe]
	for _, c := range slices.Backward(m.open) {
		out = append(out, c.closing)
	}
	return out
}
