//go:build unix

package e2e

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// stateOf is the state directory of an environment.
func stateOf(t *testing.T, env []string) string {
	t.Helper()
	i := slices.IndexFunc(env, func(v string) bool { return strings.HasPrefix(v, "XDG_STATE_HOME=") })
	for next, v := range env[i+1:] { // the last one counts
		if strings.HasPrefix(v, "XDG_STATE_HOME=") {
			i += next + 1
		}
	}
	return filepath.Join(strings.TrimPrefix(env[i], "XDG_STATE_HOME="), "gatehouse")
}

func TestALinkInTheStateFolderIsRefused(t *testing.T) {
	t.Parallel()
	service := demoService(t)
	for _, name := range []string{"the folder", "a vault", "a lock"} {
		t.Run(name, func(t *testing.T) {
			env := append(slices.Clone(service), home(t)[:3]...)
			state, elsewhere := stateOf(t, env), t.TempDir()
			target := filepath.Join(elsewhere, "target")
			link := map[string]string{"the folder": state, "a vault": vaultOf(state), "a lock": vaultOf(state) + ".lock"}[name]
			if err := os.MkdirAll(filepath.Dir(link), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(target, []byte("kept"), 0o600); err != nil {
				t.Fatal(err)
			}
			to := target
			if name == "the folder" {
				to = elsewhere
			}
			if err := os.Symlink(to, link); err != nil {
				t.Fatal(err)
			}
			for _, args := range [][]string{{"login", "--username", "ada@harbor.example", "--password-stdin"}, {"whoami"}} {
				got := gatehouse(t, env, "demo", args...)
				if got.code == 0 || !strings.Contains(got.stderr, filepath.Base(state)) {
					t.Errorf("%s: exit code %d, %q", args[0], got.code, got.stderr)
				}
			}
			entries, err := os.ReadDir(elsewhere)
			kept, _ := os.ReadFile(target)
			if err != nil || len(entries) != 1 || string(kept) != "kept" {
				t.Errorf("there are %v now, of which the one holds %q", entries, kept)
			}
		})
	}
}

// vaultOf is the vault of the profile that stands in no file.
func vaultOf(state string) string { return filepath.Join(state, "env.age") }

func TestALogIsNoLinkAndForItsOwner(t *testing.T) {
	t.Parallel()
	env := append(demoService(t), "GATEHOUSE_LOG_FILE="+filepath.Join(t.TempDir(), "log"))
	path := strings.TrimPrefix(env[len(env)-1], "GATEHOUSE_LOG_FILE=")
	if err := os.WriteFile(path, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if got := gatehouse(t, env, "", "lookup", "ada@harbor.example"); got.code != 0 {
		t.Fatal(got.stderr)
	}
	if info, err := os.Stat(path); err != nil || info.Size() == 0 || info.Mode().Perm() != 0o600 {
		t.Errorf("the log is %v, %v", info, err)
	}
	link := path + ".link"
	if err := os.Symlink(path, link); err != nil {
		t.Fatal(err)
	}
	got := gatehouse(t, env, "", "lookup", "ada@harbor.example", "--log-file", link)
	if got.code != 2 || !strings.Contains(got.stderr, "log_file") || !strings.Contains(got.stderr, "link") {
		t.Errorf("exit code %d, %q", got.code, got.stderr)
	}
}

func TestAProfileIsNoPath(t *testing.T) {
	t.Parallel()
	env := home(t)
	for _, name := range []string{
		"../x", "/tmp/x", `..\x`, `C:x`, "a/b", "..", ".", ".x", "a..b", "CON", "nul.x", "a ", "a\n", "Lpt1", "x\u2215y", "／", strings.Repeat("x", 65), "é",
	} {
		got := gatehouse(t, append(slices.Clone(env), "GATEHOUSE_AUTH_URL=http://127.0.0.1:1", "GATEHOUSE_BASE_URL=http://127.0.0.1:1", "GATEHOUSE_GLOBAL_URL=http://127.0.0.1:1", "GATEHOUSE_CLIENT_ID=c"), "x", "--profile", name, "login", "--username", "a@b.example", "--password-stdin")
		if got.code != 2 || !strings.Contains(got.stderr, "profile") {
			t.Errorf("%q: exit code %d, %q", name, got.code, got.stderr)
		}
	}
	for _, file := range []string{"HOME=", "XDG_STATE_HOME="} {
		dir := strings.TrimPrefix(env[slices.IndexFunc(env, func(v string) bool { return strings.HasPrefix(v, file) })], file)
		if entries, _ := os.ReadDir(dir); len(entries) > 0 {
			t.Errorf("left are %v", entries)
		}
	}
}
