package api

import (
	"errors"
	"net/http"
	"slices"
)

// Refusal says what a token endpoint refuses when it refuses a renewal.
type Refusal uint8

const (
	// RefusalNone is not a refusal, or one that may pass: the service was not reached, is busy, or
	// something in front of it has answered.
	RefusalNone Refusal = iota
	// RefusalOfToken: the refresh token cannot be used any more.
	RefusalOfToken
	// RefusalOfClient: the profile's client, its secret or its scope is wrong. The token may still
	// be good.
	RefusalOfClient
	// RefusalUnexplained is a definite refusal without a reason that a program can read. Services
	// that never say invalid_grant mostly answer so for a dead token; some also do when two requests
	// have crossed, or for a wrong client secret.
	RefusalUnexplained
)

// codesOfClient are the error codes of RFC 6749 section 5.2 that are about the client or what it
// may do.
var codesOfClient = []string{
	"invalid_client", "unauthorized_client", "unsupported_grant_type", "invalid_scope",
}

// codesOfToken say that the refresh token is dead. The second is from RFC 6750, and some
// services send it from the token endpoint.
var codesOfToken = []string{"invalid_grant", "invalid_token"}

// passingCodes describe a passing state of the service. The first two are from RFC 6749 section
// 4.1.2.1, the last is from RFC 8628.
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
	case e.Status == http.StatusForbidden && e.Message == "" && e.Omitted == "": // a proxy's answer
		return RefusalNone
	}
	return RefusalUnexplained
}

// isPassing reports whether a status describes a passing state, whatever the body says.
func isPassing(status int) bool {
	return status >= 500 || status == http.StatusTooManyRequests ||
		status == http.StatusRequestTimeout || status == http.StatusTooEarly
}

// isOfTheMoment reports whether the reason for a refusal is a state of the service that ends by
// itself.
func isOfTheMoment(reason Reason) bool {
	return reason == ReasonTooMany || reason == ReasonMaintenance
}
