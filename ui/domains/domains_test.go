package domains

import (
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gatehouse/internal/testkit/uitest"
	"gatehouse/session"
)

func TestEveryStateOfAGatewayIsACell(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		g := newGateways(s)
		g.Handle("/harbor.example/", shares(42))
		g.HandleFunc("/hangs.example/", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
		g.HandleFunc("/page.example/", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			_, _ = io.WriteString(w, "<html>sign in to this network</html>")
		})
		g.HandleFunc("/odd.example/", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, `{"Data":[`) })
		g.HandleFunc("/away.example/", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://elsewhere.example/", http.StatusFound)
		})
		for name, code := range map[string]int{"stranger": 401, "forbidden": 403, "lost": 404, "busy": 429, "ill": 503, "new": 400} {
			g.Handle("/"+name+".example/", refuse(code))
		}
		g.urls["closed.example"] = "http://127.0.0.1:1"
		tls := httptest.NewUnstartedServer(http.NotFoundHandler())
		_ = tls.Listener.Close()
		tls.Listener = s.Listen()
		tls.Config.ErrorLog = quiet()
		tls.StartTLS()
		t.Cleanup(tls.Close)
		g.urls["self-signed.example"] = tls.URL

		stage, m := show(t, g, account("harbor.example", "small.example", "closed.example", "hangs.example", "self-signed.example",
			"stranger.example", "forbidden.example", "lost.example", "busy.example", "ill.example", "new.example", "page.example", "odd.example", "away.example"))
		m.deadline = 300 * time.Millisecond
		stage.Press("r")
		stage.Until("the end of the first round", func() bool { return !m.asking() })
		stage.Press("r")
		settled(t, stage, m)
		stage.Golden("domains/states")
		stage.Press("G", "k", "k", "k", "k").Expect("Could not get the shares", "503", "try again later")
		stage.Golden("domains/trouble")
		stage.FitsEverySize()
		stage.Resize(40, 10).Expect("✗ 503", "Could not get")
		if len(stage.Told) > 0 {
			t.Errorf("a gateway that failed made the screen tell %v", stage.Told)
		}
	})
}

func TestThreeGatewaysAreAskedAtATimeAndOnlyThoseNearTheTopOrTheCursor(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		g := newGateways(s)
		stage, m := show(t, g, account(numbered(60)...))
		settled(t, stage, m)
		if diff := cmp.Diff(numbered(30), g.asked); g.most != atOnce || len(g.asked) != 30 {
			t.Errorf("%d at once; asked (-want +got):\n%s", g.most, diff)
		}
		stage.Press("G")
		settled(t, stage, m)
		near := slices.Clone(g.asked[30:])
		slices.Sort(near)
		if diff := cmp.Diff(numbered(60)[60-1-10:], near); diff != "" {
			t.Errorf("asked when the cursor came near (-want +got):\n%s", diff)
		}
	})
}

func TestWhatIsAroundTheCursorIsAskedFirst(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		g := newGateways(s)
		stage := uitest.NewStage(t, 100, 24)
		stage.Env.State.Set(lastKey, "d45.example")
		m := New(stage.Env, Options{Service: g, Status: func() session.Status { return account(numbered(60)...) }})
		stage.Show(m)
		stage.Expect("›d45.example")
		settled(t, stage, m)
		near := numbered(60)[35:56]
		// Those that are asked beside the last ones may overtake them.
		first := slices.DeleteFunc(slices.Clone(g.asked[:len(near)+atOnce-1]), func(name string) bool { return !slices.Contains(near, name) })
		slices.Sort(first)
		if diff := cmp.Diff(near, first); diff != "" {
			t.Errorf("asked first (-want +got):\n%s", diff)
		}
	})
}

func TestTheDomainGoneIntoLastIsRemembered(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		stage, m := show(t, newGateways(s), account("a.example", "b.example"))
		stage.Press("down", "enter")
		if diff := cmp.Diff([]any{uitest.EnterDomain{Domain: "b.example"}}, stage.Told); diff != "" {
			t.Fatalf("told (-want +got):\n%s", diff)
		}
		m.Remember("b.example")
		var kept string
		if stage.Env.State.Get(lastKey, &kept); kept != "b.example" {
			t.Errorf("kept is %q", kept)
		}
	})
}

