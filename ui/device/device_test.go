package device

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatehouse/api"
	"gatehouse/internal/demo"
	"gatehouse/internal/testkit/uitest"
	"gatehouse/internal/text/secret"
	"gatehouse/ui/screen"
)

func TestMain(m *testing.M) { uitest.Main(m) }

// global is the real client, over real HTTP, and notes what it was asked.
type global struct {
	*api.Global
	requests []api.DeviceLoginRequest
	answers  []*api.LoginResult
}

func (g *global) DeviceLogin(ctx context.Context, r api.DeviceLoginRequest) (*api.LoginResult, error) {
	g.requests = append(g.requests, r)
	answer, err := g.Global.DeviceLogin(ctx, r)
	g.answers = append(g.answers, answer)
	return answer, err
}

func at(s *uitest.Service, url string) *global {
	return &global{Global: &api.Global{HTTP: api.NewTransport(api.Options{Dial: s.Dial}), URL: url}}
}

// demoService is the embedded service.
func demoService(s *uitest.Service) *global { return at(s, s.Env["GATEHOUSE_GLOBAL_URL"]) }

// show opens the screen at 80x24.
func show(t *testing.T, service Service, history *History, name string) (*uitest.Stage, *Model) {
	t.Helper()
	stage := uitest.NewStage(t, 80, 24)
	m := New(stage.Env, Options{Service: service, Username: name + "@harbor.example", Host: "global.example", History: history})
	stage.Show(m)
	return stage, m
}

// submit fills in the password and sends the form.
func submit(stage *uitest.Stage) {
	stage.Press("enter").Type(demo.Password).Press("enter")
}

// goTo goes to a field of the form.
func goTo(stage *uitest.Stage, m *Model, key, field string) {
	for m.Focused() != field {
		stage.Press(key)
	}
}

// login opens the screen and logs a device in.
func login(t *testing.T, service Service, history *History, name string) (*uitest.Stage, *Model) {
	t.Helper()
	stage, m := show(t, service, history, name)
	submit(stage)
	stage.Expect("Answer ─")
	return stage, m
}

func TestEachAnswerBeginsWithItsVerdict(t *testing.T) {
	for name, want := range map[string][]string{
		"ada":  {"✓ Looks fine; the code is undocumented (U100)", "lists no meaning for U100"},
		"cleo": {"✓ Looks fine; the code is undocumented (U100)", demo.KnownDeviceID},
		"dora": {"✗ Device not validated (U107)", "administrator of the service to validate it", "Confirm key •••", "m copy for the ticket a log in with this device id"},
		"eli":  {"✗ No primary domain (U103)", "none in the answer"},
		"finn": {"✗ Wrong domain (U105)", "The request named no domain; the user's primary domain is", "harbor.example.", "Next d log in again with harbor.example"},
		"wes":  {"! WIPE ORDERED", "✗ Wipe ordered; the code is undocumented (U100)", "Ask an administrator whether the wipe is intended", "Wipe YES", "type 2, https://harbor.example/notices/wipe"},
	} {
		t.Run(name, uitest.InBubble(func(t *testing.T, s *uitest.Service) {
			stage, _ := login(t, demoService(s), nil, name)
			stage.Resize(120, 40).Expect(want...)
			stage.Golden("device/answer-" + name)
			stage.FitsEverySize()
		}))
	}
}

// A service may repeat a token in any part of its answer.
func TestATokenThatAnAnswerRepeatsIsMaskedWhereverItStands(t *testing.T) {
	const token = "one-domain-token"
	const body = `{"PrimaryUserDomain":{"Domain":{"Url":"https://a.example/` + token + `"},"UserDomainToken":"` + token + `"},"DeviceId":"d-1",` +
		`"User":{"AuthToken":"another-token","Note":"it is another-token"},"UserNotification":{"NotificationType":1,"Url":"https://a.example/?t=` + token + `"}}`
	uitest.Run(t, func(t *testing.T, _ *uitest.Service) {
		client := api.NewTransport(api.Options{Base: answering(body)})
		stage, _ := login(t, &global{Global: &api.Global{HTTP: client, URL: "https://global.example"}}, nil, "ada")
		stage.Resize(120, 60).Press("t", "+").Expect("Note: •••", "d-1")
		stage.Press("t").Expect("type 1, •••", "Note •••", "d-1")
		if frame := stage.Frame(); strings.Contains(frame, token) || strings.Contains(frame, "another-token") {
			t.Errorf("a token is shown:\n%s", frame)
		}
		stage.Press("*").Expect("type 1, https://a.example/?t="+token, "it is another-token")
	})
}

// answering answers every request with the same body.
type answering string

func (a answering) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: 200, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(string(a))), ContentLength: -1, Request: r}, nil
}

