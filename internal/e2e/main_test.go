// Package e2e tests the built program from outside, as people and scripts use it:
// on a terminal, as many processes at once, with the real keyring, and as several servers behind a
// balancer, with their sessions in PostgreSQL, where any server can be killed.
package e2e

import (
	"bufio"
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// binary is the program that the tests of this package run; TestMain builds it.
var binary string

// linked makes it differ from a release: a passphrase costs a hundredth, which is most of the
// time of a short command.
const linked = "-s -w -X gatehouse/session.workFactor=8"

func TestMain(m *testing.M) { os.Exit(buildAndRun(m)) }

func buildAndRun(m *testing.M) int {
	dir, err := os.MkdirTemp("", "gatehouse-test")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	binary = filepath.Join(dir, "gatehouse")
	if out, err := exec.Command("go", "build", "-ldflags", linked, "-o", binary, "../..").CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "%v\n%s", err, out)
		return 1
	}
	_ = flag.Set("test.parallel", "4") // the tests mostly wait; -parallel has the last word
	return m.Run()
}

// home is the environment of somebody who has never used the program.
func home(t testing.TB) []string {
	t.Helper()
	dir := t.TempDir()
	return []string{
		"HOME=" + dir, "XDG_CONFIG_HOME=" + dir + "/config", "XDG_STATE_HOME=" + dir + "/state",
		"GATEHOUSE_STORE=file", "GATEHOUSE_STORE_PASSPHRASE=a long passphrase",
	}
}

// finished is the output and the exit code of a process.
type finished struct {
	stdout, stderr string
	code           int
}

// finish runs a command to its end.
func finish(t testing.TB, command *exec.Cmd, stdin string) finished {
	t.Helper()
	var stdout, stderr bytes.Buffer
	command.Stdin, command.Stdout, command.Stderr = strings.NewReader(stdin), &stdout, &stderr
	err := command.Run()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return finished{stdout.String(), stderr.String(), command.ProcessState.ExitCode()}
}

// gatehouse runs the program to its end.
func gatehouse(t testing.TB, env []string, stdin string, args ...string) finished {
	t.Helper()
	command := exec.CommandContext(t.Context(), binary, args...)
	command.Env = env
	return finish(t, command, stdin)
}

// demoService starts the demo in a process of its own and returns the
// environment of a person who has read its variables.
func demoService(t testing.TB) []string {
	t.Helper()
	variables, err := os.Create(filepath.Join(t.TempDir(), "demo.env"))
	if err != nil {
		t.Fatal(err)
	}
	defer variables.Close()
	service := exec.Command(binary, "demo", "--listen", "127.0.0.1:0", "--shell", "sh")
	service.Env, service.Stdout = home(t), variables
	messages, err := service.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := service.Start(); err != nil {
		t.Fatal(err)
	}
	var authority string
	t.Cleanup(func() {
		if err := errors.Join(service.Process.Signal(os.Interrupt), service.Wait()); err != nil {
			t.Errorf("the demo did not end well: %v", err)
		}
		if _, err := os.Stat(authority); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("the file %q is left: %v", authority, err)
		}
	})
	if _, err := bufio.NewReader(messages).ReadString('\n'); err != nil { // it says so when it listens
		t.Fatal(err)
	}
	text, err := os.ReadFile(variables.Name())
	if err != nil {
		t.Fatal(err)
	}
	env := exported(t, string(text))
	for _, variable := range env {
		if file, ok := strings.CutPrefix(variable, "GATEHOUSE_CA_FILE="); ok {
			authority = file
		}
	}
	if info, err := os.Stat(authority); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Fatalf("the certificate of the demo's authority: %v, %v", info, err)
	}
	return append(home(t), env...)
}

// exported reads lines such as export NAME='value'.
func exported(t testing.TB, text string) []string {
	t.Helper()
	var env []string
	for line := range strings.Lines(text) {
		name, value, ok := strings.Cut(strings.TrimSuffix(line, "'\n"), "='")
		name, isExport := strings.CutPrefix(name, "export ")
		if !ok || !isExport || strings.Contains(value, "'") {
			t.Fatalf("this is no export: %q", line)
		}
		env = append(env, name+"="+value)
	}
	return env
}

func TestShortCommands(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		args   []string
		code   int
		stdout string // its beginning; "" is nothing at all
		stderr string // a part of it
	}{
		{[]string{"--version"}, 0, "gatehouse ", ""},
		{[]string{"--help"}, 0, "Gatehouse is ", ""},
		{[]string{"--nosuch"}, 2, "", "--nosuch"},
		{[]string{"nosuch"}, 2, "", "nosuch"},
		{[]string{"whoami"}, 2, "", "No profile is set up."},
		{nil, 2, "", "gatehouse demo"},
		{[]string{"demo"}, 2, "", "terminal"},
	} {
		got := gatehouse(t, home(t), "", tc.args...)
		if got.code != tc.code || !strings.HasPrefix(got.stdout, tc.stdout) || tc.stdout == "" && got.stdout != "" {
			t.Errorf("%v: exit code %d, stdout %q", tc.args, got.code, got.stdout)
		}
		if !strings.Contains(got.stderr, tc.stderr) || tc.stderr == "" && got.stderr != "" {
			t.Errorf("%v: stderr %q", tc.args, got.stderr)
		}
		if strings.Contains(got.stdout+got.stderr, "\x1b") {
			t.Errorf("%v: an escape sequence in %q", tc.args, got.stdout+got.stderr)
		}
	}
}

func TestASessionOnTheCommandLine(t *testing.T) {
	t.Parallel()
	env := demoService(t)
	for _, step := range []struct {
		stdin, args string
		code        int
		stdout      string // a part of it; "" is nothing at all
	}{
		{"", "whoami", 3, ""},
		{"wrong", "login --email ada@harbor.example --password-stdin", 1, ""},
		{"demo\n", "login --email ada@harbor.example --password-stdin", 0, ""},
		{"", "whoami", 0, `"primary_domain": "harbor.example"`},
		{"", "domains -o csv", 0, "domain,primary"},
		{"", "shares", 0, `"Name":`},
		{"", "companies -o csv", 0, "Id,Name,ResellerId"},
		{"", "lookup gus@harbor.example", 0, `"gus@harbor.example"`},
		{"", "logout", 0, ""},
		{"", "shares", 3, ""},
	} {
		got := gatehouse(t, env, step.stdin, strings.Fields(step.args)...)
		if got.code != step.code || !strings.Contains(got.stdout, step.stdout) || step.stdout == "" && got.stdout != "" {
			t.Errorf("%s: exit code %d\n%.300s\n%s", step.args, got.code, got.stdout, got.stderr)
		}
	}
}

func TestWithoutASessionBusNoneIsStarted(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	started := filepath.Join(home, "started")
	launcher := "#!/bin/sh\ntouch '" + started + "'\n"
	if err := os.WriteFile(filepath.Join(home, "dbus-launch"), []byte(launcher), 0o700); err != nil {
		t.Fatal(err)
	}
	env := append(newService(t).env(home), "GATEHOUSE_STORE=", "PATH="+home+":/usr/bin:/bin")
	if got := gatehouse(t, env, "", "whoami"); got.code != 3 || got.stdout != "" {
		t.Errorf("whoami: %+v", got)
	}
	if _, err := os.Stat(started); !os.IsNotExist(err) {
		t.Errorf("a bus was started: %v", err)
	}
}
