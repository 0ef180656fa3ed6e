package cli

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gatehouse/internal/demo"
	"gatehouse/internal/text/secret"
	"gatehouse/session"
	"gatehouse/styles"
	"gatehouse/ui"
)

// runsUI is a UI that opens its service, is checked and ends.
func runsUI(check func(context.Context, *ui.Options, ui.Opened) error) func(context.Context, *ui.Options) error {
	return func(ctx context.Context, o *ui.Options) error {
		opened, err := o.Open(ctx)
		if err != nil {
			return err
		}
		return check(ctx, o, opened)
	}
}

// signsInAsAda checks that the UI was given a demo that works.
func signsInAsAda(t *testing.T, shown *bool) func(context.Context, *ui.Options, ui.Opened) error {
	return func(ctx context.Context, o *ui.Options, opened ui.Opened) error {
		*shown = true
		if len(o.Tips) != len(demo.Accounts()) || o.Tips[0].Account != "ada@harbor.example" || o.Tips[0].Shows == "" {
			t.Errorf("the tips are %+v", o.Tips)
		}
		o.State.Set("here", "before")
		if opened.Warning != "" || opened.Service.Profile.Name != "demo" {
			t.Errorf("profile %q, warning %q", opened.Service.Profile.Name, opened.Warning)
		}
		s := opened.Service.Session
		if err := s.SignIn(ctx, session.SignIn{Username: "ada@harbor.example", Password: secret.New("demo")}); err != nil {
			return err
		}
		if domains := s.Status().Claims.AllDomains(); len(domains) != 4 {
			t.Errorf("the domains are %v", domains)
		}
		if len(o.Activity.Requests()) == 0 {
			t.Error("the request is not in the activity")
		}
		return nil
	}
}

func TestTheFirstRunInLinesOffersTheDemo(t *testing.T) {
	for answer, starts := range map[string]bool{"": true, "y": true, "Yes ": true, "n": false, "what?\nno": false} {
		d := newDesk(t)
		d.ui = func(context.Context, *ui.Options) error { return errors.New("the UI was shown") }
		d.stdin = answer + "\n"
		got := d.run("--accessible")
		if !strings.Contains(got.stdout, "Try the demo") || !strings.Contains(got.stderr, "No profile is set up.") {
			t.Errorf("%q: %+v", answer, got)
		}
		if strings.Contains(got.stdout, "Demo accounts, password demo:") != starts {
			t.Errorf("%q: the demo was to start: %v\n%s", answer, starts, got.stdout)
		}
		if want := map[bool]int{true: exitDone, false: exitUsage}[starts]; got.code != want {
			t.Errorf("%q: exit code %d", answer, got.code)
		}
	}
}

func TestTheFirstRunOffersTheDemoOrSetsAProfileUpForTheUI(t *testing.T) {
	d := newDesk(t)
	d.person = &person{answers: []string{""}}
	shown := false
	d.ui = runsUI(signsInAsAda(t, &shown))
	if d.mustRun(); !shown {
		t.Error("the demo was not shown")
	}
	d, service, _ := setupDesk(t, "setup", "", "client_id", "global_url", "ada@harbor.example", "", "auth_url", "base_url", "client_secret", "")
	d.variables["XDG_CONFIG_HOME"] = t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", d.variables["XDG_CONFIG_HOME"])
	d.hasNoKeyring()
	shown = false
	d.ui = runsUI(func(ctx context.Context, o *ui.Options, opened ui.Opened) error {
		shown = true
		if o.SignInAs != "ada@harbor.example" || opened.Service.Profile.GlobalURL != service["global_url"] {
			t.Errorf("it signs in as %q with the profile %+v", o.SignInAs, opened.Service.Profile)
		}
		return opened.Service.Session.SignIn(ctx, session.SignIn{Username: o.SignInAs, Password: secret.New("demo")})
	})
	if d.mustRun(); !shown {
		t.Error("the UI was not shown")
	}
}

