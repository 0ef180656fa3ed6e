package ui

import (
	"net/http"

	"gatehouse/internal/hostile"
)

// revoke ends the session of everybody who does not sign in after it.
func revoke(faults *hostile.Faults) {
	faults.Set(
		hostile.Rule{Endpoint: hostile.PasswordGrant, Fault: func(w http.ResponseWriter, r *http.Request, answer http.Handler) {
			faults.Set()
			answer.ServeHTTP(w, r)
		}},
		hostile.Rule{Endpoint: hostile.RefreshGrant, Fault: hostile.Respond(http.StatusBadRequest, "application/json", `{"error":"invalid_grant"}`)},
		hostile.Rule{Fault: hostile.Respond(http.StatusUnauthorized, "", "")},
	)
}