func TestAskingAgainKeepsWhatWasKnownUntilThereIsMore(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		g := newGateways(s)
		answers := make(chan http.HandlerFunc)
		g.HandleFunc("/a.example/", func(w http.ResponseWriter, r *http.Request) { (<-answers)(w, r) })
		stage, m := show(t, g, account("a.example"))
		stage.Expect("… asking", "asking 1 gateway since 12:00:00", "1 domain")
		stage.Golden("domains/asking")
		answers <- shares(7)
		stage.Expect("7  ✓ reachable 42 ms")
		stage.Press("r", "r")
		if len(stage.Said) != 1 || !strings.Contains(stage.Said[0], "asked already") {
			t.Errorf("a second r said %q", stage.Said)
		}
		stage.Expect("7  ✓ reachable 42 ms …")
		answers <- refuse(503)
		stage.Expect("7 at 12:00:00  ✗ in trouble (503)", "the gateway gives no shares")
		stage.Golden("domains/stale")
		if g.total() != 2 {
			t.Errorf("asked %d times", g.total())
		}
		settled(t, stage, m)
	})
}

func TestAskingCanBeStopped(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		g := newGateways(s)
		began, ended := make(chan struct{}), make(chan struct{})
		g.HandleFunc("/a.example/", func(_ http.ResponseWriter, r *http.Request) {
			close(began)
			<-r.Context().Done()
			close(ended)
		})
		stage, _ := show(t, g, account("a.example"))
		stage.Settle().Press("x").Gone("asking")
		stage.Settle().Press("x")
		if len(stage.Said) != 1 {
			t.Errorf("x with nothing to stop said %q", stage.Said)
		}
	})
}

func TestNothingNewIsAskedBehindAnotherScreen(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		g := newGateways(s)
		began, ready := make(chan struct{}, 10), make(chan struct{})
		for _, name := range numbered(10) {
			g.HandleFunc("/"+name+"/", func(w http.ResponseWriter, r *http.Request) {
				began <- struct{}{}
				<-ready
				shares(3)(w, r)
			})
		}
		stage, m := show(t, g, account(numbered(10)...))
		for range atOnce {
			stage.Settle()
		}
		m.Blur()
		close(ready)
		settled(t, stage, m)
		if g.total() != 3 {
			t.Errorf("%d gateways were asked", g.total())
		}
		stage.Run(m.Focus())
		stage.Until("the rest", func() bool { return strings.Count(stage.Frame(), "reachable") == 10 })
		stage.Run(m.Focus())
		settled(t, stage, m)
		if g.total() != 10 {
			t.Errorf("%d gateways were asked in all", g.total())
		}
	})
}

func TestOneGatewayForAllDomainsIsAskedOnce(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		g := newGateways(s)
		for _, name := range numbered(5) {
			g.urls[name] = g.url + "/all"
		}
		stage, m := show(t, g, account(numbered(5)...))
		settled(t, stage, m)
		stage.Until("five cells", func() bool { return strings.Count(stage.Frame(), "reachable") == 5 })
		if g.total() != 1 {
			t.Errorf("asked %d times", g.total())
		}
	})
}

func TestAnAnswerToAnEarlierRoundIsDropped(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		g := newGateways(s)
		stage, m := show(t, g, account("a.example"))
		settled(t, stage, m)
		late := answerMsg{round: m.round, address: m.names.addresses[0], answer: answer{count: &count{records: 999}}}
		stage.Press("r")
		m.Update(late)
		settled(t, stage, m)
		if strings.Contains(stage.Frame(), "999") {
			t.Error("it is shown")
		}
	})
}

func TestTheAddressesOfADomainAreShownAndCopied(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		g := newGateways(s)
		stage, m := show(t, g, account("harbor.example"))
		settled(t, stage, m)
		stage.Press("o").Expect("https://harbor.example", g.url+"/harbor.example")
		stage.Golden("domains/address")
		stage.FitsEverySize()
		stage.Press("y", "j", "y", "esc")
		want := []any{
			uitest.Copy{Text: "https://harbor.example", What: "the browser address"},
			uitest.Copy{Text: g.url + "/harbor.example", What: "the gateway address"},
		}
		if diff := cmp.Diff(want, stage.Told); diff != "" {
			t.Errorf("told (-want +got):\n%s", diff)
		}
		stage.Expect("1 domain")
	})
}

