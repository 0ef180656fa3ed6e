package api

import (
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// refusals are bodies as services send them, and what they say.
var refusals = []struct{ name, contentType, body, words string }{
	{"OAuth", "application/json", `{"error":"invalid_grant","error_description":"The account is locked."}`, "The account is locked."},
	{"OAuth with a list", "application/json", `{"error":"invalid_grant","error_description":["Locked.","Call us."]}`, "Locked.; Call us."},
	{"OAuth with an object", "application/json", `{"error":"invalid_grant","error_description":{"code":7,"message":"Locked."}}`, "Locked."},
	{"OAuth with a number", "application/json", `{"error":"invalid_grant","error_description":7}`, "invalid_grant"},
	{"a message", "application/json", `{"Message":"No access."}`, "No access."},
	{"an exception of .NET", "application/json", `{"Message":"An error has occurred.","ExceptionMessage":"The user is locked out.","StackTrace":"at A.B()"}`, "The user is locked out."},
	{"problem+json", "application/problem+json", `{"type":"about:blank","title":"Forbidden","status":403,"detail":"The share was moved."}`, "The share was moved."},
	{"problem+json with a title that says more", "application/problem+json", `{"title":"Account suspended.","detail":"Your subscription was cancelled."}`, "Account suspended: Your subscription was cancelled."},
	{"problem+json without a detail", "application/problem+json", `{"title":"Out of credit","status":403}`, "Out of credit"},
	{"nested", "application/json", `{"error":{"code":"AccessDenied","message":"Ask your administrator."}}`, "Ask your administrator."},
	{"a list of errors", "application/json", `{"errors":[{"msg":"One."},{"msg":"Two."}]}`, "One.; Two."},
	{"an envelope", "application/json", `{"Data":null,"Message":"Denied access.","ResponseInfo":{"ResponseCode":0}}`, "Denied access."},
	{"a text in JSON", "application/json", `"Not today."`, "Not today."},
	{"a page in JSON", "application/json", `{"Message":"<html><title>Gone fishing</title></html>"}`, "Gone fishing"},
	{"plain text", "text/plain", "\n  The account is locked.\nat Foo.Bar()", "The account is locked."},
	{"text of Windows", "text/plain; charset=iso-8859-1", "Zugriff verweigert f\xfcr G\xe4ste", "Zugriff verweigert für Gäste"},
	{"one letter of Windows at the end", "text/plain", "refus\xe9", "refusé"},
	{"text that was cut in a letter", "text/plain", "Kein Zugang für G\xc3", "Kein Zugang für G"},
	{"a form", "application/x-www-form-urlencoded", "error=access_denied&error_description=Use+single+sign-on.", "Use single sign-on."},
	{"XML", "text/xml", `<?xml version="1.0"?><s:Fault xmlns:s="u"><s:code>7</s:code><s:faultstring>No such user.</s:faultstring></s:Fault>`, "No such user."},
	{"a page", "text/html", "<!DOCTYPE html><html><head><style>b{}</style><title>Down for\n maintenance</title></head><body><h1>Sorry</h1></body></html>", "Down for maintenance"},
	{"a page without a title", "text/html", "<html><body><h1>Server Error in &#39;/&#39; Application.</h1><pre>at Foo.Bar()</pre></body></html>", "Server Error in '/' Application."},
	{"a page without a heading", "text/html", "<html><script>var x = 1</script><body><p>Please come back.</p></body></html>", "Please come back."},
	{"nothing", "application/json", "", ""},
	{"an empty object", "application/json", "{}", ""},
	{"JSON that was cut", "application/json", `{"Message":"No acc`, ""},
	{"control characters", "application/json", `{"Message":"one\r\ntwo\u001b[31m"}`, "one two [31m"},
	{"a secret", "application/json", `{"Message":"the password hunter2-hunter2 is wrong"}`, ""},
}

func TestTheWordsOfARefusalAreReadWhateverItsForm(t *testing.T) {
	for _, tt := range refusals {
		c := newCall("x", nil, &url.URL{Host: "h.example"})
		c.secrets.Add("hunter2-hunter2")
		if got, _ := c.said(&http.Response{Header: http.Header{"Content-Type": {tt.contentType}}}, []byte(tt.body)); got != tt.words {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.words)
		}
	}
}

