package hostile

import (
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"gatehouse/internal/demo"
)

// client is a person of a service with faults and a password of the test's own.
type client struct {
	*testing.T
	url  string
	http *http.Client
}

func faulty(t *testing.T) (*client, *Faults) {
	t.Helper()
	faults := &Faults{}
	server, err := demo.Start(t.Context(), demo.Options{Wrap: faults.Wrap, Secrets: demo.Secrets{Password: "another"}})
	if err != nil {
		t.Fatal(err)
	}
	transport := &http.Transport{DisableCompression: true}
	t.Cleanup(func() {
		transport.CloseIdleConnections()
		if err := server.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	return &client{t, server.URL(), &http.Client{Transport: transport}}, faults
}

func (c *client) do(request *http.Request) (status int, body string) {
	c.Helper()
	response, err := c.http.Do(request)
	if err != nil {
		c.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		c.Fatal(err)
	}
	return response.StatusCode, string(text)
}

func (c *client) request(method, path, body string) *http.Request {
	c.Helper()
	request, err := http.NewRequestWithContext(c.Context(), method, c.url+path, strings.NewReader(body))
	if err != nil {
		c.Fatal(err)
	}
	return request
}

// grant sends a form to the main authority.
func (c *client) grant(form url.Values) (status int, body string) {
	c.Helper()
	request := c.request(http.MethodPost, "/auth/connect/token", form.Encode())
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	request.SetBasicAuth("gatehouse-demo", "demo-secret")
	return c.do(request)
}

func passwordForm() url.Values {
	return url.Values{
		"grant_type": {"password"}, "username": {"ada@harbor.example"}, "password": {"another"},
		"scope": {"openid profile domain_api offline_access"},
	}
}

func TestARuleSpoilsItsRequestsAlone(t *testing.T) {
	c, faults := faulty(t)
	teapot := Respond(http.StatusTeapot, "text/plain", "")
	const ada, ben = "/global/getuserdomain.aspx?useremail=ada@harbor.example", "/global/getuserdomain.aspx?useremail=ben@harbor.example"
	shares := "/gateway/harbor.example/api/users/ada%40harbor.example/shares"
	for name, tt := range map[string]struct {
		rule Rule
		ask  []string
		want []int
	}{
		"every one":         {Rule{}, []string{ada, shares}, []int{418, 418}},
		"an endpoint":       {Rule{Endpoint: Lookup}, []string{shares, ada}, []int{401, 418}},
		"an account":        {Rule{Account: "ADA@harbor.example"}, []string{ben, ada, shares}, []int{200, 418, 418}},
		"the second":        {Rule{Endpoint: Lookup, From: 2, Times: 1}, []string{ada, shares, ada, ben}, []int{200, 401, 418, 200}},
		"from the third on": {Rule{From: 3}, []string{ada, ada, ada, ada}, []int{200, 200, 418, 418}},
	} {
		tt.rule.Fault = teapot
		faults.Set(tt.rule)
		spoiled := 0
		for i, path := range tt.ask {
			if got, _ := c.do(c.request(http.MethodGet, path, "")); got != tt.want[i] {
				t.Errorf("%s: request %d is answered with %d, want %d", name, i+1, got, tt.want[i])
			}
			if tt.want[i] == http.StatusTeapot {
				spoiled++
			}
		}
		if met := faults.Met(); met != spoiled {
			t.Errorf("%s: %d requests were spoiled, want %d", name, met, spoiled)
		}
	}
}

// A grant is told by its form, which the service reads again.
func TestARuleForOneGrantLeavesTheOther(t *testing.T) {
	c, faults := faulty(t)
	form := passwordForm()
	faults.Set(Rule{Endpoint: RefreshGrant, Fault: Respond(http.StatusTeapot, "", "")})
	if status, body := c.grant(form); status != http.StatusOK {
		t.Fatalf("signing in is answered with %d: %s", status, body)
	}
	if status, _ := c.grant(url.Values{"grant_type": {"refresh_token"}, "refresh_token": {"any"}}); status != http.StatusTeapot {
		t.Errorf("renewing is answered with %d", status)
	}
	faults.Set(Rule{Endpoint: PasswordGrant, Account: "ben@harbor.example", Fault: Respond(http.StatusTeapot, "", "")})
	if status, _ := c.grant(form); status != http.StatusOK {
		t.Errorf("another account is answered with %d", status)
	}
}

// A connection that a fault has taken over does not keep the service from ending,
// which faulty's cleanup waits for.
func TestAResetLeavesNoWholeAnswer(t *testing.T) {
	c, faults := faulty(t)
	for _, when := range []Moment{BeforeTheHead, InTheHead, InALine, BehindTheHead} {
		faults.Set(Rule{Fault: Reset(when)})
		response, err := c.http.Get(c.url + "/global/getuserdomain.aspx?useremail=ada@harbor.example")
		if err == nil {
			_, err = io.ReadAll(response.Body)
			response.Body.Close()
		}
		if err == nil {
			t.Errorf("moment %d: the answer is whole", when)
		}
	}
}

func TestOneFieldOfAnAnswerIsReplaced(t *testing.T) {
	c, faults := faulty(t)
	form := passwordForm()
	faults.Set(Rule{Fault: AccessToken("canary")})
	status, body := c.grant(form)
	if status != http.StatusOK || !strings.Contains(body, `"access_token":"canary"`) ||
		!strings.Contains(body, `"refresh_token"`) || strings.Contains(body, "expires_in") {
		t.Errorf("the answer is %d: %s", status, body)
	}
	form.Set("password", "wrong")
	if status, body := c.grant(form); status != http.StatusBadRequest || strings.Contains(body, "canary") {
		t.Errorf("a refusal became %d: %s", status, body)
	}
}