func TestTheMouseChoosesAndGoesIn(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		g := newGateways(s)
		stage, m := show(t, g, account(numbered(40)...))
		settled(t, stage, m)
		stage.Expect("40 domains")
		stage.ClickAt(3, 4)
		stage.Expect("›d02.example")
		stage.ClickAt(3, 4)
		if diff := cmp.Diff([]any{uitest.EnterDomain{Domain: "d02.example"}}, stage.Told); diff != "" {
			t.Errorf("told (-want +got):\n%s", diff)
		}
		stage.Scroll(15)
		stage.Expect("›d15.example")
		stage.Press("o")
		stage.ClickAt(3, 5)
		stage.Expect("›Gateway").Expect("Addresses of d15.example")
	})
}

func TestAListWithoutDomainsSaysWhatWouldFillIt(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		for name, change := range map[string]func(*session.Status){
			"empty":     func(s *session.Status) { s.Claims.Rejected = []string{"not a host\x1b[31m"} },
			"no-claims": func(s *session.Status) { s.Claims.Present = false },
		} {
			status := account()
			change(&status)
			stage, _ := show(t, newGateways(s), status)
			stage.Expect("Press S to sign")
			stage.Golden("domains/" + name)
			stage.FitsEverySize()
			stage.Press("enter", "o", "r")
			if len(stage.Said) != 3 {
				t.Errorf("%s: the keys said %q", name, stage.Said)
			}
		}
	})
}

func TestASessionThatIsOverIsSaidAboveItsList(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		status := account("a.example")
		status.State = session.Ended
		stage, m := show(t, newGateways(s), status)
		settled(t, stage, m)
		stage.Expect("The session is over", "Press S", "a.example")
		stage.Golden("domains/over")
	})
}

func TestADomainGoesBeforeAWordOnTheWholeList(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		stage, m := show(t, newGateways(s), account(numbered(4)...))
		settled(t, stage, m)
		stage.Expect("As of the sign-in")
		stage.Resize(40, 6).Expect("d00.example", "d03.example").Gone("As of the sign-in")
	})
}

func TestSharesAreCountedUpToALimit(t *testing.T) {
	array := func(n int) string { return "[" + strings.TrimSuffix(strings.Repeat(`{"Id":[1,{}]},`, n), ",") + "]" }
	for _, tt := range []struct {
		name, body string
		limit      int64
		want       count
	}{
		{"an array", array(10), 1000, count{10, false}},
		{"an envelope", `{"Message":"Ok.","Data":` + array(10) + `}`, 1000, count{10, false}},
		{"none", `{"Data":[]}`, 1000, count{0, false}},
		{"exactly the limit", array(3), int64(len(array(3))), count{3, false}},
		{"one byte beyond", array(3), int64(len(array(3))) - 1, count{3, true}},
		{"in the middle of a record", array(10), 50, count{3, true}},
		{"in an envelope", `{"Info":{"a":[1,2]},"Data":` + array(10) + `}`, 60, count{2, true}},
		{"one large text", `"` + strings.Repeat("x", 100) + `"`, 50, count{0, true}},
	} {
		got, err := countRecords(strings.NewReader(tt.body), tt.limit)
		if err != nil || got != tt.want {
			t.Errorf("%s: got %v, %v; want %v", tt.name, got, err, tt.want)
		}
	}
	if _, err := countRecords(strings.NewReader("<html>"), 100); err == nil {
		t.Error("a page is counted")
	}
}

func TestALargeListIsNotLoadedToTheEnd(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		g := newGateways(s)
		var sent int64
		over := make(chan struct{})
		g.HandleFunc("/large.example/", func(w http.ResponseWriter, _ *http.Request) {
			defer close(over)
			record := []byte(`{"Name":"` + strings.Repeat("x", 4000) + `"},`)
			_, _ = w.Write([]byte("["))
			for sent < 400<<20 {
				n, err := w.Write(record)
				if sent += int64(n); err != nil {
					return
				}
			}
		})
		stage, m := show(t, g, account("large.example"))
		settled(t, stage, m)
		stage.Expect("+  ✓ reachable")
		<-over
		if sent > 64<<20 {
			t.Errorf("%d bytes were sent", sent)
		}
	})
}
