//go:build linux

package e2e

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"gatehouse/internal/testkit"
)

// quiet is how long nothing must come for an answer to be complete: longer than
// the least time between two frames.
const quiet = 40 * time.Millisecond

// account is the UI on a service with many shares, signed in.
type account struct {
	*testkit.Terminal
	command *exec.Cmd
	list    atomic.Pointer[http.HandlerFunc] // the shares
	sent    atomic.Int64                     // when the newest list began, in Unix nanoseconds
}

// onAccount starts the UI on a service with these shares and signs in.
func onAccount(b *testing.B, shares http.HandlerFunc) *account {
	b.Helper()
	a, login := &account{}, newService(b)
	a.list.Store(&shares)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/connect/token" {
			login.ServeHTTP(w, r)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		a.sent.Store(time.Now().UnixNano())
		(*a.list.Load())(w, r)
	}))
	b.Cleanup(server.Close)
	login.URL = server.URL
	a.command = exec.Command(binary)
	a.command.Env = append(login.env(b.TempDir()), "TERM=xterm-256color", "COLORTERM=truecolor", "GATEHOUSE_STORE=memory")
	a.Terminal = testkit.StartTerminal(b, a.command, 120, 40)
	a.WaitFor("E-mail")
	a.Type(thePerson + tab + thePassword + enter)
	a.WaitFor("1 domain", "reachable")
	return a
}

// end ends the UI, so that it takes nothing from what is measured next.
func (a *account) end() {
	_ = a.command.Process.Kill()
	_ = a.Wait()
}

// ordinaryShares are n shares of some 390 bytes.
func ordinaryShares(n int) http.HandlerFunc {
	var body bytes.Buffer
	body.WriteString(`{"Data":[`)
	for i := range n {
		if i > 0 {
			body.WriteByte(',')
		}
		fmt.Fprintf(&body, `{"Id":"%08x-0000-4000-8000-%012x","CompanyId":%d,"Name":"Board minutes %d","ShareAssociationType":%d,"ShareRelations":[],`+
			`"ShareDefault":{"Owner":"ann.lee%d@harbor.example","ShareCategory":%d},"ShareTick":%d,`+
			`"SpaceUsage":{"DiskUsage":%d,"HistoryUsage":%d,"DeletedUsage":0},"ParentShareId":null,`+
			`"TimeStamps":{"CreateTime":"2017-10-03T12:57:14.295242Z","DeleteTime":"0001-01-01T00:00:00Z"}}`,
			i, i*7919, i%40, n-i, i%3, i%100, i%3, 635584236915068204+i, (i*7919)%1_000_000_007, i%1000)
	}
	body.WriteString(`],"Message":"Ok."}`)
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", strconv.Itoa(body.Len()))
		_, _ = w.Write(body.Bytes())
	}
}

// BenchmarkFirstRows measures from the first byte of a list to its first rows on
// the screen, while the rest is on its way.
func BenchmarkFirstRows(b *testing.B) {
	for _, shares := range []int{1_000, 1_000_000} {
		list := ordinaryShares(shares)
		b.Run(fmt.Sprintf("%d rows", shares), func(b *testing.B) {
			var took time.Duration
			for b.Loop() {
				a := onAccount(b, list)
				a.Type(enter)
				a.WaitFor("Board minutes")
				took += time.Since(time.Unix(0, a.sent.Load()))
				a.end()
			}
			b.ReportMetric(milliseconds(took)/float64(b.N), "ms")
			b.ReportMetric(0, "ns/op") // is the sign-in
		})
	}
}

// BenchmarkKey measures, on the screens of a domain, from a key press to the last byte of
// the frame that answers it, and the bytes of that frame.
func BenchmarkKey(b *testing.B) {
	a := onAccount(b, ordinaryShares(1_000_000))
	defer a.end()
	a.Type(enter)
	a.WaitFor("row 1 of 1,000,000")
	for _, screen := range []struct {
		name string
		open string   // the keys that lead there
		keys []string // are pressed in turn
	}{
		{"down", "", []string{"j"}},
		{"down with the preview", "p", []string{"j"}},
		{"page", "p", []string{"\x1b[6~", "\x1b[6~", "\x1b[5~"}},
		{"column", "g", []string{"l", "h"}},
		{"detail", enter, []string{"j", "j", "j", "k", "k", "k"}},
		{"token", esc + "4", []string{"j", "k"}},
	} {
		if screen.open != "" {
			a.Answer(screen.open[:len(screen.open)-1], 5*quiet)
			a.Answer(screen.open[len(screen.open)-1:], 5*quiet)
		}
		b.Run(screen.name, func(b *testing.B) { pressKeys(b, a.Terminal, screen.keys) })
	}
}

