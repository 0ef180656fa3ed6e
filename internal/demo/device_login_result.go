package demo

import "encoding/json"

// loginResult is the answer of login2.aspx (interface section 2.4).
type loginResult struct {
	PrimaryUserDomain *primaryUserDomain
	Wipe              bool
	ErrorCode         string
	Validated         int
	User              userRecord
	Reseller          resellerRecord
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

// alwaysNull is a field that exists and that nobody fills.
type alwaysNull = *struct{}

// userRecord, like the records below it, has fields of our own making: the
// interface does not show them.
type userRecord struct {
	UserID      string `json:"UserId"`
	Email       string
	FirstName   string
	LastName    string
	Initials    alwaysNull
	Title       alwaysNull
	Department  alwaysNull
	Phone       alwaysNull
	Mobile      alwaysNull
	Language    string
	TimeZone    alwaysNull
	CompanyID   int64  `json:"CompanyId"`
	ResellerID  string `json:"ResellerId"`
	UserType    int
	Enabled     bool
	ExternalID  alwaysNull `json:"ExternalId"`
	Picture     alwaysNull
	Quota       userQuota
	TwoFactor   twoFactor
	Settings    userSettings
	Address     userAddress
	CreateTick  int64 // .NET ticks
	DeleteTick  int64
	LastLogin   string
	GlobalStamp json.Number
}

type userQuota struct {
	Limit int64 // bytes
	Used  spaceUsage
	Warn  alwaysNull
}

type twoFactor struct {
	Enabled                      bool
	Method, PhoneNumber, Enforce alwaysNull
}

type userSettings struct {
	Sync         syncSettings
	Mail         alwaysNull
	Notification alwaysNull
	Policies     []string
}

type syncSettings struct {
	Enabled                bool
	MaxUpload, MaxDownload alwaysNull
	Exclude                []string
}

type userAddress struct {
	Street, Zip, City, Region, Country alwaysNull
}

type resellerRecord struct {
	ResellerID       string `json:"ResellerId"`
	Name             string
	ParentResellerID alwaysNull `json:"ParentResellerId"`
	Enabled          bool
	Contact          resellerContact
	Branding         branding
	Terms            alwaysNull
	GlobalStamp      json.Number
}

type resellerContact struct {
	Name, Email string
	Phone, Fax  alwaysNull
}

type branding struct {
	Product          string
	Logo, Background alwaysNull
	Colors           []string
}

type userDomainRecord struct {
	Domain          domainRecord
	UserDomainToken string
	Primary         bool
	Role            int
	Alias           alwaysNull
	JoinTime        string
	LeaveTime       string
	Invitation      alwaysNull
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

func newUserRecord(a account) userRecord {
	random := seeded("user", a.email)
	return userRecord{
		UserID:      digestGUID("user", a.email),
		Email:       a.email,
		FirstName:   a.firstName,
		LastName:    a.lastName,
		Language:    "en-GB",
		CompanyID:   firstCompanyID,
		ResellerID:  resellerID,
		UserType:    1,
		Enabled:     true,
		Quota:       userQuota{Limit: 1<<53 + 1, Used: *randomUsage(random)},
		Settings:    userSettings{Sync: syncSettings{Enabled: true, Exclude: []string{"*.tmp", "~$*"}}, Policies: []string{}},
		CreateTick:  ticks(randomTime(random)),
		LastLogin:   isoTime(randomTime(random)),
		GlobalStamp: globalStamp(random),
	}
}

func newResellerRecord() resellerRecord {
	return resellerRecord{
		ResellerID:  resellerID,
		Name:        resellerName,
		Enabled:     true,
		Contact:     resellerContact{Name: "Support ⚓", Email: "support@harbor.example"},
		Branding:    branding{Product: "Harbor Drive", Colors: []string{"#0b3954", "#ff6663"}},
		GlobalStamp: globalStamp(seeded("reseller", resellerID)),
	}
}
