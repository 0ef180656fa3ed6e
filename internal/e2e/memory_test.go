//go:build linux

package e2e

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"gatehouse/api"
	"gatehouse/internal/hostile"
	"gatehouse/internal/testkit"
)

const (
	megabyte = 1 << 20
	// mostOfAll is what the program takes at most, whatever a service sends.
	mostOfAll = 1 << 30
	// perByte is how much memory a byte takes that is kept.
	perByte = 2.5
	// ofFrames is what the program takes meanwhile for all else, such as frames.
	ofFrames = 24 * megabyte
	// ofPlaces is what it takes to know where the most records or members are: more
	// than those of a character each take themselves.
	ofPlaces = 80 * megabyte
	// ofShown is what a long list that arrives quickly takes beside: what is on the
	// screen may still stand in the memory that it grew out of before last.
	ofShown = 192 * megabyte
)

// heavy is a list of shares that is as heavy as a service can make it. Its length
// is not announced.
type heavy struct {
	name, head, unit, tail string
	zipped                 bool
	size                   int    // in bytes; 0: it never ends
	kept                   int    // of them, in bytes
	places                 int    // what they may take, in bytes
	says                   string // on the screen, in the end
}

// heavies are lists of which little is kept, and in the long form those of which
// the most is.
func heavies() []heavy {
	const (
		share = `{"Id":123456,"Name":"a share","Path":"/a/b/c/d","Size":123456789,"At":"2026-01-02T03:04:05Z"},`
		some  = 24 * megabyte
		much  = 320 * megabyte
	)
	if !testkit.Long() {
		return []heavy{
			{name: "shares", head: `{"Data":[`, unit: share, tail: "{}]}", size: some, kept: some, says: "row 1 of"},
			{name: "shares, compressed", head: `{"Data":[`, unit: share, tail: "{}]}", zipped: true, size: some, kept: some, says: "row 1 of"},
			{name: "one text", head: `["`, unit: "aaaaaaaaaaaaaaaa", tail: `"]`, size: some, kept: some, says: "row 1 of"},
			{name: "numbers without end", head: "[", unit: "1,", kept: 16 * megabyte, places: ofPlaces, says: "more than 8,000,000 records"},
			{name: "members without end", head: "{", unit: `"a":1,`, kept: 2 * megabyte, places: ofPlaces, says: "250,000 members"},
		}
	}
	return []heavy{
		{name: "shares", head: `{"Data":[`, unit: share, tail: "{}]}", size: much, kept: much, places: ofShown, says: "row 1 of"},
		{name: "a bomb", head: `["`, unit: "aaaaaaaaaaaaaaaa", zipped: true, kept: api.UnannouncedBodyLimit, places: ofShown, says: "limit of 320 MiB"},
	}
}

// most is how much memory the list may cost the program, in bytes.
func (h heavy) most() int { return int(perByte*float64(h.kept)) + h.places + ofFrames }

// fault is an [hostile.Fault] that answers with the list.
func (h heavy) fault(w http.ResponseWriter, r *http.Request, _ http.Handler) {
	w.Header().Set("Content-Type", "application/json")
	body := io.Writer(w)
	if h.zipped {
		w.Header().Set("Content-Encoding", "gzip")
		zip, _ := gzip.NewWriterLevel(w, gzip.BestSpeed)
		defer zip.Close()
		body = zip
	}
	_, err := io.WriteString(body, h.head)
	units := bytes.Repeat([]byte(h.unit), 64<<10/len(h.unit))
	for sent := 0; err == nil && r.Context().Err() == nil && (h.size == 0 || sent < h.size); sent += len(units) {
		_, err = body.Write(units)
	}
	_, _ = io.WriteString(body, h.tail)
}

