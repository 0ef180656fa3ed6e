package api

import (
	"errors"
	"fmt"
	"testing"
)

// What a refused renewal means for the session depends on the status, on the code and on the words.
func TestWhatARefusedRenewalMeans(t *testing.T) {
	for _, tt := range []struct {
		err  error
		want Refusal
	}{
		{errors.New("broken"), RefusalNone},
		{&TokenError{Status: 400, Code: "invalid_grant"}, RefusalOfToken},
		{&TokenError{Status: 401, Code: "invalid_token"}, RefusalOfToken},
		{&TokenError{Status: 400, Code: "invalid_client"}, RefusalOfClient},
		{&TokenError{Status: 400, Code: "unauthorized_client"}, RefusalOfClient},
		{&TokenError{Status: 400, Code: "unsupported_grant_type"}, RefusalOfClient},
		{&TokenError{Status: 400, Code: "invalid_scope"}, RefusalOfClient},
		{&TokenError{Status: 401, Code: "whatever"}, RefusalOfClient},
		{&TokenError{Status: 400, Code: "whatever"}, RefusalUnexplained},
		{&TokenError{Status: 400, Code: "whatever", Description: "Too many requests"}, RefusalNone},
		{&TokenError{Status: 400, Code: "whatever", Description: "Down for maintenance"}, RefusalNone},
		{&TokenError{Status: 400, Code: "temporarily_unavailable"}, RefusalNone},
		{&TokenError{Status: 401, Code: "server_error"}, RefusalNone},
		{&TokenError{Status: 400, Code: "slow_down"}, RefusalNone},
		{&TokenError{Status: 500, Code: "invalid_grant"}, RefusalNone},
		{&TokenError{Status: 429, Code: "invalid_grant"}, RefusalNone},
		{&StatusError{Status: 401}, RefusalOfClient},
		{&StatusError{Status: 401, Page: true}, RefusalNone},
		{&StatusError{Status: 400}, RefusalUnexplained},
		{&StatusError{Status: 400, Page: true}, RefusalNone},
		{&StatusError{Status: 400, Message: "Too many requests"}, RefusalNone},
		{&StatusError{Status: 400, Message: "Down for maintenance"}, RefusalNone},
		{&StatusError{Status: 410}, RefusalUnexplained},
		{&StatusError{Status: 422}, RefusalUnexplained},
		{&StatusError{Status: 404}, RefusalNone},
		{&StatusError{Status: 503}, RefusalNone},
		{&StatusError{Status: 403}, RefusalNone}, // of a proxy
		{&StatusError{Status: 403, Message: "No."}, RefusalUnexplained},
		{&StatusError{Status: 403, Omitted: RepeatsSent}, RefusalUnexplained},
	} {
		if got := RefusalOf(tt.err); got != tt.want {
			t.Errorf("%#v: %d, want %d", tt.err, got, tt.want)
		}
		if got := RefusalOf(fmt.Errorf("a renewal: %w", tt.err)); got != tt.want {
			t.Errorf("%#v in another error: %d", tt.err, got)
		}
	}
}

// Whatever refuses a person is no answer about a place, a time or the service itself.
func TestWhichStatusesRefuseAPerson(t *testing.T) {
	for status, want := range map[int]bool{
		200: false, 302: false, 399: false, 400: true, 401: true, 403: true, 404: false, 408: false,
		410: false, 422: true, 429: false, 499: true, 500: false, 503: false,
	} {
		if got := refusesPerson(status); got != want {
			t.Errorf("%d: %v", status, got)
		}
	}
}
