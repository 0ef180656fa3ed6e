package config

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func preferencesOf(t *testing.T, document string) (Preferences, string, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "config.toml")
	if err := os.WriteFile(path, []byte(document), 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := ReadPreferences(Sources{File: path})
	return p, path, err
}

func TestKeysAndMouseAreReadFromTheTopOfTheFile(t *testing.T) {
	got, path, err := preferencesOf(t, "mouse = false\n[keys]\n\"browse.sort\" = [\"s\", \"ctrl+s\"]\ngrid.down = \"n\"\n")
	if err != nil {
		t.Fatal(err)
	}
	at := Origin{File: path}
	want := Preferences{Origin: at, Keys: []Binding{
		{Action: "browse.sort", Keys: []string{"s", "ctrl+s"}, Origin: at},
		{Action: "grid.down", Keys: []string{"n"}, Origin: at},
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestThemesAreReadFromTheTopOfTheFile(t *testing.T) {
	got, path, err := preferencesOf(t, "theme = \"mine\"\n[themes.mine]\nbase = \"light\"\naccent = \"#0087ff\"\n[themes]\nother = {bad = \"9\"}\n[themes.none]\n")
	if err != nil {
		t.Fatal(err)
	}
	want := Preferences{Origin: Origin{File: path}, Mouse: true, Theme: "mine", Themes: map[string]map[string]string{
		"mine": {"base": "light", "accent": "#0087ff"}, "other": {"bad": "9"}, "none": {},
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestWithoutAFileThePreferencesAreTheDefaults(t *testing.T) {
	got, err := ReadPreferences(Sources{LookupEnv: func(string) (string, bool) { return t.TempDir(), true }})
	if err != nil || !got.Mouse || got.Keys != nil {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestPreferencesOfAnotherTypeAreRefused(t *testing.T) {
	for _, document := range []string{"mouse = \"no\"", "mouse.wheel = true", "keys = true", "keys = [\"a\"]", "[keys]\na.b = 1", "[keys]\na.b = [1]", "[[keys]]",
		"theme = 1", "theme.name = \"dark\"", "themes = \"dark\"", "[themes]\nmine = \"dark\"", "[themes.mine]\naccent = 12", "[themes.mine.accent]", "[[themes]]"} {
		_, path, err := preferencesOf(t, document)
		refused, ok := errors.AsType[*Error](err)
		if !ok || refused.Origin.File != path || refused.Want == "" {
			t.Errorf("%q: %v", document, err)
		}
	}
}
