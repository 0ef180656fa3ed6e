package domains

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gatehouse/api"
	"gatehouse/internal/desk/check"
	"gatehouse/internal/testkit/uitest"
	"gatehouse/session"
	"gatehouse/ui/screen"
)

func TestEveryStateOfAGatewayIsACell(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		g := newGateways(s)
		g.Handle("/harbor.example/", answerShares(42))
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
		tls.Config.ErrorLog = log.New(io.Discard, "", 0)
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
		stage.Click("stranger.example")
		if first := m.Actions()[0]; first.ID != screen.RootSignIn {
			t.Errorf("on a gateway that needs a sign-in, %s comes first", first.Description)
		}
		stage.Press("G", "k", "k", "k", "k").Expect("Could not get the shares", "503", "try again later")
		stage.Golden("domains/trouble")
		stage.FitsEverySize()
		stage.Resize(40, 10).Expect("✗ 503", "Could not get")
		if len(stage.Told) > 0 {
			t.Errorf("a gateway that failed made the screen tell %v", stage.Told)
		}
	})
}

func TestAGatewayIsNotBlamedForARenewalThatFailed(t *testing.T) {
	refused := &api.TransportError{Op: "renew the session", Host: "auth.harbor.example", Err: syscall.ECONNREFUSED}
	if v := judge(0, &session.DelayedError{Err: refused}); v.mark != warning || v.text != "not asked, renewal delayed" {
		t.Errorf("it says %q", v.text)
	}
}

func TestOnlyTheGatewaysOfRowsInSightAreAskedThreeAtATime(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		g := newGateways(s)
		stage, m := show(t, g, account(numbered(60)...))
		settled(t, stage, m)
		asked := func(what string, want ...string) {
			t.Helper()
			slices.Sort(g.asked)
			if diff := cmp.Diff(want, g.asked); diff != "" {
				t.Errorf("asked %s (-want +got):\n%s", what, diff)
			}
			for _, name := range want {
				if !strings.Contains(stage.Frame(), name) {
					t.Errorf("asked %s: %s is not in sight", what, name)
				}
			}
			g.asked = nil
		}
		seen := strings.Count(stage.Frame(), ".example")
		if seen < 15 || g.most != maxRequests {
			t.Fatalf("%d domains in sight, %d asked at once", seen, g.most)
		}
		asked("at first", numbered(60)[:seen]...)
		stage.Press("G")
		settled(t, stage, m)
		asked("at the end", numbered(60)[60-seen:]...)
		stage.Press("g", "j")
		stage.Scroll(2)
		settled(t, stage, m)
		asked("after scrolling by two", numbered(60)[seen:seen+2]...)
		stage.Resize(100, 26)
		settled(t, stage, m)
		asked("after the window grew by two", numbered(60)[seen+2:seen+4]...)
	})
}

func TestTheGatewayUnderTheCursorIsAskedBeforeThoseAroundIt(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		g := newGateways(s)
		stage, m := show(t, g, account(numbered(60)...))
		settled(t, stage, m)
		g.asked = nil
		stage.Press("G")
		settled(t, stage, m)
		if first := g.asked[:maxRequests]; !slices.Contains(first, "d59.example") {
			t.Errorf("with the cursor on the last row %v are asked first", first)
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
		answers <- answerShares(7)
		says := func(want ...string) { // in that order, beside what else the row has
			t.Helper()
			said := m.View().Rows.SayRow(0)
			rest := said
			for _, text := range want {
				var found bool
				if _, rest, found = strings.Cut(rest, text); !found {
					t.Errorf("it is said: %s", said)
				}
			}
		}
		stage.Expect("● 42 ms").Gone("asking")
		says("a.example, your primary domain: 7 shares")
		stage.Press("r", "r")
		if len(stage.Said) != 1 || !strings.Contains(stage.Said[0], "requests are already running") {
			t.Errorf("a second r said %q", stage.Said)
		}
		stage.Expect("● 42 ms …")
		says("a.example, your primary domain: 7 shares")
		answers <- refuse(503)
		stage.Expect("✗ failing (503)", "gateway: failing (503)")
		stage.Golden("domains/stale").Resize(40, 10).Expect("The figures are from 12:00:00.", "answered")
		says("a.example, your primary domain: 7 shares, gateway failing (503)", ". The figures are from")
		if g.total() != 2 {
			t.Errorf("asked %d times", g.total())
		}
		settled(t, stage, m)
	})
}

