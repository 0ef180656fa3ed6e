package api

import (
	"encoding/base64"
	"encoding/hex"
	"io"
	"net/http"
	"slices"
	"strings"

	"gatehouse/internal/secret"
)

// masked stands where a secret was.
const masked = secret.Mask

// formLimit is how much of a form or a query is looked at, in bytes.
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
func (s *sent) in(text string) bool { return !s.isEmpty() && s.within(text, mostEscapes) }

// within also looks below as many layers of escapes.
func (s *sent) within(text string, layers int) bool {
	folded := strings.ToLower(text)
	if slices.ContainsFunc(s.spellings, func(spelling string) bool { return strings.Contains(folded, spelling) }) {
		return true
	}
	if layers == 0 || !strings.ContainsAny(text, escapeSigns) {
		return false
	}
	return slices.ContainsFunc(unescapings, func(unescape func(string) string) bool {
		below := unescape(text)
		return below != text && s.within(below, layers-1)
	})
}

const (
	longSecret = 32 // characters; a service may repeat the ends of such a one alone
	endLength  = 16
)

func (s *sent) add(value string) {
	value = strings.TrimSpace(value)
	if value == "" {
		return
	}
	list := append(inBase64([]byte(value)), value, hex.EncodeToString([]byte(value)))
	if len(value) >= longSecret {
		list = append(list, value[:endLength], value[len(value)-endLength:])
	}
	for _, spelling := range list {
		if spelling = strings.ToLower(spelling); !slices.Contains(s.spellings, spelling) {
			s.spellings = append(s.spellings, spelling)
		}
	}
}

// leastBase64 is how many characters of Base64 tell a secret from chance.
const leastBase64 = 4

// inBase64 gives what of the Base64 of a text stands for the secret alone where
// 0, 1 or 2 bytes stand before it in its group, in both alphabets.
func inBase64(secret []byte) []string {
	list := []string{base64.RawStdEncoding.EncodeToString(secret), base64.RawURLEncoding.EncodeToString(secret)}
	for before, start := range []int{0, 2, 3} {
		text := append(make([]byte, before), secret...)
		end := len(text) * 8 / 6 // the character after it also has bits of what follows
		if end-start < leastBase64 {
			continue
		}
		list = append(list, base64.RawStdEncoding.EncodeToString(text)[start:end], base64.RawURLEncoding.EncodeToString(text)[start:end])
	}
	return list
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
	for name, values := range h {
		if slices.Contains(publicHeaders, name) || name == "Referer" {
			continue
		}
		for _, value := range values {
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
