package config_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gatehouse/internal/config"
)

func TestErrorsSayWhereWhatAndWhatIsWanted(t *testing.T) {
	const (
		known = "known are version, default_profile, mouse, keys, theme, themes, serve, profiles and, below a line such as [profiles.main], " +
			"authority, auth_url, domain_auth_url, auth_test_url, base_url, global_url, client_id, client_auth, scope, reseller_id, ca_file, ambiguous_width"
		kinds     = "use text in quotes, true or false for mouse, and tables such as [profiles.main]"
		httpsOnly = "use https://, or http:// on a loopback address"
		nameRule  = `use a name of at most 64 letters, digits, "_", "-" and single dots, not beginning with a dot`
	)
	two := mainProfile + strings.Replace(mainProfile, "main", "other", 1)
	tests := []struct {
		name, file string
		env, flags map[string]string
		want       string
	}{
		// Keys of the file.
		{"misspelt key", mainProfile + "auht_url = 1", nil, nil,
			`FILE:7: unknown key "profiles.main.auht_url"; did you mean "auth_url"?`},
		{"key in another spelling", mainProfile + "Client-Auth = 'body'", nil, nil,
			`FILE:7: unknown key "profiles.main.Client-Auth"; did you mean "client_auth"?`},
		{"unknown key in a profile that is not chosen", "default_profile = 'main'" + two + "colour = 'canary'", nil, nil,
			`FILE:13: unknown key "profiles.other.colour"; ` + known},
		{"unknown key in an inline table", "profiles.main = {\n auth_url = 'https://a',\n colour = 1 }", nil, nil,
			`FILE:3: unknown key "colour"; ` + known},
		{"very long unknown key", strings.Repeat("x", 5000) + " = 1", nil, nil,
			`FILE:1: unknown key "` + strings.Repeat("x", 100) + `…"; ` + known},
		{"misspelt key on top", "default-profile = 'main'", nil, nil,
			`FILE:1: unknown key "default-profile"; did you mean "default_profile"?`},
		{"misspelt table", "[profile.main]\nauth_url = ''", nil, nil,
			`FILE:1: unknown key "profile.main"; did you mean "profiles"?`},
		{"key of a profile on top", "auth_url = 'https://a'", nil, nil,
			`FILE:1: unknown key "auth_url"; ` + known},
		{"secret", mainProfile + "client_secret = 'canary'", nil, nil,
			`FILE:7: unknown key "profiles.main.client_secret"; client_secret is never in the file`},
		{"secret of the wrong kind, misspelt", "clientsecret = ['canary']", nil, nil,
			`FILE:1: unknown key "clientsecret"; client_secret is never in the file`},
		{"store", mainProfile + "store = 'file'", nil, nil,
			`FILE:7: unknown key "profiles.main.store"; store is never in the file`},

		// Kinds and names in the file.
		{"number for a text", mainProfile + "scope = 3", nil, nil,
			`FILE:7: "profiles.main.scope" has a value of the wrong kind; ` + kinds},
		{"table for a text", mainProfile + "[profiles.main.scope]", nil, nil,
			`FILE:7: "profiles.main.scope" has a value of the wrong kind; ` + kinds},
		{"table in a profile", mainProfile + "[profiles.eu.west]", nil, nil,
			`FILE:7: unknown key "profiles.eu.west"; ` + known},
		{"list of profiles", "[[profiles]]", nil, nil,
			`FILE:1: "profiles" has a value of the wrong kind; ` + kinds},
		{"text for a profile", "[profiles]\nmain = 'canary'", nil, nil,
			`FILE:2: "profiles.main" has a value of the wrong kind; ` + kinds},
		{"control character in a name", `[profiles."a\u001b[2J"]`, nil, nil,
			`FILE: "a\x1b[2J" is not a valid profile name; ` + nameRule},

		// Syntax.
		{"repeated table", "[profiles.main]\n[profiles.main]", nil, nil,
			`FILE:2: this is not TOML: table main already exists; remove one of the two`},
		{"repeated key", mainProfile + "client_id = 'again'", nil, nil,
			`FILE:7: this is not TOML: key client_id is already defined; remove one of the two`},
		{"repeated key in an inline table", "profiles.main = { scope = 'a', scope = 'b' }", nil, nil,
			`FILE:1: this is not TOML: key scope is already defined; remove one of the two`},
		{"table that a dotted key has made", "profiles.main.scope = 'a'\n[profiles.main]", nil, nil,
			`FILE:2: this is not TOML: table main already exists as defined by a dotted key; remove one of the two`},
		{"list of tables beside a table", "[themes]\n[[themes]]", nil, nil,
			`FILE:2: this is not TOML: key themes already exists as a table, but should be an array table; remove one of the two`},
		{"table beside a value", "theme = 'dark'\n[theme]", nil, nil,
			`FILE:2: this is not TOML: key theme should be a table, not a value; remove one of the two`},
		{"text without quotes", mainProfile + "client_secret = hunter2", nil, nil,
			`FILE:7: this is not TOML: unexpected character at start of value; use lines such as client_id = "name"`},
		{"text that begins with a digit without quotes", mainProfile + "client_secret = 12hunter", nil, nil,
			`FILE:7: this is not TOML: strings must be quoted; use lines such as client_id = "name"`},
		{"no line", "= 3", nil, nil,
			`FILE:1: this is not TOML: invalid character at start of key; use lines such as client_id = "name"`},
		{"two on a line", "a = 1 b = 2", nil, nil,
			`FILE:1: this is not TOML: expected newline; use lines such as client_id = "name"`},
		{"another encoding", "\xff\xfea\x00", nil, nil,
			`FILE: the file is saved as UTF-16; save it as UTF-8`},
		{"UTF-16, the other order", "\xfe\xff\x00a", nil, nil, `FILE: the file is saved as UTF-16; save it as UTF-8`},
		{"UTF-16 without a mark", "a\x00=\x001\x00", nil, nil, `FILE: the file is saved as UTF-16; save it as UTF-8`},
		{"Latin-1", mainProfile + "client_id = 'M\xfcller'", nil, nil,
			`FILE:7: the file is not saved as UTF-8, but perhaps as ANSI or Latin-1; save it as UTF-8`},
		{"a Windows path", mainProfile + `ca_file = "C:\certificates\ca.pem"`, nil, nil,
			`FILE:7: this is not TOML: a backslash in double quotes begins an escape; use single quotes, as in ca_file = 'C:\certificates\ca.pem'`},
		{"smart quotes", mainProfile + "scope = “openid”", nil, nil,
			`FILE:7: this is not TOML: the quotes are those of a word processor; use straight ones, as in client_id = "name"`},
		{"a no-break space", mainProfile + "scope\u00a0= 'openid'", nil, nil,
			`FILE:7: this is not TOML: it has a no-break space or an invisible character; type the line again, with blanks`},
		{"no equals sign", mainProfile + "scope 'openid'", nil, nil,
			`FILE:7: this is not TOML: it has no =; use lines such as client_id = "name"`},
		{"too large", strings.Repeat("# nothing\n", 1<<20/10+1), nil, nil,
			`FILE: the profile file cannot be read: it is larger than 1 MiB; use a TOML file that this user can read, with a table such as [profiles.main]`},

		// Values, from each source.
		{"authority", mainProfile + "authority = 'mian'", nil, nil,
			`FILE: authority is "mian"; use main, domain or test`},
		{"authority in capitals by variable", mainProfile, map[string]string{"GATEHOUSE_AUTHORITY": "MAIN"}, nil,
			`variable GATEHOUSE_AUTHORITY: authority is "MAIN"; use main, domain or test`},
		{"authority by flag", mainProfile, nil, map[string]string{"authority": "x\x1b[2J"},
			`flag --authority: authority is "x\x1b[2J"; use main, domain or test`},
		{"client_auth", mainProfile + "client_auth = 'header'", nil, nil,
			`FILE: client_auth is "header"; use basic or body`},
		{"store by variable", mainProfile, map[string]string{"GATEHOUSE_STORE": "disk"}, nil,
			`variable GATEHOUSE_STORE: store is "disk"; use keyring, file or memory`},
		{"store by flag", mainProfile, nil, map[string]string{"store": "disk"},
			`flag --store: store is "disk"; use keyring, file or memory`},
		{"control character", mainProfile + `scope = "a\nb"`, nil, nil,
			`FILE: scope is "a\nb"; use one line of UTF-8 text without control characters`},
		{"control character in a secret", mainProfile, map[string]string{"GATEHOUSE_API_KEY": "canary\n"}, nil,
			`variable GATEHOUSE_API_KEY: api_key cannot be used; it contains a line end: set it again without that`},
		{"URL by variable", mainProfile, map[string]string{"GATEHOUSE_BASE_URL": "http://gateway.{domain}"}, nil,
			`variable GATEHOUSE_BASE_URL: base_url is "http://gateway.{domain}"; ` + httpsOnly},
		{"URL of an authority that is not selected", mainProfile + "auth_test_url = 'http://auth.example.com'", nil, nil,
			`FILE: auth_test_url is "http://auth.example.com"; ` + httpsOnly},
		{"URL with a password", mainProfile, map[string]string{"GATEHOUSE_AUTH_URL": "https://ann:canary@auth.example.com"}, nil,
			`variable GATEHOUSE_AUTH_URL: auth_url is "•••"; use a URL without user name and password`},
		{"URL with a query", mainProfile, map[string]string{"GATEHOUSE_AUTH_URL": "https://auth.example.com/?key=canary"}, nil,
			`variable GATEHOUSE_AUTH_URL: auth_url is "https://auth.example.com/?•••"; use a URL without query and fragment`},
		{"{domain} where none is known", mainProfile, map[string]string{"GATEHOUSE_GLOBAL_URL": "https://global.{domain}"}, nil,
			`variable GATEHOUSE_GLOBAL_URL: global_url is "https://global.{domain}"; use a URL without {domain}, which only domain_auth_url and base_url can have`},

		// What is missing.
		{"client_id", "[profiles.main]\nauth_url = 'https://a'\nbase_url = 'https://b'\nglobal_url = 'https://g'\nclient_id = ''", nil, nil,
			`FILE: profile main lacks client_id; add what is missing to the profile file`},
		{"everything", "\n[profiles.main]", nil, nil,
			`FILE: profile main lacks auth_url (for authority main), base_url, global_url, client_id; add what is missing to the profile file`},
		{"URL of the selected authority", mainProfile, nil, map[string]string{"authority": "domain"},
			`FILE: profile main lacks domain_auth_url (for authority domain); add what is missing to the profile file`},
		{"one variable of several", "", map[string]string{"GATEHOUSE_CLIENT_ID": "x", "GATEHOUSE_AUTH_URL": "https://a"}, nil,
			`profile env lacks base_url, global_url; add what is missing to the profile file`},

		// The choice of the profile.
		{"none chosen", two, nil, nil,
			`FILE: it has several profiles and no default_profile; name one of main, other there`},
		{"default_profile that is not there", "default_profile = 'mian'\n" + two, nil, nil,
			`FILE: there is no profile "mian"; add it to FILE, which has main, other`},
		{"flag that names none", mainProfile, nil, map[string]string{"profile": "mian"},
			`flag --profile: there is no profile "mian"; add it to FILE, which has main`},
		{"variable that names none beside some variables", mainProfile, map[string]string{"GATEHOUSE_PROFILE": "mian", "GATEHOUSE_CLIENT_ID": "x"}, nil,
			`variable GATEHOUSE_PROFILE: there is no profile "mian"; add it to FILE, which has main`},
		{"named without file and variables", "", map[string]string{"GATEHOUSE_PROFILE": "mine"}, nil,
			`variable GATEHOUSE_PROFILE: there is no profile "mine"; add it to FILE, which has no profile`},
		{"name that climbs", "", with(complete, "GATEHOUSE_PROFILE", "a/../b"), nil,
			`variable GATEHOUSE_PROFILE: profile is "a/../b"; ` + nameRule},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, path := sources(t, tt.file, tt.env, tt.flags)
			p, err := config.Resolve(s)
			if err == nil {
				t.Fatalf("resolved to %+v", p)
			}
			if _, ok := errors.AsType[*config.Error](err); !ok {
				t.Errorf("the error is a %T", err)
			}
			if got := strings.ReplaceAll(err.Error(), path, "FILE"); got != tt.want {
				t.Errorf("\n got %s\nwant %s", got, tt.want)
			}
			if strings.Contains(err.Error(), "canary") || strings.Contains(err.Error(), "hunter") {
				t.Error("the error shows a secret")
			}
		})
	}
}

