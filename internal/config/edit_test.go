package config

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestEditChangesAProfileAndNothingElse(t *testing.T) {
	for _, tc := range []struct {
		name, before string
		values       map[string]string
		want         string
	}{
		{"a new file", "", map[string]string{"auth_url": "https://auth.example.com", "client_id": `a "b"`},
			"default_profile = \"main\"\n\n[profiles.main]\nauth_url = \"https://auth.example.com\"\nclient_id = \"a \\\"b\\\"\"\n"},
		{"another profile", "[profiles.other]\nclient_id = \"x\"\n", map[string]string{"client_id": "y"},
			"[profiles.other]\nclient_id = \"x\"\n\n[profiles.main]\nclient_id = \"y\"\n"},
		{"comments around it", "# mine\n[profiles.main] # here\nclient_id   = 'x'\n# of scope\nscope = \"a\" # kept\n# of z\n\n[profiles.z]\nclient_id = \"z\" # theirs\n", map[string]string{"client_id": "y", "scope": "a"},
			"# mine\n[profiles.main] # here\nclient_id = \"y\"\n# of scope\nscope = \"a\" # kept\n# of z\n\n[profiles.z]\nclient_id = \"z\" # theirs\n"},
		{"new keys in the middle", "[profiles.main]\nclient_id = \"x\"\n\n[profiles.z]\nclient_id = \"z\"\n", map[string]string{"auth_url": "https://a.example", "client_id": "x", "global_url": "https://g.example"},
			"[profiles.main]\nclient_id = \"x\"\nauth_url = \"https://a.example\"\nglobal_url = \"https://g.example\"\n\n[profiles.z]\nclient_id = \"z\"\n"},
		{"a table without keys", "[profiles.main]\n", map[string]string{"client_id": "x"}, "[profiles.main]\nclient_id = \"x\"\n"},
		{"a key that is emptied", "[profiles.main]\nreseller_id = \"r\"\n", map[string]string{"reseller_id": ""}, "[profiles.main]\n"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, err := Edit([]byte(tc.before), "main", tc.values)
			if diff := cmp.Diff(tc.want, string(got)); err != nil || diff != "" {
				t.Errorf("%v (-want +got):\n%s", err, diff)
			}
		})
	}
}

func TestEditLeavesAloneWhatItCannotChange(t *testing.T) {
	for name, before := range map[string]string{
		"several lines":   "[profiles.main]\nclient_id = \"\"\"\nx\"\"\"\n",
		"an inline table": "profiles = {main = {client_id = \"x\"}}\n",
		"a dotted key":    "profiles.main.scope = \"x\"\n[keys]\n",
		"no TOML":         "[profiles.main\n",
		"a full file":     "#" + strings.Repeat("x", maxFile-2) + "\n",
	} {
		t.Run(name, func(t *testing.T) {
			got, err := Edit([]byte(before), "main", map[string]string{"client_id": "y"})
			full := name == "a full file" // it could not be read again
			if err == nil || errors.Is(err, errByHand) == (full || name == "no TOML") || errors.Is(err, errTooLarge) != full {
				t.Errorf("error %v, and it was changed to\n%s", err, got)
			}
		})
	}
}
