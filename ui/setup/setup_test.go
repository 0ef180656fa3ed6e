package setup

import (
	"context"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/config"
	"gatehouse/internal/hostile"
	"gatehouse/internal/problem"
	"gatehouse/internal/secret"
	"gatehouse/internal/setup"
	"gatehouse/internal/testkit/uitest"
	"gatehouse/session"
)

func TestMain(m *testing.M) { uitest.Main(m) }

// desk is a person who sets a profile up.
type desk struct {
	*uitest.Stage
	t       *testing.T
	service *uitest.Service
	file    string
	keep    func(ctx context.Context, value secret.Text) error // nil: the keyring takes it
	kept    []string
	demos   int
	written []string // the e-mail and the secret of each time
}

// sit begins with the first step; document is the profile file, "" for none.
func sit(t *testing.T, s *uitest.Service, document string) *desk {
	t.Helper()
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	d := &desk{Stage: uitest.NewStage(t, 80, 21), t: t, service: s, file: filepath.Join(home, "config.toml")}
	if document != "" {
		if err := os.WriteFile(d.file, []byte(document), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	draft, err := setup.Open(setup.Options{
		File: d.file,
		Service: func(p *config.Profile) *session.Service {
			return session.NewService(session.ServiceOptions{Profile: p, Vault: session.NewMemoryVault(), Dial: s.Dial, Now: func() time.Time { return uitest.Noon }})
		},
		Keep: func(ctx context.Context, _ string, value secret.Text) error {
			if d.keep != nil {
				return d.keep(ctx, value)
			}
			d.kept = append(d.kept, value.Reveal())
			return nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	d.Show(New(d.Env, Options{
		Draft: draft, SecretVariable: "GATEHOUSE_CLIENT_SECRET",
		Demo: func() tea.Cmd { d.demos++; return nil },
		Written: func(email string, unsaved secret.Text) tea.Cmd {
			d.written = append(d.written, email+" "+unsaved.Reveal())
			return nil
		},
	}))
	return d
}

// url is a URL of the service, by the key of the profile.
func (d *desk) url(key string) string { return d.service.Env["GATEHOUSE_"+strings.ToUpper(key)] }

// known fills in the first step.
func (d *desk) known(email string) {
	d.t.Helper()
	d.Expect("Installation").Press("tab").Type(d.url("client_id")).Press("tab").Type(email).Press("tab", "enter").Expect("Global service")
}

// addresses types one URL after the other; "" keeps what is there.
func (d *desk) addresses(urls ...string) {
	d.t.Helper()
	for _, url := range urls {
		if url != "" {
			d.Press("ctrl+u").Type(url)
		}
		d.Press("tab")
	}
	d.Press("enter")
}

// right types the addresses of the service.
func (d *desk) right() {
	d.t.Helper()
	d.addresses(d.url("global_url"), d.url("auth_url"), d.url("base_url"))
	d.Until("nothing to be tried", func() bool { return !strings.Contains(d.Frame(), "trying") && !strings.Contains(d.Frame(), "waiting") })
}

func (d *desk) document() string {
	d.t.Helper()
	text, err := os.ReadFile(d.file)
	if err != nil {
		d.t.Fatal(err)
	}
	return string(text)
}

func (d *desk) golden(name string) { d.Golden("setup/" + name) }

func TestAProfileIsSetUpFromNothing(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := sit(t, s, "")
		d.Expect("Installation", "ctrl+d")
		d.golden("begin")
		d.known("ada@harbor.example")
		d.Expect("Global service")
		d.right()
		d.Expect("✓ Every part that can be tried now has answered.")
		d.golden("addresses")
		d.Press("enter").Expect("goes into the keyring").Type("s3cret").Expect("••••••")
		d.golden("secret")
		d.Press("enter").Expect("This becomes", "✓ The client secret is in the keyring.")
		if frame := d.Frame(); strings.Contains(frame, "s3cret") {
			t.Errorf("the secret is on the screen:\n%s", frame)
		}
		d.Press("enter").Settle()
		if len(d.written) != 1 || d.written[0] != "ada@harbor.example " || len(d.kept) != 1 || d.kept[0] != "s3cret" {
			t.Errorf("written %q, kept %q", d.written, d.kept)
		}
		want := "default_profile = \"main\"\n\n[profiles.main]\nauthority = \"main\"\nauth_url = \"" + d.url("auth_url") + "\"\nbase_url = \"" + d.url("base_url") +
			"\"\nglobal_url = \"" + d.url("global_url") + "\"\nclient_id = \"gatehouse-demo\"\n"
		if got := d.document(); got != want {
			t.Errorf("the file is\n%s\nwant\n%s", got, want)
		}
	})
}

func TestTheUsualAddressesAreProposed(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := sit(t, s, "")
		d.Type("https://Files.Example/").Press("tab", "enter").Expect("type it:")
		d.Type("client").Press("tab").Type("nobody").Press("enter").Expect("such as ann@example.com, or nothing")
		d.Press("ctrl+u", "tab", "right", "enter")
		d.Expect("https://global.files.example", "Authority of the domain", "https://domainauth.{domain}", "https://clientgateway.{domain}", "depends on the domain")
		d.Press("esc", "tab", "tab", "right", "enter").Expect("Development authority", "https://auth-test.files.example")
	})
}

func TestEachPartThatIsDownSaysSo(t *testing.T) {
	for name, down := range map[string][]string{
		"global": {"global_url"}, "authority": {"auth_url"}, "gateway": {"base_url"}, "all": {"global_url", "auth_url", "base_url"},
	} {
		t.Run(name, uitest.InBubble(func(t *testing.T, s *uitest.Service) {
			closed := s.Listen()
			_ = closed.Close()
			broken := "http://" + closed.Addr().String()
			d := sit(t, s, "")
			d.known("")
			urls := map[string]string{}
			for _, key := range []string{"global_url", "auth_url", "base_url"} {
				urls[key] = strings.ReplaceAll(d.url(key), "{domain}", "harbor.example")
			}
			for _, key := range down {
				urls[key] = broken
			}
			d.addresses(urls["global_url"], urls["auth_url"], urls["base_url"])
			d.Until("all to be tried", func() bool {
				return strings.Count(d.Frame(), "✗ the connection was refused") == len(down) && strings.Count(d.Frame(), "✓ answers") == 3-len(down)
			})
			d.Expect("Correct the URL, or go on all the same")
			d.golden("down-" + name)
			d.FitsEverySize()
			d.Press("enter").Expect("Client secret").Press("enter").Expect("This becomes")
			if found := strings.Count(d.Frame(), "✗ "); found != len(down) {
				t.Errorf("%d parts are said to be down:\n%s", found, d.Frame())
			}
			// It is corrected: only that part is tried again, and nothing is said of it any more.
			d.Press("esc", "esc").Expect("Global service").Press("up", "up")
			d.addresses(d.url("global_url"), d.url("auth_url"), strings.ReplaceAll(d.url("base_url"), "{domain}", "minato.example"))
			d.Expect("✓ Every part that can be tried now has answered.")
		}))
	}
}

func TestWhatIsBeingTypedIsTriedWhenTheFieldIsLeft(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		asked := 0
		slow := s.Handle(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			asked++
			<-r.Context().Done() // it never answers
		}))
		d := sit(t, s, "")
		d.known("")
		d.Type(slow).Settle()
		if asked != 0 {
			t.Error("a URL was tried while it was being typed")
		}
		d.Press("tab").Expect("trying")
		d.Press("shift+tab", "ctrl+u").Type(d.url("global_url")).Press("tab").Expect("✓ answers")
		d.Pass(10 * time.Second)
		if strings.Contains(d.Frame(), "not answer") || asked != 1 {
			t.Errorf("the host of a URL that is no longer there speaks for the new one:\n%s", d.Frame())
		}
	})
}