func TestAskingCanBeStopped(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		g := newGateways(s)
		g.HandleFunc("/a.example/", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
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
		ready := make(chan struct{})
		for _, name := range numbered(10) {
			g.HandleFunc("/"+name+"/", func(w http.ResponseWriter, r *http.Request) {
				<-ready
				answerShares(3)(w, r)
			})
		}
		stage, m := show(t, g, account(numbered(10)...))
		stage.Settle()
		m.Blur()
		close(ready)
		settled(t, stage, m)
		if g.total() != 3 {
			t.Errorf("%d gateways were asked", g.total())
		}
		stage.Run(m.Focus())
		stage.Until("the rest", func() bool { return strings.Count(stage.Frame(), "● 42 ms") == 10 })
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
		stage.Until("five cells", func() bool { return strings.Count(stage.Frame(), "● 42 ms") == 5 })
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
		earlier := m.round
		stage.Press("r")
		m.answered(earlier, m.addresses[0], answer{shares: &check.ShareCount{Shares: 999}})
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
		stage.Press("y", "enter", "j", "y", "esc", "Y")
		want := []any{
			uitest.Copy{Text: "https://harbor.example", What: "the browser address"},
			uitest.OpenLink{Address: "https://harbor.example"},
			uitest.Copy{Text: g.url + "/harbor.example", What: "the gateway address"},
			uitest.Copy{Text: "harbor.example", What: "harbor.example"},
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
		stage.Click("d02.example")
		stage.Expect("▌ d02.example")
		stage.Click("d02.example")
		if diff := cmp.Diff([]any{uitest.EnterDomain{Domain: "d02.example"}}, stage.Told); diff != "" {
			t.Errorf("told (-want +got):\n%s", diff)
		}
		stage.Scroll(15)
		stage.Expect("▌ d15.example")
		stage.Press("o")
		stage.Click("http:")
		stage.Expect("▌http:").Expect("URLs of d15.example")
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
			stage.Expect("Press ctrl+r to")
			stage.Golden("domains/" + name)
			stage.FitsEverySize()
			stage.Press("enter", "o", "r")
			if len(stage.Said) != 3 {
				t.Errorf("%s: the keys said %q", name, stage.Said)
			}
		}
	})
}

func TestTheListSaysThatItIsCut(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		status := account("a.example", "b.example")
		status.Claims.Unread = 70_000
		status.Claims.Ambiguous = []string{"primary_domain"}
		stage, _ := show(t, newGateways(s), status)
		stage.Expect("Only the first 10,000 of the 80,000 other domains").Expect("has the claim primary_domain twice")
		stage.FitsEverySize()
	})
}

func TestAFilterThatNoDomainMatchesSaysSo(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		stage, _ := show(t, newGateways(s), account("a.example", "b.example"))
		stage.Press("/", "z", "z").Expect("No domains match the filter.")
		stage.FitsEverySize()
	})
}

func TestWhatIsKnownOfADomainStandsBesideTheList(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		g := newGateways(s)
		list := []string{}
		for i, size := range []string{"1200000000000", "800000000000", "500000000000", "7", "9000"} {
			list = append(list, fmt.Sprintf(`{"Name":"Share %d","SpaceUsage":{"DiskUsage":%s}}`, i, size))
		}
		g.HandleFunc("/harbor.example/", func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, `{"Data":[`+strings.Join(list, ",")+`]}`)
		})
		g.Handle("/fjord.example/", refuse(403))
		status := account("harbor.example", "minato.example", "fjord.example")
		status.Username, status.Authority, status.Store = "ada@harbor.example", "main", "memory"
		status.AuthorityURL = "https://auth.of-a-long-name.harbor.example/token"
		status.Life, status.ExpiresAt = 24*time.Hour, uitest.Noon.Add(18*time.Hour)
		status.Renewable, status.RenewAt, status.RefreshEndsAt = true, uitest.Noon.Add(16*time.Hour), uitest.Noon.Add(29*24*time.Hour)
		stage, m := show(t, g, status)
		stage.Resize(120, 40)
		settled(t, stage, m)
		stage.Press("r")
		settled(t, stage, m)
		stage.Expect("2.5 TB", "● 42 ms", "primary domain of ada@harbor.example", "Share 0", "1.2 TB", "2 others", "18h 0m of 24h 0m", "memory only")
		stage.Golden("domains/known")
		stage.Resize(200, 60)
		stage.Settle().Golden("domains/known-200x60")
		stage.FitsEverySize()
		stage.Resize(80, 19).Expect("Size 2.5 TB").Gone("Share 0").Press("G").Resize(200, 60).Expect("✗ no access", "Could not get the shares")
		stage.Golden("domains/no-access")
	})
}

func TestAnAnswerThatTakesMoreThanASecondIsAWarning(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		g := newGateways(s)
		g.takes = map[string]time.Duration{"a.example": check.Slow, "b.example": check.Slow + time.Millisecond, "c.example": 2 * time.Second}
		stage, m := show(t, g, account("a.example", "b.example", "c.example"))
		settled(t, stage, m)
		stage.Expect("● 1.0 s", "! slow 1.0 s", "! slow 2.0 s")
		stage.Press("G").Expect("! slow 2.0 s")
		stage.Resize(40, 10).Expect("! 2.0 s")
		if said := m.View().Rows.SayRow(2); !strings.HasPrefix(said, "c.example: 1 share, gateway slow 2.0 s") {
			t.Errorf("it is said: %s", said)
		}
	})
}

func TestTheCertificateAndTheClockAreSaidWhereTheyAreKnown(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		g := newGateways(s)
		stage, m := show(t, g, account("harbor.example"))
		settled(t, stage, m)
		stage.Gone("TLS")
		known := m.gateways[m.addresses[0]]
		known.certificate = certificateOf(&tls.ConnectionState{Version: tls.VersionTLS13, PeerCertificates: []*x509.Certificate{{NotAfter: uitest.Noon.Add(300 * 24 * time.Hour)}}})
		stage.Resize(120, 30).Expect("certificate valid until 2026-12-27", "clock in sync")
		known.clock.ahead = -10 * time.Minute
		stage.Resize(120, 31).Expect("! clock 10m 0s behind")
		if certificateOf(nil) != nil || certificateOf(&tls.ConnectionState{}) != nil {
			t.Error("there is a certificate without a connection")
		}
	})
}
