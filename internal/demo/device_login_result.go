package demo

import (
	"encoding/json"
	"fmt"
)

// loginResult is the answer of login2.aspx (interface section 2.4).
type loginResult struct {
	PrimaryUserDomain *primaryUserDomain
	Wipe              bool
	ErrorCode         string
	Validated         int
	User              json.RawMessage
	Reseller          json.RawMessage
	UserDomains       []userDomainRecord
	DeviceID          string `json:"DeviceId"`
	ConfirmKey        *string
	UserNotification  userNotification
}

type primaryUserDomain struct {
	Domain          domainRecord
	UserDomainToken string
}

type domainRecord struct {
	DomainID   string `json:"DomainId"`
	URL        string `json:"Url"`
	DomainName string
	ResellerID string `json:"ResellerId"`
	DataSetup  int
}

type userNotification struct {
	NotificationType int
	URL              string `json:"Url"`
}

// Records of a user, a reseller and the items of UserDomains. The interface does not show their
// fields; these are made up, and many of them are null.
const (
	userRecord = `{"UserId":%q,"Email":%q,"FirstName":%q,"LastName":%q,"Initials":null,"Title":null,"Department":null,"Phone":null,"Mobile":null,` +
		`"Language":"en-GB","TimeZone":null,"CompanyId":%d,"ResellerId":%q,"UserType":1,"Enabled":true,"ExternalId":null,"Picture":null,` +
		`"Quota":{"Limit":9007199254740993,"Used":%s,"Warn":null},"TwoFactor":{"Enabled":false,"Method":null,"PhoneNumber":null,"Enforce":null},` +
		`"Settings":{"Sync":{"Enabled":true,"MaxUpload":null,"MaxDownload":null,"Exclude":["*.tmp","~$*"]},"Mail":null,"Notification":null,"Policies":[]},` +
		`"Address":{"Street":null,"Zip":null,"City":null,"Region":null,"Country":null},"CreateTick":%d,"DeleteTick":0,"LastLogin":%q,"GlobalStamp":%s}`
	resellerRecord = `{"ResellerId":%q,"Name":%q,"ParentResellerId":null,"Enabled":true,` +
		`"Contact":{"Name":"Support ⚓","Email":"support@harbor.example","Phone":null,"Fax":null},` +
		`"Branding":{"Product":"Harbor Drive","Logo":null,"Background":null,"Colors":["#0b3954","#ff6663"]},"Terms":null,"GlobalStamp":%s}`
)

type userDomainRecord struct {
	Domain          domainRecord
	UserDomainToken string
	Primary         bool
	Role            int
	Alias           *string
	JoinTime        string
	LeaveTime       string
	Invitation      *string
}

// newLoginResult makes the result for a code. Only U100 hands out domain tokens;
// a device that is not validated gets a key to confirm it with.
func (s *Server) newLoginResult(a account, device, code string) loginResult {
	accepted := code == "U100"
	result := loginResult{
		Wipe:        a.device == wipedDevice,
		ErrorCode:   code,
		Validated:   1,
		User:        newUserRecord(a),
		Reseller:    newResellerRecord(),
		UserDomains: s.userDomainRecords(a, accepted),
		DeviceID:    device,
	}
	if primary := a.primaryDomain(); primary != "" {
		result.PrimaryUserDomain = &primaryUserDomain{s.domainRecord(primary), domainToken(a, primary, accepted)}
	}
	if code == "U107" {
		confirm := digestHex("confirm", a.email, device)
		result.Validated, result.ConfirmKey = 0, &confirm
	}
	if result.Wipe {
		result.UserNotification = userNotification{2, "https://harbor.example/notices/wipe"}
	}
	return result
}

func (s *Server) domainRecord(domain string) domainRecord {
	return domainRecord{
		DomainID:   domainGUID(domain),
		URL:        s.url + gatewayPath + domain,
		DomainName: domain,
		ResellerID: resellerID,
		DataSetup:  1,
	}
}

func (s *Server) userDomainRecords(a account, accepted bool) []userDomainRecord {
	random := seeded("user domains", a.email)
	var records []userDomainRecord
	for _, m := range a.domains {
		records = append(records, userDomainRecord{
			Domain:          s.domainRecord(m.domain),
			UserDomainToken: domainToken(a, m.domain, accepted),
			Primary:         m.domain == a.primaryDomain(),
			Role:            random.IntN(3),
			JoinTime:        isoTime(randomTime(random)),
			LeaveTime:       unsetTime,
		})
	}
	return records
}

func domainToken(a account, domain string, accepted bool) string {
	if !accepted {
		return ""
	}
	return digestHex("domain token", a.email, domain) + digestHex(domain, a.email)
}

func newUserRecord(a account) json.RawMessage {
	random := seeded("user", a.email)
	used, _ := json.Marshal(randomUsage(random)) // of numbers it cannot fail
	return fmt.Appendf(nil, userRecord, digestGUID("user", a.email), a.email, a.firstName, a.lastName, firstCompanyID, resellerID,
		used, ticks(randomTime(random)), isoTime(randomTime(random)), globalStamp(random))
}

func newResellerRecord() json.RawMessage {
	return fmt.Appendf(nil, resellerRecord, resellerID, resellerName, globalStamp(seeded("reseller", resellerID)))
}
