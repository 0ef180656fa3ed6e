package api

import (
	"fmt"

	"gatehouse/internal/text/problem"
)

// RedirectError is a redirect that was not followed, because credentials are sent only to their own
// host.
type RedirectError struct {
	Op       string
	From, To string // host and port; To is "" if the target is invalid
	Path     string // of the target without its query; "" if invalid or not fit to be shown
	Kind     RedirectKind
}

// RedirectKind is why a redirect was not followed.
type RedirectKind uint8

// The kinds of redirects that are not followed.
const (
	RedirectElsewhere RedirectKind = iota // to another host or port
	RedirectWithin                        // within the host, but the request must not be sent twice
	RedirectToHTTP                        // from https to http
	RedirectInvalid                       // its target is not a valid URL
	RedirectWithUser                      // its target contains a user name
	RedirectTooOften                      // too many redirects came before
)

// redirectReasons complete "which is not followed: ...".
var redirectReasons = [...]string{
	RedirectElsewhere: "it leads to another host",
	RedirectWithin:    "this request is never sent a second time",
	RedirectToHTTP:    "it switches to http",
	RedirectInvalid:   "its target is not a valid address",
	RedirectWithUser:  "it contains a user name",
	RedirectTooOften:  "too many redirects",
}

// Target says where a redirect leads: its path if it stays within the host, its host with the scheme
// if it gives up encryption, otherwise its host alone. It is "" if unknown.
func (e *RedirectError) Target() string {
	switch {
	case e.Kind == RedirectWithin && e.Path != "":
		return e.Path
	case e.Kind == RedirectToHTTP && e.To != "":
		return "http://" + e.To
	}
	return e.To
}

func (e *RedirectError) Error() string { return e.Op + ": " + e.Answer() }

// Answer says what came back without what was tried.
func (e *RedirectError) Answer() string {
	to := ""
	if target := e.Target(); target != "" {
		to = " to " + target
	}
	return fmt.Sprintf("%s redirects%s, which is not followed: %s",
		e.From, to, redirectReasons[e.Kind])
}

func (e *RedirectError) Explain() problem.Explanation {
	switch e.Kind {
	case RedirectToHTTP:
		return could(e, "Passwords and keys are sent only over https."+
			" Ask the operator of the service to redirect to https, or not at all.")
	case RedirectWithin:
		return could(e, "Check the URLs of the profile. The service may want people to sign in"+
			" on a page of its own: ask its operator.")
	}
	return could(e, "Passwords and keys go only to the hosts of the profile."+
		" If the new address is right, put it into the profile."+
		" It may also be the sign-in page of this network: open a page in a browser.")
}
