package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"

	"gatehouse/internal/config"
	"gatehouse/internal/demo"
	"gatehouse/internal/lists"
	"gatehouse/internal/server/sshd"
	"gatehouse/internal/text/problem"
	"gatehouse/session"
)

func TestAServerThatCannotDoWhatItIsToldDoesNotStart(t *testing.T) {
	_, authorized := visitorKey(t)
	missing := filepath.Join(t.TempDir(), "none")
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = taken.Close() })
	byKey := func(more ...string) []string { return append(more, "--authorized-keys", authorized) }
	kept := func(sessions string) []string {
		return byKey("--demo", "--sessions", sessions, "--session-key", sessionKey(t))
	}
	for name, tt := range map[string]struct {
		args []string
		kind problem.Kind
		want string
	}{
		"flags that contradict each other": {[]string{"--anyone"}, problem.Usage, "--anyone"},
		"balancers that are no network":    {byKey("--proxy-protocol-from", "x"), problem.Usage, "--proxy-protocol-from"},
		"an own network that is none":      {byKey("--allow-network", "x"), problem.Usage, "--allow-network"},
		"a key file that is not there": {
			byKey("--sessions", t.TempDir(), "--session-key", missing), problem.Usage, "key file",
		},
		"a store that cannot be made": {kept(filepath.Join(authorized, "sessions")), problem.Failed, "cannot be used"},
		"a desk without its keys":     {byKey("--demo", "--desk-keys", missing), problem.Usage, "support desk"},
		"no authorized keys":          {[]string{"--demo", "--authorized-keys", missing}, problem.Usage, "authorized keys"},
		"no demo to share":            {kept(t.TempDir()), problem.Failed, "no demo"},
		"no profile":                  {byKey(), problem.Failed, "no profile"},
		"no address":                  {byKey("--demo", "--listen", "nowhere"), problem.Usage, `"nowhere"`},
		"an address of another server": {
			byKey("--demo", "--listen", taken.Addr().String()), problem.Failed, taken.Addr().String(),
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := program(goodbye)
			p.StartDemo = func(context.Context, demo.Options) (*demo.Server, *config.Profile, error) {
				return nil, nil, errors.New("no demo")
			}
			p.Profile = func(context.Context) (*config.Profile, error) { return nil, errors.New("no profile") }
			_, err := tryToStart(t, p, tt.args...)
			kind := problem.Describe(err, problem.Face{}).Kind
			if err == nil || kind != tt.kind || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v, of kind %v", err, kind)
			}
		})
	}
}

// The others have a demo, and the next visitor tries to start one again.
func TestAVisitorWhoseDemoDoesNotStartIsTold(t *testing.T) {
	visitors := make(chan *Visitor, 1)
	p := program(func(_ context.Context, v *Visitor) int {
		visitors <- v
		return 1
	})
	noDemo := errors.New("no demo")
	p.StartDemo = func(context.Context, demo.Options) (*demo.Server, *config.Profile, error) {
		return nil, nil, noDemo
	}
	s := start(t, p, "--demo", "--anyone")
	if err := s.visit().Wait(); err == nil {
		t.Error("the command has done what it was asked for")
	}
	v := await(t, visitors)
	if !errors.Is(v.Failed, noDemo) || v.Profile != nil || v.Connection == nil || v.Shared == nil {
		t.Errorf("%+v", v)
	}
}

// parse parses flags of the command, which it checks.
func parse(t *testing.T, args ...string) (*serveFlags, error) {
	t.Helper()
	f := &serveFlags{options: sshd.Options{Limits: sshd.DefaultLimits()}}
	flags := pflag.NewFlagSet("serve", pflag.ContinueOnError)
	f.add(flags)
	if err := flags.Parse(args); err != nil {
		t.Fatal(err)
	}
	return f, f.check()
}

func TestALimitIsNotBelowZero(t *testing.T) {
	for _, limit := range []string{
		"max-connections", "max-per-address", "auth-tries", "rate-per-address", "grace", "idle-timeout",
		"session-timeout", "auth-timeout", "stall-timeout", "max-records-memory", "max-memory",
	} {
		below := "-1"
		if strings.HasSuffix(limit, "timeout") || limit == "grace" {
			below = "-1ns"
		}
		for value, isRight := range map[string]bool{"0": true, below: false} {
			if _, err := parse(t, "--demo", "--anyone", "--"+limit, value); (err == nil) != isRight {
				t.Errorf("--%s %s: %v", limit, value, err)
			}
		}
	}
}

func TestALimitInMebibytesIsANumberOfBytes(t *testing.T) {
	const maxMebibytes = "8796093022207" // × 1 MiB is the largest multiple that 63 bits hold
	for _, limit := range []string{"max-records-memory", "max-memory"} {
		for value, isRight := range map[string]bool{maxMebibytes: true, "8796093022208": false} {
			if _, err := parse(t, "--demo", "--anyone", "--"+limit, value); (err == nil) != isRight {
				t.Errorf("--%s %s: %v", limit, value, err)
			}
		}
	}
}

