package demo

import (
	"fmt"
	"net/http"
	"net/mail"
	"strings"
)

// userDomain serves GET getuserdomain.aspx (interface section 4.4): the e-mail
// in lower case, a comma, and the primary domain or nothing.
func (s *Server) userDomain(w http.ResponseWriter, r *http.Request) {
	email := r.URL.Query().Get("useremail")
	if !isEmail(email) {
		refuse(w, &refusal{status: http.StatusBadRequest, message: "useremail must be an e-mail address."})
		return
	}
	a, _ := findAccount(email)
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprintf(w, "%s,%s", strings.ToLower(email), a.globalDomain())
}

// globalDomain is the primary domain as the global service knows it, empty for
// nobody's account.
func (a account) globalDomain() string {
	if len(a.domains) == 0 || a.device == noPrimaryDomain {
		return ""
	}
	return a.primaryDomain()
}

// isEmail accepts a bare address; it keeps markup out of an answer in HTML.
func isEmail(text string) bool {
	address, err := mail.ParseAddress(text)
	return err == nil && address.Address == text
}