func TestTheWordsOfAChallengeAreReadWhereTheBodyHasNone(t *testing.T) {
	for _, tt := range []struct{ challenge, body, words string }{
		{`Bearer error="invalid_token", error_description="The audience 'x' is invalid"`, "", "The audience 'x' is invalid"},
		{`Bearer realm="a, b", Error_Description="say \"no\""`, "", `say "no"`},
		{`Bearer error_description=expired, error=invalid_token`, "", "expired"},
		{`Bearer error_description="The token has expired"`, `{"error":"invalid_token"}`, "The token has expired"},
		{`Bearer error_description="The token has expired"`, `{"Message":"Sign in again."}`, "Sign in again."},
		{`Bearer error_description="bad token hunter2-hunter2"`, "", ""},
		{`Basic realm="token"`, "", ""},
	} {
		c := newCall("x", nil, &url.URL{Host: "h.example"})
		c.secrets.Add("hunter2-hunter2")
		header := http.Header{"Www-Authenticate": {"Negotiate", tt.challenge}}
		if got, _ := c.said(&http.Response{Header: header}, []byte(tt.body)); got != tt.words {
			t.Errorf("%s: %q, want %q", tt.challenge, got, tt.words)
		}
	}
}

func TestXMLForProgramsIsNoPage(t *testing.T) {
	for _, tt := range []struct {
		contentType, body string
		page              bool
	}{
		{"text/html; charset=utf-8", "<p>No.</p>", true},
		{"", "\n<!DOCTYPE html>\n<title>No</title>", true},
		{"application/xhtml+xml", `<?xml version="1.0"?><html xmlns="x"><body>No.</body></html>`, true},
		{"application/xml", "<Error><Message>No.</Message></Error>", false},
		{"", `<?xml version="1.0"?><s:Fault xmlns:s="u"/>`, false},
		{"text/html", `{"Message":"No."}`, false},
		{"text/html", "", false},
	} {
		if got := isPage(http.Header{"Content-Type": {tt.contentType}}, []byte(tt.body)); got != tt.page {
			t.Errorf("%s %q: %v", tt.contentType, tt.body, got)
		}
	}
}

func TestWordsAreCut(t *testing.T) {
	c := newCall("x", nil, &url.URL{Host: "h.example"})
	got, _ := c.said(&http.Response{}, []byte(`{"Message":"`+strings.Repeat("ä", 500)+`"}`))
	if n := len([]rune(got)); n != maxWords || !strings.HasSuffix(got, "…") {
		t.Errorf("%d characters: %s", n, got)
	}
}

func FuzzWords(f *testing.F) {
	for _, tt := range refusals {
		f.Add(tt.contentType, []byte(tt.body))
	}
	f.Fuzz(func(t *testing.T, contentType string, body []byte) {
		c := newCall("x", nil, &url.URL{Host: "h.example"})
		c.secrets.Add("hunter2-hunter2")
		got, _ := c.said(&http.Response{Header: http.Header{"Content-Type": {contentType}}}, body)
		if len([]rune(got)) > maxWords || strings.ContainsAny(got, "\r\n\x1b") || strings.Contains(got, "hunter2-hunter2") {
			t.Fatalf("%q", got)
		}
	})
}

