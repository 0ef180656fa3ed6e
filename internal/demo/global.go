package demo

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/mail"
	"net/url"
	"slices"
	"strings"
	"time"
)

// userDomain serves GET getuserdomain.aspx (interface section 4.4): the e-mail
// in lower case, a comma, and the primary domain or nothing.
func (s *Server) userDomain(w http.ResponseWriter, r *http.Request) {
	email := r.URL.Query().Get("useremail")
	// Nothing but a bare address: that keeps markup out of an answer in HTML.
	if address, err := mail.ParseAddress(email); err != nil || address.Address != email {
		refuse(w, http.StatusBadRequest, "useremail must be an e-mail address.")
		return
	}
	a, _ := findAccount(email)
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprintf(w, "%s,%s", strings.ToLower(email), a.primaryDomain())
}

// The codes of a device login (interface section 7). The meaning of U100 is not shown: here it
// is that of a login that succeeds.
const (
	succeeded          = "U100"
	noPrimaryDomain    = "U103"
	wrongDomain        = "U105"
	deviceNotValidated = "U107"
)

// deviceLogin serves GET login2.aspx (interface section 4.5).
//
// The interface does not say how a call is refused. Here a call that does not
// hold together gives 400, a wrong e-mail or password 401, each with a Message;
// everything else is a result with status 200 and an ErrorCode.
func (s *Server) deviceLogin(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	password, err := base64.StdEncoding.DecodeString(query.Get("password2"))
	if complaint := checkLogin(query, err); complaint != "" {
		refuse(w, http.StatusBadRequest, complaint)
		return
	}
	a, ok := s.authenticate(query.Get("useremail"), string(password))
	if !ok {
		refuse(w, http.StatusUnauthorized, "The user name or the password is wrong.")
		return
	}
	device := query.Get("deviceid")
	switch {
	case device != "": // is taken as it is
	case a.knownDevice:
		device = KnownDeviceID
	default: // a name gives the same id each time
		device = digestHex("device", a.Email, query.Get("devicename"))
	}
	writeJSON(w, http.StatusOK, s.loginResult(&a, device, loginCode(&a, device, query.Get("domain"))))
}

var deviceTypes = []string{
	"Pc", "AndroidPhone", "AndroidTable", "Ipad", "IpadMine", "Iphone", "WindowsPhone", "WindowsTablet", "Mac", "Unknown",
}

// checkLogin returns what is wrong with a call. Undecoded says why the password is not Base64.
func checkLogin(query url.Values, undecoded error) (complaint string) {
	kind, location := query.Get("devicetype"), query.Get("devicegeo")
	switch {
	case query.Get("useremail") == "":
		return "useremail is missing."
	case query.Get("password2") == "":
		return "password2 is missing."
	case undecoded != nil:
		return "password2 is not Base64."
	case query.Get("devicename") == "" && query.Get("deviceid") == "":
		return "devicename or deviceid is missing."
	case kind != "" && !slices.Contains(deviceTypes, kind):
		return "devicetype is not one of " + strings.Join(deviceTypes, ", ") + "."
	case location != "" && !json.Valid([]byte(location)):
		return "devicegeo is not JSON."
	}
	return ""
}

// loginCode decides the ErrorCode. Finn's device always asks for a domain that is not his,
// whether the call names one or not.
func loginCode(a *Account, device, domainID string) string {
	foreign := domainID != "" && !strings.EqualFold(domainID, domainGUID(a.primaryDomain()))
	switch {
	case foreign && a.code != noPrimaryDomain:
		return wrongDomain
	case a.knownDevice && !strings.EqualFold(device, KnownDeviceID):
		return deviceNotValidated
	}
	return cmp.Or(a.code, succeeded)
}

func domainGUID(domain string) string { return digestGUID("domain", domain) }

