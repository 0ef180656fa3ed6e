package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gatehouse/internal/desk/check"
	"gatehouse/internal/files"
	"gatehouse/ui"
)

// askedNothing is a desk whose service must not be asked.
func askedNothing(t *testing.T) *desk {
	return fakeDesk(t, func(_ http.ResponseWriter, r *http.Request) { t.Errorf("the service is asked for %s", r.URL.Path) })
}

// wrote is a file that the first version wrote, and a copy of it.
func wrote(t *testing.T, name string) (content, path string) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data), fileOf(t, name, string(data))
}

const asked = "ada@harbor.example\neli@harbor.example\nnobody\n"

// Journals of the first version have to be read for ever. What is known is not asked again,
// and comes as it was.
func TestJournalsOfTheFirstVersionAreRead(t *testing.T) {
	for command, want := range map[string]string{
		"lookup": "email,primary_domain,error\r\nada@harbor.example,harbor.example,\r\n" +
			"eli@harbor.example,,Could not look up the primary domain of eli@harbor.example: 127.0.0.1:7991 has no primary domain for this user.\r\n" +
			"nobody,,\"\"\"nobody\"\" is not an e-mail address: there is no @ in it.\"\r\n",
		"check": "",
	} {
		content, journal := wrote(t, command+"-v1.ndjson")
		d := askedNothing(t)
		args := []string{command, "--from", fileOf(t, "list.txt", asked), "--resume", journal}
		got := d.run(append(args, "-o", "json")...)
		var elements []json.RawMessage
		if err := json.Unmarshal([]byte(got.stdout), &elements); err != nil {
			t.Fatalf("%s: %v: %+v", command, err, got)
		}
		var again strings.Builder
		for _, element := range elements {
			var line bytes.Buffer
			if err := json.Compact(&line, element); err != nil {
				t.Fatal(err)
			}
			again.WriteString(line.String() + "\n")
		}
		if got.code != exitFailed || again.String() != content {
			t.Errorf("%s: %d\n%s\nwant\n%s", command, got.code, again.String(), content)
		}
		if csv := d.run(append(args, "-o", "csv")...); want != "" && csv.stdout != want {
			t.Errorf("%s:\n%s\nwant\n%s", command, csv.stdout, want)
		}
	}
}

// A report is also what a bundle has, and scripts read. No member may get lost.
func TestReportsOfTheFirstVersionAreRead(t *testing.T) {
	content, _ := wrote(t, "check-v1.ndjson")
	schema := reportSchema(t)
	for line := range strings.Lines(content) {
		requireValid(t, schema, "a report", "["+line+"]")
		var report check.Report
		if err := json.Unmarshal([]byte(line), &report); err != nil {
			t.Fatal(err)
		}
		if again := string(jsonLine(report)) + "\n"; again != line {
			t.Errorf("it is\n%s\nand was\n%s", again, line)
		}
	}
}

func TestTheUISaysThatANewerProgramRemembersMore(t *testing.T) {
	d := demoDesk(t)
	path := files.StatePath("env")
	const newer = `{"version":2}`
	if err := files.System().Write(path, []byte(newer)); err != nil {
		t.Fatal(err)
	}
	d.ui = func(ctx context.Context, o *ui.Options) error {
		opened, err := o.Open(ctx)
		want := "columns and filters are not remembered until gatehouse is upgraded: read " + path + ": a newer gatehouse wrote it"
		if err != nil || !strings.HasPrefix(opened.Warning, want) {
			t.Errorf("it says %q, %v", opened.Warning, err)
		}
		o.State.Set("domains.last", "harbor.example")
		return nil
	}
	if got := d.run(); got.code != exitDone {
		t.Errorf("%+v", got)
	}
	if after, err := os.ReadFile(path); err != nil || string(after) != newer {
		t.Errorf("it has become %s, %v", after, err)
	}
}
