package browse

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"gatehouse/api"
	"gatehouse/internal/testkit/uitest"
	"gatehouse/internal/text/secret"
)

// companies are those that a gateway gives; asked says with what it was asked.
type companies struct {
	gateway *api.Gateway
	asked   []string
}

func (c *companies) Companies(ctx context.Context, domain, resellerID string, key secret.Text) (*api.Body, error) {
	c.asked = append(c.asked, fmt.Sprintf("%s of %s with %q", resellerID, domain, key.Reveal()))
	return c.gateway.Companies(ctx, key, resellerID)
}

// openCompanies shows the companies of a gateway.
func openCompanies(t *testing.T, s *uitest.Service, gateway http.Handler, o CompaniesOptions) (*uitest.Stage, *Companies, *companies) {
	t.Helper()
	d := uitest.NewStage(t, 100, 30)
	client := api.NewTransport(api.Options{Dial: s.Dial})
	source := &companies{gateway: &api.Gateway{HTTP: client, BaseURL: s.Handle(gateway)}}
	shown := NewCompanies(d.Env, source, o)
	d.Show(shown)
	return d, shown, source
}

func TestCompaniesAskForWhatIsNotKnown(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		refusing := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) })
		d, _, source := openCompanies(t, s, refusing, CompaniesOptions{Domain: "harbor.example"})
		d.Expect("Companies belong to a reseller", "Reseller id")
		d.Type("4").Gone("4").Press("enter", "enter").Expect("the reseller's id is needed")
		d.Type("42").Press("enter").Expect("kept in memory only").Type("key-one").Press("enter").Expect("403")
		d.Press("i").Expect("leave empty to keep the current key").Press("enter").Gone("keep the current key").Expect("403")
		d.Press("i").Type("key-two").Press("enter").Gone("keep the current key").Settle().Expect("403")
		want := []string{`42 of harbor.example with "key-one"`, `42 of harbor.example with "key-one"`, `42 of harbor.example with "key-two"`}
		if got := strings.Join(source.asked, "\n"); got != strings.Join(want, "\n") {
			t.Errorf("asked was for\n%s", got)
		}
		if strings.Contains(d.Frame(), "key-") {
			t.Errorf("the key is shown:\n%s", d.Frame())
		}
	})
}

func TestAnotherResellerHasAListOfItsOwn(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		first := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			_, _ = fmt.Fprintf(w, `[{"Name":"Company of %s"}]`, strings.Split(r.URL.Path, "/")[3])
		})
		d, _, _ := openCompanies(t, s, first, CompaniesOptions{Domain: "harbor.example", ResellerID: "42", HasKey: true})
		d.Expect("1 company of reseller 42", "Company of 42")
		d.Press("i", "shift+tab", "ctrl+u").Type("43").Press("enter", "enter").Expect("1 company of reseller 43", "Company of 43")
		d.Press("i", "esc").Expect("1 company of reseller 43")
	})
}

func TestAnAnswerThatComesWhileTheFormIsOpenIsKept(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		ready := make(chan struct{})
		slow := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			<-ready
			_, _ = fmt.Fprint(w, `[{"Name":"Harbor Office"}]`)
		})
		d, _, _ := openCompanies(t, s, slow, CompaniesOptions{Domain: "harbor.example", ResellerID: "42", HasKey: true})
		d.Expect("loading the companies")
		d.Press("i").Expect("Reseller id")
		close(ready)
		d.Settle().Press("esc").Expect("Harbor Office")
	})
}