func TestTheReasonOfARefusalIsInItsWords(t *testing.T) {
	for words, want := range map[string]Reason{
		"User account is locked. Try again in 15 minutes.": ReasonLocked,
		"account_locked":           ReasonLocked,
		"Too many failed attempts": ReasonTooMany,
		"Too many failed attempts, try again later; too many requests":            ReasonTooMany,
		"AADSTS50053: The account is locked":                                      ReasonLocked,
		"AADSTS50076: multi-factor authentication is required":                    ReasonSecondFactor,
		"Multifactor authentication required":                                     ReasonSecondFactor,
		"mfa_required":                                                            ReasonSecondFactor,
		"Enter the one-time code":                                                 ReasonSecondFactor,
		"Your password has expired and must be changed.":                          ReasonPasswordEnded,
		"The company has been suspended for unpaid invoices.":                     ReasonSuspended,
		"User is disabled":                                                        ReasonSuspended,
		"Password sign-in is disabled for sso.example. Use single sign-on.":       ReasonSingleSignOn,
		"Too many requests":                                                       ReasonTooMany,
		"Request was throttled":                                                   ReasonTooMany,
		"The service is down for maintenance until 18:00":                         ReasonMaintenance,
		"invalid_username_or_password":                                            ReasonCredentials,
		"Invalid username or password":                                            ReasonCredentials,
		"Invalid username or password, or the account is locked":                  ReasonNone, // it does not say which
		"Invalid credentials. 2 attempts left before your account is locked.":     ReasonCredentials,
		"Bad credentials (account is not locked).":                                ReasonCredentials,
		"Wrong password. After 3 more tries your account will be locked.":         ReasonCredentials,
		"Wrong password. Forgot your password? Try again or reset your password.": ReasonCredentials,
		"Invalid username or password. Passwords expire after 90 days.":           ReasonCredentials,
		"Too many login attempts. Try again in 30 minutes.":                       ReasonTooMany,
		"Login failed for user":                                                   ReasonCredentials,
		"Storage quota exceeded":                                                  ReasonNone, // of room, and not of requests
		"503 Service Temporarily Unavailable":                                     ReasonNone, // nobody says that it is being worked on
		"Your clock is wrong":                                                     ReasonNone,
		"The flotpedia unlocked the blocked-off disabledness":                     ReasonNone,
		"":                                   ReasonNone,
		"User has no access to this domain.": ReasonNone,
		"Ihr Konto wurde gesperrt":           ReasonLocked,

		"too_many_login_attempts":                                                         ReasonTooMany,
		"Too many failed logins, try again in 12 minutes":                                 ReasonTooMany,
		"You have exceeded the maximum number of sign-in attempts.":                       ReasonTooMany,
		"Rate-limited: 5 requests per minute":                                             ReasonTooMany,
		"Too many wrong passwords. After 3 more tries your account will be locked.":       ReasonTooMany,
		"Your IP address has been blocked after too many login attempts.":                 ReasonTooMany,
		"Your account has been temporarily locked due to too many failed login attempts.": ReasonLocked,
		"Too many attempts: the user is locked out":                                       ReasonLocked,
		"Too many failed logins: the user is blocked":                                     ReasonSuspended,
		"Account is disabled after too many tries; contact your administrator":            ReasonSuspended,

		"You must accept the new Terms of Use before you can sign in.": ReasonTerms,
		"terms_not_accepted":                                                      ReasonTerms,
		"The terms and conditions haven't been accepted":                          ReasonTerms,
		"The account was suspended for a violation of our terms of use.":          ReasonSuspended,
		"Please complete the CAPTCHA.":                                            ReasonCaptcha,
		"Confirm that you are not a robot":                                        ReasonCaptcha,
		"Your e-mail address has not been verified.":                              ReasonUnverified,
		"email_not_verified":                                                      ReasonUnverified,
		"Your email address isn’t confirmed yet: email not confirmed":             ReasonUnverified,
		"This device is not trusted":                                              ReasonDevice,
		"Sign-in from an unknown device":                                          ReasonDevice,
		"We don't recognise this device. Enter the verification code.":            ReasonSecondFactor,
		"The password must be changed at the next sign-in.":                       ReasonPasswordEnded,
		"User must change the initial password":                                   ReasonPasswordEnded,
		"Your licence for this product has expired":                               ReasonLicence,
		"The subscription of Harbor Ltd has ended":                                ReasonLicence,
		"Account suspended: trial period has ended":                               ReasonLicence,
		"Your subscription will expire in 3 days. Invalid password.":              ReasonCredentials,
		"Your IP address (192.0.2.7) is not allowed.":                             ReasonPlace,
		"Sign-ins from your country are blocked: country is blocked":              ReasonPlace,
		"Access is not permitted from this location":                              ReasonPlace,
		"Sign-in outside of permitted hours":                                      ReasonHours,
		"Access is only possible during business hours.":                          ReasonHours,
		"Account locked. Call the help desk during business hours.":               ReasonLocked,
		"We take your terms seriously.":                                           ReasonNone,
		"Your device was lost":                                                    ReasonNone,
		"This country is lovely. Apples are not allowed.":                         ReasonNone, // two sentences
		"The country that the very long road of many words leads to is not blue.": ReasonNone,
	} {
		if got := ReasonOf(words); got != want {
			t.Errorf("%q: %d, want %d", words, got, want)
		}
	}
}

