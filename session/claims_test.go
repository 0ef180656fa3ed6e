package session

import (
	"encoding/base64"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gatehouse/internal/secret"
)

func TestDomainsAreReadFromEveryFormOfTheClaim(t *testing.T) {
	tests := []struct {
		name, payload              string
		primary, domains, rejected string
	}{
		{"missing", `{"primary_domain":"a.example"}`, "a.example", "", ""},
		{"null", `{"primary_domain":"a.example","domains":null}`, "a.example", "", ""},
		{"an empty array", `{"primary_domain":"a.example","domains":[]}`, "a.example", "", ""},
		{"a string", `{"primary_domain":"a.example","domains":"b.example"}`, "a.example", "b.example", ""},
		{"an array keeps its order", `{"primary_domain":"a.example","domains":["c.example","b.example"]}`, "a.example", "c.example b.example", ""},
		{"duplicates without case", `{"primary_domain":"a.example","domains":["b.example","B.EXAMPLE","b.example"]}`, "a.example", "b.example", ""},
		{"the primary without case", `{"primary_domain":"a.example","domains":["A.Example","b.example"]}`, "a.example", "b.example", ""},
		{"mixed kinds", `{"primary_domain":"a.example","domains":["b.example",7,null,{"x":[1]},true]}`, "a.example", "b.example", `7|null|{"x":[1]}|true`},
		{"a number", `{"primary_domain":"a.example","domains":7.50}`, "a.example", "", "7.50"},
		{"no host names", `{"primary_domain":"a.example","domains":["https://b.example","b.example:8080","b.example/x","u@b.example","10.0.0.1","[::1]","b example","{domain}",""]}`,
			"a.example", "", `https://b.example|b.example:8080|b.example/x|u@b.example|10.0.0.1|[::1]|b example|{domain}|""`},
		{"a list in a string", `{"primary_domain":"a.example","domains":"b.example,c.example"}`, "a.example", "", "b.example,c.example"},
		{"no primary", `{"domains":["b.example"]}`, "", "b.example", ""},
		{"a primary that is no host name", `{"primary_domain":"http://a.example","domains":["b.example"]}`, "", "b.example", "http://a.example"},
		{"a primary in capitals", `{"primary_domain":"A.Example"}`, "a.example", "", ""},
		{"a primary that is null", `{"primary_domain":null,"domains":["b.example"]}`, "", "b.example", ""},
		{"an array of primaries", `{"primary_domain":["a.example","c.example"],"domains":["b.example"]}`, "a.example", "b.example", ""},
		{"names differ by case", `{"primary_domain":"a.example","DOMAINS":["evil.example"],"Primary_Domain":"evil.example"}`, "a.example", "", ""},
		{"beyond ASCII", `{"primary_domain":"bücher.example"}`, "xn--bcher-kva.example", "", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c := decodeClaims(secret.New(makeJWT(test.payload)))
			if !c.Present {
				t.Fatal("the claims were not read")
			}
			got := []string{c.PrimaryDomain, strings.Join(c.Domains, " "), strings.Join(c.Rejected, "|")}
			if diff := cmp.Diff([]string{test.primary, test.domains, test.rejected}, got); diff != "" {
				t.Errorf("primary, others, rejected (-want +got):\n%s", diff)
			}
			if string(c.JSON) != test.payload {
				t.Errorf("the payload is kept as %s", c.JSON)
			}
		})
	}
}

func TestATokenThatIsNoJWTHasNoClaims(t *testing.T) {
	encode := base64.RawURLEncoding.EncodeToString
	for _, token := range []string{
		"", "opaque", "a.b", "a.b.c.d.e", "..", "a.!!!.c",
		"a." + encode([]byte("no json")) + ".c",
		"a." + encode([]byte(`["array"]`)) + ".c",
		"a." + encode([]byte(`null`)) + ".c",
		"a." + encode([]byte(`{"sub":"x"}{"sub":"y"}`)) + ".c",
	} {
		if c := decodeClaims(secret.New(token)); c.Present || c.JSON != nil {
			t.Errorf("token %q has claims %+v", token, c)
		}
	}
}

func TestHeaderAndSignatureDoNotMatterForTheClaims(t *testing.T) {
	payload := base64.RawURLEncoding.EncodeToString([]byte(`{"sub":"ann??>"}`))
	padded := base64.URLEncoding.EncodeToString([]byte(`{"sub":"ann??>"}`))
	for _, token := range []string{
		"." + payload + ".",
		"not json." + payload + ".not base64 !",
		base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"XX999"}`)) + "." + payload + ".c2ln",
		"." + padded + ".",
	} {
		if c := decodeClaims(secret.New(token)); c.Subject != "ann??>" {
			t.Errorf("token %q has claims %+v", token, c)
		}
	}
}

func TestTimesOfTheClaimsStayOnTheCalendar(t *testing.T) {
	end := time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC)
	tests := map[string]time.Time{
		`1772366400`:             start,
		`1772366400.9`:           start,
		`"1772366400"`:           start,
		`1.7723664e9`:            start,
		`1e300`:                  end,
		`1e999999999`:            end,
		`-5`:                     time.Unix(0, 0).UTC(),
		`-1e999`:                 time.Unix(0, 0).UTC(),
		`null`:                   {},
		`true`:                   {},
		`"soon"`:                 {},
		`"Inf"`:                  {},
		`"0x10"`:                 {},
		`[1772366400]`:           {},
		`""`:                     {},
		`{"exp":17}`:             {},
		`9223372036854775808123`: end,
	}
	for value, want := range tests {
		c := decodeClaims(secret.New(makeJWT(`{"exp":` + value + `}`)))
		if !c.Expiry.Equal(want) {
			t.Errorf("exp %s is read as %v, want %v", value, c.Expiry, want)
		}
	}
}

func TestASubjectIsATextOrANumber(t *testing.T) {
	for value, want := range map[string]string{
		`"ann"`: "ann", `"7"`: "7", `12345678901234567890`: "12345678901234567890",
		`null`: "", `[1]`: "", `{"a":"ann"}`: "", `true`: "",
		"\"J\xfcrgen\"": "J\uFFFDrgen", // as a record gives it back
	} {
		if c := decodeClaims(secret.New(makeJWT(`{"sub":` + value + `}`))); c.Subject != want {
			t.Errorf("sub %s is read as %q, want %q", value, c.Subject, want)
		}
	}
}

func FuzzClaims(f *testing.F) {
	f.Add(`{"primary_domain":"a.example","domains":["b.example"],"exp":1}`)
	f.Add(`{"domains":{"a":[null]},"exp":"1e9"}`)
	f.Fuzz(func(t *testing.T, payload string) {
		c := decodeClaims(secret.New(makeJWT(payload)))
		seen := map[string]bool{}
		for _, domain := range c.AllDomains() {
			if seen[domain] || domain == "" || strings.ContainsAny(domain, "/:@ {}") {
				t.Fatalf("domains %q of %s", c.AllDomains(), payload)
			}
			seen[domain] = true
		}
		if year := c.Expiry.Year(); year > 9999 || year < 1 {
			t.Fatalf("expiry %v of %s", c.Expiry, payload)
		}
	})
}
