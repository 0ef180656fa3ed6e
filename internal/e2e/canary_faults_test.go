//go:build linux

package e2e

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httputil"
	"net/url"
	"strings"
	"time"
)

// fault is how a careless service answers.
type fault func(w *world, to http.ResponseWriter, r *http.Request)

// Each tells all that it knows of the request.
var faults = map[string]fault{
	"leads elsewhere": func(w *world, to http.ResponseWriter, r *http.Request) {
		http.Redirect(to, r, w.elsewhere.URL+r.URL.RequestURI(), http.StatusTemporaryRedirect)
	},
	"refuses": func(_ *world, to http.ResponseWriter, r *http.Request) {
		repeat(to, r, http.StatusBadRequest, "application/json")
	},
	"is not satisfied": func(_ *world, to http.ResponseWriter, r *http.Request) {
		to.Header().Set("WWW-Authenticate", r.Header.Get("Authorization"))
		repeat(to, r, http.StatusUnauthorized, "application/json")
	},
	"breaks": func(_ *world, to http.ResponseWriter, r *http.Request) {
		repeat(to, r, http.StatusInternalServerError, "text/plain")
	},
	"shows a page": func(_ *world, to http.ResponseWriter, r *http.Request) {
		repeat(to, r, http.StatusOK, "text/html")
	},
	"is cut off": func(_ *world, to http.ResponseWriter, r *http.Request) {
		to.Header().Set("Content-Length", "99999")
		repeat(to, r, http.StatusOK, "application/json")
	},
	"hangs up": func(*world, http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
}

// repeatsInGood is a fault that does not show: the answer to a device login is a
// good one, and has all of the request in it under harmless names.
func repeatsInGood(_ *world, to http.ResponseWriter, r *http.Request) {
	dump, _ := httputil.DumpRequest(r, true)
	query := r.URL.Query()
	password, _ := base64.StdEncoding.DecodeString(query.Get("password2"))
	nested, _ := json.Marshal(map[string]string{"typed": string(password)})
	type list map[string]any
	to.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(to).Encode(list{
		"ErrorCode": "U100", "DeviceId": query.Get("password2"), "Query": r.URL.RawQuery, "Request": string(dump), "Nested": string(nested),
		"PrimaryUserDomain": list{"Domain": list{"DomainName": "of " + string(password), "Url": query.Get("Ad"), "ResellerId": string(password)}},
		"User":              list{string(password): list{"Note": hex.EncodeToString(password)}},
		"UserNotification":  list{"NotificationType": 1, "Url": "https://example/?p=" + url.QueryEscape(string(password))},
	})
}

// repeat sends a request back, as it came and decoded.
func repeat(to http.ResponseWriter, r *http.Request, status int, kind string) {
	dump, _ := httputil.DumpRequest(r, true)
	decoded, _ := url.QueryUnescape(string(dump))
	_, credential, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	pair, _ := base64.StdEncoding.DecodeString(credential)
	to.Header().Set("Content-Type", kind)
	to.Header().Set("X-Request-Id", strings.Join(strings.Fields(string(dump)), " "))
	to.WriteHeader(status)
	if kind == "text/html" {
		_, _ = io.WriteString(to, "<p>")
	}
	_ = json.NewEncoder(to).Encode(map[string]string{
		"error": "invalid_grant", "error_description": decoded, "Message": decoded, "request": string(dump), "client": string(pair),
	})
}

// goWrong has the service answer so where the path has a part, from now on; with
// no fault it answers well.
func (w *world) goWrong(f fault, part string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.fault, w.faultAt = f, part
	select {
	case <-w.wentWrong:
	default:
	}
}

// wrongFor is how a request is answered wrongly, or nil.
func (w *world) wrongFor(r *http.Request) fault {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.fault == nil || !strings.Contains(r.URL.Path, w.faultAt) {
		return nil
	}
	select {
	case w.wentWrong <- struct{}{}:
	default:
	}
	return w.fault
}

// requireWrong waits until an answer has gone wrong since goWrong, without which
// nothing was shown.
func (w *world) requireWrong() {
	w.t.Helper()
	select {
	case <-w.wentWrong:
	case <-time.After(patience):
		w.t.Error("no answer went wrong")
	}
}