func TestWordsThatRefuse(t *testing.T) {
	for words, want := range map[string]bool{
		"Access denied":                     true,
		"access_denied":                     true,
		"Denied access.":                    true,
		"Access to this resource is denied": true,
		"You don't have permission to view this folder.": true,
		"User has no access to this domain.":             true,
		"Forbidden":                                      true,
		"No licence for this module.":                    true,
		"The account is locked.":                         true,
		"Ok.":                                            false,
		"":                                               false,
		"No entries.":                                    false,
		"12 records, 0 denied":                           false,
		"Maintenance tonight from 22:00.":                false,
		"Access your files anywhere. Nothing is denied.": false,
	} {
		if got := Refuses(words); got != want {
			t.Errorf("%q: %v, want %v", words, got, want)
		}
	}
}

func TestEveryReasonHasPhrasesAndAdvice(t *testing.T) {
	for reason := ReasonCredentials; reason <= lastReason; reason++ {
		hasPhrases := false
		for _, telling := range tellingWords {
			hasPhrases = hasPhrases || telling.reason == reason && len(telling.phrases) > 0
			for _, phrase := range telling.phrases {
				if words := strings.NewReplacer("*", "", "… ", "").Replace(phrase); telling.reason == reason && ReasonOf(words) != reason {
					t.Errorf("%q is found as %d, not as %d", words, ReasonOf(words), reason)
				}
			}
		}
		advice := reason.Advice()
		if !hasPhrases || reason != ReasonCredentials && (advice.Title == "" || advice.Next == "" || advice.User == "") {
			t.Errorf("reason %d has no phrases or no advice", reason)
		}
	}
}

func TestAWrongPasswordIsWhatTheServiceCallsOne(t *testing.T) {
	for _, tt := range []struct {
		err   TokenError
		wrong bool
	}{
		{TokenError{Status: 400, Code: "invalid_grant"}, true},
		{TokenError{Status: 400, Code: "invalid_grant", Description: "invalid_username_or_password"}, true},
		{TokenError{Status: 400, Code: "invalid_grant", Description: "some_code"}, true},
		{TokenError{Status: 400, Code: "invalid_grant", Description: "User account is locked."}, false},
		{TokenError{Status: 400, Code: "invalid_grant", Description: "account_locked"}, false},
		{TokenError{Status: 400, Code: "invalid_grant", Description: "Your country is not allowed."}, false},
		{TokenError{Status: 401, Code: "access_denied", Description: "Invalid username or password"}, true},
		{TokenError{Status: 403, Code: "mfa_required"}, false},
		{TokenError{Status: 400, Code: "unauthorized_client"}, false},
		{TokenError{Status: 503, Code: "invalid_grant"}, false},
		{TokenError{Status: 500, Code: "invalid_grant"}, false},
		{TokenError{Status: 499, Code: "invalid_grant"}, true},
		{TokenError{Status: 500, Code: "invalid_grant", Description: "wrong password"}, false},
		{TokenError{Status: 429, Code: "invalid_grant", Description: "wrong password"}, false},
	} {
		if got := tt.err.WrongPassword(); got != tt.wrong {
			t.Errorf("%+v: %v", tt.err, got)
		}
	}
}

