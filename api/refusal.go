package api

import (
	"errors"
	"net/http"
	"slices"
)

// Refusal is what a token endpoint that refused a renewal is about.
type Refusal uint8

const (
	// RefusalNone is no refusal, or one that may pass: the service was not reached, is busy, or
	// something in front of it has answered.
	RefusalNone Refusal = iota
	// RefusalOfToken says that the refresh token cannot be used any more.
	RefusalOfToken
	// RefusalOfClient says that the profile's client, its secret or its scope is wrong. The token
	// may be as good as before.
	RefusalOfClient
	// RefusalUnexplained is a definite no that gives no reason a program can read. Most services
	// that do not say invalid_grant answer so for a dead token; some do for two requests that
	// crossed, and for a wrong client secret.
	RefusalUnexplained
)

// codesOfClient are the error codes of RFC 6749 section 5.2 that are about the client or what it
// may do.
var codesOfClient = []string{"invalid_client", "unauthorized_client", "unsupported_grant_type", "invalid_scope"}

// codesOfToken say that the refresh token is dead. The second is that of RFC 6750, which some
// services send from the token endpoint.
var codesOfToken = []string{"invalid_grant", "invalid_token"}

// passingCodes are about the moment. The first two are those of RFC 6749 section 4.1.2.1, the last
// that of RFC 8628.
var passingCodes = []string{"temporarily_unavailable", "server_error", "slow_down"}

// refusing are the statuses that refuse what was sent. Others say that nothing answers token
// requests at this URL (404, 405), or that the form of the request is wrong.
var refusing = []int{
	http.StatusBadRequest, http.StatusForbidden, http.StatusGone, http.StatusUnprocessableEntity,
}

// RefusalOf judges the error of a [TokenClient.Refresh]. The interface does not show what the token
// endpoint says of a token that has ended (section 4.1), and services differ.
func RefusalOf(err error) Refusal {
	if refused, ok := errors.AsType[*TokenError](err); ok {
		return refused.refusal()
	}
	if refused, ok := errors.AsType[*StatusError](err); ok {
		return refused.refusal()
	}
	return RefusalNone
}

func (e *TokenError) refusal() Refusal {
	switch {
	case isPassing(e.Status), slices.Contains(passingCodes, e.Code):
		return RefusalNone
	case slices.Contains(codesOfToken, e.Code):
		return RefusalOfToken
	case e.Status == http.StatusUnauthorized, slices.Contains(codesOfClient, e.Code):
		return RefusalOfClient
	case isOfTheMoment(e.Reason()):
		return RefusalNone
	}
	return RefusalUnexplained
}

func (e *StatusError) refusal() Refusal {
	switch {
	case e.Page: // of a proxy or a network, which did not pass the request on
		return RefusalNone
	case e.Status == http.StatusUnauthorized:
		return RefusalOfClient
	case !slices.Contains(refusing, e.Status), isOfTheMoment(e.Reason()):
		return RefusalNone
	case e.Status == http.StatusForbidden && e.Message == "" && e.Omitted == "": // as proxies answer
		return RefusalNone
	}
	return RefusalUnexplained
}

// isPassing reports whether a status is about the moment, whatever the body says.
func isPassing(status int) bool {
	return status >= 500 || status == http.StatusTooManyRequests ||
		status == http.StatusRequestTimeout || status == http.StatusTooEarly
}

// isOfTheMoment reports whether the words of a refusal are about a state of the service that ends
// by itself.
func isOfTheMoment(reason Reason) bool {
	return reason == ReasonTooMany || reason == ReasonMaintenance
}