func pressKeys(b *testing.B, term *testkit.Terminal, keys []string) {
	var times []time.Duration
	sent, pressed := 0, 0
	for b.Loop() {
		took, bytes := term.Answer(keys[pressed%len(keys)], quiet)
		pressed++
		if bytes > 0 {
			times = append(times, took)
			sent += bytes
		}
	}
	if len(times) == 0 {
		b.Skip("no key was answered")
	}
	slices.Sort(times)
	b.ReportMetric(milliseconds(times[len(times)/2]), "p50-ms")
	b.ReportMetric(milliseconds(times[len(times)*99/100]), "p99-ms")
	b.ReportMetric(float64(sent)/float64(len(times)), "bytes/key")
	b.ReportMetric(0, "ns/op") // is the waiting
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// BenchmarkIdle measures what the program needs for nothing, signed in with a
// thousand shares open.
func BenchmarkIdle(b *testing.B) {
	a := onAccount(b, ordinaryShares(1_000))
	defer a.end()
	a.Type(enter)
	a.WaitFor("row 1 of 1,000")
	a.Answer("j", 5*quiet)
	const while = 10 * time.Second
	var busy time.Duration
	sent := 0
	for b.Loop() {
		before := processorTime(b, a.command.Process.Pid)
		sent += a.Pause(while)
		busy += processorTime(b, a.command.Process.Pid) - before
	}
	seconds := while.Seconds() * float64(b.N)
	b.ReportMetric(100*busy.Seconds()/seconds, "%core")
	b.ReportMetric(float64(sent)/seconds, "bytes/s")
	b.ReportMetric(float64(memory(b, a.command, "VmRSS"))/1e6, "MB")
	b.ReportMetric(0, "ns/op")
}

// processorTime is what a process has used so far, from /proc/PID/stat.
func processorTime(b *testing.B, pid int) time.Duration {
	b.Helper()
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		b.Fatal(err)
	}
	// The second field is the name in brackets; user and system time, in
	// hundredths of a second, are the 12th and 13th after it.
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	var ticks int64
	for _, field := range fields[11:13] {
		n, err := strconv.ParseInt(field, 10, 64)
		if err != nil {
			b.Fatal(err)
		}
		ticks += n
	}
	return time.Duration(ticks) * 10 * time.Millisecond
}

// memory is a size of a running program in bytes: VmRSS, or VmHWM for the most so far.
func memory(b *testing.B, command *exec.Cmd, field string) int {
	b.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", command.Process.Pid))
	if err != nil {
		b.Fatal(err)
	}
	_, after, _ := strings.Cut(string(status), field+":")
	kilobytes, _, _ := strings.Cut(strings.TrimSpace(after), " ")
	n, err := strconv.Atoi(kilobytes)
	if err != nil {
		b.Fatalf("the program is gone: %v", err)
	}
	return n << 10
}

const megabyte = 1 << 20

// heavy is a list of shares whose length is not announced.
type heavy struct {
	name, head, unit, tail string
	zipped                 bool
	size                   int    // in bytes; 0: it never ends
	kept                   int    // of them, in bytes
	beside                 int    // the most memory for all else, in bytes
	says                   string // on the screen, in the end
}

const aShare = `{"Id":123456,"Name":"a share","Path":"/a/b/c/d","Size":123456789,"At":"2026-01-02T03:04:05Z"},`