func TestAPairIsReadWhereverTheBodyHasIt(t *testing.T) {
	for _, tt := range []struct{ body, domain string }{
		{"ann@harbor.example,harbor.example", "harbor.example"},
		{"\uFEFF Ann@Harbor.example , harbor.example,\r\n", "harbor.example"},
		{`"ann@harbor.example,harbor.example"`, "harbor.example"},
		{`"ann@harbor.example","harbor.example"`, "harbor.example"},
		{"<html><body>ann@harbor.example,harbor.example</body></html>", "harbor.example"},
		{"<html><head><title>x, y@z</title><body><p>ann@harbor.example,<b>harbor.example</b></p>", "harbor.example"},
		{"<span>ann&#64;harbor.example&#44;harbor&period;example</span>", "harbor.example"},
		{"ann@harbor.example,harbor.example\r\n\r\n<!DOCTYPE html>\r\n<html><body><form></form></body></html>", "harbor.example"},
		{"<a href=\"mailto:ann@harbor.example\">ann@harbor.example</a>,harbor.example<br>done", "harbor.example"},
		{"<script>var a = 'ann@harbor.example,evil.example'</script>ann@harbor.example,harbor.example", "harbor.example"},
		{"ann@harbor.example,https://harbor.example", "https://harbor.example"}, // as it is: whoever uses it checks it
	} {
		c := newCall("x", nil, &url.URL{Host: "h.example"})
		if got, err := c.userDomain(&http.Response{StatusCode: 200}, []byte(tt.body), "ann@harbor.example"); got != tt.domain || err != nil {
			t.Errorf("%q: %q, %v", tt.body, got, err)
		}
	}
}

func TestWhatIsNoPairSaysWhatItIs(t *testing.T) {
	ask := func(body string) error {
		c := newCall("x", nil, &url.URL{Host: "h.example"})
		_, err := c.userDomain(&http.Response{StatusCode: 200}, []byte(body), "ann@harbor.example")
		return err
	}
	for body, holds := range map[string]func(error) bool{
		"ann@harbor.example,":        func(err error) bool { e, ok := err.(*NoDomainError); return ok && e.Email == "ann@harbor.example" },
		"<p>ann@harbor.example,</p>": func(err error) bool { _, ok := err.(*NoDomainError); return ok },
		"bsmith@moor.example,moor.example": func(err error) bool {
			e, ok := err.(*OtherAddressError)
			return ok && e.Answered == "bsmith@moor.example" && e.Domain == "moor.example"
		},
		"<p>Sign in</p><p>help@isp.example,isp.example</p>":              func(err error) bool { e, ok := err.(*BodyError); return ok && e.Page },
		"<title>Hotel Wi-Fi</title><p>Sign in, or mail help@isp.example": func(err error) bool { e, ok := err.(*BodyError); return ok && e.Page && e.Words == "Hotel Wi-Fi" },
		"":           func(err error) bool { e, ok := err.(*BodyError); return ok && !e.Page },
		"no":         func(err error) bool { e, ok := err.(*BodyError); return ok && !e.Page },
		"a@b c, d.e": func(err error) bool { e, ok := err.(*BodyError); return ok && !e.Page },
	} {
		if err := ask(body); !holds(err) {
			t.Errorf("%q: %T %v", body, err, err)
		}
	}
}

