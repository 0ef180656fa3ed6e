package demo

import (
	"io"
	"net/http"
	"strings"
	"time"
)

// Domains whose gateway has a trouble, which everybody there meets.
const (
	shoal   = "shoal.example"   // down
	lagoon  = "lagoon.example"  // its certificate expired yesterday
	tide    = "tide.example"    // its clock is slow
	estuary = "estuary.example" // it answers slowly
	strait  = "strait.example"  // too busy to answer
)

const (
	tideIsSlowBy       = 10 * time.Minute
	estuaryTakes       = 2 * time.Second
	straitIsFreeInSecs = "2"
)

// downPage is what a load balancer says for a gateway that is down.
const downPage = "<html><body><h1>503 Service Unavailable</h1>\nNo server is available to handle this request.\n</body></html>\n"

// gateway answers whatever is asked of the gateway of a domain, with the trouble that it has.
func (s *Server) gateway(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch strings.ToLower(r.PathValue("domain")) {
		case shoal:
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			w.WriteHeader(http.StatusServiceUnavailable)
			_, _ = io.WriteString(w, downPage)
			return
		case lagoon:
			if !isOverTLS(r) {
				// The host stays, and so does the port, where both are spoken.
				http.Redirect(w, r, "https://"+r.Host+r.URL.RequestURI(), http.StatusPermanentRedirect)
				return
			}
		case tide:
			w.Header().Set("Date", s.now().Add(-tideIsSlowBy).UTC().Format(http.TimeFormat))
		case estuary:
			if !pause(r, estuaryTakes) {
				return
			}
		case strait:
			w.Header().Set("Retry-After", straitIsFreeInSecs)
			refuse(w, &refusal{status: http.StatusTooManyRequests, message: "Too many requests. Try again later."})
			return
		}
		next.ServeHTTP(w, r)
	})
}

// pause reports whether the client is still there after a while.
func pause(r *http.Request, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-r.Context().Done():
		return false
	}
}
