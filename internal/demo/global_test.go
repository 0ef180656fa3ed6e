package demo_test

import (
	"encoding/base64"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"gatehouse/internal/demo"
)

func TestThePrimaryDomainIsLookedUp(t *testing.T) {
	t.Parallel()
	s := start(t)
	answers := map[string]string{
		"ada@harbor.example":         "ada@harbor.example,harbor.example",
		"ADA@Harbor.Example":         "ada@harbor.example,harbor.example",
		"finn@harbor.example":        "finn@harbor.example,harbor.example",
		"eli@harbor.example":         "eli@harbor.example,",
		"no+Body@elsewhere.example":  "no+body@elsewhere.example,",
		"øjvind.å@elsewhere.example": "øjvind.å@elsewhere.example,",
	}
	for email, want := range answers {
		a := s.get("/global/getuserdomain.aspx?useremail="+url.QueryEscape(email), "")
		if a.status != http.StatusOK || a.body != want {
			t.Errorf("%s: %d %q, want %q", email, a.status, a.body, want)
		}
		if kind := a.header.Get("Content-Type"); !strings.HasPrefix(kind, "text/html") {
			t.Errorf("Content-Type is %q, want HTML", kind)
		}
	}
}

type domainInfo struct {
	DomainID   string `json:"DomainId"`
	URL        string `json:"Url"`
	DomainName string
	ResellerID string `json:"ResellerId"`
	DataSetup  int
}

type login struct {
	PrimaryUserDomain *struct {
		Domain          domainInfo
		UserDomainToken string
	}
	Wipe             bool
	ErrorCode        string
	Validated        *int
	User, Reseller   rawJSON
	UserDomains      []struct{ Domain domainInfo }
	DeviceID         string `json:"DeviceId"`
	ConfirmKey       rawJSON
	UserNotification *struct {
		NotificationType *int
		URL              *string `json:"Url"`
	}
}

func loginQuery(email string) url.Values {
	return url.Values{
		"useremail":  {email},
		"password2":  {base64.StdEncoding.EncodeToString([]byte("demo"))},
		"devicename": {"Front desk"},
		"devicetype": {"Pc"},
	}
}

func (s *service) login(query url.Values) login {
	s.Helper()
	a := s.get("/global/login2.aspx?"+query.Encode(), "")
	if a.status != http.StatusOK {
		s.Fatalf("login2 answered %d %s", a.status, a.body)
	}
	return decode[login](s.T, a.body)
}

func isDeviceID(id string) bool { return regexp.MustCompile(`^[0-9a-f]{32}$`).MatchString(id) }

func TestDeviceLoginAnswersTheWholeResult(t *testing.T) {
	t.Parallel()
	s := start(t)
	got := s.login(loginQuery("ada@harbor.example"))
	if got.PrimaryUserDomain == nil || got.PrimaryUserDomain.UserDomainToken == "" {
		t.Fatalf("no primary domain with a token: %+v", got)
	}
	domain := got.PrimaryUserDomain.Domain
	guid := regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)
	if !guid.MatchString(domain.DomainID) || domain.DomainName != "harbor.example" || domain.ResellerID != reseller || domain.URL == "" {
		t.Errorf("the primary domain is %+v", domain)
	}
	if strings.Count(string(got.User), "null") < 10 || strings.Count(string(got.Reseller), "null") < 3 {
		t.Errorf("User and Reseller are not the large records with many nulls: %s %s", got.User, got.Reseller)
	}
	if len(got.UserDomains) != 4 {
		t.Errorf("%d user domains, want 4", len(got.UserDomains))
	}
	if got.Validated == nil || got.ConfirmKey != "null" {
		t.Errorf("Validated is %v, ConfirmKey %q", got.Validated, got.ConfirmKey)
	}
	if n := got.UserNotification; n == nil || n.NotificationType == nil || n.URL == nil {
		t.Errorf("the notification is %+v", n)
	}
	got = s.login(loginQuery("dora@harbor.example")) // whose device is not validated
	if len(got.ConfirmKey) < 10 || got.PrimaryUserDomain.UserDomainToken != "" {
		t.Errorf("ConfirmKey is %q, UserDomainToken %q", got.ConfirmKey, got.PrimaryUserDomain.UserDomainToken)
	}
}

func TestADeviceKeepsItsID(t *testing.T) {
	t.Parallel()
	s := start(t)
	query := loginQuery("ada@harbor.example")
	first := s.login(query).DeviceID
	if again := s.login(query).DeviceID; again != first {
		t.Errorf("the same name gave %s, then %s", first, again)
	}
	query.Set("devicename", "Another desk")
	if other := s.login(query).DeviceID; other == first {
		t.Error("two names gave the same device")
	}
	query.Set("deviceid", first)
	if again := s.login(query).DeviceID; again != first {
		t.Errorf("the device id %s came back as %s", first, again)
	}
	if others := s.login(loginQuery("ben@harbor.example")).DeviceID; others == first {
		t.Error("two users have the same device")
	}
}

func TestADeviceLoginDependsOnTheDeviceAndTheDomain(t *testing.T) {
	t.Parallel()
	s := start(t)
	domains := s.login(loginQuery("ada@harbor.example")).UserDomains
	for name, c := range map[string]struct{ user, field, value, code, device string }{
		"a known device by its name": {"cleo", "devicename", "anything", "U100", demo.KnownDeviceID},
		"a known device by its id":   {"cleo", "deviceid", strings.ToUpper(demo.KnownDeviceID), "U100", ""},
		"another id":                 {"cleo", "deviceid", "00000000000000000000000000000000", "U107", ""},
		"the primary domain":         {"ada", "domain", strings.ToUpper(domains[0].Domain.DomainID), "U100", ""},
		"another domain":             {"ada", "domain", domains[1].Domain.DomainID, "U105", ""},
	} {
		query := loginQuery(c.user + "@harbor.example")
		query.Set(c.field, c.value)
		if got := s.login(query); got.ErrorCode != c.code || c.device != "" && got.DeviceID != c.device {
			t.Errorf("%s: %s on device %s", name, got.ErrorCode, got.DeviceID)
		}
	}
}

func TestDeviceLoginRefuses(t *testing.T) {
	t.Parallel()
	s := start(t)
	cases := map[string]struct {
		field, value string // an empty value removes the field
		status       int
	}{
		"no user":               {"useremail", "", 400},
		"no password":           {"password2", "", 400},
		"a password in clear":   {"password2", "demo!", 400},
		"no device":             {"devicename", "", 400},
		"an unknown type":       {"devicetype", "AndroidTablet", 400},
		"a location not JSON":   {"devicegeo", "55N", 400},
		"a wrong password":      {"password2", base64.StdEncoding.EncodeToString([]byte("Demo")), 401},
		"an unknown user":       {"useremail", "nobody@harbor.example", 401},
		"a type in lower case":  {"devicetype", "pc", 400},
		"a password in the old": {"password2", "ZGVtbw", 400},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			query := loginQuery("ada@harbor.example")
			if query.Set(c.field, c.value); c.value == "" {
				query.Del(c.field)
			}
			wantMessage(t, s.get("/global/login2.aspx?"+query.Encode(), ""), c.status)
		})
	}
}
