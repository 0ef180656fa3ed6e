package ui

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"gatehouse/api"
)

func TestCompaniesAskForAKeyWhereThereIsNone(t *testing.T) {
	v := demoVariables(t)
	delete(v, "GATEHOUSE_API_KEY")
	d := open(t, v, 100, 30)
	d.signIn("ada")
	d.press("enter", "2")
	d.wait("API key")
	d.write("no-such-key")
	d.press("enter")
	d.wait("401")
	d.press("i")
	d.wait("API key")
	d.write("demo-company-key")
	d.press("enter")
	d.wait("companies", "row 1 of")
	if strings.Contains(d.frame(), "demo-company-key") {
		t.Error("the key is shown")
	}
}

func TestComingBackFindsTheListAsItWas(t *testing.T) {
	d := open(t, demoVariables(t), 100, 30)
	d.goInto("ada")
	d.press("down", "down")
	d.wait("row 3 of")
	d.press("2", "1")
	d.wait("row 3 of")
	d.press("esc")
	d.wait("4 domains")
	d.press("enter")
	d.wait("row 3 of")
}

func TestSortAndFilterWorkTogether(t *testing.T) {
	d := open(t, demoVariables(t), 100, 30)
	d.goInto("ada")
	d.press("s")
	d.wait("↑")
	d.press("s")
	d.wait("↓")
	d.press("/")
	d.write("zzzz-no-such-share")
	d.wait("0 of ")
	d.press("esc")
	d.gone("0 of ")
}

func TestAHundredThousandSharesOpenAndScroll(t *testing.T) {
	d := open(t, demoVariables(t), 80, 24)
	d.signIn("gus")
	d.press("enter")
	d.wait("row 1 of 100,000")
	d.press("G")
	d.wait("row 100,000 of 100,000")
	d.press("g")
	d.wait("row 1 of 100,000")
}

func TestLoadingCanBeCancelled(t *testing.T) {
	v := demoVariables(t)
	// Closed by the cleanup registered last, so that the server can end.
	slow := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
	t.Cleanup(slow.Close)
	v["GATEHOUSE_BASE_URL"] = slow.URL + "/{domain}"
	d := open(t, v, 80, 24)
	d.signIn("ada")
	d.press("enter")
	d.wait("loading the shares")
	d.press("esc")
	d.wait("was cancelled", "Press r")
	d.press("esc")
	d.wait("4 domains")
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
		t.Run(name, func(t *testing.T) {
			bad := httptest.NewServer(c.handler)
			defer bad.Close()
			v := demoVariables(t)
			v["GATEHOUSE_BASE_URL"] = bad.URL + "/{domain}"
			d := open(t, v, 160, 24)
			d.signIn("ada")
			d.press("enter")
			d.wait(append(c.want, "reload")...)
			d.press("r")
			d.wait(c.want...)
			d.press("esc")
			d.wait("4 domains")
		})
	}
}

func TestAFailedReloadSaysWhyAndWhatNext(t *testing.T) {
	v := demoVariables(t)
	faults := behind(t, v)
	d := open(t, v, 80, 24)
	d.signIn("ada")
	d.press("enter")
	d.wait("row 1 of 42")
	faults.Set(busy())
	d.press("r")
	d.wait("Shown as of", "503", "try again later", "42 shares")
}

// answers stands for gateways that give one body after the other, the last one
// for ever. The first is given twice: the list of domains asks for it too.
func answers(t *testing.T, v variables, bodies ...string) {
	t.Helper()
	var asked sync.Map
	gateway := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		times, _ := asked.LoadOrStore(r.URL.Path, new(atomic.Int64))
		before := int(times.(*atomic.Int64).Add(1)) - 2
		_, _ = fmt.Fprint(w, bodies[min(max(before, 0), len(bodies)-1)])
	}))
	t.Cleanup(gateway.Close)
	v["GATEHOUSE_BASE_URL"] = gateway.URL + "/{domain}"
}

func TestAnEmptyListCannotBeSorted(t *testing.T) {
	v := demoVariables(t)
	answers(t, v, `[]`)
	d := open(t, v, 100, 24)
	d.signIn("ada")
	d.press("enter")
	d.wait("No shares")
	d.press("s")
	d.wait("Not now: there is no column")
}

func TestASortedColumnCanBeGoneAfterAReload(t *testing.T) {
	v := demoVariables(t)
	answers(t, v, `[{"A":1,"B":2},{"A":2,"B":1}]`, `[{"A":1},{"A":3},{"A":2}]`)
	d := open(t, v, 100, 24)
	d.signIn("ada")
	d.until("the glances at four gateways", func() bool { return strings.Count(d.frame(), "reachable") == 4 })
	d.press("enter")
	d.wait("row 1 of 2")
	d.press("right", "s")
	d.wait("↑")
	d.press("r")
	d.wait("3 shares")
	d.gone("↑")
	if d.quit {
		t.Error("the program has ended")
	}
}

func TestAReloadKeepsTheCursorOfAListThatIsFilteredAndSorted(t *testing.T) {
	v := demoVariables(t)
	list := `[{"Name":"c1"},{"Name":"b"},{"Name":"c3"},{"Name":"a"},{"Name":"c2"}]`
	answers(t, v, list, strings.Replace(list, "b", `new"},{"Name":"b`, 1))
	d := open(t, v, 100, 24)
	d.signIn("ada")
	d.until("the glances at four gateways", func() bool { return strings.Count(d.frame(), "reachable") == 4 })
	d.press("enter")
	d.wait("row 1 of 5")
	d.press("s", "/")
	d.write("c")
	d.wait("3 of 5 shares")
	d.press("enter", "down", "down")
	d.wait("›c3", "row 3 of 3")
	d.press("r")
	d.wait("3 of 6 shares", "›c3", "row 3 of 3")
}

func TestAnAnswerThatComesWhileAFormIsOpenIsKept(t *testing.T) {
	v := demoVariables(t)
	ready := make(chan struct{})
	gateway := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		<-ready
		_, _ = fmt.Fprint(w, `[{"Name":"Harbor Office"}]`)
	}))
	t.Cleanup(gateway.Close)
	v["GATEHOUSE_BASE_URL"] = gateway.URL + "/{domain}"
	d := open(t, v, 100, 24)
	d.signIn("ada")
	d.press("enter", "2")
	d.wait("loading the companies")
	d.press("i")
	d.wait("Reseller id")
	close(ready)
	d.until("the companies", func() bool {
		return slices.ContainsFunc(d.model.root.options.Activity.Requests(), func(x *api.Exchange) bool {
			return strings.HasSuffix(x.Path, "/companies") && x.Status == http.StatusOK
		})
	})
	d.press("1")
	d.press("esc")
	d.wait("Harbor Office")
}
