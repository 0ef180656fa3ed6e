package session

import (
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gatehouse/internal/testkit"
	"gatehouse/internal/text/secret"
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
		{"a list in a string", `{"primary_domain":"a.example","domains":"b.example,c.example"}`, "a.example", "b.example c.example", ""},
		{"blanks between names", `{"primary_domain":"a.example","domains":["b.example  c.example","D.example , e.example"]}`, "a.example", "b.example c.example d.example e.example", ""},
		{"JSON in a string", `{"primary_domain":"a.example","domains":"[\"b.example\", \"c.example\"]"}`, "a.example", "b.example c.example", ""},
		{"objects in JSON in a string", `{"primary_domain":"a.example","domains":"[{\"Name\":\"b.example\"},7]"}`, "a.example", "b.example", "7"},
		{"JSON that is cut", `{"primary_domain":"a.example","domains":"[\"b.example\""}`, "a.example", "", `["b.example"`},
		{"a list in a list", `{"primary_domain":"a.example","domains":[["b.example","c.example"],"d.example"]}`, "a.example", "b.example c.example d.example", ""},
		{"a list of lists of lists", `{"primary_domain":"a.example","domains":[[["b.example"]],[]]}`, "a.example", "", `[["b.example"]]|[]`},
		{"objects with a name", `{"primary_domain":"a.example","domains":[{"domain":"b.example","name":"Sales"},{"Name":"c.example","id":3}]}`, "a.example", "b.example c.example", ""},
		{"an object with two names", `{"primary_domain":"a.example","domains":[{"domain":"b.example","name":"c.example"}]}`, "a.example", "", `{"domain":"b.example","name":"c.example"}`},
		{"an object without one", `{"primary_domain":"a.example","domains":{"b.example":true}}`, "a.example", "", `{"b.example":true}`},
		{"a list with something else in it", `{"primary_domain":"a.example","domains":["b.example, and others",["c.example",7]]}`, "a.example", "", `b.example, and others|["c.example",7]`},
		{"a list that begins with something else", `{"primary_domain":"a.example","domains":[["no domain","c.example"]]}`, "a.example", "", `["no domain","c.example"]`},
		{"an object in a string", `{"primary_domain":"a.example","domains":"{\"domain\":\"b.example\"}"}`, "a.example", "", `{"domain":"b.example"}`},
		{"an object with more", `{"primary_domain":"a.example","domains":{"id":3,"owner":"c.example","name":"b.example"}}`, "a.example", "b.example", ""},
		{"an object that says it twice", `{"primary_domain":"a.example","domains":{"domain":"b.example","name":"B.example"}}`, "a.example", "b.example", ""},
		{"a dot at the end", `{"primary_domain":"a.example.","domains":["b.example.","c.example.."]}`, "a.example", "b.example", "c.example.."},
		{"a primary in a list in a string", `{"primary_domain":"[\"a.example\"]","domains":"b.example"}`, "a.example", "b.example", ""},
		{"a primary that is two", `{"primary_domain":"a.example, b.example"}`, "", "", "a.example, b.example"},
		{"a primary that is an object", `{"primary_domain":{"name":"a.example"}}`, "a.example", "", ""},
		{"a primary in a list of a list", `{"primary_domain":[["no domain"]]}`, "", "", `["no domain"]`},
		{"a primary that is an empty list", `{"primary_domain":[[]]}`, "", "", `[]`},
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

func TestOfAClaimThatIsSentTwiceTheLastCounts(t *testing.T) {
	tests := []struct {
		name, payload   string
		read, ambiguous string
	}{
		{"a primary domain", `{"primary_domain":"a.example","primary_domain":"b.example"}`, "b.example||", "primary_domain"},
		{"spelled with an escape", `{"primary_domain":"a.example","primary\u005fdomain":"b.example"}`, "b.example||", "primary_domain"},
		{"with the same value", `{"primary_domain":"a.example","primary_domain":"a.example"}`, "a.example||", ""},
		{"the last one is no domain", `{"primary_domain":"a.example","primary_domain":"no domain"}`, "||", "primary_domain"},
		{"three times", `{"domains":["a.example"],"domains":null,"domains":"b.example"}`, "|b.example|", "domains"},
		{"the last one is null", `{"domains":"a.example","domains":null}`, "||", "domains"},
		{"a user", `{"sub":"ann","sub":"bob"}`, "||bob", "sub"},
		{"in another object", `{"primary_domain":"a.example","x":{"primary_domain":"b.example"}}`, "a.example||", ""},
		{"a claim that nobody reads", `{"x":1,"x":2}`, "||", ""},
		{"all of them", `{"sub":"a","exp":1,"exp":2,"sub":"b"}`, "||b", "exp sub"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c := decodeClaims(secret.New(makeJWT(test.payload)))
			read := c.PrimaryDomain + "|" + strings.Join(c.Domains, " ") + "|" + c.Subject
			if read != test.read || strings.Join(c.Ambiguous, " ") != test.ambiguous {
				t.Errorf("read %q, ambiguous %q", read, c.Ambiguous)
			}
			if len(c.Notes()) != len(c.Ambiguous)+min(len(c.Rejected), 1) {
				t.Errorf("it says %q", c.Notes())
			}
		})
	}
	c := decodeClaims(secret.New(makeJWT(`{"scope":"a","exp":1,"scope":["b c","d"],"exp":2}`)))
	if got := strings.Join(c.Scopes(), " "); got != "b c d" || c.Expiry.Unix() != 2 {
		t.Errorf("scopes %q, expiry %v", got, c.Expiry)
	}
}

