package api

import (
	"encoding/base64"
	"encoding/hex"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"gatehouse/internal/secret"
)

// masked stands where a secret was.
const masked = secret.Mask

// formLimit is how much of a form is looked at, in bytes.
const formLimit = 64 << 10

// The parameters (interface sections 4.4 and 4.5) and form fields (4.1) whose
// values may be seen; every other is taken for a secret.
var (
	publicParameters = []string{
		"useremail", "devicename", "deviceid", "devicetype", "deviceip", "devicegeo", "devicelat", "devicelon", "domain", "resellerid",
	}
	publicFields = []string{"grant_type", "username", "scope", "client_id"}
)

// sent are the secrets that went out with a request, in the spellings in which a
// careless service may send them back.
type sent struct{ spellings []string } // in lower case

func (s *sent) isEmpty() bool { return len(s.spellings) == 0 }

// in reports whether a text repeats a secret.
func (s *sent) in(text string) bool {
	if s.isEmpty() {
		return false
	}
	text = strings.ToLower(text)
	return slices.ContainsFunc(s.spellings, func(spelling string) bool { return strings.Contains(text, spelling) })
}

func (s *sent) add(value string) {
	value = strings.TrimSpace(value)
	if value == "" {
		return
	}
	bytes := []byte(value)
	for _, form := range []string{
		value, hex.EncodeToString(bytes),
		// Without padding, so that it is found with and without.
		base64.RawStdEncoding.EncodeToString(bytes), base64.RawURLEncoding.EncodeToString(bytes),
	} {
		for _, spelling := range []string{form, url.QueryEscape(form), url.PathEscape(form)} {
			if spelling = strings.ToLower(spelling); !slices.Contains(s.spellings, spelling) {
				s.spellings = append(s.spellings, spelling)
			}
		}
	}
}

// addEncoded adds a secret that may be Base64, as password2 and the pair of a
// Basic header are, and what it encodes.
func (s *sent) addEncoded(value string) {
	s.add(value)
	decoded, err := base64.StdEncoding.DecodeString(value)
	if err != nil {
		return
	}
	s.add(string(decoded))
}

// credential adds what the headers of a request authenticate with.
func (s *sent) credential(h http.Header) {
	for _, name := range []string{"Authorization", "Proxy-Authorization", "Cookie"} {
		for _, value := range h[name] {
			s.add(value)
			kind, credential, _ := strings.Cut(value, " ")
			s.add(credential)
			if decoded, err := base64.StdEncoding.DecodeString(credential); err == nil && kind == schemeBasic {
				_, password, _ := strings.Cut(string(decoded), ":")
				s.add(password)
			}
		}
	}
}

// pairs reads what stands in a query or a form. The values of all that are not
// public are masked and remembered.
func (s *sent) pairs(encoded string, public []string) []Pair {
	var list []Pair
	for part := range strings.SplitSeq(encoded, "&") {
		if part == "" {
			continue
		}
		name, value, _ := strings.Cut(part, "=")
		// Clones, for a part of a text keeps the whole of it in memory.
		p := Pair{Name: strings.Clone(unescape(name)), Value: strings.Clone(unescape(value))}
		if p.Value != "" && !slices.Contains(public, p.Name) {
			s.addEncoded(p.Value)
			p = p.mask()
		}
		list = append(list, p)
	}
	return list
}

func unescape(s string) string {
	if text, err := url.QueryUnescape(s); err == nil {
		return text
	}
	return s
}

// formOf returns the form in the body of a request, as far as it can be read a
// second time, and whether it has one.
func formOf(r *http.Request) (encoded string, ok bool) {
	if mediaType(r.Header.Get("Content-Type")) != "application/x-www-form-urlencoded" {
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
	text, _ := io.ReadAll(io.LimitReader(body, formLimit))
	return string(text), true
}
