package api

import (
	"maps"
	"net/http"
	"slices"
)

const (
	maxHeaderName  = 100 // characters that are kept
	maxHeaderValue = 300
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
	room := maxList
	for _, name := range slices.Sorted(maps.Keys(h)) {
		for _, value := range h[name] {
			p := s.header(name, value)
			if room -= len(p.Name) + len(p.Value); room < 0 || len(list) == maxPairs {
				return list
			}
			list = append(list, p)
		}
	}
	return list
}

func (s *sent) header(name, value string) Pair {
	p := Pair{Name: oneLine(name, maxHeaderName), Value: oneLine(value, maxHeaderValue)}
	if s.in(name) || looksSecret(name) {
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
