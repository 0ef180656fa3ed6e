package config_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatehouse/internal/config"
)

func TestProfileNamesComeInTheOrderOfTheFile(t *testing.T) {
	home := t.TempDir()
	s := config.Sources{LookupEnv: func(name string) (string, bool) { return home, name == "XDG_CONFIG_HOME" }}
	if names, err := s.ProfileNames(); err != nil || len(names) > 0 {
		t.Errorf("without a file: %v, %v", names, err)
	}
	path := filepath.Join(home, "gatehouse", "config.toml")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("[profiles.main]\nclient_id = \"c\"\n[profiles.lab]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	names, err := s.ProfileNames()
	if diff := cmp.Diff([]string{"main", "lab"}, names); err != nil || diff != "" {
		t.Errorf("error %v (-want +got):\n%s", err, diff)
	}
	s.File = filepath.Join(home, "nosuch.toml")
	if _, err := s.ProfileNames(); err == nil {
		t.Error("a file that was named and is not there is no error")
	}
}
