package demo_test

import (
	"encoding/json"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"
)

const reseller = "7d3c1b52-94e0-4f6a-8a1d-5b20c9e6f314"

func companiesPath(domain, reseller string) string {
	return "/gateway/" + domain + "/api/resellers/" + reseller + "/companies"
}

type envelope struct {
	Data         []json.RawMessage
	Message      string
	ResponseInfo struct {
		ResponseCode int
		Reference    string
	}
}

// list checks that an answer is a list in an envelope.
func list(t *testing.T, a answer) envelope {
	t.Helper()
	if a.status != http.StatusOK {
		t.Fatalf("status %d: %.200s", a.status, a.body)
	}
	got := decode[envelope](t, a.body)
	if got.Data == nil || got.Message != "Ok." || got.ResponseInfo.ResponseCode != 1 || got.ResponseInfo.Reference == "" {
		t.Errorf("the envelope is not complete: %.200s", a.body)
	}
	return got
}

func TestEveryAccountHasItsShares(t *testing.T) {
	t.Parallel()
	s := start(t)
	cases := []struct {
		user, domain string
		count        int
	}{
		{"ada", "harbor.example", 42}, {"ada", "minato.example", 23}, {"ada", "fjord.example", 12},
		{"ben", "harbor.example", 9}, {"ben", "pier.example", 5}, {"cleo", "harbor.example", 14}, {"dora", "harbor.example", 7},
		{"eli", "harbor.example", 6}, {"finn", "harbor.example", 11}, {"hal", "harbor.example", 8}, {"wes", "harbor.example", 3},
	}
	for _, c := range cases {
		email := c.user + "@harbor.example"
		a := s.get(sharesPath(c.domain, email), "Bearer "+s.signIn(email).Access)
		if got := len(list(t, a).Data); got != c.count {
			t.Errorf("%s has %d shares in %s, want %d", c.user, got, c.domain, c.count)
		}
	}
}

func TestEveryStartShowsTheSame(t *testing.T) {
	t.Parallel()
	first, second := start(t), start(t)
	second.clock.advance(1000 * time.Hour)
	paths := []string{
		sharesPath("harbor.example", "ada@harbor.example"),
		sharesPath("harbor.example", "gus@harbor.example"),
		sharesPath("harbor.example", "ivy@harbor.example"),
		companiesPath("harbor.example", reseller),
	}
	for _, path := range paths {
		if a, b := first.beginning(path), second.beginning(path); a == "" || a != b {
			t.Errorf("%s differs between two starts", path)
		}
	}
}

// beginning returns at most the first 64 KiB of a list: a long one is left.
func (s *service) beginning(path string) string {
	s.Helper()
	response := s.open(path)
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, 64<<10))
	if err != nil {
		s.Fatal(err)
	}
	return string(body)
}

// open asks for a list and leaves its body to be read.
func (s *service) open(path string) *http.Response {
	s.Helper()
	response, err := s.http.Do(s.request(http.MethodGet, path, "", "Authorization", "ApiKey demo-company-key"))
	if err != nil {
		s.Fatal(err)
	}
	return response
}

func TestSharesHaveTheFieldsAndTheOdditiesOfRealOnes(t *testing.T) {
	t.Parallel()
	a := start(t).get(sharesPath("harbor.example", "ada@harbor.example"), "ApiKey demo-company-key")
	for _, field := range strings.Fields(`Id CompanyId VirtualFieldId Name ShareAssociationType ShareRelations ShareDefault Owner ShareCategory
		ShareTick SpaceUsage DiskUsage HistoryUsage DeletedUsage ShareType ShareIds ParentShareId TimeStamps CreateTime CreatedBy UpdateTime
		UpdatedBy DeleteTime DeletedBy`) {
		if record := string(list(t, a).Data[0]); !strings.Contains(record, `"`+field+`":`) {
			t.Errorf("no %s in %s", field, record)
		}
	}
	for name, pattern := range map[string]string{
		"21 digits":           `"GlobalStamp":[1-9]\d{20}[,}]`,
		"past 2^53":           `"VirtualFieldId":\d{17,}`,
		".NET ticks":          `"ShareTick":63\d{16},`,
		"unset ticks":         `"ShareTick":0,`,
		"microseconds":        `"CreateTime":"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z"`,
		"unset time":          `"0001-01-01T00:00:00Z"`,
		"null object":         `"SpaceUsage":null`,
		"missing object":      `"ParentShareId":[^{}]*}`,
		"sub-share":           `"ShareType":1,"ShareIds":null,"ParentShareId":"`,
		"parent of sub-share": `"ShareIds":\["`,
		"escaped ampersand":   `\\u0026`,
		"Japanese":            `\p{Katakana}`,
		"Arabic":              `\p{Arabic}`,
		"emoji":               `\p{So}`,
		"Danish":              `[æø]`,
	} {
		if !regexp.MustCompile(pattern).MatchString(a.body) {
			t.Errorf("%s: nothing matches %s", name, pattern)
		}
	}
}

