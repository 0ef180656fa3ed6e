package redact

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"io"
	"maps"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"unicode"
)

// Pair is a header, a parameter or a form field. If it is Secret its value is
// [secret.Mask], after the scheme in an Authorization header.
type Pair struct {
	Name, Value string
	Secret      bool
}

// Excerpt is what is shown of an answer's body.
type Excerpt struct {
	Text    string
	JSON    bool
	Omitted string // why a body is not kept, as a clause; "" if it is kept or empty
}

// MaxHead is how long a body may be, in bytes, of which something is shown.
const MaxHead = 16 << 10

// Limits of what is kept: what a service sends may be long.
const (
	maxForm       = 64 << 10 // bytes read of a form or a query
	maxPairs      = 64       // parameters, fields or headers
	maxHeaderName = 100      // characters of the name of a header
	maxText       = 300      // characters of a value, or of a body that is not JSON
	maxPath       = 1000     // characters
	maxExcerpt    = 4 << 10  // bytes
)

// Extent says how much of a body has been read.
type Extent uint8

const (
	// Whole: all of it, which is at most [MaxHead].
	Whole Extent = iota
	// TooLong: more than [MaxHead].
	TooLong
	// Partial: it ended early.
	Partial
)

// The clauses of [Excerpt.Omitted].
const (
	omittedLong    = "it is too long"
	omittedPartial = "it did not arrive completely"
	omittedText    = "it is not JSON, and may repeat what was sent"
)

// Exchange is the part of a request that may be shown, and decides which part of its
// answer may be.
type Exchange struct {
	Path   string // escaped as it was sent, never with the query
	Query  []Pair // decoded, in the order sent
	Form   []Pair // fields of the form in the body, if it was one
	Header []Pair // by name

	secrets     Secrets // what was sent, and what the answer has under secret names
	sentNothing bool    // nothing was sent that an answer could repeat
}

// NewExchange reads a request, including its form if the body can be read a second time.
func NewExchange(r *http.Request) *Exchange {
	x := &Exchange{}
	x.addSentHeaders(r.Header)
	x.Form = x.pairs(formOf(r), publicFields)
	x.Query = x.pairs(r.URL.RawQuery, publicParameters)
	x.Path = x.path(r)
	x.Header = x.headers(r.Header)
	hasBody := r.Body != nil && r.Body != http.NoBody
	x.sentNothing = x.secrets.isEmpty() && !hasBody
	return x
}

// Answer returns the headers of the answer, sorted by name, and what is shown of its body.
// head is the beginning of the body, as far as extent says. It is called once.
func (x *Exchange) Answer(header http.Header, head []byte, extent Extent) ([]Pair, Excerpt) {
	x.addIssuedHeaders(header)
	x.secrets.gather(head)
	return x.headers(header), x.excerpt(head, extent)
}

// addIssuedHeaders adds the secrets in the headers of an answer: values with secret names, and what
// a cookie holds.
func (x *Exchange) addIssuedHeaders(h http.Header) {
	for name, values := range h {
		if !IsSecretName(name) {
			continue
		}
		for _, value := range values {
			_, cookie, _ := strings.Cut(value, "=")
			cookie, _, _ = strings.Cut(cookie, ";")
			x.secrets.addNamed(value)
			x.secrets.addNamed(cookie)
		}
	}
}

// excerpt shows of JSON the values that are public, and other text only if nothing was
// sent that it could repeat.
func (x *Exchange) excerpt(head []byte, extent Extent) Excerpt {
	switch extent {
	case TooLong:
		return Excerpt{Omitted: omittedLong}
	case Partial:
		return Excerpt{Omitted: omittedPartial}
	}
	head = bytes.TrimSpace(bytes.TrimPrefix(head, []byte("\uFEFF")))
	if len(head) == 0 {
		return Excerpt{}
	}
	if masked := rewrite(head, x.hides); masked != nil {
		var compact bytes.Buffer
		if json.Compact(&compact, masked) != nil || compact.Len() > maxExcerpt {
			return Excerpt{Omitted: omittedLong}
		}
		return Excerpt{Text: compact.String(), JSON: true}
	}
	text := OneLine(string(head), maxText)
	isWhole := text == string(head)
	if x.sentNothing && isWhole && !x.secrets.Hide(text) {
		return Excerpt{Text: text}
	}
	return Excerpt{Omitted: omittedText}
}

// hides reports whether a part of an answer is hidden. A literal reveals nothing.
func (x *Exchange) hides(v value) bool {
	isPrivate := v.isText && !slices.Contains(publicMembers, v.name)
	return v.isSecret || isPrivate || x.secrets.Hide(v.text)
}

// addSentHeaders adds the secrets in the headers of a request: what is not public, and the password
// in a Basic header.
func (x *Exchange) addSentHeaders(h http.Header) {
	for name, values := range h {
		if slices.Contains(publicHeaders, name) {
			continue
		}
		for _, value := range values {
			scheme, credential, _ := strings.Cut(value, " ")
			x.secrets.Add(value, credential)
			if scheme == schemeBasic {
				pair, _ := base64.StdEncoding.DecodeString(credential) // or its beginning
				_, password, _ := strings.Cut(string(pair), ":")
				x.secrets.Add(password)
			}
		}
	}
}