func TestALongTokenKeepsNobodyWaiting(t *testing.T) {
	size := testkit.LongClaims(t)
	tests := map[string]string{
		"domains":                  testkit.ManyDomains(size),
		"the same domain":          `{"primary_domain":"a.example","domains":[` + testkit.Items(size, func(int) string { return `"b.example"` }) + `]}`,
		"international domains":    `{"domains":[` + testkit.Items(size, func(i int) string { return fmt.Sprintf(`"%s%d.example"`, strings.Repeat("ü日", 60), i) }) + `]}`,
		"names in a text":          `{"domains":"` + testkit.Items(size, func(i int) string { return fmt.Sprintf("d%d.example", i) }) + `"}`,
		"lists in a list":          `{"domains":[` + testkit.Items(size, func(i int) string { return fmt.Sprintf(`["d%d.example","no domain"]`, i) }) + `]}`,
		"a list in a text":         `{"domains":"[` + testkit.Items(size, func(i int) string { return fmt.Sprintf(`\"d%d.example\"`, i) }) + `]"}`,
		"objects":                  `{"domains":[` + testkit.Items(size, func(i int) string { return fmt.Sprintf(`{"name":"d%d.example"}`, i) }) + `]}`,
		"numbers among domains":    `{"primary_domain":[` + testkit.Items(size/2, func(int) string { return "1" }) + `],"domains":[` + testkit.Items(size/2, func(int) string { return "1" }) + `]}`,
		"texts that are no domain": `{"domains":[` + testkit.Items(size, func(i int) string { return `"a"` }) + `]}`,
		"one long text":            `{"sub":"` + testkit.Fill(size/2, "x") + `","domains":"` + testkit.Fill(size/2, "ü") + `"}`,
		"a long number":            `{"exp":` + testkit.Fill(size, "9") + `}`,
		"a long text for a number": `{"exp":"` + testkit.Fill(size, "[") + `"}`,
		"deep lists":               `{"domains":` + testkit.Fill(size/2, "[") + testkit.Fill(size/2, "]") + `}`,
		"deep lists without end":   `{"domains":` + testkit.Fill(size, "["),
		"deep objects without end": testkit.Fill(size, `{"domains":`),
		"many claims":              `{` + testkit.Items(size, func(i int) string { return fmt.Sprintf(`"k%d":1`, i) }) + `}`,
		"one claim many times":     `{` + testkit.Items(size, func(i int) string { return fmt.Sprintf(`"primary_domain":"d%d.example"`, i) }) + `}`,
		"no text":                  `{"sub":"` + testkit.Fill(size, "\xff") + `"}`,
	}
	for name, payload := range tests {
		t.Run(name, func(t *testing.T) {
			token := secret.New(makeJWT(payload))
			testkit.RequireCPU(t, 500*time.Millisecond, "reading it", func() {
				c := decodeClaims(token)
				_, _ = c.Scopes(), c.AllDomains()
			})
		})
	}
	t.Run("dots", func(t *testing.T) {
		testkit.RequireCPU(t, 500*time.Millisecond, "reading it", func() { decodeClaims(secret.New(testkit.Fill(1<<20, "."))) })
	})
}

func TestOnlyTheFirstDomainsAreReadAndThatIsSaid(t *testing.T) {
	list := func(n int) string {
		names := make([]string, n)
		for i := range names {
			names[i] = fmt.Sprintf(`"d%d.example"`, i)
		}
		return `{"primary_domain":"a.example","domains":[` + strings.Join(names, ",") + `]}`
	}
	all := decodeClaims(secret.New(makeJWT(list(MaxDomains))))
	if len(all.Domains) != MaxDomains || all.Unread != 0 || all.Notes() != nil {
		t.Errorf("of %d domains %d are not read, and %d are there: %q", MaxDomains, all.Unread, len(all.Domains), all.Notes())
	}
	more := decodeClaims(secret.New(makeJWT(list(MaxDomains + 2345))))
	if len(more.AllDomains()) != MaxDomains+1 || more.Unread != 2345 {
		t.Errorf("%d domains, %d not read", len(more.AllDomains()), more.Unread)
	}
	want := "Only the first 10,000 of the 12,345 other domains in the access token were read."
	if diff := cmp.Diff([]string{want}, more.Notes()); diff != "" {
		t.Errorf("it says (-want +got):\n%s", diff)
	}
	if !more.Has("a.example") || !more.Has("d9999.example") || more.Has("d10000.example") || (Claims{}).Has("") {
		t.Error("the wrong domains are known")
	}
}