func TestARefusalInAnEnvelopeIsARefusal(t *testing.T) {
	const noRefusal = "none"
	for body, want := range map[string]string{ // the code and what is said
		`{"Data":null,"Message":"Denied access.","ResponseInfo":{"ResponseCode":0}}`: "0 Denied access.",
		`{"Data":{},"Message":"No.","ResponseInfo":{"ResponseCode":0}}`:              "0 No.",
		`{"data":[],"message":"No.","responseInfo":{"responseCode":"10"}}`:           "10 No.",
		`{"Message":"No.","ResponseCode":8}`:                                         "8 No.",

		`{"error":"not_allowed"}`:                                            " not_allowed",
		`{"error":"access_denied","error_description":"No."}`:                " No.",
		`{"error":{"code":403,"message":"No."}}`:                             " No.",
		`{"error":true,"message":"No."}`:                                     " No.",
		`{"errors":[{"message":"No."}],"data":null}`:                         " No.",
		`{"errors":[{"message":"No."}],"data":{"shares":null}}`:              " No.",
		`{"ok":false,"error":"not_allowed"}`:                                 " not_allowed",
		`{"success":false,"message":"No."}`:                                  " No.",
		`{"Success":false,"Data":[]}`:                                        " ",
		`{"status":"error","message":"No."}`:                                 " No.",
		`{"status":"fail","data":null}`:                                      " ",
		`{"title":"Forbidden","status":403,"detail":"No.","type":"about:x"}`: " No.",
		`{"statusCode":401,"message":"No."}`:                                 " No.",

		// Whatever comes after it.
		`{"error":"no_access","errors":[],"ok":true,"status":200}`:                  " no_access",
		`{"error":{"message":"No.","code":0}}`:                                      " No.",
		`{"error":{"code":0,"message":"No."}}`:                                      " No.",
		`{"Message":"No.","ResponseInfo":{"Other":7,"ResponseCode":0,"Another":7}}`: "0 No.",
		"\uFEFF" + ` {"error":"no_access"}`:                                         " no_access",

		`{"status":400,"message":"No."}`:        " No.",
		`{"status":599,"message":"No."}`:        " No.",
		`{"error":1,"message":"No."}`:           " No.",
		`{"name":"","error":"no_access"}`:       " no_access",
		`{"status":399,"message":"Moved."}`:     noRefusal,
		`{"status":600,"message":"Shipped."}`:   noRefusal,
		`{"error":0,"message":"Ok."}`:           noRefusal,
		`{"error":"quota","Data":[{"Id":1}]}`:   noRefusal,
		`{"Data":[{"Id":1}],"x":1,"error":"x"}`: noRefusal,
		`{"Id":1,"x":1,"error":"quota"}`:        noRefusal,

		`{"Data":null,"Message":"Ok.","ResponseInfo":{"ResponseCode":1}}`: noRefusal,
		`{"Data":[{"Id":1}],"ResponseInfo":{"ResponseCode":0}}`:           noRefusal, // there are records
		`{"Data":[{"Id":1}],"errors":["one share is hidden"]}`:            noRefusal,
		`{"Data":{"Data":[{"Id":1}]},"success":false}`:                    noRefusal,
		`{"Data":[{"Id":1}],"Message":"Ok."}`:                             noRefusal,
		`{"Data":null,"Message":"Denied access."}`:                        noRefusal, // nothing says that it is a refusal
		`{"Data":null,"error":"","errors":[],"success":true}`:             noRefusal,
		`{"Data":[],"error":null,"status":200}`:                           noRefusal,
		`{"Id":1,"Name":"Sync","error":"quota","success":false}`:          noRefusal, // one record
		`{"name":"A","status":"failed"}`:                                  noRefusal,
		`[{"error":"x"}]`:                                                 noRefusal,
		`[]`:                                                              noRefusal,
		`{"Data":null,"ResponseInfo":{"ResponseCode":0}`:                  noRefusal, // it was cut off
	} {
		server := serve(t, answer(200, "application/json", body))
		list, err := (&Gateway{HTTP: NewTransport(Options{}), BaseURL: server.URL}).Shares(t.Context(), "ann")
		got := noRefusal
		if refused, ok := errors.AsType[*EnvelopeError](err); ok {
			got = refused.Code + " " + refused.Message
			if refused.Op != "get the shares of ann" || refused.Host != host(server) {
				t.Errorf("%s: it is an answer of %q to %q", body, refused.Host, refused.Op)
			}
		}
		if got != want {
			t.Errorf("%s: %q, %v; want %q", body, got, err, want)
		}
		if err == nil {
			_ = list.Close()
		}
	}
}

// Between the words of a phrase there may be a few others, of the same sentence.
func TestHowFarApartTheWordsOfAPhraseStand(t *testing.T) {
	for count := range maxGap + 2 {
		words := "password " + strings.Repeat("x ", count) + "must be changed"
		if got := ReasonOf(words); (got == ReasonPasswordEnded) != (count <= maxGap) {
			t.Errorf("%d others: %d", count, got)
		}
	}
	if got := ReasonOf("Your password. It must be changed"); got != ReasonNone {
		t.Errorf("of two sentences: %d", got)
	}
}

// Signs and control characters stand between words, and letters beyond ASCII are a part of them.
func TestWordsEndWhereASignIs(t *testing.T) {
	for words, want := range map[string]Reason{
		"account{locked}":   ReasonLocked,
		"account\x7flocked": ReasonLocked,
		"(locked)":          ReasonLocked,
		"blocked":           ReasonNone,
		"lockedé":           ReasonNone,
		"zlocked":           ReasonNone,
		"locked9":           ReasonNone,
	} {
		if got := ReasonOf(words); got != want {
			t.Errorf("%q: %d, want %d", words, got, want)
		}
	}
}