func TestTokensAreMaskedAndARevealEndsWhenTheAnswerIsLeft(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		service := demoService(s)
		history := &History{}
		stage, _ := login(t, service, history, "ada")
		stage.Resize(200, 60)
		token := service.answers[0].PrimaryUserDomain.UserDomainToken.Reveal()
		shown := func() bool { return stage.Shows(token) }
		if shown() {
			t.Fatal("the token is shown at once")
		}
		stage.Press("*")
		if !shown() {
			t.Fatalf("v does not reveal the token:\n%s", stage.Frame())
		}
		stage.Top().Blur()
		stage.Resize(200, 60)
		if shown() {
			t.Error("another screen was shown, and the token still is")
		}
		stage.Press("*", "ctrl+l", "esc")
		if shown() {
			t.Error("the list of results was shown, and the token still is")
		}
		stage.Press("*", "esc", "ctrl+l", "enter").Expect("result 1")
		stage.Press("*", "ctrl+y")
		if shown() || len(stage.Said) != 1 || !strings.Contains(stage.Said[0], "not kept") {
			t.Errorf("of a result that was left, v said %q", stage.Said)
		}
		last := stage.Told[len(stage.Told)-1].(uitest.Copy)
		if strings.Contains(last.Text, token) || !strings.Contains(last.Text, secret.Mask) {
			t.Errorf("the copy is %s", last.Text)
		}
		kept := history.Entries[0].answer
		if strings.Contains(string(kept.Raw), token) || kept.PrimaryUserDomain.UserDomainToken.Reveal() != secret.Mask {
			t.Error("the token is kept")
		}
	})
}

func TestOneKeyLogsInAgainWithTheSameDevice(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		service := demoService(s)
		stage, m := show(t, service, nil, "cleo")
		stage.Press("enter", "ctrl+o")
		goTo(stage, m, "up", "reseller")
		stage.Type("reseller-7")
		goTo(stage, m, "tab", "password")
		stage.Type(demo.Password).Press("enter").Expect("Answer ─")
		stage.Press("a").Expect("Again with device id " + demo.KnownDeviceID)
		if m.Focused() != "password" || m.Value("id") != demo.KnownDeviceID {
			t.Fatalf("the focus is on %s, the id is %q", m.Focused(), m.Value("id"))
		}
		stage.Golden("device/again")
		stage.FitsEverySize()
		stage.Press("enter")
		if len(service.requests) != 1 {
			t.Fatal("it is sent without a password")
		}
		stage.Type(demo.Password).Press("enter").Expect("result 2")
		want := api.DeviceLoginRequest{DeviceID: demo.KnownDeviceID, Email: "cleo@harbor.example", ResellerID: "reseller-7", Password: secret.New(demo.Password)}
		if diff := cmp.Diff(want, service.requests[1], cmp.Comparer(func(a, b secret.Text) bool { return a == b })); diff != "" {
			t.Errorf("the second request (-want +got):\n%s", diff)
		}
	})
}

func TestWhatIsFoldedAwayIsNotSent(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		service := demoService(s)
		stage, m := show(t, service, nil, "ada")
		stage.Press("enter", "ctrl+o")
		goTo(stage, m, "up", "domain")
		stage.Type("a-foreign-domain-id").Expect("a-foreign-domain-id").Press("ctrl+o")
		goTo(stage, m, "tab", "password")
		stage.Type(demo.Password).Press("enter").Expect("U100")
		if sent := service.requests[0]; sent.Domain != "" {
			t.Errorf("the domain %q is sent", sent.Domain)
		}
	})
}

func TestTheWaitSaysForWhatAndCanBeEnded(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		began := make(chan struct{})
		slow := s.Handle(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			close(began)
			<-r.Context().Done()
		}))
		service := at(s, slow)
		stage, m := show(t, service, nil, "ada")
		submit(stage)
		stage.Settle()
		stage.Expect("waiting for global.example to log in the device of ada@harbor.example", "Since 12:00:00, 0s.")
		stage.Golden("device/waiting")
		stage.FitsEverySize()
		stop := m.Actions()[0]
		stage.Press("esc").Expect("was cancelled", "may have created the device", "Password")
		stage.Golden("device/cancelled")
		stage.FitsEverySize()
		if stage.Settle().Expect("was cancelled"); stage.Top() != screen.Screen(m) {
			t.Error("the late answer is shown")
		}
		if m.Focused() != "password" || len(service.requests) != 1 {
			t.Errorf("the focus is on %s after %d requests", m.Focused(), len(service.requests))
		}
		m.failure = nil
		if stop.Run(); m.failure != nil {
			t.Error("a wait that is over is cancelled")
		}
	})
}

func TestAFailureIsSaidAndNothingIsSentAgain(t *testing.T) {
	for name, tt := range map[string]struct {
		answer http.HandlerFunc
		want   []string
		acted  bool
	}{
		"refused": {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) }, []string{"401", "Check the e-mail"}, false},
		"dropped": {func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, []string{"dropped"}, true},
		"page": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			_, _ = w.Write([]byte("<html>"))
		}, []string{"HTML"}, true},
	} {
		t.Run(name, uitest.InBubble(func(t *testing.T, s *uitest.Service) {
			service := at(s, s.Handle(tt.answer))
			stage, m := show(t, service, nil, "ada")
			submit(stage)
			stage.Expect(append(tt.want, "Password")...)
			stage.Golden("device/failed-" + name)
			stage.FitsEverySize()
			stage.Resize(40, 10).Expect(tt.want[0], "…", "Password")
			if m.failure.acted != tt.acted {
				t.Errorf("that the service may have acted is %v", m.failure.acted)
			}
			stage.Press("enter", "enter").Type("rx")
			if got := m.Value("password"); got != "rx" || len(service.requests) != 1 {
				t.Errorf("the password is %q after %d requests", got, len(service.requests))
			}
		}))
	}
}

