package api

import (
	"io"
	"testing"
)

func TestErrorsAreOneSentence(t *testing.T) {
	for want, err := range map[string]error{
		"sign in: auth.example: the connection was dropped":                                          &TransportError{Op: "sign in", Host: "auth.example", Err: io.EOF},
		"sign in: auth.example answered 400: invalid_grant":                                          &TokenError{Op: "sign in", Host: "auth.example", Status: 400, Code: "invalid_grant"},
		"sign in: auth.example answered 400: invalid_grant (locked)":                                 &TokenError{Op: "sign in", Host: "auth.example", Status: 400, Code: "invalid_grant", Description: "locked"},
		"sign in: auth.example answered 503 (service unavailable)":                                   &StatusError{Op: "sign in", Host: "auth.example", Status: 503},
		"sign in: auth.example answered 599: busy":                                                   &StatusError{Op: "sign in", Host: "auth.example", Status: 599, Message: "busy"},
		"sign in: auth.example sent an empty answer":                                                 &BodyError{Op: "sign in", Host: "auth.example", Detail: emptyAnswer},
		"sign in: auth.example sent more than the limit of 416 MiB":                                  &LimitError{Op: "sign in", Host: "auth.example", Limit: DefaultBodyLimit},
		"sign in: auth.example sent more than the limit of 64 KiB":                                   &LimitError{Op: "sign in", Host: "auth.example", Limit: 64 << 10},
		"sign in: auth.example sent more than the limit of 1025 bytes":                               &LimitError{Op: "sign in", Host: "auth.example", Limit: 1025},
		"sign in: a.example redirects to b.example, which is not followed: it leads to another host": &RedirectError{Op: "sign in", From: "a.example", To: "b.example", Reason: "it leads to another host"},
		"a.example redirects, which is not followed: its target is not a valid address":              &RedirectError{From: "a.example", Reason: "its target is not a valid address"},
		"look up the primary domain of a@b.c: global.example has no primary domain for this user":    &NoDomainError{Email: "a@b.c", Host: "global.example"},
		"userId is missing": &RequestError{Field: "userId", Reason: "is missing"},
	} {
		if got := err.Error(); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}
