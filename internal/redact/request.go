package redact

import (
	"encoding/base64"
	"io"
	"maps"
	"mime"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Pair is a header, a parameter or a field. The value of a Secret one is [secret.Mask],
// for an Authorization header behind its scheme.
type Pair struct {
	Name, Value string
	Secret      bool
}

func (p Pair) hidden() Pair { return Pair{p.Name, mask, true} }

// How much is kept, for what a service sends may be long: bytes where nothing else is
// said.
const (
	maxForm        = 64 << 10 // of a form or a query is read
	maxPath        = 1000
	maxPairs       = 64      // parameters, fields or headers
	maxList        = 4 << 10 // of these together
	maxValue       = 1000    // of one of their values
	maxHeaderName  = 100     // characters
	maxHeaderValue = 300     // characters
)

// Exchange is what may be seen of one request, and knows what may be seen of its answer.
type Exchange struct {
	Path   string // escaped as it was sent, never with the query
	Query  []Pair // decoded, in the order sent
	Form   []Pair // fields of the form in the body, if it was one
	Header []Pair // by name

	sent   Secrets
	found  Secrets // in the answer, by their names
	listed bool    // of the answer only what is listed may be seen
	plain  bool    // the request had nothing that an answer could repeat
}

// NewExchange reads a request, and its form where the body can be read a second time.
func NewExchange(r *http.Request) *Exchange {
	x := &Exchange{}
	x.addCredential(r.Header)
	form, isForm := formOf(r)
	asked := askedSegments(r)
	x.Form = x.pairs(form, publicFields, nil)
	x.listed = isForm || hasSecret(r.URL.Query())
	x.Query = x.pairs(r.URL.RawQuery, publicParameters, asked)
	x.Path = x.path(r.URL.EscapedPath(), asked)
	x.Header = x.headers(r.Header)
	x.plain = x.sent.isEmpty() && (r.Body == nil || r.Body == http.NoBody)
	return x
}

func hasSecret(query url.Values) bool {
	for name := range query {
		if IsSecretName(name) {
			return true
		}
	}
	return false
}

// addCredential adds what the headers of a request authenticate with.
func (x *Exchange) addCredential(h http.Header) {
	for name, values := range h {
		if slices.Contains(publicHeaders, name) || name == "Referer" {
			continue
		}
		for _, value := range values {
			scheme, credential, _ := strings.Cut(value, " ")
			x.sent.Add(value, credential)
			if decoded, err := base64.StdEncoding.DecodeString(credential); err == nil && scheme == "Basic" {
				_, password, _ := strings.Cut(string(decoded), ":")
				x.sent.Add(password)
			}
		}
	}
}

// formOf returns the form in the body of a request, as far as it can be read a second
// time, and whether it has one.
func formOf(r *http.Request) (encoded string, ok bool) {
	if kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); kind != "application/x-www-form-urlencoded" {
		return "", false
	}
	if r.GetBody == nil {
		return "", true
	}
	body, err := r.GetBody()
	if err != nil {
		return "", true
	}
	defer body.Close()
	text, _ := io.ReadAll(io.LimitReader(body, maxForm))
	return string(text), true
}

// Scheme is the first word of an Authorization header, "" unless it is one of the
// interface (sections 4.1 to 4.3): that of any other could be the secret itself.
func Scheme(authorization string) string {
	name, _, _ := strings.Cut(authorization, " ")
	if name == "Basic" || name == "Bearer" || name == "ApiKey" {
		return name
	}
	return ""
}

// headers lists headers by name. The values of those that are not listed as public are
// hidden, and so are those that repeat a secret.
func (x *Exchange) headers(h http.Header) []Pair {
	var list []Pair
	room := maxList
	for _, name := range slices.Sorted(maps.Keys(h)) {
		for _, value := range h[name] {
			p := x.header(name, value)
			if room -= len(p.Name) + len(p.Value); room < 0 || len(list) == maxPairs {
				return list
			}
			list = append(list, p)
		}
	}
	return list
}