func TestAnAddressThatIsTriedAgainMeanwhileHasTheNewAnswer(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := sit(t, s, "")
		d.known("")
		s.Faults.Set(hostile.Rule{Fault: hostile.Silence})
		d.addresses(d.url("global_url"), d.url("auth_url"), d.url("base_url"))
		d.Expect("trying")
		s.Faults.Set()
		d.Press("ctrl+r").Settle().Expect("Every part that can be tried now has answered.")
	})
}

func TestThePrimaryDomainSaysWhereTheGatewayIs(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := sit(t, s, "")
		d.known("nobody@harbor.example")
		d.addresses(d.url("global_url"), d.url("auth_url"), d.url("base_url"))
		d.Expect("depends on the domain", "nobody@harbor.example")
		d.golden("unknown-person")
		d.Press("esc", "tab", "ctrl+u").Type("ada@harbor.example").Press("tab", "enter")
		d.Expect("Every part that can be tried")
		if frame := d.Frame(); strings.Contains(frame, "depends") || strings.Count(frame, "✓ ") != 4 {
			t.Errorf("the gateway was not tried:\n%s", frame)
		}
	})
}

func TestWhatIsTypedAheadIsTriedAllTheSame(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := sit(t, s, "")
		d.known("ada@harbor.example")
		d.Press("ctrl+u").Type(d.url("global_url")).Press("tab", "ctrl+u").Type(d.url("auth_url")).Press("tab", "ctrl+u").Type(strings.TrimSuffix(d.url("base_url"), "}"))
		d.Hurry("}", "enter").Expect("Every part that can be tried now has answered.")
		// The same, before the primary domain is known.
		s.Faults.Set(hostile.Rule{Endpoint: hostile.Lookup, Fault: hostile.Silence})
		d.Press("ctrl+r").Expect("waiting for the primary domain").Press("end").Type("/x").Press("enter").Settle()
		if !strings.Contains(d.Frame(), "waiting for the primary domain") {
			t.Errorf("it went on without trying what was changed:\n%s", d.Frame())
		}
	})
}

