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

// userDomain serves GET getuserdomain.aspx (interface section 4.4): the e-mail address in lower
// case, a comma, and the primary domain or nothing. It accepts bare addresses only, so that no
// markup gets into an answer in HTML.
func (s *Server) userDomain(w http.ResponseWriter, r *http.Request) {
	email := r.URL.Query().Get("useremail")
	if address, err := mail.ParseAddress(email); err != nil || address.Address != email {
		refuse(w, http.StatusBadRequest, "useremail must be an e-mail address.")
		return
	}
	a, _ := findAccount(email)
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprintf(w, "%s,%s", strings.ToLower(email), a.primaryDomain())
}

// The codes of a device login (interface section 7). The interface does not say what U100 means.
// Here it is the code of a login that succeeds.
const (
	succeeded          = "U100"
	noPrimaryDomain    = "U103"
	wrongDomain        = "U105"
	deviceNotValidated = "U107"
)

// deviceLogin serves GET login2.aspx (interface section 4.5).
//
// The interface does not say how a call is refused. Here a call with missing or invalid parameters
// gives 400, and a wrong e-mail address or password 401, each with a Message. All else is a result
// with status 200 and an ErrorCode.
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
	device := deviceID(&a, query)
	code := loginCode(&a, device, query.Get("domain"))
	writeJSON(w, http.StatusOK, s.loginResult(&a, device, code))
}

// deviceID is the id of the device of a call: that in the call, or one for its name, which is the
// same each time.
func deviceID(a *Account, query url.Values) string {
	switch id := query.Get("deviceid"); {
	case id != "":
		return id
	case a.knownDevice:
		return KnownDeviceID
	}
	return digestHex("device", a.Email, query.Get("devicename"))
}

// deviceTypes are the types of devices that a call may have.
var deviceTypes = []string{
	"Pc", "AndroidPhone", "AndroidTable", "Ipad", "IpadMine", "Iphone",
	"WindowsPhone", "WindowsTablet", "Mac", "Unknown",
}

// checkLogin returns what is wrong with a call; "" if nothing is. undecoded is the error of
// decoding the password.
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

// loginCode is the ErrorCode of a login. An account with a code of its own always has that, such as
// Finn, whose domain is wrong whether the call names one or not.
func loginCode(a *Account, device, domainID string) string {
	isOther := domainID != "" && !strings.EqualFold(domainID, domainGUID(a.primaryDomain()))
	switch {
	case isOther && a.code != noPrimaryDomain:
		return wrongDomain
	case a.knownDevice && !strings.EqualFold(device, KnownDeviceID):
		return deviceNotValidated
	}
	return cmp.Or(a.code, succeeded)
}

// domainGUID is the id of a domain.
func domainGUID(domain string) string { return digestGUID("domain", domain) }

// The records of an answer of login2.aspx (interface section 2.4). The interface does not show the
// fields of a user, a reseller and the items of UserDomains; these are made up, and many of them
// are null.
const (
	loginResult = `{"PrimaryUserDomain":%s,"Wipe":%t,"ErrorCode":%q,"Validated":%d,"User":%s,` +
		`"Reseller":%s,"UserDomains":[%s],"DeviceId":%s,"ConfirmKey":%s,"UserNotification":%s}`

	primaryUserDomain = `{"Domain":%s,"UserDomainToken":%q}`

	userDomainRecord = `{"Domain":%s,"UserDomainToken":%q,"Primary":%t,"Role":%d,"Alias":null,` +
		`"JoinTime":%q,"LeaveTime":%q,"Invitation":null}`

	domainRecord = `{"DomainId":%q,"Url":%q,"DomainName":%q,"ResellerId":%q,"DataSetup":1}`

	usageRecord = `{"DiskUsage":%d,"HistoryUsage":%d,"DeletedUsage":%d}`

	userRecord = `{"UserId":%q,"Email":%q,"FirstName":%q,"LastName":%q,"Initials":null,"Title":null,` +
		`"Department":null,"Phone":null,"Mobile":null,"Language":"en-GB","TimeZone":null,` +
		`"CompanyId":%d,"ResellerId":%q,"UserType":1,"Enabled":true,"ExternalId":null,"Picture":null,` +
		`"Quota":{"Limit":9007199254740993,"Used":%s,"Warn":null},` +
		`"TwoFactor":{"Enabled":false,"Method":null,"PhoneNumber":null,"Enforce":null},` +
		`"Settings":{"Sync":{"Enabled":true,"MaxUpload":null,"MaxDownload":null,` +
		`"Exclude":["*.tmp","~$*"]},"Mail":null,"Notification":null,"Policies":[]},` +
		`"Address":{"Street":null,"Zip":null,"City":null,"Region":null,"Country":null},` +
		`"CreateTick":%d,"DeleteTick":0,"LastLogin":%q,"GlobalStamp":%s}`

	resellerRecord = `{"ResellerId":%q,"Name":%q,"ParentResellerId":null,"Enabled":true,` +
		`"Contact":{"Name":"Support ⚓","Email":"support@harbor.example","Phone":null,"Fax":null},` +
		`"Branding":{"Product":"Harbor Drive","Logo":null,"Background":null,` +
		`"Colors":["#0b3954","#ff6663"]},"Terms":null,"GlobalStamp":%s}`
)

// loginResult is the result of a login that ends in a code. Only one that succeeds has domain
// tokens. A device that is not validated gets a key with which it can be confirmed.
func (s *Server) loginResult(a *Account, device, code string) json.RawMessage {
	token := func(domain string) string {
		if code != succeeded {
			return ""
		}
		return digestHex("domain token", a.Email, domain) + digestHex(domain, a.Email)
	}
	primary, validated, confirm := "null", 1, "null"
	notification := `{"NotificationType":0,"Url":""}`
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
	stamp := globalStamp(seeded("reseller", resellerID))
	reseller := fmt.Sprintf(resellerRecord, resellerID, resellerName, stamp)
	return fmt.Appendf(nil, loginResult,
		primary, a.wipe, code, validated, newUserRecord(a), reseller, strings.Join(domains, ","),
		quote(device), confirm, notification)
}

// never is the time that the service writes for what has not happened.
const never = "0001-01-01T00:00:00Z"

// domainRecord is the record of a domain, in JSON.
func (s *Server) domainRecord(domain string) string {
	url := s.url + gatewayPath + domain
	return fmt.Sprintf(domainRecord, domainGUID(domain), url, domain, resellerID)
}

// newUserRecord is the record of the user of an account, in JSON.
func newUserRecord(a *Account) string {
	random := seeded("user", a.Email)
	firstName, lastName, _ := strings.Cut(a.name, " ")
	disk, history, deleted := randomUsage(random)
	used := fmt.Sprintf(usageRecord, disk, history, deleted)
	created := ticks(randomTime(random))
	lastLogin := randomTime(random).Format(time.RFC3339Nano)
	return fmt.Sprintf(userRecord,
		digestGUID("user", a.Email), a.Email, firstName, lastName, firstCompanyID, resellerID,
		used, created, lastLogin, globalStamp(random))
}
