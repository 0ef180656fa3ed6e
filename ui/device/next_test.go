package device

import (
	"strings"
	"testing"

	"gatehouse/api"
	"gatehouse/internal/demo"
	"gatehouse/internal/testkit/uitest"
	"gatehouse/ui/compare"
)

func TestTheTicketSaysWhatLedToTheVerdictWithoutSecrets(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		service := demoService(s)
		stage, _ := login(t, service, nil, "finn")
		stage.Press("m")
		copied := stage.Told[len(stage.Told)-1].(uitest.Copy)
		for _, want := range []string{
			"**Device login of `finn@harbor.example`: Wrong domain (U105)**", "The request named no domain; the user's primary domain is harbor.example.",
			"| Asked: domain id | none |", "| Answered at | 2026-03-02 12:00:00 UTC |", "| Validated | 1 (meaning undocumented) |",
		} {
			if !strings.Contains(copied.Text, want) {
				t.Errorf("%q is not in\n%s", want, copied.Text)
			}
		}
		for _, secret := range []string{demo.Password + "\n", service.answers[0].PrimaryUserDomain.UserDomainToken.Reveal()} {
			if secret != "" && strings.Contains(copied.Text, secret) {
				t.Errorf("a secret is in\n%s", copied.Text)
			}
		}
	})
}

func TestMarkdownFromOutsideStaysText(t *testing.T) {
	result := &api.LoginResult{ErrorCode: "U1|*x*", DeviceID: "a\n| b | [c](https://d.example) `e` <script>"}
	e := &entry{sent: map[string]string{"email": "_f_@g.example"}, answer: &reading{LoginResult: result}}
	text := markdown(e, e.meaning())
	for _, want := range []string{"of `_f_@g.example`: The code is undocumented (`U1`\\|`*x*`)**", "\n| Device id | `a␊`\\| b \\| `[c](https://d.example`) `` `e` `` `<script>` |\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
}

func TestOneKeyLogsInAgainWithTheOtherDomain(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		service := demoService(s)
		stage, m := login(t, service, nil, "finn")
		want := service.answers[0].PrimaryUserDomain.Domain.DomainID
		stage.Click("log in again").Expect("Again with the domain harbor.example: type the password.").Gone("to fill in the form")
		if m.Value("email") != "finn@harbor.example" || m.Value("domain") != want || m.Value("password") != "" {
			t.Errorf("the e-mail is %q, the domain %q, the password %q", m.Value("email"), m.Value("domain"), m.Value("password"))
		}
		stage.Type(demo.Password).Press("enter").Expect("named harbor.example, and the answer names it")
		if service.requests[1].Domain != want {
			t.Errorf("the domain %q is sent", service.requests[1].Domain)
		}
	})
}

// Keys that were meant for the tabs must not be text in a field, and a password not be read in
// one that is filled already.
func TestTheFormIsEnteredWithAKey(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		stage, m := show(t, demoService(s), nil, "ada")
		stage.Expect("creates the device \"gatehouse\"", "enter to fill in the form")
		stage.Press("4", "x", "space")
		if got := m.Value("email"); got != "ada@harbor.example" || m.Typing() {
			t.Errorf("the e-mail is %q, typing %v", got, m.Typing())
		}
		stage.Golden("device/form")
		stage.Press("enter").Type("x")
		if got := m.Value("email"); got != "ada@harbor.example" || m.Value("password") != "x" {
			t.Errorf("the e-mail is %q", got)
		}
		goTo(stage, m, "up", "id")
		stage.Type("d-1").Expect("logs in the device with this id")
		stage.Golden("device/form-entered")
	})
}

func TestTheNameOfAnAccountIsEnoughForItsAddress(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		service := demoService(s)
		stage := uitest.NewStage(t, 80, 24)
		m := New(stage.Env, Options{Service: service, Host: "global.example", Complete: func(typed string) string {
			if typed == "finn" {
				return "finn@harbor.example"
			}
			return typed
		}})
		stage.Show(m)
		stage.Press("enter").Type("finn").Press("tab").Expect("finn@harbor.example")
		stage.Press("shift+tab", "ctrl+u").Type("finn")
		stage.Click("Password").Type(demo.Password).Press("enter").Expect("U105")
		if got := service.requests[0].Email; got != "finn@harbor.example" {
			t.Errorf("sent for %q", got)
		}
	})
}

func TestWhetherADifferenceIsOfIdentity(t *testing.T) {
	for path, want := range map[string]bool{
		"User.Email": true, "DeviceId": true, "User.Quota.Limit": true, "User.CreateTick": true, "Reseller.Name": true, "ConfirmKey": true,
		"UserDomains[2].JoinTime": true, "ErrorCode": false, "Wipe": false, "Validated": false, "PrimaryUserDomain.Domain.DomainName": false,
		"UserDomains[0].Role": false, "User.TwoFactor.Enabled": false,
	} {
		if got := isIdentity(compare.Pair{Path: path, First: "1", Second: "2"}); got != want {
			t.Errorf("%s: %v", path, got)
		}
	}
	for value, want := range map[string]bool{
		`"287278d0-9148-4595-8270-15840653bf9a"`: true, `"a@b.example"`: true, `"2023-10-22T09:01:38Z"`: true, `"x"`: false, `7`: false, `[1]`: false, ``: false,
	} {
		if got := isIdentity(compare.Pair{Path: "X", First: value, Second: "null"}); got != want {
			t.Errorf("%s: %v", value, got)
		}
	}
}