func TestAnAddressThatWaitsForTheDomainIsTriedWhenThatComesAfterTheLastKey(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := sit(t, s, "")
		d.known("ada@harbor.example")
		for i, key := range []string{"global_url", "auth_url", "base_url"} {
			if i > 0 {
				d.Hurry("tab")
			}
			d.Hurry("ctrl+u").Update(tea.PasteMsg{Content: d.url(key)})
		}
		d.Hurry("enter")
		if !strings.Contains(d.Frame(), "waiting for the primary domain") {
			t.Fatalf("nothing waits for the domain:\n%s", d.Frame())
		}
		d.Expect("Every part that can be tried now has answered.")
	})
}

func TestAKeyringThatDoesNotTakeTheSecretSaysWhatToDo(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := sit(t, s, "")
		d.keep = func(context.Context, secret.Text) error {
			return &problem.Error{Problem: problem.Problem{Sentence: "there is no keyring to store the client secret in", Hint: "Set the variable GATEHOUSE_CLIENT_SECRET instead."}}
		}
		d.known("")
		d.right()
		d.Press("enter").Expect("goes into the keyring").Type("s3cret").Press("enter")
		d.Expect("✗ There is no keyring to store the client secret in. Set the variable", "GATEHOUSE_CLIENT_SECRET instead.", "ctrl+g keeps it in memory, for this run alone.")
		d.golden("no-keyring")
		d.Press("ctrl+g").Expect("! The client secret is kept in memory, for this run alone: the next", "one needs GATEHOUSE_CLIENT_SECRET.")
		d.Press("enter").Settle()
		if len(d.written) != 1 || d.written[0] != " s3cret" || strings.Contains(d.document(), "s3cret") {
			t.Errorf("written %q", d.written)
		}
		d.Press("esc").Expect("goes into the keyring").Press("enter").Expect("in memory, for this run")
		d.Press("esc").Type("other").Press("enter").Expect("no keyring")
		d.keep = nil
		d.Press("ctrl+r").Expect("is in the keyring")
		if len(d.kept) != 1 || d.kept[0] != "other" {
			t.Errorf("kept is %q", d.kept)
		}
	})
}

func TestNobodyHasToWaitForTheKeyring(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := sit(t, s, "")
		d.keep = func(ctx context.Context, _ secret.Text) error {
			<-ctx.Done()
			return ctx.Err()
		}
		d.known("")
		d.right()
		d.Press("enter").Expect("goes into the keyring").Type("s3cret").Press("enter").Expect("putting it into the keyring")
		d.Press("esc").Expect("Nobody waits for the keyring any more.")
		d.keep = func(context.Context, secret.Text) error { return context.Canceled }
		d.Type("s3cret").Press("enter").Settle()
		if strings.Contains(d.Frame(), "is in the keyring") {
			t.Errorf("whatever gave up for the keyring, the secret is not in it:\n%s", d.Frame())
		}
		d.Press("esc").Expect("Global service")
	})
}

const before = `# ours
default_profile = "main"

[profiles.main]
auth_url = "https://auth.old.example" # moved soon
base_url = "https://clientgateway.{domain}"
global_url = "https://global.old.example"
client_id = "old"

[profiles.other]
auth_url = "https://auth.other.example"
`

