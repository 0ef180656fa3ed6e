package demo_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"gatehouse/internal/demo"
)

// faulty is a service with faults and a password of the test's own.
func faulty(t *testing.T) (*service, *demo.Faults) {
	t.Helper()
	faults := &demo.Faults{}
	server, err := demo.Start(t.Context(), demo.Options{Faults: faults, Secrets: demo.Secrets{Password: "another"}})
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
	return &service{t, server, nil, &http.Client{Transport: transport}}, faults
}

func TestARuleSpoilsItsRequestsAlone(t *testing.T) {
	s, faults := faulty(t)
	teapot := demo.Respond(http.StatusTeapot, "text/plain", "")
	const ada, ben = "/global/getuserdomain.aspx?useremail=ada@harbor.example", "/global/getuserdomain.aspx?useremail=ben@harbor.example"
	shares := "/gateway/harbor.example/api/users/ada%40harbor.example/shares"
	for name, c := range map[string]struct {
		rule demo.Rule
		ask  []string
		want []int
	}{
		"every one":         {demo.Rule{}, []string{ada, shares}, []int{418, 418}},
		"an endpoint":       {demo.Rule{Endpoint: demo.Lookup}, []string{shares, ada}, []int{401, 418}},
		"an account":        {demo.Rule{Account: "ADA@harbor.example"}, []string{ben, ada, shares}, []int{200, 418, 418}},
		"the second":        {demo.Rule{Endpoint: demo.Lookup, From: 2, Times: 1}, []string{ada, shares, ada, ben}, []int{200, 401, 418, 200}},
		"from the third on": {demo.Rule{From: 3}, []string{ada, ada, ada, ada}, []int{200, 200, 418, 418}},
	} {
		c.rule.Fault = teapot
		faults.Set(c.rule)
		spoiled := 0
		for i, path := range c.ask {
			if got := s.get(path, "").status; got != c.want[i] {
				t.Errorf("%s: request %d is answered with %d, want %d", name, i+1, got, c.want[i])
			}
			if c.want[i] == http.StatusTeapot {
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
	s, faults := faulty(t)
	form := passwordForm("ada@harbor.example")
	form.Set("password", "another")
	faults.Set(demo.Rule{Endpoint: demo.RefreshGrant, Fault: demo.Respond(http.StatusTeapot, "", "")})
	if got := s.postForm("/auth", form); got.status != http.StatusOK {
		t.Fatalf("signing in is answered with %d: %s", got.status, got.body)
	}
	if got := s.postForm("/auth", refreshForm("any")); got.status != http.StatusTeapot {
		t.Errorf("renewing is answered with %d", got.status)
	}
	faults.Set(demo.Rule{Endpoint: demo.PasswordGrant, Account: "ben@harbor.example", Fault: demo.Respond(http.StatusTeapot, "", "")})
	if got := s.postForm("/auth", form); got.status != http.StatusOK {
		t.Errorf("another account is answered with %d", got.status)
	}
}

// A connection that a fault has taken over does not keep the service from ending,
// which faulty's cleanup waits for.
func TestAResetLeavesNoWholeAnswer(t *testing.T) {
	s, faults := faulty(t)
	for _, when := range []demo.Moment{demo.BeforeTheHead, demo.InTheHead, demo.InALine, demo.BehindTheHead} {
		faults.Set(demo.Rule{Fault: demo.Reset(when)})
		response, err := s.http.Get(s.URL() + "/global/getuserdomain.aspx?useremail=ada@harbor.example")
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
	s, faults := faulty(t)
	form := passwordForm("ada@harbor.example")
	form.Set("password", "another")
	faults.Set(demo.Rule{Fault: demo.AccessToken("canary")})
	got := s.postForm("/auth", form)
	if got.status != http.StatusOK || !strings.Contains(got.body, `"access_token":"canary"`) ||
		!strings.Contains(got.body, `"refresh_token"`) || strings.Contains(got.body, "expires_in") {
		t.Errorf("the answer is %d: %s", got.status, got.body)
	}
	form.Set("password", "wrong")
	if got := s.postForm("/auth", form); got.status != http.StatusBadRequest || strings.Contains(got.body, "canary") {
		t.Errorf("a refusal became %d: %s", got.status, got.body)
	}
}