func TestTheLatestTwentyResultsAreKept(t *testing.T) {
	h := &History{}
	add := func(raw []byte) {
		h.Add(&entry{number: h.Made + 1, answer: &reading{LoginResult: &api.LoginResult{Raw: raw}}})
	}
	for range 25 {
		add([]byte(`{}`))
	}
	if len(h.Entries) != 20 || h.Entries[0].number != 25 || h.Entries[19].number != 6 {
		t.Errorf("%d are kept, the newest of them is number %d", len(h.Entries), h.Entries[0].number)
	}
	const large = 12 << 20
	for range 2 {
		add(make([]byte, large))
	}
	if h.Entries[0].Size() != large || h.Entries[1].Size() == large || len(h.Entries) < 18 {
		t.Errorf("beside the newest large one, %d are kept", len(h.Entries)-1)
	}
}

// two logs two people in and goes to the list of results.
func two(t *testing.T, s *uitest.Service) (*uitest.Stage, *Model) {
	t.Helper()
	service, history := demoService(s), &History{}
	login(t, service, history, "ada")
	login(t, service, history, "wes")
	stage, m := login(t, service, history, "dora")
	stage.Press("ctrl+l").Expect("3 results")
	return stage, m
}

func TestTheResultsOfARunAreComparedWithTheOneThatIsShown(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		stage, _ := two(t, s)
		stage.Expect("✗ 12:00:00 wes@harbor.example Wipe ordered")
		stage.Golden("device/results")
		stage.FitsEverySize()
		stage.Press("esc", "v").Expect("Compare with").Press("down", "enter").Expect("3 differences", "12 expected", "1 ada@harbor.example ✓ Looks fine", "2 dora@harbor.example ✗ Device not validated (U107)", "~ Validated", "~ Error code")
		stage.Golden("device/compare")
		stage.FitsEverySize()
		stage.Press("i").Expect("~ User email")
		stage.Golden("device/compare-identity")
		stage.Press("i").Gone("~ User email")
		stage.Press("a").Expect("= Wipe")
		stage.Golden("device/compare-all")
		for range 200 {
			if strings.Contains(stage.Frame(), "▌ ?") {
				break
			}
			stage.Press("down")
		}
		stage.Expect("▌ ?").Press("y")
		if said := stage.Said[len(stage.Said)-1]; said != "it is masked" {
			t.Errorf("a masked value: said %q", said)
		}
		stage.FitsEverySize()
		stage.Press("a").Resize(40, 10).Expect("~ ", "Field")
		stage.Press("esc").Expect("(U107)")
		stage.Resize(120, 40).Press("v", "enter").Expect("wes@", "dora@").Press("esc").Expect("(U107)")
		stage.Press("ctrl+l", "down", "enter").Expect("Wipe ordered")
	})
}

func TestTheDeviceOfAResultIsCopied(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		stage, m := two(t, s)
		stage.Press("y")
		if want := (uitest.Copy{Text: m.options.History.Entries[0].answer.DeviceID, What: "the device id"}); stage.Told[len(stage.Told)-1] != want {
			t.Errorf("told %+v, want %+v", stage.Told, want)
		}
	})
}

// What is copied of a part of an answer is what the answer has there, without what Gatehouse says of it.
func TestThePartsOfAnAnswerAreCopied(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		stage, m := two(t, s)
		answer := m.options.History.Entries[0].answer
		stage.Press("enter").Expect("(U107)")
		for _, want := range []uitest.Copy{
			{Text: answer.PrimaryUserDomain.Domain.DomainName, What: "domain"},
			{Text: answer.DeviceID, What: "device id"},
			{Text: "no", What: "wipe"},
			{Text: answer.Validated.String(), What: "validated"},
		} {
			if stage.Press("y"); stage.Told[len(stage.Told)-1] != want {
				t.Errorf("told %+v, want %+v", stage.Told, want)
			}
			stage.Press("down")
		}
	})
}

func TestAnAnswerLeadsToTheCheckOfItsAddress(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		stage, _ := two(t, s)
		stage.Press("enter").Expect("(U107)").Press("ctrl+k")
		if want := (uitest.Check{Address: "dora@harbor.example"}); stage.Told[len(stage.Told)-1] != want {
			t.Errorf("told %+v, want %+v", stage.Told, want)
		}
	})
}

func TestAnAnswerCanBeSearchedAndEscapeEndsThatFirst(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		stage, _ := login(t, demoService(s), nil, "ada")
		stage.Press("/").Type("minato").Expect("1 of ")
		stage.Press("enter", "esc").Expect("result 1")
		stage.Press("esc").Expect("Password")
	})
}