func TestAFileThatCannotBeRead(t *testing.T) {
	dir := t.TempDir()
	missing := filepath.Join(dir, "missing.toml")
	_, err := config.Resolve(config.Sources{File: missing, LookupEnv: nothing})
	want := missing + ": the profile file cannot be read: no such file or directory"
	if err == nil || err.Error() != want {
		t.Errorf("\n got %v\nwant %s", err, want)
	}

	_, err = config.Resolve(config.Sources{File: dir, LookupEnv: nothing})
	want = dir + ": the profile file cannot be read: is a directory; use a TOML file that this user can read, with a table such as [profiles.main]"
	if err == nil || err.Error() != want {
		t.Errorf("\n got %v\nwant %s", err, want)
	}
}

func TestAnExplicitFileIsRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "other.toml")
	// As an editor on Windows saves it.
	text := "\ufeff" + strings.ReplaceAll(mainProfile, "\n", "\r\n")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := config.Resolve(config.Sources{File: path, LookupEnv: nothing})
	if err != nil {
		t.Fatal(err)
	}
	if p.ClientID != "terminal" || p.Origin("client_id") != (config.Origin{File: path}) {
		t.Errorf("client_id %q from %+v", p.ClientID, p.Origin("client_id"))
	}
}

func nothing(string) (string, bool) { return "", false }