func TestTheDemoHasNothingOfThePersonsConfiguration(t *testing.T) {
	d := demoDesk(t).savesToDisk()
	d.variables["GATEHOUSE_AUTH_URL"] = "http://127.0.0.1:1"
	d.variables["GATEHOUSE_RESELLER_ID"] = "mine"
	d.variables["GATEHOUSE_PROFILE"] = "mine"
	shown := false
	d.ui = runsUI(signsInAsAda(t, &shown))
	d.mustRun("demo")
	if !shown {
		t.Error("the UI was not shown")
	}
	if calls := d.keyring.called(); len(calls) > 0 {
		t.Errorf("the demo calls the keyring: %q", calls)
	}
	if files, err := os.ReadDir(os.Getenv("XDG_STATE_HOME")); err != nil || len(files) > 0 {
		t.Errorf("the demo left %v, %v", files, err)
	}
}

func TestTheUIFindsTheSessionOfTheCommandLine(t *testing.T) {
	d := demoDesk(t).savesToDisk()
	d.login("ben@harbor.example")
	d.ui = runsUI(func(ctx context.Context, o *ui.Options, opened ui.Opened) error {
		if err := opened.Service.Session.Restore(ctx); err != nil {
			return err
		}
		if who := opened.Service.Session.Status().Username; who != "ben@harbor.example" || o.Tips != nil {
			t.Errorf("user %q, tips %v", who, o.Tips)
		}
		return nil
	})
	d.mustRun()
}

func TestTheUIRemembersUnlessItSavesNothing(t *testing.T) {
	for store, want := range map[string]bool{session.StoreFile: true, session.StoreMemory: false} {
		d := demoDesk(t).savesToDisk()
		d.variables["GATEHOUSE_STORE"] = store
		found := false
		d.ui = runsUI(func(_ context.Context, o *ui.Options, _ ui.Opened) error {
			var domain string
			found = o.State.Get("domain", &domain) && domain == "harbor.example"
			o.State.Set("domain", "harbor.example")
			return nil
		})
		d.mustRun()
		if found {
			t.Errorf("%s: something is remembered in the first run", store)
		}
		d.mustRun()
		if found != want {
			t.Errorf("%s: remembered in the second run: %v", store, found)
		}
		if files, err := os.ReadDir(os.Getenv("XDG_STATE_HOME")); err != nil || len(files) > 0 != want {
			t.Errorf("%s: left are %v, %v", store, files, err)
		}
	}
}

func TestThePassphraseIsAskedForBeforeTheUITakesTheTerminal(t *testing.T) {
	d := demoDesk(t).savesToDisk()
	d.login("ben@harbor.example")
	right := d.variables["GATEHOUSE_STORE_PASSPHRASE"]
	delete(d.variables, "GATEHOUSE_STORE_PASSPHRASE")
	restored := false
	d.ui = runsUI(func(ctx context.Context, _ *ui.Options, opened ui.Opened) error {
		restored = true
		return opened.Service.Session.Restore(ctx)
	})

	d.person = &person{answers: []string{right}}
	d.mustRun()
	if !restored {
		t.Error("the UI was not shown")
	}
	restored = false
	d.person.answers = []string{"wrong"}
	if got := d.run(); got.code != exitFailed || restored || !strings.Contains(got.stderr, ": wrong passphrase.") {
		t.Errorf("a wrong passphrase, the UI was shown: %v, %+v", restored, got)
	}
}

func TestTheUITakesTheSecretsFromTheKeyring(t *testing.T) {
	d := withoutSecrets(t)
	d.setSecret("client-secret", "demo-secret")
	d.setSecret("api-key", "demo-reseller-key")
	d.ui = runsUI(func(ctx context.Context, _ *ui.Options, opened ui.Opened) error {
		if opened.Warning != "" || opened.Service.Profile.APIKey != secret.New("demo-reseller-key") {
			t.Errorf("the warning is %q, the API key %q", opened.Warning, opened.Service.Profile.APIKey.Reveal())
		}
		return opened.Service.Session.SignIn(ctx, session.SignIn{Username: "ada@harbor.example", Password: secret.New("demo")})
	})
	d.mustRun()

	d.keyring.fail = session.ErrKeyringLocked
	d.ui = runsUI(func(_ context.Context, _ *ui.Options, opened ui.Opened) error {
		if !strings.Contains(opened.Warning, "no client secret is read from it") {
			t.Errorf("the warning is %q", opened.Warning)
		}
		return nil
	})
	d.mustRun()
}

