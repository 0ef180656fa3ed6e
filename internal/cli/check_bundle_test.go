package cli

import (
	"archive/zip"
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gatehouse/internal/testkit"
)

func TestABundleIsWrittenOnceAndForItsOwnerAlone(t *testing.T) {
	d, schema := demoDesk(t), reportSchema(t)
	bundle := filepath.Join(t.TempDir(), "ada.zip")
	got := d.run("check", "ada@harbor.example", "--bundle", bundle)
	if got.code != exitDone || !strings.Contains(got.stderr, bundle) || !strings.Contains(got.stderr, "without secrets") {
		t.Fatalf("%+v", got)
	}
	info, err := os.Stat(bundle)
	if err != nil || testkit.HasModes && info.Mode().Perm() != 0o600 {
		t.Errorf("others can read it: %v, %v", info, err)
	}
	parts := written(t, bundle)
	if parts["report.json"] != got.stdout {
		t.Errorf("report.json is not what was printed:\n%s", parts["report.json"])
	}
	requireValid(t, schema, "report.json", parts["report.json"])
	if !strings.HasPrefix(parts["report.md"], "**`ada@harbor.example`: No fault seen from outside**") {
		t.Errorf("report.md:\n%s", parts["report.md"])
	}
	for _, asked := range []string{"/getuserdomain.aspx?useremail=ada%40harbor.example", "/gateway/harbor.example"} {
		if !strings.Contains(parts["requests.har"], asked) {
			t.Errorf("requests.har lacks %s:\n%s", asked, parts["requests.har"])
		}
	}
	before, _ := os.ReadFile(bundle)
	d.stdin = "demo"
	got = d.run("check", "ben@harbor.example", "--sign-in", "--password-stdin", "--bundle", bundle)
	if after, _ := os.ReadFile(bundle); got.code != exitFailed || got.stdout != "" || !strings.Contains(got.stderr, "a file with that name exists") || !bytes.Equal(before, after) {
		t.Errorf("for a file that is there: %+v", got)
	}
}

func TestProgressIsOneLineOnATerminalAndNothingElsewhere(t *testing.T) {
	d := demoDesk(t)
	var stdout, stderr bytes.Buffer
	env := d.environment(&stdout, &stderr)
	env.StderrIsTerminal = true
	list := fileOf(t, "list.txt", "ada@harbor.example\n")
	if code := Execute(t.Context(), []string{"lookup", "--from", list}, env); code != exitDone {
		t.Errorf("exit code %d: %s", code, &stderr)
	}
	if text := stderr.String(); !strings.Contains(text, clearLine+"0 of 1") || !strings.HasSuffix(text, clearLine+"1 address: 1 ok.\n") {
		t.Errorf("the progress is %q", text)
	}
	stderr.Reset()
	Execute(t.Context(), []string{"check", "\x1b[31mada@harbor.example"}, env)
	if text := stderr.String(); !strings.Contains(text, "Checking ␛[31mada@harbor.example…") || !strings.HasSuffix(text, clearLine) {
		t.Errorf("the progress of one check is %q", text)
	}
	d.variables["GATEHOUSE_ACCESSIBLE"] = "1"
	stderr.Reset()
	env = d.environment(&stdout, &stderr)
	env.StderrIsTerminal = true
	if Execute(t.Context(), []string{"lookup", "--from", list}, env); strings.Contains(stderr.String(), clearLine) {
		t.Errorf("for a screen reader: %q", &stderr)
	}
}

// written are the texts of a bundle by their names.
func written(t *testing.T, bundle string) map[string]string {
	t.Helper()
	archive, err := zip.OpenReader(bundle)
	if err != nil {
		t.Error(err)
		return nil
	}
	defer archive.Close()
	texts := map[string]string{}
	for _, file := range archive.File {
		part, err := archive.Open(file.Name)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(part)
		if err != nil {
			t.Fatal(err)
		}
		texts[file.Name] = string(text)
	}
	return texts
}
