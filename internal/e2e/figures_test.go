//go:build linux

package e2e

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
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
	// sent is when the newest list of shares began, in Unix nanoseconds.
	sent atomic.Int64
}

// onAccount starts the UI on a service with so many shares and signs in.
func onAccount(b *testing.B, shares int) *account {
	b.Helper()
	a, body, login := &account{}, shareBody(shares), newService(b)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/connect/token" {
			login.ServeHTTP(w, r)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Length", strconv.Itoa(len(body)))
		a.sent.Store(time.Now().UnixNano())
		_, _ = w.Write(body)
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

// openShares goes into the domain and waits for all of the list.
func (a *account) openShares(shares int) {
	a.Type(enter)
	a.WaitFor(fmt.Sprintf("row 1 of %s", grouped(shares)))
}

// BenchmarkFirstRows measures from the first byte of a list to its first rows on
// the screen, while the rest is on its way.
func BenchmarkFirstRows(b *testing.B) {
	for _, shares := range []int{1_000, 1_000_000} {
		b.Run(fmt.Sprintf("%d rows", shares), func(b *testing.B) {
			var took time.Duration
			for b.Loop() {
				a := onAccount(b, shares)
				a.Type(enter)
				a.WaitFor("Board minutes")
				took += time.Since(time.Unix(0, a.sent.Load()))
				_ = a.command.Process.Kill()
				_ = a.Wait()
			}
			b.ReportMetric(milliseconds(took)/float64(b.N), "ms")
			b.ReportMetric(0, "ns/op") // is the sign-in
		})
	}
}

// grouped writes a number as the program does: 1,000,000.
func grouped(n int) string {
	text := strconv.Itoa(n)
	for at := len(text) - 3; at > 0; at -= 3 {
		text = text[:at] + "," + text[at:]
	}
	return text
}

// shareBody is a list of n shares of some 390 bytes.
func shareBody(n int) []byte {
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
	return body.Bytes()
}

// BenchmarkKey measures, on every screen, from a key press to the last byte of
// the frame that answers it, and the bytes of that frame.
func BenchmarkKey(b *testing.B) {
	for _, shares := range []int{1_000, 1_000_000} {
		a := onAccount(b, shares)
		a.openShares(shares)
		for _, screen := range []struct {
			name string
			open string   // the keys that lead there
			keys []string // are pressed in turn
		}{
			{"shares down", "", []string{"j"}},
			{"shares page", "", []string{"\x1b[6~", "\x1b[6~", "\x1b[5~"}},
			{"shares column", "g", []string{"l", "h"}},
			{"detail", enter, []string{"j", "j", "j", "k", "k", "k"}},
			{"companies", esc + "2", []string{"a", "\x7f"}},
			{"device login", esc + "3", []string{"a", "\x7f"}},
			{"token", esc + "4", []string{"j", "k"}},
			{"activity", "5", []string{"j", "k"}},
		} {
			if screen.open != "" {
				a.Answer(screen.open[:len(screen.open)-1], 5*quiet)
				a.Answer(screen.open[len(screen.open)-1:], 5*quiet)
			}
			b.Run(fmt.Sprintf("%s/%d rows", screen.name, shares), func(b *testing.B) { pressKeys(b, a.Terminal, screen.keys) })
		}
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
	a := onAccount(b, 1_000)
	a.openShares(1_000)
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
	b.ReportMetric(float64(resident(b, a.command.Process.Pid))/1e6, "MB")
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

// resident is the memory of a process that is in use, in bytes.
func resident(b *testing.B, pid int) int64 {
	b.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		b.Fatal(err)
	}
	_, after, _ := strings.Cut(string(status), "VmRSS:")
	kilobytes, _, _ := strings.Cut(strings.TrimSpace(after), " ")
	n, err := strconv.ParseInt(kilobytes, 10, 64)
	if err != nil {
		b.Fatal(err)
	}
	return n << 10
}
