package api

import (
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	maxPath  = 1000    // bytes of a path that are kept
	maxPairs = 64      // parameters, fields or headers that are kept
	maxList  = 4 << 10 // bytes of them together
	maxValue = 1000    // bytes of one of their values

	// leastTicket is how long a value has to be to be looked for in the answer,
	// where a service has made it.
	leastTicket = 8
)

// askedSegments are those of the path that the program asked for, when r follows
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

// word is what people name things by, "login2.aspx"; a ticket that a service has
// put into an address looks different.
var word = regexp.MustCompile(`^[A-Za-z._-]*(?:[0-9]{1,2}[A-Za-z._-]*)?$`)

const longestWord = 20

// isMade reports whether a part of an address may be a ticket. asked is nil where
// no service has made the address.
func isMade(part string, asked []string) bool {
	return asked != nil && !slices.Contains(asked, part) && (len(part) > longestWord || !word.MatchString(part))
}

// path hides the segments of an escaped path that may be secret.
func (s *sent) path(escaped string, asked []string) string {
	cut := ""
	if len(escaped) > maxPath {
		escaped, cut = escaped[:max(strings.LastIndexByte(escaped[:maxPath], '/'), 0)], "/…"
	}
	segments := strings.Split(escaped, "/")
	for i, segment := range segments {
		if s.in(segment) || looksSecret("/"+segment) || isMade(segment, asked) {
			segments[i] = masked
		}
	}
	shown := strings.Join(segments, "/")
	if s.in(shown) {
		shown = "/" + masked
	}
	return shown + cut
}

// pairs reads what stands in a query or a form. The values of all that are not
// public are masked and remembered, and what repeats one of them is masked, too.
func (s *sent) pairs(encoded string, public, asked []string) []Pair {
	var list []Pair
	room := maxList
	for part := range strings.SplitSeq(encoded[:min(len(encoded), formLimit)], "&") {
		if part == "" {
			continue
		}
		if len(list) == maxPairs {
			break
		}
		name, value, _ := strings.Cut(part, "=")
		p := Pair{Name: unescapeParameter(name), Value: unescapeParameter(value)}
		if p.Value != "" && !slices.Contains(public, p.Name) {
			if asked == nil || len(p.Value) >= leastTicket {
				s.addEncoded(p.Value)
			}
			p = p.mask()
		}
		list = append(list, p)
	}
	for i, p := range list {
		if s.in(p.Name) || looksSecret(p.Name) || isMade(p.Name, asked) {
			p.Name = masked
		}
		if !p.Secret && (s.in(p.Value) || looksSecret(p.Value)) {
			p = p.mask()
		}
		p.Name, p.Value = cutOff(p.Name), cutOff(p.Value)
		if room -= len(p.Name) + len(p.Value); room < 0 {
			return list[:i:i]
		}
		list[i] = p
	}
	return list
}

func unescapeParameter(s string) string {
	if text, err := url.QueryUnescape(s); err == nil {
		return text
	}
	return s
}

// cutOff is a copy of a text that is not too long: a part of a text keeps the
// whole of it in memory.
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