// configured gives the desk a profile file.
func (d *desk) configured(document string) *desk {
	d.t.Helper()
	dir := filepath.Join(d.variables["XDG_CONFIG_HOME"], "gatehouse")
	if err := errors.Join(os.MkdirAll(dir, 0o700), os.WriteFile(filepath.Join(dir, "config.toml"), []byte(document), 0o600)); err != nil {
		d.t.Fatal(err)
	}
	return d
}

func TestTheUITakesKeysAndMouseFromTheProfileFile(t *testing.T) {
	for document, want := range map[string]string{
		"mouse = false\n[keys]\n\"browse.sort\" = [\"W\"]\n":                  "",
		"[keys]\n\"browse.sort\" = [\"r\"]\n":                                 `config.toml: "r" is bound to both browse.sort`,
		"[keys]\n\"browse.srt\" = [\"r\"]\n":                                  `config.toml: there is no action "browse.srt"; did you mean "browse.sort"?`,
		"[keys]\n\"browse.sort\" = [\"r\"]\n\"browse.reload\" = [\"ctrl+e\"]": "",
	} {
		d := newDesk(t).configured(document)
		shown := false
		d.ui = runsUI(func(_ context.Context, o *ui.Options, _ ui.Opened) error {
			shown = true
			if o.NoMouse != strings.HasPrefix(document, "mouse = false") || firstKey(o.Keys, "browse.sort") == "s" {
				t.Errorf("%q: mouse %v, sort %q", document, !o.NoMouse, firstKey(o.Keys, "browse.sort"))
			}
			return nil
		})
		got := d.run("demo")
		if shown != (want == "") || !strings.Contains(got.stderr, want) || (got.code == 2) != (want != "") {
			t.Errorf("%q: exit code %d, %s", document, got.code, got.stderr)
		}
	}
}

func TestTheUITakesTheThemeFromTheProfileFileOrTheFlag(t *testing.T) {
	const own = "theme = \"mine\"\n[themes.mine]\nbase = \"light\"\naccent = \"#0087ff\"\n"
	choose := func(name string, themes map[string]map[string]string) styles.Choice {
		choice, err := styles.Choose(name, themes)
		if err != nil {
			t.Fatal(err)
		}
		return choice
	}
	mine := choose("mine", map[string]map[string]string{"mine": {"base": "light", "accent": "#0087ff"}})
	for _, test := range []struct {
		document string
		args     []string
		want     styles.Choice
		refused  string
	}{
		{document: own, want: mine},
		{document: own, args: []string{"--theme", "high-contrast"}, want: choose(styles.HighContrast, nil)},
		{document: own, args: []string{"--theme", "ocean"}, refused: `Flag --theme: there is no theme "ocean"; use one of auto, dark, light, high-contrast, mine`},
		{document: "theme = \"ocean\"", refused: `config.toml: there is no theme "ocean"; use one of`},
		{document: "theme = \"mine\"\n[themes.mine]\naccent = \"blue\"", refused: `config.toml: "accent" of theme "mine" is "blue"; use "#rrggbb" or a number`},
	} {
		d := newDesk(t).configured(test.document)
		shown := false
		d.ui = runsUI(func(_ context.Context, o *ui.Options, _ ui.Opened) error {
			shown = true
			if o.Theme != test.want {
				t.Errorf("%q %v: %+v", test.document, test.args, o.Theme)
			}
			return nil
		})
		got := d.run(append([]string{"demo"}, test.args...)...)
		if shown != (test.refused == "") || !strings.Contains(got.stderr, test.refused) || (got.code == 2) != (test.refused != "") {
			t.Errorf("%q %v: exit code %d, %s", test.document, test.args, got.code, got.stderr)
		}
	}
}

// firstKey is the first key of the action that has a name.
func firstKey(keys *ui.KeyMap, name string) string {
	for e := range keys.Entries() {
		if e.Name() == name {
			return e.Keys[0]
		}
	}
	return ""
}