// serve is an [http.HandlerFunc] that answers with the list.
func (h heavy) serve(w http.ResponseWriter, r *http.Request) {
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

// BenchmarkMemoryOfAList measures the most memory that the program takes for a list, with what
// its libraries keep and what the collector has not got to. That is at most two and a half
// times what is kept of the list, and never 1 GiB.
func BenchmarkMemoryOfAList(b *testing.B) {
	const beside, ofPlaces = 24 * megabyte, 80 * megabyte // frames; where the most records or members begin
	for _, h := range []heavy{
		{name: "shares", head: `{"Data":[`, unit: aShare, tail: "{}]}", size: 320 * megabyte, kept: 320 * megabyte, beside: 192 * megabyte, says: "row 1 of"},
		{name: "a bomb", head: `["`, unit: "aaaaaaaaaaaaaaaa", zipped: true, kept: 320 * megabyte, beside: 192 * megabyte, says: "limit of 320 MiB"},
		{name: "numbers without end", head: "[", unit: "1,", kept: 16 * megabyte, beside: beside + ofPlaces, says: "more than 8,000,000 records"},
		{name: "members without end", head: "{", unit: `"a":1,`, kept: 2 * megabyte, beside: beside + ofPlaces, says: "250,000 members"},
	} {
		b.Run(h.name, func(b *testing.B) {
			for b.Loop() {
				a := onAccount(b, ordinaryShares(1))
				before := memory(b, a.command, "VmHWM")
				a.list.Store(new(http.HandlerFunc(h.serve)))
				a.Type(enter)
				a.WaitFor("2 Companies", h.says)
				a.WaitGone("esc cancel") // which is there while the list comes
				after := memory(b, a.command, "VmHWM")
				a.end()
				b.ReportMetric(float64(after)/megabyte, "MiB")
				if most := h.kept/2*5 + h.beside; after-before > most || after > 1<<30 {
					b.Errorf("it took %d MB, and %d in all, want at most %d", (after-before)/megabyte, after/megabyte, most/megabyte)
				}
			}
		})
	}
}

// BenchmarkMemoryOfACommand measures that a command holds a list once, or not at all where each
// record is printed as it comes.
func BenchmarkMemoryOfACommand(b *testing.B) {
	const size = 310 * megabyte
	list := heavy{head: `{"Data":[`, unit: aShare, tail: "{}]}", size: size}
	login := newService(b)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/connect/token" {
			login.ServeHTTP(w, r)
			return
		}
		list.serve(w, r)
	}))
	b.Cleanup(server.Close)
	login.URL = server.URL
	env := login.env(b.TempDir())
	signInYesterday(b, env)
	for form, most := range map[string]int{"ndjson": 64 * megabyte, "json": size + size/5 + 56*megabyte, "csv": size + size/5 + 56*megabyte} {
		b.Run(form, func(b *testing.B) {
			for b.Loop() {
				command := exec.Command(binary, "shares", "-o", form)
				command.Env = env
				stdout, err := command.StdoutPipe()
				if err == nil {
					err = command.Start()
				}
				if err != nil {
					b.Fatal(err)
				}
				took := mostWhileRead(b, command, stdout, size)
				if err := command.Wait(); err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(took)/megabyte, "MiB")
				if took > most {
					b.Errorf("it took %d MB, want at most %d", took/megabyte, most/megabyte)
				}
			}
		})
	}
}

// mostWhileRead reads what a command writes, at least size bytes, and is the memory that it
// had at most before the last of them. The system's own account of a command that has ended
// would not do: it begins with the memory of the test that started it.
func mostWhileRead(b *testing.B, command *exec.Cmd, stdout io.Reader, size int) (took int) {
	b.Helper()
	part := make([]byte, megabyte)
	for read := 0; ; {
		n, err := io.ReadFull(stdout, part)
		if read += n; err != nil {
			return took
		}
		if read < size-2*megabyte {
			took = memory(b, command, "VmHWM")
		}
	}
}

// BenchmarkABatchOf100000 measures the look-ups a second where nothing limits them, and the
// memory of a batch.
func BenchmarkABatchOf100000(b *testing.B) {
	const addresses = 100_000
	c, list := newCounted(b), listFile(b, addresses)
	for b.Loop() {
		batch := exec.Command(binary, "lookup", "--from", list, "--rate", "0", "-q", "-o", "json", "--resume", filepath.Join(b.TempDir(), "journal.ndjson"))
		batch.Env = c.env
		begun := time.Now()
		c.at, c.when = c.all+addresses, func() { b.ReportMetric(float64(memory(b, batch, "VmHWM"))/megabyte, "MiB") }
		_ = batch.Run() // most addresses are not known: exit code 1
		b.ReportMetric(addresses/time.Since(begun).Seconds(), "lookups/s")
		if code := batch.ProcessState.ExitCode(); code != 1 {
			b.Errorf("exit code %d", code)
		}
	}
}