// The records of an answer of login2.aspx (interface section 2.4). The interface does not show the
// fields of a user, a reseller and the items of UserDomains; these are made up, and many of them
// are null.
const (
	loginResult = `{"PrimaryUserDomain":%s,"Wipe":%t,"ErrorCode":%q,"Validated":%d,"User":%s,"Reseller":%s,"UserDomains":[%s],` +
		`"DeviceId":%s,"ConfirmKey":%s,"UserNotification":%s}`
	primaryUserDomain = `{"Domain":%s,"UserDomainToken":%q}`
	userDomainRecord  = `{"Domain":%s,"UserDomainToken":%q,"Primary":%t,"Role":%d,"Alias":null,"JoinTime":%q,"LeaveTime":%q,"Invitation":null}`
	domainRecord      = `{"DomainId":%q,"Url":%q,"DomainName":%q,"ResellerId":%q,"DataSetup":1}`
	userRecord        = `{"UserId":%q,"Email":%q,"FirstName":%q,"LastName":%q,"Initials":null,"Title":null,"Department":null,"Phone":null,"Mobile":null,` +
		`"Language":"en-GB","TimeZone":null,"CompanyId":%d,"ResellerId":%q,"UserType":1,"Enabled":true,"ExternalId":null,"Picture":null,` +
		`"Quota":{"Limit":9007199254740993,"Used":%s,"Warn":null},"TwoFactor":{"Enabled":false,"Method":null,"PhoneNumber":null,"Enforce":null},` +
		`"Settings":{"Sync":{"Enabled":true,"MaxUpload":null,"MaxDownload":null,"Exclude":["*.tmp","~$*"]},"Mail":null,"Notification":null,"Policies":[]},` +
		`"Address":{"Street":null,"Zip":null,"City":null,"Region":null,"Country":null},"CreateTick":%d,"DeleteTick":0,"LastLogin":%q,"GlobalStamp":%s}`
	resellerRecord = `{"ResellerId":%q,"Name":%q,"ParentResellerId":null,"Enabled":true,` +
		`"Contact":{"Name":"Support ⚓","Email":"support@harbor.example","Phone":null,"Fax":null},` +
		`"Branding":{"Product":"Harbor Drive","Logo":null,"Background":null,"Colors":["#0b3954","#ff6663"]},"Terms":null,"GlobalStamp":%s}`
)

// loginResult makes the result for a code. Only a login that succeeds hands out domain tokens; a
// device that is not validated gets a key to confirm it with.
func (s *Server) loginResult(a *Account, device, code string) json.RawMessage {
	token := func(domain string) string {
		if code != succeeded {
			return ""
		}
		return digestHex("domain token", a.Email, domain) + digestHex(domain, a.Email)
	}
	primary, validated, confirm, notification := "null", 1, "null", `{"NotificationType":0,"Url":""}`
	if domain := a.primaryDomain(); domain != "" {
		primary = fmt.Sprintf(primaryUserDomain, s.domainRecord(domain), token(domain))
	}
	if code == deviceNotValidated {
		validated, confirm = 0, quote(digestHex("confirm", a.Email, device))
	}
	if a.wipe {
		notification = `{"NotificationType":2,"Url":"https://harbor.example/notices/wipe"}`
	}
	var domains []string
	random := seeded("user domains", a.Email)
	for _, domain := range a.domains {
		domains = append(domains, fmt.Sprintf(userDomainRecord,
			s.domainRecord(domain), token(domain), domain == a.primaryDomain(),
			random.IntN(3), randomTime(random).Format(time.RFC3339Nano), never))
	}
	reseller := fmt.Sprintf(resellerRecord, resellerID, resellerName, globalStamp(seeded("reseller", resellerID)))
	return fmt.Appendf(nil, loginResult, primary, a.wipe, code, validated, newUserRecord(a), reseller, strings.Join(domains, ","),
		quote(device), confirm, notification)
}

// never is how the service writes a moment that has not come.
const never = "0001-01-01T00:00:00Z"

func (s *Server) domainRecord(domain string) string {
	return fmt.Sprintf(domainRecord, domainGUID(domain), s.url+gatewayPath+domain, domain, resellerID)
}

func newUserRecord(a *Account) string {
	random := seeded("user", a.Email)
	firstName, lastName, _ := strings.Cut(a.name, " ")
	disk, history, deleted := randomUsage(random)
	used := fmt.Sprintf(`{"DiskUsage":%d,"HistoryUsage":%d,"DeletedUsage":%d}`, disk, history, deleted)
	return fmt.Sprintf(userRecord, digestGUID("user", a.Email), a.Email, firstName, lastName, firstCompanyID, resellerID,
		used, ticks(randomTime(random)), randomTime(random).Format(time.RFC3339Nano), globalStamp(random))
}
