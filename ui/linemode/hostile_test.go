package linemode

import (
	"bytes"
	"context"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"gatehouse/internal/config"
	"gatehouse/internal/hostile"
	"gatehouse/internal/prompt"
	"gatehouse/internal/testkit"
	"gatehouse/session"
	"gatehouse/ui"
	"gatehouse/ui/activity"
)

// reached are the answers that lead somebody who has signed in to the call of an
// endpoint.
var reached = []struct {
	endpoint hostile.Endpoint
	answers  []string
}{
	{hostile.PasswordGrant, nil},
	{hostile.RefreshGrant, []string{"3", "2"}},
	{hostile.Shares, []string{"1", "1"}},
	{hostile.Companies, []string{"1", "companies", ""}},
	{hostile.DeviceLogin, []string{"device", "", "", "", "", "", hostile.Password}},
}

// TestEveryFaultInTheConversation walks through all that a service can do wrong, at
// each endpoint.
func TestEveryFaultInTheConversation(t *testing.T) {
	turn := 0
	for _, c := range hostile.Cases() {
		for _, m := range reached {
			if c.On != nil && !slices.Contains(c.On, m.endpoint) || c.Opaque {
				continue
			}
			// In the short form the endpoints take turns.
			if turn++; !testkit.Long() && turn%7 != 0 {
				continue
			}
			t.Run(c.Name+"/"+string(m.endpoint), func(t *testing.T) {
				t.Parallel()
				hostile.Run(t, func(t *testing.T, w *hostile.World) {
					w.Faults.Set(hostile.Rule{Endpoint: m.endpoint, Fault: c.Fault, Times: c.Times})
					start := time.Now()
					said := converse(t, w, append([]string{"cleo@harbor.example", hostile.Password}, m.answers...))
					understood(t, w, said, m.endpoint, c.Want(m.endpoint))
					if took, within := time.Since(start), c.Want(m.endpoint).Within; took > within {
						t.Errorf("it took %v, which is longer than %v", took, within)
					}
				})
			})
		}
	}
}

// converse is a whole conversation over the network of a bubble.
func converse(t *testing.T, w *hostile.World, answers []string) string {
	t.Helper()
	v := variables(w.Variables())
	delete(v, "GATEHOUSE_DOMAIN_AUTH_URL")
	delete(v, "GATEHOUSE_AUTH_TEST_URL")
	profile, err := config.Resolve(config.Sources{File: os.DevNull, LookupEnv: func(name string) (string, bool) {
		value, ok := v[name]
		return value, ok
	}})
	if err != nil {
		t.Fatal(err)
	}
	service := session.NewService(session.ServiceOptions{Profile: profile, Dial: w.Dial, Now: time.Now})
	open := func(context.Context) (ui.Opened, error) { return ui.Opened{Service: service}, nil }
	o := Options{Options: ui.Options{Open: open, OpenAgain: open, OpenUnsaved: open, Now: time.Now, Activity: new(activity.Log)}}
	var said bytes.Buffer
	o.Console = prompt.NewConsole(strings.NewReader(strings.Join(answers, "\n")+"\n"), &said)
	defer o.Console.Close()
	if err := Run(t.Context(), o); err != nil {
		t.Fatalf("%v, after\n%s", err, said.String())
	}
	return said.String()
}

// understood compares what was said with what the interface and the design make of
// a fault.
func understood(t *testing.T, w *hostile.World, said string, at hostile.Endpoint, want hostile.Outcome) {
	t.Helper()
	if found := w.Leaked(said); found != "" {
		t.Errorf("the secret %q is said", found)
	}
	if found := hostile.GoWords(said); found != "" {
		t.Errorf("the word %q of a programmer is said:\n%s", found, said)
	}
	if want.Ending == hostile.Works {
		return
	}
	parts := []string{want.Says, want.Next, w.Host()}
	switch {
	case want.Ending == hostile.Over:
		parts = parts[:2]
	case at == hostile.RefreshGrant:
		parts[1] = "the next attempt is at"
	}
	for _, part := range parts {
		if !strings.Contains(said, part) {
			t.Errorf("%q is not said:\n%s", part, said)
		}
	}
}
