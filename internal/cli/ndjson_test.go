package cli

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"testing"

	"gatehouse/api"

	"gatehouse/internal/lists"
)

// writes are what was written, one element a write.
type writes chan string

func (w writes) Write(p []byte) (int, error) {
	w <- string(p)
	return len(p), nil
}

func TestALookupSaysEachAnswerAsSoonAsItIsKnown(t *testing.T) {
	printed := make(writes, 2)
	d := fakeDesk(t, func(w http.ResponseWriter, r *http.Request) {
		email := r.URL.Query().Get("useremail")
		if email != "one@x.example" {
			// It has no answer before that of the first is printed.
			if line := <-printed; line != `{"email":"one@x.example","primary_domain":"a.example"}`+"\n" {
				t.Errorf("%q", line)
			}
		}
		_, _ = io.WriteString(w, email+",a.example")
	})
	var stderr bytes.Buffer
	if code := Execute(t.Context(), []string{"lookup", "one@x.example", "two@x.example", "-o", "ndjson"}, d.environment(printed, &stderr)); code != exitDone {
		t.Errorf("exit code %d: %s", code, &stderr)
	}
}

func TestRecordsArePassedOnAsTheyCome(t *testing.T) {
	printed, stdout := io.Pipe()
	const records = 5
	d := fakeDesk(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == tokenPath {
			answer("")(w, r)
			return
		}
		line := make([]byte, 100)
		_, _ = io.WriteString(w, `{"Data":[`)
		for i := range records {
			_, _ = fmt.Fprintf(w, `{"Id":%d},`, i)
			w.(http.Flusher).Flush()
			if n, err := printed.Read(line); err != nil || string(line[:n]) != fmt.Sprintf("{\"Id\":%d}\n", i) {
				t.Errorf("record %d is %q, %v", i, line[:n], err)
			}
		}
		panic(http.ErrAbortHandler)
	})
	d.login("ann@x.example")
	var stderr bytes.Buffer
	code := Execute(t.Context(), []string{"shares", "-o", "ndjson"}, d.environment(stdout, &stderr))
	if said := stderr.String(); code != exitFailed || !strings.Contains(said, "only the first 5 of the shares were written") || !strings.Contains(said, "cut off after") {
		t.Errorf("exit code %d: %s", code, said)
	}
}

func TestAListThatIsHeldToChooseFromIsLimitedInNDJSONToo(t *testing.T) {
	d := fakeDesk(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == tokenPath {
			answer("")(w, r)
			return
		}
		w.Header().Set("Content-Length", strconv.FormatInt(api.DefaultBodyLimit+1, 10))
		_, _ = io.WriteString(w, "[1,")
	})
	d.login("ann@x.example")
	for flags, want := range map[string]string{"": "cut off after", "--limit 1": "more than the limit of 416 MiB", "--filter 1": "more than the limit", "--sort 1": "more than the limit"} {
		args := append([]string{"shares", "-o", "ndjson"}, strings.Fields(flags)...)
		if got := d.run(args...); got.code != exitFailed || !strings.Contains(got.stderr, want) {
			t.Errorf("%s: %+v", args, got)
		}
	}
}

func TestAListThatBreaksOffWritesNothing(t *testing.T) {
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	t.Setenv("TMP", temporary) // on Windows
	var body strings.Builder
	for i := range 200_000 { // more than is kept in memory
		_, _ = fmt.Fprintf(&body, `{"Name":"=%d","Owner":null},`, i)
	}
	broken := false
	d := fakeDesk(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == tokenPath {
			answer("")(w, r)
			return
		}
		_, _ = io.WriteString(w, `{"Data":[`+body.String())
		if broken {
			panic(http.ErrAbortHandler)
		}
		_, _ = io.WriteString(w, `{"Last":[1, 2]}]}`)
	})
	d.login("ann@x.example")
	for form, want := range map[string][]string{
		lists.AsJSON.Name: {"[\n{\"Name\":\"=0\",\"Owner\":null},\n", "\n{\"Last\":[1, 2]}\n]\n"},
		lists.AsCSV.Name:  {"Name,Owner,Last\r\n'=0,,\r\n", "\r\n,,\"[1,2]\"\r\n"},
	} {
		broken = false
		if got := d.run("shares", "-o", form); got.code != exitDone || !strings.HasPrefix(got.stdout, want[0]) || !strings.HasSuffix(got.stdout, want[1]) {
			t.Errorf("%s: exit code %d, %q, %.100s", form, got.code, got.stderr, got.stdout)
		}
		if got := d.run("shares", "-o", form, "--columns", "nothing"); form == lists.AsCSV.Name && (got.code != exitUsage || !strings.Contains(got.stderr, "Name, Owner, Last")) {
			t.Errorf("%s: exit code %d, %q", form, got.code, got.stderr)
		}
		broken = true
		if got := d.run("shares", "-o", form); got.code != exitFailed || got.stdout != "" || !strings.Contains(got.stderr, "cut off after") {
			t.Errorf("%s: exit code %d, %q, %.100s", form, got.code, got.stderr, got.stdout)
		}
	}
	if left, err := os.ReadDir(os.TempDir()); err != nil || len(left) > 0 {
		t.Errorf("left %v, error %v", left, err)
	}
}