// The program is met as people use it, so that what its libraries keep counts as
// well, and so does what the collector has not got to.
func TestNoListTakesMuchMoreMemoryThanItself(t *testing.T) {
	t.Parallel()
	faults, env := faulty(t)
	for _, h := range heavies() {
		t.Run(h.name, func(t *testing.T) {
			faults.Set()
			command := exec.Command(binary)
			command.Env = append(env, "GATEHOUSE_STORE=memory")
			term := testkit.StartTerminal(t, command, 120, 30)
			term.WaitFor("E-mail")
			term.Type("cleo@harbor.example" + tab + "demo" + enter)
			term.WaitFor("1 domain", "reachable")
			before := mostMemory(t, command)
			faults.Set(hostile.Rule{Endpoint: hostile.Shares, Fault: h.fault})
			term.Type(enter)
			term.WaitFor("2 Companies", h.says)
			after := mostMemory(t, command)
			t.Logf("%d MB, and %d before", after/megabyte, before/megabyte)
			if took := after - before; took > h.most() || after > mostOfAll {
				t.Errorf("it took %d MB, and %d in all, want at most %d", took/megabyte, after/megabyte, h.most()/megabyte)
			}
		})
	}
}

// TestACommandHoldsAListOnceOrNotAtAll is about lists whose length is not announced.
func TestACommandHoldsAListOnceOrNotAtAll(t *testing.T) {
	t.Parallel()
	const (
		ofVault   = 56 * megabyte // the program, and what opening the vault takes once
		whileRead = 64 * megabyte
	)
	size := 96 * megabyte
	if testkit.Long() {
		size = 310 * megabyte
	}
	faults, env := faulty(t)
	env = append(env, "GATEHOUSE_STORE=file", "GATEHOUSE_STORE_PASSPHRASE=a long passphrase")
	if got := gatehouse(t, env, "demo\n", "login", "--username", "cleo@harbor.example", "--password-stdin"); got.code != 0 {
		t.Fatalf("%+v", got)
	}
	list := heavy{head: `{"Data":[`, unit: `{"Id":123456,"Name":"a share","Path":"/a/b/c/d","Size":123456789,"At":"2026-01-02T03:04:05Z"},`, tail: "{}]}", size: size}
	faults.Set(hostile.Rule{Endpoint: hostile.Shares, Fault: list.fault})
	for form, most := range map[string]int{"ndjson": whileRead, "json": size + size/5 + ofVault, "csv": size + size/5 + ofVault} {
		command := exec.Command(binary, "shares", "-o", form)
		command.Env = env
		var stderr bytes.Buffer
		command.Stderr = &stderr
		stdout, err := command.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := command.Start(); err != nil {
			t.Fatal(err)
		}
		took := mostWhileRead(t, command, stdout, size)
		if err := command.Wait(); err != nil {
			t.Fatalf("%s: %v, %s", form, err, &stderr)
		}
		t.Logf("%s: %d MB for a list of %d MB", form, took/megabyte, size/megabyte)
		if took > most {
			t.Errorf("%s took %d MB for a list of %d MB, want at most %d", form, took/megabyte, size/megabyte, most/megabyte)
		}
	}
}

// mostWhileRead reads what a command writes, at least size bytes, and is the memory that it
// had at most before the last of them. The system's own account of a command that has ended
// would not do: it begins with the memory of the test that started it.
func mostWhileRead(t *testing.T, command *exec.Cmd, stdout io.Reader, size int) (took int) {
	t.Helper()
	part := make([]byte, megabyte)
	for read := 0; ; {
		n, err := io.ReadFull(stdout, part)
		if read += n; err != nil {
			return took
		}
		if read < size-2*megabyte {
			took = mostMemory(t, command)
		}
	}
}

var mostResident = regexp.MustCompile(`VmHWM:\s+(\d+) kB`)

// mostMemory is how many bytes of memory a running program had at most.
func mostMemory(t *testing.T, command *exec.Cmd) int {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", command.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	found := mostResident.FindSubmatch(status)
	if found == nil {
		t.Fatalf("the program is gone:\n%s", strings.TrimSpace(string(status)))
	}
	kilobytes, err := strconv.Atoi(string(found[1]))
	if err != nil {
		t.Fatal(err)
	}
	return kilobytes << 10
}
