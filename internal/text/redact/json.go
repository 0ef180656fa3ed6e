package redact

import (
	"encoding/json"
	"strings"

	"gatehouse/internal/text/jsonscan"
)

// Repeated returns JSON in which each string, number and name that repeats a secret is
// masked. All other bytes are unchanged, and so is text that is not JSON.
func (s *Secrets) Repeated(text []byte) []byte {
	masked := rewrite(text, func(v value) bool { return s.In(v.text) })
	if masked == nil {
		return text
	}
	return masked
}

// Result returns JSON in which each value with a secret name, and everything that repeats
// such a value, is masked. null and all other bytes are unchanged. It returns nil if text
// is not JSON. It takes linear time.
func Result(text []byte) []byte {
	found := Found(text)
	return rewrite(text, func(v value) bool {
		if v.isName {
			return found.named.in(strings.ToLower(v.text)) // "UserDomainToken" is not "user-domain-token"
		}
		return v.secret || found.In(v.text) || isNested(v.text) && new(Secrets).gather([]byte(v.text))
	})
}

// Found returns the secrets in JSON, recognised by their names.
func Found(text []byte) *Secrets {
	found := &Secrets{}
	found.gather(text)
	return found
}

// isNested reports whether a string may be JSON with names.
func isNested(text string) bool {
	text = strings.TrimLeft(text, " \t\r\n")
	return text != "" && (text[0] == '{' || text[0] == '[')
}

// gather adds the values with secret names in JSON, and in the JSON that its strings and names
// hold. It reports whether there are any.
func (s *Secrets) gather(text []byte) (found bool) {
	_ = rewrite(text, func(v value) bool {
		switch {
		case v.secret:
			s.addNamed(v.text)
			found = true
		case isNested(v.text):
			found = s.gather([]byte(v.text)) || found
		}
		return false
	})
	return found
}

// value is a name or a value in JSON, but null.
type value struct {
	name   string // of the member that it is, or that it is in
	secret bool   // it, or what it is in, has a secret name
	isName bool
	isText bool   // it is a string or a number
	text   string // of a name, a string or a number; decoded
}

// rewrite returns JSON with masks for what is to be hidden, and nil for what is not JSON.
func rewrite(text []byte, hides func(value) bool) []byte {
	if !json.Valid(text) {
		return nil
	}
	w := rewriter{scan: jsonscan.Scanner{Text: text}, hides: hides, known: map[string]bool{}}
	w.value("", false)
	return append(w.out, text[w.copied:]...)
}

// rewriter goes through JSON that is valid.
type rewriter struct {
	scan   jsonscan.Scanner
	hides  func(value) bool
	known  map[string]bool // which names are secret, as records repeat them
	out    []byte
	copied int // how much of the text is in out or was replaced
}

// maxNames is how many names are remembered.
const maxNames = 1000

// value goes past the value that comes next, of the member with this name, and hides it or
// what is in it.
func (w *rewriter) value(name string, secret bool) {
	w.scan.Space()
	start, first := w.scan.At, w.scan.Peek()
	v, isContainer := value{name: name, secret: secret}, first == '{' || first == '['
	if isContainer && !w.hides(v) {
		_ = w.scan.Open()
		for more, _ := w.scan.Item(); more; more, _ = w.scan.Item() {
			if first == '{' {
				inner, isSecret := w.member()
				w.value(inner, secret || isSecret)
			} else {
				w.value(name, secret)
			}
		}
		return
	}
	_ = w.scan.Value()
	span := jsonscan.Span{Start: start, End: w.scan.At}
	if !isContainer {
		text := w.decoded(span)
		if v.isText = first != 't' && first != 'f'; v.isText {
			v.text = text
		}
		if text == "null" || !w.hides(v) {
			return
		}
	}
	w.replace(span)
}

// member is the name that the scanner has passed, and whether it names a secret.
func (w *rewriter) member() (name string, secret bool) {
	name = w.decoded(w.scan.Name)
	secret, known := w.known[name]
	if !known {
		if secret = IsSecretName(name); len(w.known) < maxNames {
			w.known[name] = secret
		}
	}
	if w.hides(value{text: name, isName: true}) {
		w.replace(w.scan.Name)
	}
	return name, secret
}

// replace writes the mask instead of a part of the text.
func (w *rewriter) replace(part jsonscan.Span) {
	w.out = append(append(w.out, w.scan.Text[w.copied:part.Start]...), `"`+mask+`"`...)
	w.copied = part.End
}

// decoded is the text of a name or string, and the raw text of any other value.
func (w *rewriter) decoded(part jsonscan.Span) string {
	raw := part.Of(w.scan.Text)
	if raw[0] != '"' {
		return string(raw)
	}
	return string(jsonscan.Unquote(raw))
}
