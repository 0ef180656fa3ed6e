package config_test

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatehouse/internal/config"
)

// mainProfile is the least that a file has to say.
const mainProfile = `
[profiles.main]
auth_url   = "https://auth.example.com"
base_url   = "https://gateway.{domain}"
global_url = "https://global.example.com"
client_id  = "terminal"
`

// complete is the same in variables.
var complete = map[string]string{
	"GATEHOUSE_AUTH_URL":   "https://auth.env.example",
	"GATEHOUSE_BASE_URL":   "https://gateway.env.example",
	"GATEHOUSE_GLOBAL_URL": "https://global.env.example",
	"GATEHOUSE_CLIENT_ID":  "env-client",
}

func with(env map[string]string, more ...string) map[string]string {
	env = maps.Clone(env)
	for i := 0; i < len(more); i += 2 {
		env[more[i]] = more[i+1]
	}
	return env
}

// sources writes the default profile file unless it is empty, and gives its path.
func sources(t *testing.T, file string, env, flags map[string]string) (config.Sources, string) {
	t.Helper()
	home := t.TempDir()
	path := filepath.Join(home, "gatehouse", "config.toml")
	if file != "" {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(file), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	lookup := func(name string) (string, bool) {
		if name == "XDG_CONFIG_HOME" {
			return home, true
		}
		value, ok := env[name]
		return value, ok
	}
	return config.Sources{LookupEnv: lookup, Flags: flags, Stores: []string{"keyring", "file", "memory"}}, path
}

func resolve(t *testing.T, file string, env, flags map[string]string) *config.Profile {
	t.Helper()
	s, _ := sources(t, file, env, flags)
	p, err := config.Resolve(s)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestFlagsOverrideVariablesOverrideTheFileOverridesDefaults(t *testing.T) {
	file := mainProfile + `
scope       = ""
client_auth = "body"
authority   = "main"
reseller_id = "r-file"
`
	env := map[string]string{
		"GATEHOUSE_CLIENT_ID":        "env-client",
		"GATEHOUSE_RESELLER_ID":      "r-env",
		"GATEHOUSE_AUTHORITY":        "",
		"GATEHOUSE_STORE":            "file",
		"GATEHOUSE_STORE_PASSPHRASE": "canary-passphrase",
		"GATEHOUSE_API_KEY":          "canary-key",
	}
	flags := map[string]string{"reseller_id": "r-flag", "log_file": "/tmp/g.log", "authority": ""}
	s, path := sources(t, file, env, flags)
	p, err := config.Resolve(s)
	if err != nil {
		t.Fatal(err)
	}
	type row struct{ Key, Value, Origin string }
	var got []row
	for _, key := range config.Keys() {
		got = append(got, row{key, p.Value(key), p.Origin(key).String()})
	}
	want := []row{
		{"profile", "main", "file " + path},
		{"authority", "main", "file " + path},
		{"auth_url", "https://auth.example.com", "file " + path},
		{"domain_auth_url", "", "default"},
		{"auth_test_url", "", "default"},
		{"base_url", "https://gateway.{domain}", "file " + path},
		{"global_url", "https://global.example.com", "file " + path},
		{"client_id", "env-client", "variable GATEHOUSE_CLIENT_ID"},
		{"client_auth", "body", "file " + path},
		{"scope", "openid profile domain_api offline_access", "default"},
		{"reseller_id", "r-flag", "flag --reseller-id"},
		{"ca_file", "", "default"},
		{"ambiguous_width", "auto", "default"},
		{"store", "file", "variable GATEHOUSE_STORE"},
		{"log_file", "/tmp/g.log", "flag --log-file"},
		{"client_secret", "", "default"},
		{"api_key", "•••", "variable GATEHOUSE_API_KEY"},
		{"store_passphrase", "•••", "variable GATEHOUSE_STORE_PASSPHRASE"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if p.StorePassphrase.Reveal() != "canary-passphrase" || p.APIKey.Reveal() != "canary-key" {
		t.Error("a secret did not reach the profile")
	}
}

func TestDefaultsOfAProfileWhollyFromVariables(t *testing.T) {
	p := resolve(t, "", complete, nil)
	got := []string{p.Name, p.Authority, p.ClientAuth, p.Scope, p.Store, p.LogFile, p.ResellerID}
	want := []string{"env", "main", "basic", "openid profile domain_api offline_access", "keyring", "", ""}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if got := p.Origin("profile").String(); got != "default" {
		t.Errorf("the name comes from %q", got)
	}
}

func TestEveryVariableReachesItsField(t *testing.T) {
	env := map[string]string{
		"GATEHOUSE_PROFILE":          "p",
		"GATEHOUSE_AUTHORITY":        "test",
		"GATEHOUSE_AUTH_URL":         "https://auth",
		"GATEHOUSE_DOMAIN_AUTH_URL":  "https://auth.{domain}",
		"GATEHOUSE_AUTH_TEST_URL":    "https://auth-test",
		"GATEHOUSE_BASE_URL":         "https://gateway.{domain}",
		"GATEHOUSE_GLOBAL_URL":       "https://global",
		"GATEHOUSE_CLIENT_ID":        "id",
		"GATEHOUSE_CLIENT_AUTH":      "body",
		"GATEHOUSE_SCOPE":            "openid",
		"GATEHOUSE_RESELLER_ID":      "r",
		"GATEHOUSE_CA_FILE":          authorityFile(t),
		"GATEHOUSE_AMBIGUOUS_WIDTH":  "wide",
		"GATEHOUSE_STORE":            "memory",
		"GATEHOUSE_LOG_FILE":         "log",
		"GATEHOUSE_CLIENT_SECRET":    "s1",
		"GATEHOUSE_API_KEY":          "s2",
		"GATEHOUSE_STORE_PASSPHRASE": "s3",
	}
	p := resolve(t, "", env, nil)
	got := []string{p.Name, p.Authority, p.AuthURL, p.DomainAuthURL, p.AuthTestURL, p.BaseURL, p.GlobalURL,
		p.ClientID, p.ClientAuth, p.Scope, p.ResellerID, p.CAFile, p.AmbiguousWidth, p.Store, p.LogFile,
		p.ClientSecret.Reveal(), p.APIKey.Reveal(), p.StorePassphrase.Reveal()}
	keys := config.Keys()
	if len(keys) != len(env) || len(keys) != len(got) {
		t.Fatalf("%d keys, %d variables, %d fields", len(keys), len(env), len(got))
	}
	for i, key := range keys {
		variable := "GATEHOUSE_" + strings.ToUpper(key)
		if got[i] != env[variable] {
			t.Errorf("%s = %q, want %q", key, got[i], env[variable])
		}
		if o := p.Origin(key); o != (config.Origin{Variable: variable}) {
			t.Errorf("%s comes from %v", key, o)
		}
	}
}

func TestChoiceOfTheProfile(t *testing.T) {
	two := mainProfile + strings.Replace(mainProfile, "main", "other", 1)
	preset := "default_profile = \"other\"\n" + two
	variable := map[string]string{"GATEHOUSE_PROFILE": "main"}
	tests := []struct {
		name, file string
		env, flags map[string]string
		want       string
		origin     string
	}{
		{"the only one", mainProfile, nil, nil, "main", "file FILE"},
		{"default_profile", preset, nil, nil, "other", "file FILE"},
		{"variable over default_profile", preset, variable, nil, "main", "variable GATEHOUSE_PROFILE"},
		{"flag over variable", two, variable, map[string]string{"profile": "other"}, "other", "flag --profile"},
		{"empty variable is none", preset, map[string]string{"GATEHOUSE_PROFILE": ""}, nil, "other", "file FILE"},
		{"variables alone, named", "", with(complete, "GATEHOUSE_PROFILE", "mine"), nil, "mine", "variable GATEHOUSE_PROFILE"},
		{"variables alone, named by the flag", "", complete, map[string]string{"profile": "mine"}, "mine", "flag --profile"},
		{"variables alone beside a file", two, with(complete, "GATEHOUSE_PROFILE", "demo"), nil, "demo", "variable GATEHOUSE_PROFILE"},
		{"variables over the only one", mainProfile, complete, nil, "main", "file FILE"},
		{"a file without profiles", "# nothing yet\n", complete, nil, "env", "default"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, path := sources(t, tt.file, tt.env, tt.flags)
			p, err := config.Resolve(s)
			if err != nil {
				t.Fatal(err)
			}
			origin := strings.ReplaceAll(p.Origin("profile").String(), path, "FILE")
			if p.Name != tt.want || origin != tt.origin {
				t.Errorf("profile %q from %q, want %q from %q", p.Name, origin, tt.want, tt.origin)
			}
		})
	}
}

func TestWithoutAFileOnlyVariablesCount(t *testing.T) {
	s, _ := sources(t, mainProfile+"reseller_id = 'r'", with(complete, "GATEHOUSE_PROFILE", "demo"), nil)
	s.File = os.DevNull
	p, err := config.Resolve(s)
	if err != nil {
		t.Fatal(err)
	}
	if p.Name != "demo" || p.ResellerID != "" {
		t.Errorf("profile %q with reseller %q", p.Name, p.ResellerID)
	}
}

func TestNothingConfigured(t *testing.T) {
	for name, env := range map[string]map[string]string{
		"no variable":                       nil,
		"variables that define no profile":  {"GATEHOUSE_STORE": "memory", "GATEHOUSE_AUTHORITY": "test", "GATEHOUSE_CLIENT_SECRET": "s"},
		"variables that are set to nothing": {"GATEHOUSE_BASE_URL": "", "GATEHOUSE_PROFILE": ""},
	} {
		t.Run(name, func(t *testing.T) {
			s, path := sources(t, "", env, nil)
			_, err := config.Resolve(s)
			if !errors.Is(err, config.ErrNoProfile) {
				t.Fatalf("got %v, want ErrNoProfile", err)
			}
			want := "no profile is set up: there is none in FILE, and no variable gives one"
			if got := strings.ReplaceAll(err.Error(), path, "FILE"); got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		})
	}
}

func TestAVariableReplacesAWrongValueOfTheFile(t *testing.T) {
	file := strings.Replace(mainProfile, "https://auth.example.com", "http://auth.example.com", 1)
	p := resolve(t, file, map[string]string{"GATEHOUSE_AUTH_URL": "https://auth.example.org"}, nil)
	if p.AuthURL != "https://auth.example.org" {
		t.Errorf("AuthURL = %q", p.AuthURL)
	}
}

func TestDefaultPath(t *testing.T) {
	home := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", home)
	if got := config.DefaultPath(); got != filepath.Join(home, "gatehouse", "config.toml") {
		t.Errorf("DefaultPath() = %q", got)
	}
	t.Setenv("XDG_CONFIG_HOME", "relative")
	if got := config.DefaultPath(); !filepath.IsAbs(got) {
		t.Errorf("DefaultPath() = %q with a relative XDG_CONFIG_HOME, which is to be ignored", got)
	}
}

func TestAuthoritiesAndKeysOfAProfileMadeByHand(t *testing.T) {
	p := &config.Profile{AuthTestURL: "https://t", AuthURL: "https://a"}
	if diff := cmp.Diff([]string{"main", "test"}, p.Authorities()); diff != "" {
		t.Error(diff)
	}
	if got := (&config.Profile{}).Authorities(); len(got) != 0 {
		t.Errorf("Authorities() = %q, want none", got)
	}
	if got := p.Origin("auth_url").String(); got != "default" {
		t.Errorf("Origin = %q", got)
	}
}

func TestProfilesAreSorted(t *testing.T) {
	home := t.TempDir()
	s := config.Sources{LookupEnv: func(name string) (string, bool) { return home, name == "XDG_CONFIG_HOME" }}
	if names, err := s.Profiles(); err != nil || len(names) > 0 {
		t.Errorf("without a file: %v, %v", names, err)
	}
	path := filepath.Join(home, "gatehouse", "config.toml")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("[profiles.main]\n[profiles.lab]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	names, err := s.Profiles()
	if diff := cmp.Diff([]string{"lab", "main"}, names); err != nil || diff != "" {
		t.Errorf("error %v (-want +got):\n%s", err, diff)
	}
	s.File = filepath.Join(home, "nosuch.toml")
	if _, err := s.Profiles(); err == nil {
		t.Error("a file that was named and is not there is no error")
	}
}