func TestAnExistingProfileShowsTheDifferenceFirst(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := sit(t, s, before)
		d.Expect("the profile main", "old")
		d.golden("again")
		d.Press("ctrl+u").Type("new").Press("tab", "tab", "enter").Expect("https://global.old.example", "https://auth.old.example")
		d.right()
		d.Press("enter").Expect("goes into").Press("enter")
		d.Expect("This changes in", "[profiles.main]", `- client_id = "old"`, `+ client_id = "new"`, `- auth_url = "https://auth.old.example"`)
		d.golden("difference")
		if got := d.document(); got != before {
			t.Errorf("it was written before the person agreed:\n%s", got)
		}
		d.Press("enter").Settle()
		want := strings.NewReplacer("https://auth.old.example", d.url("auth_url"), "https://clientgateway.{domain}", d.url("base_url"),
			"https://global.old.example", d.url("global_url"), `client_id = "old"`, "client_id = \"new\"\nauthority = \"main\"").Replace(before)
		if got := d.document(); !strings.Contains(got, "# moved soon") || len(d.written) != 1 || strings.Count(got, "\n") != strings.Count(want, "\n") {
			t.Errorf("the file is\n%s\nwant\n%s", got, want)
		}
	})
}

func TestAFileThatChangesMeanwhileIsNotOverwritten(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := sit(t, s, before)
		d.Press("ctrl+u").Type("new").Press("tab", "tab", "enter").Expect("Global service")
		d.Press("tab", "tab", "enter").Expect("goes into").Press("enter").Expect("This changes in")
		other := strings.Replace(before, "# ours", "# theirs", 1)
		if err := os.WriteFile(d.file, []byte(other), 0o600); err != nil {
			t.Fatal(err)
		}
		d.Press("enter").Expect("it has changed", "since it was read")
		if got := d.document(); got != other || len(d.written) != 0 {
			t.Errorf("written %q:\n%s", d.written, got)
		}
	})
}

func TestWhatIsThereAlreadyNeedsNoWriting(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := sit(t, s, strings.Replace(before, "client_id", "authority = \"main\"\nclient_id", 1))
		d.Press("tab", "tab", "enter").Expect("Global service").Press("tab", "tab", "enter").Expect("goes into").Press("enter")
		d.Expect("stays as it is").Press("enter").Settle()
		if len(d.written) != 1 {
			t.Error("it does not go on to sign in")
		}
	})
}

func TestEscapeGoesBackAtEveryStep(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := sit(t, s, "")
		d.known("")
		d.right()
		d.Press("enter").Expect("goes into the keyring").Press("enter").Expect("This becomes")
		d.Press("esc").Expect("goes into the keyring")
		d.Press("esc").Expect("Every part that can be tried")
		d.Press("esc").Expect("Installation", "gatehouse-demo")
		d.Press("esc")
		if titles := d.Titles(); len(titles) != 1 || d.Top().Typing() {
			t.Errorf("the screens are %q", titles)
		}
		d.Press("d").Settle()
		if d.demos != 1 {
			t.Error("the demo is not in one key")
		}
	})
}

func TestTheStepsFitEverySize(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := sit(t, s, "")
		d.keep = func(context.Context, secret.Text) error { return errors.New("no") }
		d.FitsEverySize()
		d.known("ada@harbor.example")
		d.right()
		d.FitsEverySize()
		d.Resize(40, 8).Expect("✓ Client gateway", "Answers")
		d.Driver.Golden("setup/addresses-40x8")
		d.Press("enter").Expect("Client secret").Type("x").Press("enter").Expect("in memory")
		d.Driver.Golden("setup/no-keyring-40x8")
		d.FitsEverySize()
		d.Press("ctrl+g").Expect("This becomes")
		d.FitsEverySize()
		d.Resize(40, 8).Press("down", "down", "down").Expect("[profiles.main]")
	})
}

func TestTextFromOutsideIsSafe(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		nasty := s.Handle(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", "https://\u202eevil.example/")
			w.WriteHeader(http.StatusFound)
		}))
		d := sit(t, s, "")
		d.known("")
		d.addresses(nasty, nasty, nasty)
		d.Until("all to be tried", func() bool { return !strings.Contains(d.Frame(), "trying") })
		if strings.ContainsAny(d.Frame(), "\u202e\x1b\a") {
			t.Errorf("%q", d.Frame())
		}
	})
}