func TestWhatIsNoDomainIsShown(t *testing.T) {
	c := decodeClaims(secret.New(makeJWT(`{"primary_domain":"https://a.example","domains":["\u001b[31mred",7,{"x":1},"b.example"]}`)))
	want := `The access token names as a domain what cannot be read as one: "https://a.example", "[31mred", "7" and 1 more.`
	if diff := cmp.Diff([]string{want}, c.Notes()); diff != "" {
		t.Errorf("it says (-want +got):\n%s", diff)
	}
}

// However many of them are the same, or no domains.
func TestTheBoundIsOfTheValuesThatAreRead(t *testing.T) {
	for name, value := range map[string]string{"the same": `"b.example"`, "no domain": `"no domain"`, "no text": `7`} {
		many := strings.Repeat(value+",", MaxDomains)
		c := decodeClaims(secret.New(makeJWT(`{"domains":[` + many + `"last.example"]}`)))
		if c.Unread != 1 || c.Has("last.example") || len(c.Domains)+len(c.Rejected) > MaxDomains {
			t.Errorf("%s: %d are not read, %d kept, %d rejected", name, c.Unread, len(c.Domains), len(c.Rejected))
		}
	}
}

func TestTheBoundIsAlsoOfNamesThatShareAValue(t *testing.T) {
	var values []string
	for i := range MaxDomains/2 + 1 {
		values = append(values, fmt.Sprintf(`"d%d.example,e%d.example"`, i, i))
	}
	c := decodeClaims(secret.New(makeJWT(`{"domains":[` + strings.Join(values, ",") + `]}`)))
	if len(c.Domains) != MaxDomains || c.Unread != 1 {
		t.Errorf("%d domains are kept, and %d values not read", len(c.Domains), c.Unread)
	}
}

func TestADomainThatWasNotReadIsNotCalledForeign(t *testing.T) {
	a, b := newAuthority(t), newBackend(t)
	a.claims["domains"] = manyDomains(MaxDomains + 1)
	s := newService(t, a, b, newClock(), nil)
	signIn(t, s.Session)
	names := a.claims["domains"].([]string)
	body, err := s.Shares(t.Context(), names[MaxDomains-1], "")
	read(t, body, err)
	_, err = s.Shares(t.Context(), names[MaxDomains], "")
	const want = "is not among the first 10,000 in the access token, and only these are read"
	if unread, ok := errors.AsType[*NotReachedError](err); !ok || unread.Unread != 1 || !strings.Contains(err.Error(), want) {
		t.Errorf("the error is %v", err)
	}
	body, err = s.Shares(t.Context(), "", "")
	read(t, body, err)
}

func TestATokenThatIsNoJWTHasNoClaims(t *testing.T) {
	encode := base64.RawURLEncoding.EncodeToString
	for _, token := range []string{
		"", "opaque", "a.b", "a.b.c.d.e", "..", "a.!!!.c",
		"a." + encode([]byte(`{"sub":1}`)) + "!.c", // cut at the sign it would be one
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
		`1772366400000`:          start,
		`253402300800000`:        end,
		`253402300799`:           end,
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

func TestTheUserIsTheSubjectIfThatIsAnAddress(t *testing.T) {
	for subject, want := range map[string]string{"ann@quay.example": "ann@quay.example", "ann": user, "": user} {
		if got := (Claims{Subject: subject}).userOr(user); got != want {
			t.Errorf("the subject %q: %s", subject, got)
		}
	}
}

func TestTheNamesOfTheClaimsAreListedInTheirOrder(t *testing.T) {
	c := decodeClaims(secret.New(makeJWT(`{"sub":"ann","a\u0062c":{"x":1},"iat":7}`)))
	if diff := cmp.Diff([]string{"sub", "abc", "iat"}, c.Names()); diff != "" {
		t.Errorf("the names (-want +got):\n%s", diff)
	}
}

func TestATokenIsValidFromItsNotBeforeOrItsIssue(t *testing.T) {
	issued := time.Unix(1772366400, 0)
	for payload, want := range map[string]time.Time{
		`{}`:                                  {},
		`{"iat":1772366400}`:                  issued,
		`{"iat":1772366400,"nbf":1772366460}`: issued.Add(time.Minute),
		`{"nbf":"1772366400"}`:                issued,
		`{"nbf":"soon"}`:                      {},
	} {
		if got := decodeClaims(secret.New(makeJWT(payload))).ValidFrom(); !got.Equal(want) {
			t.Errorf("%s: from %v, want %v", payload, got, want)
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
