package ui

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"gatehouse/api"
	"gatehouse/ui/uitest"
)

func TestCompaniesAskForAKeyWhereThereIsNone(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		delete(s.Env, "GATEHOUSE_API_KEY")
		d := open(t, s, 100, 30)
		d.signIn("ada")
		d.Press("enter", "2")
		d.Expect("API key")
		d.Type("no-such-key")
		d.Press("enter")
		d.Expect("401")
		d.Press("i")
		d.Expect("API key")
		d.Type("demo-company-key")
		d.Press("enter")
		d.Expect("companies", "row 1 of")
		if strings.Contains(d.Frame(), "demo-company-key") {
			t.Error("the key is shown")
		}
	})
}

func TestComingBackFindsTheListAsItWas(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := open(t, s, 100, 30)
		d.goInto("ada")
		d.Press("down", "down")
		d.Expect("row 3 of")
		d.Press("2", "1")
		d.Expect("row 3 of")
		d.Press("esc")
		d.Expect("4 domains")
		d.Press("enter")
		d.Expect("row 3 of")
	})
}

func TestSortAndFilterWorkTogether(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := open(t, s, 100, 30)
		d.goInto("ada")
		d.Press("s")
		d.Expect("↑")
		d.Press("s")
		d.Expect("↓")
		d.Press("/")
		d.Type("zzzz-no-such-share")
		d.Expect("0 of ")
		d.Press("esc")
		d.Gone("0 of ")
	})
}

func TestAHundredThousandSharesOpenAndScroll(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := open(t, s, 80, 24)
		d.signIn("gus")
		d.Press("enter")
		d.Expect("row 1 of 100,000")
		d.Press("G")
		d.Expect("row 100,000 of 100,000")
		d.Press("g")
		d.Expect("row 1 of 100,000")
	})
}

func TestLoadingCanBeCancelled(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		s.Gateway(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
		d := open(t, s, 80, 24)
		d.signIn("ada")
		d.Press("enter")
		d.Expect("loading the shares")
		d.Press("esc")
		d.Expect("was cancelled", "Press r")
		d.Press("esc")
		d.Expect("4 domains")
	})
}

func TestABadAnswerIsOneSentenceAndAWayOn(t *testing.T) {
	for name, c := range map[string]struct {
		handler http.HandlerFunc
		want    []string
	}{
		"an HTML page": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			_, _ = fmt.Fprint(w, "<html><body>proxy</body></html>")
		}, []string{"HTML"}},
		"cut off": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "1000")
			_, _ = fmt.Fprint(w, `{"Data":[{"Id":1`)
		}, []string{"cut"}},
		"not JSON": {func(w http.ResponseWriter, _ *http.Request) { _, _ = fmt.Fprint(w, `{"Data":[}`) }, []string{"JSON"}},
		"refused": {func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusBadRequest)
			_, _ = fmt.Fprint(w, `{"Message":"no such \u001b[31muser"}`)
		}, []string{"400", "no such [31muser"}},
	} {
		t.Run(name, uitest.InBubble(func(t *testing.T, s *uitest.Service) {
			s.Gateway(c.handler)
			d := open(t, s, 160, 24)
			d.signIn("ada")
			d.Press("enter")
			d.Expect(append(c.want, "reload")...)
			d.Press("r")
			d.Expect(c.want...)
			d.Press("esc")
			d.Expect("4 domains")
		}))
	}
}

func TestAFailedReloadSaysWhyAndWhatNext(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := open(t, s, 80, 24)
		d.signIn("ada")
		d.Press("enter")
		d.Expect("row 1 of 42")
		s.Faults.Set(busy())
		d.Press("r")
		d.Expect("Shown as of", "503", "try again later", "42 shares")
	})
}

// answers stands for gateways that give one body after the other, the last one
// for ever. The first is given twice: the list of domains asks for it too.
func answers(s *uitest.Service, bodies ...string) {
	var asked sync.Map
	s.Gateway(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		times, _ := asked.LoadOrStore(r.URL.Path, new(atomic.Int64))
		before := int(times.(*atomic.Int64).Add(1)) - 2
		_, _ = fmt.Fprint(w, bodies[min(max(before, 0), len(bodies)-1)])
	}))
}

func TestAnEmptyListCannotBeSorted(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		answers(s, `[]`)
		d := open(t, s, 100, 24)
		d.signIn("ada")
		d.Press("enter")
		d.Expect("No shares")
		d.Press("s")
		d.Expect("Not now: there is no column")
	})
}

func TestASortedColumnCanBeGoneAfterAReload(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		answers(s, `[{"A":1,"B":2},{"A":2,"B":1}]`, `[{"A":1},{"A":3},{"A":2}]`)
		d := open(t, s, 100, 24)
		d.signIn("ada")
		d.Until("the glances at four gateways", func() bool { return strings.Count(d.Frame(), "reachable") == 4 })
		d.Press("enter")
		d.Expect("row 1 of 2")
		d.Press("right", "s")
		d.Expect("↑")
		d.Press("r")
		d.Expect("3 shares")
		d.Gone("↑")
		if d.Quit {
			t.Error("the program has ended")
		}
	})
}

func TestAReloadKeepsTheCursorOfAListThatIsFilteredAndSorted(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		list := `[{"Name":"c1"},{"Name":"b"},{"Name":"c3"},{"Name":"a"},{"Name":"c2"}]`
		answers(s, list, strings.Replace(list, "b", `new"},{"Name":"b`, 1))
		d := open(t, s, 100, 24)
		d.signIn("ada")
		d.Until("the glances at four gateways", func() bool { return strings.Count(d.Frame(), "reachable") == 4 })
		d.Press("enter")
		d.Expect("row 1 of 5")
		d.Press("s", "/")
		d.Type("c")
		d.Expect("3 of 5 shares")
		d.Press("enter", "down", "down")
		d.Expect("›c3", "row 3 of 3")
		d.Press("r")
		d.Expect("3 of 6 shares", "›c3", "row 3 of 3")
	})
}

func TestAnAnswerThatComesWhileAFormIsOpenIsKept(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		ready := make(chan struct{})
		s.Gateway(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			<-ready
			_, _ = fmt.Fprint(w, `[{"Name":"Harbor Office"}]`)
		}))
		d := open(t, s, 100, 24)
		d.signIn("ada")
		d.Press("enter", "2")
		d.Expect("loading the companies")
		d.Press("i")
		d.Expect("Reseller id")
		close(ready)
		d.Until("the companies", func() bool {
			return slices.ContainsFunc(d.model.root.options.Activity.Requests(), func(x *api.Exchange) bool {
				return strings.HasSuffix(x.Path, "/companies") && x.Status == http.StatusOK
			})
		})
		d.Press("1")
		d.Press("esc")
		d.Expect("Harbor Office")
	})
}
