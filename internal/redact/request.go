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

// Pair is a header, a parameter or a form field. If it is Secret its value is
// [secret.Mask], after the scheme in an Authorization header.
type Pair struct {
	Name, Value string
	Secret      bool
}

func (p Pair) hidden() Pair { return Pair{p.Name, mask, true} }

// Limits of what is kept, in bytes unless noted: what a service sends may be long.
const (
	maxForm        = 64 << 10 // read of a form or a query
	maxPath        = 1000
	maxPairs       = 64      // parameters, fields or headers
	maxList        = 4 << 10 // all of these together
	maxValue       = 1000    // one of their values
	maxHeaderName  = 100     // characters
	maxHeaderValue = 300     // characters
)

// Exchange is the part of a request that may be shown, and decides which part of its
// answer may be.
type Exchange struct {
	Path   string // escaped as it was sent, never with the query
	Query  []Pair // decoded, in the order sent
	Form   []Pair // fields of the form in the body, if it was one
	Header []Pair // by name

	sent   Secrets
	found  Secrets // in the answer, recognised by their names
	listed bool    // only listed values of the answer may be shown
	plain  bool    // the request contained nothing that an answer could repeat
}

// NewExchange reads a request, including its form if the body can be read a second time.
func NewExchange(r *http.Request) *Exchange {
	x := &Exchange{}
	x.addCredential(r.Header)
	form, isForm := formOf(r)
	asked := requestedSegments(r)
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

// addCredential adds the credentials in the headers of a request to the secrets.
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

// formOf returns the form in a request's body, if it can be read a second time, and
// whether there is one.
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

// Scheme is the first word of an Authorization header, "" unless it is one that the
// interface uses (sections 4.1 to 4.3): another first word could be the secret itself.
func Scheme(authorization string) string {
	name, _, _ := strings.Cut(authorization, " ")
	if name == "Basic" || name == "Bearer" || name == "ApiKey" {
		return name
	}
	return ""
}

// headers lists headers, sorted by name. Values that are not public, or repeat a secret,
// are hidden.
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

// requestedSegments are the path segments of the original request if r follows a
// redirect; nil otherwise, as then the program itself made r's path.
func requestedSegments(r *http.Request) []string {
	if r.Response == nil {
		return nil
	}
	for r.Response != nil && r.Response.Request != nil {
		r = r.Response.Request
	}
	return strings.Split(r.URL.EscapedPath(), "/")
}

// word matches ordinary names such as "login2.aspx", but not a ticket that a service has
// put into a URL.
var word = regexp.MustCompile(`^[A-Za-z._-]*(?:[0-9]{1,2}[A-Za-z._-]*)?$`)

const maxWord = 20

// isTicket reports whether a part of a URL may be a ticket. asked has the segments that
// are known not to be; nil if no service made the URL.
func isTicket(part string, asked []string) bool {
	return asked != nil && !slices.Contains(asked, part) && (len(part) > maxWord || !word.MatchString(part))
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
	path := strings.Join(segments, "/")
	if x.sent.In(path) { // which has a slash of its own
		path = "/" + mask
	}
	return path + cut
}

// pairs decodes a query or a form. Values that are not public are hidden and added to the
// secrets, and so is everything that repeats one. If a service made the URL (asked is not
// nil), only long values are added.
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
		p := Pair{Name: queryText(name), Value: queryText(value)}
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
		p.Name, p.Value = truncate(p.Name), truncate(p.Value)
		if room -= len(p.Name) + len(p.Value); room < 0 {
			return list[:i:i]
		}
		list[i] = p
	}
	return list
}

// queryText is a decoded part of a query, or the part as it is.
func queryText(s string) string {
	text, err := url.QueryUnescape(s)
	if err != nil {
		return s
	}
	return text
}

// truncate returns a copy of at most maxValue bytes. A substring would keep the whole
// text in memory.
func truncate(s string) string {
	if len(s) <= maxValue {
		return strings.Clone(s)
	}
	end := maxValue
	for !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end] + "…"
}

// OneLine makes one line of at most limit characters from text from outside.
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
