package demo

import (
	"encoding/json"
	"fmt"
	"strings"
)

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

// loginResult makes the result for a code. Only U100 hands out domain tokens; a device that is
// not validated gets a key to confirm it with.
func (s *Server) loginResult(a account, device, code string) json.RawMessage {
	token := func(domain string) string {
		if code != "U100" {
			return ""
		}
		return digestHex("domain token", a.email, domain) + digestHex(domain, a.email)
	}
	primary, validated, confirm, notification := "null", 1, "null", `{"NotificationType":0,"Url":""}`
	if domain := a.primaryDomain(); domain != "" {
		primary = fmt.Sprintf(primaryUserDomain, s.domainRecord(domain), token(domain))
	}
	if code == "U107" {
		validated, confirm = 0, quote(digestHex("confirm", a.email, device))
	}
	wipe := a.device == wipedDevice
	if wipe {
		notification = `{"NotificationType":2,"Url":"https://harbor.example/notices/wipe"}`
	}
	var domains []string
	random := seeded("user domains", a.email)
	for _, m := range a.domains {
		domains = append(domains, fmt.Sprintf(userDomainRecord, s.domainRecord(m.domain), token(m.domain), m.domain == a.primaryDomain(),
			random.IntN(3), isoTime(randomTime(random)), unsetTime))
	}
	reseller := fmt.Sprintf(resellerRecord, resellerID, resellerName, globalStamp(seeded("reseller", resellerID)))
	return fmt.Appendf(nil, loginResult, primary, wipe, code, validated, newUserRecord(a), reseller, strings.Join(domains, ","),
		quote(device), confirm, notification)
}

func (s *Server) domainRecord(domain string) string {
	return fmt.Sprintf(domainRecord, domainGUID(domain), s.url+gatewayPath+domain, domain, resellerID)
}

func newUserRecord(a account) string {
	random := seeded("user", a.email)
	used, _ := json.Marshal(randomUsage(random)) // of numbers it cannot fail
	return fmt.Sprintf(userRecord, digestGUID("user", a.email), a.email, a.firstName, a.lastName, firstCompanyID, resellerID,
		used, ticks(randomTime(random)), isoTime(randomTime(random)), globalStamp(random))
}
