package demo

import "net/http"

// One listener stands for all hosts of the service; a path prefix tells them
// apart.
const (
	mainAuthorityPath  = "/auth"
	testAuthorityPath  = "/auth-test"
	localAuthorityPath = "/local/"
	gatewayPath        = "/gateway/"
	globalPath         = "/global"
)

func (s *Server) routes() http.Handler {
	mux := http.NewServeMux()
	mux.Handle(mainAuthorityPath+"/connect/token", only(http.MethodPost, s.token))
	mux.Handle(testAuthorityPath+"/connect/token", only(http.MethodPost, s.token))
	mux.Handle(localAuthorityPath+"{domain}/connect/token", only(http.MethodPost, s.token))
	mux.Handle(gatewayPath+"{domain}/api/users/{userId}/shares", only(http.MethodGet, s.shares))
	mux.Handle(gatewayPath+"{domain}/api/resellers/{resellerId}/companies", only(http.MethodGet, s.companies))
	mux.Handle(globalPath+"/getuserdomain.aspx", only(http.MethodGet, s.userDomain))
	mux.Handle(globalPath+"/login2.aspx", only(http.MethodGet, s.deviceLogin))
	mux.HandleFunc("/", notFound)
	return s.dated(mux)
}

// dated sends the time of the service's own clock, which a client may use to
// correct its own.
func (s *Server) dated(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Date", s.now().UTC().Format(http.TimeFormat))
		next.ServeHTTP(w, r)
	})
}

func only(method string, next http.HandlerFunc) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != method {
			w.Header().Set("Allow", method)
			refuse(w, &refusal{status: http.StatusMethodNotAllowed, message: "This address takes " + method + " only."})
			return
		}
		next(w, r)
	})
}

func notFound(w http.ResponseWriter, _ *http.Request) {
	refuse(w, &refusal{status: http.StatusNotFound, message: "There is nothing at this address."})
}