// optionsFor returns the options of a server with these flags, and what its visitors share.
func optionsFor(t *testing.T, args ...string) (*Visitors, sshd.Options) {
	t.Helper()
	f, err := parse(t, args...)
	if err != nil {
		t.Fatal(err)
	}
	p := program(goodbye)
	shared := &Visitors{Program: &p, Lists: lists.Budget{Limit: 1 << 20}}
	t.Cleanup(shared.Close)
	o, err := shared.options(t.Context(), f, operator{stderr: io.Discard, log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	return shared, o
}

// The tokens of a renewal that is under way would be lost.
func TestAServerThatKeepsSessionsWaitsForTheirRenewals(t *testing.T) {
	_, authorized := visitorKey(t)
	for name, tt := range map[string]struct {
		args []string
		want time.Duration
	}{
		"in memory": {[]string{"--demo", "--anyone"}, 0},
		"in a directory": {[]string{
			"--demo", "--authorized-keys", authorized, "--sessions", t.TempDir(), "--session-key", sessionKey(t),
		}, session.SendWithin + 15*time.Second},
	} {
		if _, o := optionsFor(t, tt.args...); o.Finish != tt.want {
			t.Errorf("%s: it waits %v for what handlers have to save", name, o.Finish)
		}
	}
}

func TestTheMetricsSayWhatListsTakeAndWhichWereRefused(t *testing.T) {
	shared, o := optionsFor(t, "--demo", "--anyone")
	list := lists.NewStream(-1)
	list.Share = shared.Lists.Share()
	if _, err := list.ReadFrom(strings.NewReader(`[{"id":1}]`)); err != nil {
		t.Fatal(err)
	}
	tooLong := lists.NewStream(-1)
	tooLong.Share = shared.Lists.Share()
	if _, err := tooLong.ReadFrom(strings.NewReader(strings.Repeat(" ", 2<<20))); err == nil {
		t.Fatal("a list has more memory than there is")
	}
	tooLong.Share.Release()
	var text bytes.Buffer
	for _, write := range o.OtherMetrics {
		write(&text)
	}
	held := regexp.MustCompile(`(?m)^gatehouse_ssh_lists_bytes ([1-9]\d*)$`).FindStringSubmatch(text.String())
	if held == nil || held[1] != strconv.FormatInt(shared.Lists.Held(), 10) {
		t.Errorf("%d bytes are held, and the metrics are:\n%s", shared.Lists.Held(), &text)
	}
	for _, want := range []string{"gatehouse_ssh_lists_refused_total 1", "gatehouse_ssh_wrong_passwords_total 0"} {
		if !strings.Contains(text.String(), want+"\n") {
			t.Errorf("%s is missing:\n%s", want, &text)
		}
	}
}

// A person reads sentences on the terminal; where programs read, they are lines of the log.
func TestTheOperatorIsToldInSentencesOrInTheLog(t *testing.T) {
	for name, tt := range map[string]struct {
		level slog.Level
		want  string
	}{
		"what is so":      {slog.LevelInfo, "The desk is open.\n"},
		"what is doubted": {slog.LevelWarn, "gatehouse: the desk is open.\n"},
		"what is wrong":   {slog.LevelError, "gatehouse: the desk is open.\n"},
	} {
		var terminal, log bytes.Buffer
		o := operator{stderr: &terminal, log: slog.New(slog.NewJSONHandler(&log, nil))}
		sentence := "The desk is open."
		if tt.level >= slog.LevelWarn {
			sentence = "the desk is open."
		}
		o.tell(tt.level, "desk", sentence, "keys", 2)
		if terminal.String() != tt.want || log.Len() != 0 {
			t.Errorf("%s: %q, and in the log: %s", name, &terminal, &log)
		}
		terminal.Reset()
		o.machine = true
		o.tell(tt.level, "desk", sentence, "keys", 2)
		var line struct {
			Level slog.Level
			Msg   string
			Text  string
			Keys  int
		}
		if err := json.Unmarshal(log.Bytes(), &line); err != nil {
			t.Fatal(err)
		}
		isWhole := line.Level == tt.level && line.Msg == "desk" && line.Text == sentence && line.Keys == 2
		if !isWhole || terminal.Len() != 0 {
			t.Errorf("%s, to programs: %+v, and on the terminal: %q", name, line, &terminal)
		}
	}
}

func TestWhereProgramsReadAServerWritesItsLogAlone(t *testing.T) {
	_, authorized := visitorKey(t)
	s := start(t, program(goodbye), "--authorized-keys", authorized, "--log-format", "json")
	s.end()
	for line := range strings.Lines(s.said.String()) {
		if !json.Valid([]byte(line)) {
			t.Errorf("%q is no line of JSON", line)
		}
	}
}
