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
		if v.isName { // as a whole: the name "UserDomainToken" is not the token "user-domain-token"
			return found.named.in(strings.ToLower(v.text))
		}
		return v.isSecret || found.In(v.text) || holdsSecrets(v.text)
	})
}

// holdsSecrets reports whether a string is JSON with secrets of its own.
func holdsSecrets(text string) bool {
	return isNested(text) && new(Secrets).gather([]byte(text))
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
	_ = rewrite(text, func(v value) bool { // to see each value: nothing is hidden
		switch {
		case v.isSecret:
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
	name     string // of the member that it is, or that it is in
	isSecret bool   // it, or what it is in, has a secret name
	isName   bool
	isText   bool   // it is a string or a number
	text     string // of a name, a string or a number; decoded
}

// rewrite returns JSON with masks for what is to be hidden, and nil for what is not JSON.
func rewrite(text []byte, hides func(value) bool) []byte {
	if !json.Valid(text) {
		return nil
	}
	w := rewriter{scan: jsonscan.Scanner{Text: text}, hides: hides, secretNames: map[string]bool{}}
	w.value("", false)
	return append(w.out, text[w.copied:]...)
}

// rewriter goes through JSON that is valid.
type rewriter struct {
	scan        jsonscan.Scanner
	hides       func(value) bool
	secretNames map[string]bool // whether a name is that of a secret, as records repeat their names
	out         []byte
	copied      int // how much of the text is in out or was replaced
}

// maxKnownNames is how many names of members are remembered, with whether they are those of
// secrets.
const maxKnownNames = 1000

// value goes past the value that comes next, and hides it or what is in it. name is that of the
// member that it is or is in. isSecret means that this one, or one further out, has a secret name.
func (w *rewriter) value(name string, isSecret bool) {
	w.scan.Space()
	switch w.scan.Peek() {
	case '{', '[':
		w.container(name, isSecret)
	default:
		w.scalar(name, isSecret)
	}
}

// container goes past an object or an array.
func (w *rewriter) container(name string, isSecret bool) {
	start, isObject := w.scan.At, w.scan.Peek() == '{'
	if w.hides(value{name: name, isSecret: isSecret}) {
		_ = w.scan.Value()
		w.replace(jsonscan.Span{Start: start, End: w.scan.At})
		return
	}
	_ = w.scan.Open()
	for more, _ := w.scan.Item(); more; more, _ = w.scan.Item() {
		if isObject {
			member, isSecretName := w.member()
			w.value(member, isSecret || isSecretName)
		} else {
			w.value(name, isSecret)
		}
	}
}

// scalar goes past a string, a number or a literal.
func (w *rewriter) scalar(name string, isSecret bool) {
	start, first := w.scan.At, w.scan.Peek()
	_ = w.scan.Value()
	span := jsonscan.Span{Start: start, End: w.scan.At}
	text := w.decoded(span)
	if text == "null" { // it reveals nothing, not even as a string
		return
	}
	v := value{name: name, isSecret: isSecret}
	if isBool := first == 't' || first == 'f'; !isBool {
		v.isText, v.text = true, text
	}
	if w.hides(v) {
		w.replace(span)
	}
}

// member is the name that the scanner has passed, and whether it is that of a secret. It is hidden
// if need be.
func (w *rewriter) member() (name string, isSecret bool) {
	name = w.decoded(w.scan.Name)
	isSecret, isKnown := w.secretNames[name]
	if !isKnown {
		isSecret = IsSecretName(name)
		if len(w.secretNames) < maxKnownNames {
			w.secretNames[name] = isSecret
		}
	}
	if w.hides(value{text: name, isName: true}) {
		w.replace(w.scan.Name)
	}
	return name, isSecret
}

// replace writes the mask instead of a part of the text.
func (w *rewriter) replace(part jsonscan.Span) {
	w.out = append(w.out, w.scan.Text[w.copied:part.Start]...)
	w.out = append(w.out, `"`+mask+`"`...)
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