// formOf is the form in a request's body, if it can be read a second time.
func formOf(r *http.Request) string {
	kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if kind != "application/x-www-form-urlencoded" || r.GetBody == nil {
		return ""
	}
	body, err := r.GetBody()
	if err != nil {
		return ""
	}
	defer body.Close()
	text, _ := io.ReadAll(io.LimitReader(body, maxForm))
	return string(text)
}

// pairs decodes a query or a form, and hides what is not public.
func (x *Exchange) pairs(encoded string, public []string) []Pair {
	var list []Pair
	for part := range strings.SplitSeq(encoded[:min(len(encoded), maxForm)], "&") {
		if part != "" && len(list) < maxPairs {
			list = append(list, x.pair(part, public))
		}
	}
	for i, p := range list { // now that all secrets are known
		list[i] = x.shown(p)
	}
	return list
}

// pair decodes a parameter or a field, and adds its value to the secrets unless it is public. Then
// the value is hidden, and so is a name that the program does not send itself: a redirect may have
// put anything there.
func (x *Exchange) pair(encoded string, public []string) Pair {
	name, text, _ := strings.Cut(encoded, "=")
	p := Pair{Name: queryText(name), Value: queryText(text)}
	switch {
	case slices.Contains(public, p.Name):
		return p
	case slices.Contains(secretParameters, p.Name):
		x.secrets.AddEncoded(p.Value)
		p.Secret = p.Value != ""
	default:
		if len(p.Value) >= minLong { // a shorter one may be a word of any answer
			x.secrets.AddEncoded(p.Value)
		}
		p.Name, p.Secret = mask, true
	}
	if p.Value != "" {
		p.Value = mask
	}
	return p
}

// shown is a pair as it is kept: its value is hidden if it repeats a secret. A part of the text
// that it was in would keep all of that in memory, with the secrets, so it is copied.
func (x *Exchange) shown(p Pair) Pair {
	if !p.Secret && x.secrets.Hide(p.Value) {
		p.Value, p.Secret = mask, true
	}
	p.Name = strings.Clone(p.Name)
	p.Value = strings.Clone(OneLine(p.Value, maxText))
	return p
}

// queryText is a decoded part of a query, or the part as it is.
func queryText(s string) string {
	text, err := url.QueryUnescape(s)
	if err != nil {
		return s
	}
	return text
}

// path is the path of a request. The program itself made it, but for what a redirect has
// put there: these segments are hidden.
func (x *Exchange) path(r *http.Request) string {
	path := r.URL.EscapedPath()
	if first := original(r); first != r {
		asked := strings.Split(first.URL.EscapedPath(), "/")
		segments := strings.Split(path, "/")
		for i, segment := range segments {
			if !slices.Contains(asked, segment) {
				segments[i] = mask
			}
		}
		path = strings.Join(segments, "/")
	}
	if x.secrets.Hide(path) {
		return "/" + mask
	}
	return OneLine(path, maxPath)
}

// original is the request that was redirected to r, or r.
func original(r *http.Request) *http.Request {
	for r.Response != nil && r.Response.Request != nil {
		r = r.Response.Request
	}
	return r
}

// The schemes of Authorization headers (interface sections 4.1 to 4.3).
const (
	schemeBasic  = "Basic"
	schemeBearer = "Bearer"
	schemeAPIKey = "ApiKey"
)

// Scheme is the first word of an Authorization header, "" unless it is one that the
// interface uses: another first word could be the secret itself.
func Scheme(authorization string) string {
	name, _, _ := strings.Cut(authorization, " ")
	switch name {
	case schemeBasic, schemeBearer, schemeAPIKey:
		return strings.Clone(name) // without the secret after it, which would stay in memory
	}
	return ""
}

// headers lists headers, sorted by name. Values that are not public, or repeat a secret,
// are hidden.
func (x *Exchange) headers(h http.Header) []Pair {
	var list []Pair
	for _, name := range slices.Sorted(maps.Keys(h)) {
		for _, text := range h[name] {
			if len(list) < maxPairs {
				list = append(list, x.header(name, text))
			}
		}
	}
	return list
}

// header is a header, with its name hidden too if that repeats a secret.
func (x *Exchange) header(name, text string) Pair {
	p := Pair{Name: OneLine(name, maxHeaderName)}
	if x.secrets.Hide(name) {
		p.Name = mask
	}
	switch {
	case name == "Authorization" && Scheme(text) != "":
		p.Value, p.Secret = Scheme(text)+" "+mask, true
	case !slices.Contains(publicHeaders, name), x.secrets.Hide(text):
		p.Value, p.Secret = mask, true
	default:
		p.Value = OneLine(text, maxText)
	}
	return p
}

// OneLine makes one line of at most limit characters from text from outside.
func OneLine(s string, limit int) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
	s = strings.Join(strings.Fields(s), " ")
	if runes := []rune(s); len(runes) > limit {
		return string(runes[:limit-1]) + "…"
	}
	return s
}