// The length is that of a million shares: net/http ends with an error where less or more is sent.
func TestIvySaysHowLongAMillionSharesAre(t *testing.T) {
	t.Parallel()
	const length, rest = 383_631_466, 1000
	s := start(t)
	response := s.open(sharesPath("harbor.example", "ivy@harbor.example"))
	defer response.Body.Close()
	if _, err := io.CopyN(io.Discard, response.Body, length-rest); err != nil || response.ContentLength != length {
		t.Errorf("%d bytes, %v", response.ContentLength, err)
	}
	if end, err := io.ReadAll(response.Body); err != nil || len(end) != rest || !strings.Contains(string(end), ` 1000000","ShareAssociationType"`) {
		t.Errorf("it ends with %s, %v", end, err)
	}
}

func TestAccessTokensExpire(t *testing.T) {
	t.Parallel()
	lives := map[string]time.Duration{"ada@harbor.example": 24 * time.Hour, "hal@harbor.example": 20 * time.Second}
	for email, life := range lives {
		s := start(t)
		path, bearer := sharesPath("harbor.example", email), "Bearer "+s.signIn(email).Access
		s.clock.advance(life - time.Second)
		if a := s.get(path, bearer); a.status != http.StatusOK {
			t.Errorf("%s got %d before the end", email, a.status)
		}
		s.clock.advance(time.Second)
		a := s.get(path, bearer)
		wantMessage(t, a, http.StatusUnauthorized)
		if challenge := a.header.Get("WWW-Authenticate"); !strings.Contains(challenge, "expired") {
			t.Errorf("the challenge is %q", challenge)
		}
	}
}

func TestSharesTakeTheCredentialsMeantForThem(t *testing.T) {
	t.Parallel()
	s := start(t)
	ben := s.signIn("ben@harbor.example").Access
	cut := strings.LastIndexByte(ben, '.') + 1
	forged := ben[:cut] + strings.Repeat("A", len(ben)-cut)
	unsigned := "eyJhbGciOiJub25lIn0." + strings.Split(ben, ".")[1] + "."
	cases := map[string]struct {
		domain, user, authorization string
		status                      int
	}{
		"the user":             {"harbor.example", "ben@harbor.example", "Bearer " + ben, 200},
		"without case":         {"Harbor.EXAMPLE", "BEN@Harbor.example", "bearer " + ben, 200},
		"a company key":        {"harbor.example", "ben@harbor.example", "ApiKey demo-company-key", 200},
		"nothing":              {"harbor.example", "ben@harbor.example", "", 401},
		"a forged token":       {"harbor.example", "ben@harbor.example", "Bearer " + forged, 401},
		"an unsigned token":    {"harbor.example", "ben@harbor.example", "Bearer " + unsigned, 401},
		"no token":             {"harbor.example", "ben@harbor.example", "Bearer ", 401},
		"a wrong key":          {"harbor.example", "ben@harbor.example", "ApiKey demo", 401},
		"a token as key":       {"harbor.example", "ben@harbor.example", "ApiKey " + ben, 401},
		"a reseller key":       {"harbor.example", "ben@harbor.example", "ApiKey demo-reseller-key", 403},
		"another user":         {"harbor.example", "ada@harbor.example", "Bearer " + ben, 403},
		"a foreign domain":     {"minato.example", "ben@harbor.example", "Bearer " + ben, 403},
		"an unknown domain":    {"nowhere.example", "ben@harbor.example", "Bearer " + ben, 404},
		"an unknown user":      {"harbor.example", "no+body@harbor.example", "ApiKey demo-company-key", 400},
		"an escaped separator": {"harbor.example", "a/b", "ApiKey demo-company-key", 400},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			a := s.get(sharesPath(c.domain, c.user), c.authorization)
			if c.status == http.StatusOK {
				list(t, a)
				return
			}
			wantMessage(t, a, c.status)
			if challenged := a.header.Get("WWW-Authenticate") != ""; challenged != (c.status == 401) {
				t.Errorf("status %d has challenge %q", a.status, a.header.Get("WWW-Authenticate"))
			}
		})
	}
}

func TestCompaniesTakeAnAPIKey(t *testing.T) {
	t.Parallel()
	s := start(t)
	cases := map[string]struct {
		domain, reseller, authorization string
		status                          int
	}{
		"a reseller key":      {"harbor.example", reseller, "ApiKey demo-reseller-key", 200},
		"a company key":       {"harbor.example", reseller, "ApiKey demo-company-key", 200},
		"without case":        {"HARBOR.example", strings.ToUpper(reseller), "apikey demo-reseller-key", 200},
		"a wrong key":         {"harbor.example", reseller, "ApiKey demo", 401},
		"no key":              {"harbor.example", reseller, "", 401},
		"a bearer":            {"harbor.example", reseller, "Bearer " + s.signIn("ada@harbor.example").Access, 401},
		"an unknown reseller": {"harbor.example", "4711", "ApiKey demo-reseller-key", 400},
		"an unknown domain":   {"nowhere.example", reseller, "ApiKey demo-reseller-key", 404},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			a := s.get(companiesPath(c.domain, c.reseller), c.authorization)
			if c.status != http.StatusOK {
				wantMessage(t, a, c.status)
				return
			}
			seen := map[any]bool{}
			for _, record := range list(t, a).Data {
				company := decode[struct {
					ID         int64 `json:"Id"`
					Name       string
					ResellerID string `json:"ResellerId"`
				}](t, string(record))
				seen[company.ID], seen[company.Name], seen[company.ResellerID] = true, true, true
			}
			if len(seen) != 25+25+1 || !seen[reseller] {
				t.Errorf("not 25 companies of one reseller: %v", seen)
			}
		})
	}
}
