//go:build linux

package e2e

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// BenchmarkFirstFrame measures from the start of the process to the sign-in form on the screen.
func BenchmarkFirstFrame(b *testing.B) {
	for b.Loop() {
		term, command := demo(b, 120, 40)
		term.WaitFor("E-mail", "Demo accounts")
		b.StopTimer()
		_ = command.Process.Kill()
		_ = term.Wait()
		b.StartTimer()
	}
}

// BenchmarkVersion measures a whole run of the shortest command.
func BenchmarkVersion(b *testing.B) {
	for b.Loop() {
		if err := exec.Command(binary, "--version").Run(); err != nil {
			b.Fatal(err)
		}
	}
}

// quiet is how long nothing must come for an answer to be complete: longer than the time between
// the keys of one that is held, which the preview waits for.
const quiet = 60 * time.Millisecond

// account is the UI, signed in to a service with many shares.
type account struct {
	*terminal
	command *exec.Cmd
}

// serveShares is a service with these shares, and the environment of somebody who uses it.
func serveShares(b *testing.B, shares http.HandlerFunc) (env []string) {
	b.Helper()
	login := newService(b)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/connect/token" {
			login.ServeHTTP(w, r)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		shares(w, r)
	}))
	b.Cleanup(server.Close)
	login.URL = server.URL
	return login.env(b.TempDir())
}

func onAccount(b *testing.B, shares http.HandlerFunc) *account {
	b.Helper()
	command := exec.Command(binary)
	command.Env = append(serveShares(b, shares), "TERM=xterm-256color", "COLORTERM=truecolor", "GATEHOUSE_STORE=memory")
	a := &account{startTerminal(b, command, 120, 40), command}
	a.WaitFor("E-mail")
	a.Type(thePerson + tab + thePassword + enter)
	a.WaitFor("1 domain", "reachable")
	return a
}

// ordinaryShares are n shares of some 390 bytes.
func ordinaryShares(n int) http.HandlerFunc {
	names := [...]string{"Board minutes", "船舶点検記録", "Scans from reception", "Øresund – målinger", "Ship's log"}
	var body bytes.Buffer
	body.WriteString(`{"Data":[`)
	for i := range n {
		fmt.Fprintf(&body, `{"Id":"%08x-0000-4000-8000-%012x","CompanyId":%d,"Name":"%s %d","ShareAssociationType":%d,"ShareRelations":[],`+
			`"ShareDefault":{"Owner":"ann.lee%d@harbor.example","ShareCategory":%d},"ShareTick":%d,`+
			`"SpaceUsage":{"DiskUsage":%d,"HistoryUsage":%d,"DeletedUsage":0},"ParentShareId":null,`+
			`"TimeStamps":{"CreateTime":"20%02d-10-03T12:57:14.295242Z","DeleteTime":"0001-01-01T00:00:00Z"}},`,
			i, i*7919, i%40, names[i%len(names)], n-i, i%3, i%100, i%3, 635584236915068204+i, (i*7919)%1_000_000_007, i%1000, i%25)
	}
	body.Truncate(body.Len() - len(","))
	body.WriteString(`],"Message":"Ok."}`)
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", strconv.Itoa(body.Len()))
		_, _ = w.Write(body.Bytes())
	}
}

// BenchmarkKey measures from a key press to the last byte of the frame that answers it, and the
// bytes of that frame.
func BenchmarkKey(b *testing.B) {
	a := onAccount(b, ordinaryShares(1_000_000))
	a.Type(enter)
	a.WaitFor("row 1 of 1,000,000")
	for _, screen := range []struct {
		name string
		open string   // the keys that lead there
		keys []string // are pressed in turn
	}{
		{"down with the preview", "", []string{"j"}},
		{"down where the list scrolls", "\x06", []string{"j"}}, // from the end of a page
		{"down", "p", []string{"j"}},
		{"page", "", []string{"\x1b[6~", "\x1b[6~", "\x1b[5~"}},
		{"column", "g", []string{"l", "h"}},
		{"detail", enter, []string{"j", "j", "j", "k", "k", "k"}},
		{"token", esc + "4", []string{"j", "k"}},
	} {
		if screen.open != "" {
			a.Answer(screen.open[:len(screen.open)-1], 5*quiet)
			a.Answer(screen.open[len(screen.open)-1:], 5*quiet)
		}
		b.Run(screen.name, func(b *testing.B) { pressKeys(b, a.terminal, screen.keys) })
	}
}

