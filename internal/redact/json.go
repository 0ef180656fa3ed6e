package redact

import (
	"encoding/json"
	"strings"

	"gatehouse/internal/jsonscan"
)

// Repeated returns JSON in which each string, number and name that repeats a secret is
// masked. All other bytes are unchanged, and so is text that is not JSON.
func (s *Secrets) Repeated(text []byte) []byte {
	masked := rewrite(text, func(v value) bool { return !v.isContainer && !v.isLiteral && s.In(v.text) })
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
		switch {
		case v.secret:
			return true
		case v.isName:
			return found.pieces.in(strings.ToLower(v.text))
		case v.isContainer, v.isLiteral:
			return false
		}
		return found.In(v.text) || hasSecrets(v.text)
	})
}

// Found returns the secrets in JSON, recognised by their names.
func Found(text []byte) *Secrets {
	found := &Secrets{}
	found.gather(text)
	return found
}

// hasSecrets reports whether a string is JSON with secrets.
func hasSecrets(text string) (has bool) {
	if isNested(text) {
		_ = rewrite([]byte(text), func(v value) bool {
			has = has || v.secret || hasSecrets(v.text)
			return false
		})
	}
	return has
}

// isNested reports whether a string may be JSON with names.
func isNested(text string) bool {
	text = strings.TrimLeft(text, " \t\r\n")
	return text != "" && (text[0] == '{' || text[0] == '[')
}

// gather adds the values with secret names in JSON, and in the JSON that its strings hold.
func (s *Secrets) gather(text []byte) {
	_ = rewrite(text, func(v value) bool {
		switch {
		case v.isName, v.isContainer, v.isLiteral:
		case v.secret:
			s.addNamed(v.text)
		case isNested(v.text):
			s.gather([]byte(v.text))
		}
		return false
	})
}

// value is a name or a value in JSON.
type value struct {
	name   string // of the member that it is, or that it is in
	secret bool   // it, or what it is in, has a secret name
	text   string // decoded

	isName, isContainer, isLiteral bool
}

// rewrite returns JSON with masks for what is to be hidden, and nil for what is not JSON.
func rewrite(text []byte, hides func(value) bool) []byte {
	if !json.Valid(text) {
		return nil
	}
	w := rewriter{text: text, scan: jsonscan.Scanner{Text: text}, known: map[string]bool{}}
	for {
		t, err := w.scan.Next()
		if err != nil {
			return nil
		}
		v := value{name: w.next.name, secret: w.next.secret}
		switch t.Kind {
		case jsonscan.End:
			return append(w.out, text[w.copied:]...)
		case jsonscan.Name:
			w.member(t, hides)
			continue
		case jsonscan.ObjectStart, jsonscan.ArrayStart:
			if v.isContainer = true; hides(v) {
				w.skip()
				w.replace(t.Start, w.scan.At)
				break
			}
			w.open = append(w.open, w.next)
			continue
		case jsonscan.ObjectEnd, jsonscan.ArrayEnd:
			w.open = w.open[:len(w.open)-1]
		default:
			if v.text, v.isLiteral = decoded(text, t), t.Kind == jsonscan.Literal; v.text != "null" && hides(v) {
				w.replace(t.Start, t.End)
			}
		}
		w.next = member{}
		if n := len(w.open); n > 0 {
			w.next = w.open[n-1]
		}
	}
}

// rewriter goes through JSON.
type rewriter struct {
	text   []byte
	scan   jsonscan.Scanner
	next   member // of the next value
	open   []member
	known  map[string]bool // which names are secret, as records repeat them
	out    []byte
	copied int // how much of text is in out or was replaced
}

type member struct {
	name   string
	secret bool
}

// maxNames is how many names are remembered.
const maxNames = 1000

// member reads a name.
func (w *rewriter) member(t jsonscan.Token, hides func(value) bool) {
	name := decoded(w.text, t)
	secret, known := w.known[name]
	if !known {
		if secret = IsSecretName(name); len(w.known) < maxNames {
			w.known[name] = secret
		}
	}
	inside := len(w.open) > 0 && w.open[len(w.open)-1].secret
	w.next = member{name, secret || inside}
	if hides(value{text: name, isName: true}) {
		w.replace(t.Start, t.End)
	}
}

// skip goes behind the container that was opened.
func (w *rewriter) skip() {
	for depth := w.scan.Depth(); w.scan.Depth() >= depth; {
		_, _ = w.scan.Next() // the text is valid
	}
}

// replace writes the mask instead of a part of the text.
func (w *rewriter) replace(from, to int) {
	w.out = append(append(w.out, w.text[w.copied:from]...), `"`+mask+`"`...)
	w.copied = to
}

// decoded is the text of a name or string, and the raw text of any other value.
func decoded(text []byte, t jsonscan.Token) string {
	raw := t.Of(text)
	if raw[0] != '"' {
		return string(raw)
	}
	return string(jsonscan.Unquote(raw))
}
