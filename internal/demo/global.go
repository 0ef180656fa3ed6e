package demo

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/mail"
	"net/url"
	"slices"
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
	fmt.Fprintf(w, "%s,%s", strings.ToLower(email), a.primaryDomain())
}

// isEmail accepts a bare address; it keeps markup out of an answer in HTML.
func isEmail(text string) bool {
	address, err := mail.ParseAddress(text)
	return err == nil && address.Address == text
}

// deviceLogin serves GET login2.aspx (interface section 4.5).
//
// The interface does not say how a call is refused. Here a call that does not
// hold together gives 400, a wrong e-mail or password 401, each with a Message;
// everything else is a result with status 200 and an ErrorCode.
func (s *Server) deviceLogin(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	password, complaint := checkLogin(query)
	if complaint != "" {
		refuse(w, &refusal{status: http.StatusBadRequest, message: complaint})
		return
	}
	a, ok := s.authenticate(query.Get("useremail"), password)
	if !ok {
		refuse(w, &refusal{status: http.StatusUnauthorized, message: "The user name or the password is wrong."})
		return
	}
	device := loginDevice(a, query)
	writeJSON(w, http.StatusOK, s.loginResult(a, device, loginCode(a, device, query.Get("domain"))))
}

// checkLogin returns the password of a call, or what is wrong with the call.
func checkLogin(query url.Values) (password, complaint string) {
	decoded, err := base64.StdEncoding.DecodeString(query.Get("password2"))
	kind, location := query.Get("devicetype"), query.Get("devicegeo")
	switch {
	case query.Get("useremail") == "":
		return "", "useremail is missing."
	case query.Get("password2") == "":
		return "", "password2 is missing."
	case err != nil:
		return "", "password2 is not Base64."
	case query.Get("devicename") == "" && query.Get("deviceid") == "":
		return "", "devicename or deviceid is missing."
	case kind != "" && !slices.Contains(deviceTypes, kind):
		return "", "devicetype is not one of " + strings.Join(deviceTypes, ", ") + "."
	case location != "" && !json.Valid([]byte(location)):
		return "", "devicegeo is not JSON."
	}
	return string(decoded), ""
}

var deviceTypes = []string{
	"Pc", "AndroidPhone", "AndroidTable", "Ipad", "IpadMine", "Iphone", "WindowsPhone", "WindowsTablet", "Mac", "Unknown",
}

// loginDevice is the id of the device that logs in. A name gives the same id
// each time; an id is taken as it is.
func loginDevice(a account, query url.Values) string {
	switch id := query.Get("deviceid"); {
	case id != "":
		return id
	case a.device == knownDevice:
		return KnownDeviceID
	}
	return digestHex("device", a.email, query.Get("devicename"))
}

// loginCode decides the ErrorCode (interface section 7). Finn's device always
// asks for a domain that is not his, whether the call names one or not.
func loginCode(a account, device, domainID string) string {
	foreign := domainID != "" && !strings.EqualFold(domainID, domainGUID(a.primaryDomain()))
	switch {
	case a.device == noPrimaryDomain:
		return "U103"
	case a.device == foreignDomain, foreign:
		return "U105"
	case a.device == unvalidatedDevice, a.device == knownDevice && !strings.EqualFold(device, KnownDeviceID):
		return "U107"
	}
	return "U100"
}

func domainGUID(domain string) string { return digestGUID("domain", domain) }