func pressKeys(b *testing.B, term *terminal, keys []string) {
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
	reportTimes(b, "key", times)
	b.ReportMetric(float64(sent)/float64(len(times)), "bytes/key")
	b.ReportMetric(0, "ns/op") // is the waiting
}

func reportTimes(b *testing.B, what string, times []time.Duration) {
	slices.Sort(times)
	for percent, name := range map[int]string{50: "p50", 99: "p99"} {
		b.ReportMetric(float64(times[len(times)*percent/100].Microseconds())/1000, what+"-"+name+"-ms")
	}
}

// BenchmarkIdle measures what the program needs for nothing, with a thousand shares open.
func BenchmarkIdle(b *testing.B) {
	a := onAccount(b, ordinaryShares(1_000))
	a.Type(enter)
	a.WaitFor("row 1 of 1,000")
	a.Answer("j", 5*quiet)
	const while = 10 * time.Second
	var busy time.Duration
	sent := 0
	for b.Loop() {
		before, written := processorTime(b, a.command), len(a.Raw())
		waitFor(b.Context(), while)
		sent += len(a.Raw()) - written
		busy += processorTime(b, a.command) - before
	}
	seconds := while.Seconds() * float64(b.N)
	b.ReportMetric(100*busy.Seconds()/seconds, "%core")
	b.ReportMetric(float64(sent)/seconds, "bytes/s")
	b.ReportMetric(memory(b, a.command, "VmRSS"), "MB")
	b.ReportMetric(0, "ns/op")
}

// processorTime is what a process has used so far, from /proc/PID/stat.
func processorTime(b *testing.B, command *exec.Cmd) time.Duration {
	b.Helper()
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", command.Process.Pid))
	if err != nil {
		b.Fatal(err)
	}
	// The second field is the name in brackets; user and system time, in
	// hundredths of a second, are the 12th and 13th after it.
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	var ticks int
	for _, field := range fields[11:13] {
		n, err := strconv.Atoi(field)
		if err != nil {
			b.Fatal(err)
		}
		ticks += n
	}
	return time.Duration(ticks) * 10 * time.Millisecond
}

// memory is a size of a running program in MB: VmRSS, or VmHWM for the most so far.
func memory(b *testing.B, command *exec.Cmd, field string) float64 {
	b.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", command.Process.Pid))
	if err != nil {
		b.Fatal(err)
	}
	_, after, _ := strings.Cut(string(status), field+":")
	kilobytes, err := strconv.Atoi(strings.Fields(after + " ?")[0])
	if err != nil {
		b.Fatalf("the program is gone: %v", err)
	}
	return float64(kilobytes) * 1024 / 1e6
}

// BenchmarkListAsCommand measures the time and the memory of a command that prints a long list.
func BenchmarkListAsCommand(b *testing.B) {
	env := serveShares(b, ordinaryShares(800_000))
	signInYesterday(b, env)
	for _, form := range []string{"ndjson", "json", "csv"} {
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
				// Of a command that has ended, the system says the memory of the process that started
				// it, so it is asked before the end.
				_, err = io.CopyN(io.Discard, stdout, 100e6)
				b.ReportMetric(memory(b, command, "VmHWM"), "MB")
				if _, rest := io.Copy(io.Discard, stdout); err != nil || rest != nil || command.Wait() != nil {
					b.Errorf("%v, %v, exit code %d", err, rest, command.ProcessState.ExitCode())
				}
			}
		})
	}
}
