package api

import (
	"maps"
	"net/http"
	"slices"
)

const (
	maxHeaders     = 64  // of an exchange that are kept
	maxHeaderValue = 300 // characters of a value that are kept
)

// publicHeaders are those whose values may be seen, by canonical name.
var publicHeaders = []string{
	"Accept", "Accept-Encoding", "Accept-Language", "Accept-Ranges", "Age", "Allow", "Cache-Control", "Connection",
	"Content-Disposition", "Content-Encoding", "Content-Language", "Content-Length", "Content-Type", "Date", "Expires", "Keep-Alive",
	"Last-Modified", "Pragma", "Retry-After", "Server", "Strict-Transport-Security", "Transfer-Encoding", "User-Agent", "Vary",
	"Www-Authenticate", "X-Content-Type-Options", "X-Frame-Options", "X-Powered-By", "X-Correlation-Id", "X-Request-Id",
}

// headers lists headers by name, with the values masked that are not public or
// repeat a secret.
func (s *sent) headers(h http.Header) []Pair {
	var list []Pair
	for _, name := range slices.Sorted(maps.Keys(h)) {
		for _, value := range h[name] {
			if len(list) == maxHeaders {
				return list
			}
			list = append(list, s.header(name, value))
		}
	}
	return list
}

func (s *sent) header(name, value string) Pair {
	p := Pair{Name: oneLine(name, maxHeaderValue), Value: oneLine(value, maxHeaderValue)}
	if s.in(name) {
		p.Name = masked
	}
	switch {
	case name == "Authorization" && scheme(value) != "":
		return Pair{name, scheme(value) + " " + masked, true}
	case !slices.Contains(publicHeaders, name), s.in(value), looksSecret(value):
		return p.mask()
	}
	return p
}