func (x *Exchange) header(name, value string) Pair {
	p := Pair{Name: OneLine(name, maxHeaderName), Value: OneLine(value, maxHeaderValue)}
	if x.sent.Hide(name) {
		p.Name = mask
	}
	switch {
	case name == "Authorization" && Scheme(value) != "":
		return Pair{name, Scheme(value) + " " + mask, true}
	case !slices.Contains(publicHeaders, name), x.sent.Hide(value), x.found.In(value):
		return p.hidden()
	}
	return p
}

// askedSegments are the segments of the path that the program asked for, where r follows
// a redirect; otherwise nil, for all of r is the program's own.
func askedSegments(r *http.Request) []string {
	if r.Response == nil {
		return nil
	}
	for r.Response != nil && r.Response.Request != nil {
		r = r.Response.Request
	}
	return strings.Split(r.URL.EscapedPath(), "/")
}

// word is what people name things by, "login2.aspx"; a ticket that a service has put
// into an address looks different.
var word = regexp.MustCompile(`^[A-Za-z._-]*(?:[0-9]{1,2}[A-Za-z._-]*)?$`)

const longestWord = 20

// isTicket reports whether a part of an address may be one. asked is nil where no
// service has made the address.
func isTicket(part string, asked []string) bool {
	return asked != nil && !slices.Contains(asked, part) && (len(part) > longestWord || !word.MatchString(part))
}

// path hides the segments of an escaped path that may be secret.
func (x *Exchange) path(escaped string, asked []string) string {
	cut := ""
	if len(escaped) > maxPath {
		escaped, cut = escaped[:max(strings.LastIndexByte(escaped[:maxPath], '/'), 0)], "/…"
	}
	segments := strings.Split(escaped, "/")
	for i, segment := range segments {
		decoded, _ := url.PathUnescape(segment)
		if x.sent.In(segment) || x.sent.In(decoded) || looksSecret("/"+segment) || isTicket(segment, asked) {
			segments[i] = mask
		}
	}
	return strings.Join(segments, "/") + cut
}

// pairs reads what stands in a query or a form. The values of all that are not public
// are hidden and remembered, and what repeats one of them is hidden as well. What a
// service has made (asked is not nil) is remembered only if it is long.
func (x *Exchange) pairs(encoded string, public, asked []string) []Pair {
	var list []Pair
	for part := range strings.SplitSeq(encoded[:min(len(encoded), maxForm)], "&") {
		if part == "" {
			continue
		}
		if len(list) == maxPairs {
			break
		}
		name, value, _ := strings.Cut(part, "=")
		p := Pair{Name: unescape(name), Value: unescape(value)}
		if p.Value != "" && !slices.Contains(public, p.Name) {
			if asked == nil || len(p.Value) >= window {
				x.sent.AddEncoded(p.Value)
			}
			p = p.hidden()
		}
		list = append(list, p)
	}
	room := maxList
	for i, p := range list {
		if x.sent.Hide(p.Name) || isTicket(p.Name, asked) {
			p.Name = mask
		}
		if !p.Secret && x.sent.Hide(p.Value) {
			p = p.hidden()
		}
		p.Name, p.Value = cutOff(p.Name), cutOff(p.Value)
		if room -= len(p.Name) + len(p.Value); room < 0 {
			return list[:i:i]
		}
		list[i] = p
	}
	return list
}

func unescape(s string) string {
	text, err := url.QueryUnescape(s)
	if err != nil {
		return s
	}
	return text
}

// cutOff is a copy of a text that is not too long: a part of a text keeps the whole of
// it in memory.
func cutOff(s string) string {
	if len(s) <= maxValue {
		return strings.Clone(s)
	}
	end := maxValue
	for !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end] + "…"
}

// OneLine makes one line of at most limit characters out of text from outside.
func OneLine(s string, limit int) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, s)
	s = strings.Join(strings.Fields(s), " ")
	if runes := []rune(s); len(runes) > limit {
		return string(runes[:limit-1]) + "…"
	}
	return s
}
