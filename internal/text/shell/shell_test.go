package shell

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatehouse/internal/testkit"
)

// awkward are texts that have something special for one shell or another.
var awkward = map[string]string{
	"PLAIN":      "https://127.0.0.1:8080/gateway/{domain}",
	"EMPTY":      "",
	"BLANKS":     "  two  words ",
	"SINGLE":     "it's 'quoted'",
	"DOUBLE":     `say "a b" & go`,
	"ODD":        `5" | 6`,
	"DOLLAR":     "$HOME ${HOME} $(id)",
	"BACKTICK":   "`id` `n",
	"PERCENT":    "100% %PATH% %%",
	"OPERATORS":  "a & b | c < d > e ^ f (g) ; h",
	"EXCLAIMED":  "!PATH! wow!",
	"BACKSLASH":  `C:\Users\ada\`,
	"TILDE":      "~ada",
	"HASH":       "# no comment",
	"GLOB":       "* ? [a-z]",
	"BEYOND":     "Jörg ‘typed’ 日本 \U0001F511",
	"AT":         "@variable",
	"ENDS_QUOTE": `ends with "`,
}

func TestScriptsQuoteForTheirShell(t *testing.T) {
	for _, tc := range []struct {
		value, sh, cmd, powershell string
	}{
		{"plain", "export V='plain'\n", "@set \"V=plain\"\r\n", "$env:V = 'plain'\n"},
		{"", "export V=''\n", "@set \"V=\"\r\n", "$env:V = ''\n"},
		{" a b ", "export V=' a b '\n", "@set \"V= a b \"\r\n", "$env:V = ' a b '\n"},
		{"it's", "export V='it'\\''s'\n", "@set \"V=it's\"\r\n", "$env:V = 'it''s'\n"},
		{`"`, "export V='\"'\n", "@set \"V=\"\"\r\n", "$env:V = '\"'\n"},
		{`a"&b"&c`, "export V='a\"&b\"&c'\n", "@set \"V=a\"^&b\"&c\"\r\n", "$env:V = 'a\"&b\"&c'\n"},
		{"100%", "export V='100%'\n", "@set \"V=100%%\"\r\n", "$env:V = '100%'\n"},
		{"$(id)`n", "export V='$(id)`n'\n", "@set \"V=$(id)`n\"\r\n", "$env:V = '$(id)`n'\n"},
		{"ö’🔑", "export V='ö’🔑'\n", "@chcp 65001 >nul\r\n@set \"V=ö’🔑\"\r\n",
			"$env:V = ''+[char]0x00F6+''+[char]0x2019+''+[char]0xD83D+''+[char]0xDD11+''\n"},
	} {
		for shell, want := range map[Shell]string{POSIX: tc.sh, Cmd: tc.cmd, PowerShell: tc.powershell} {
			if got := shell.Script(map[string]string{"V": tc.value}); got != want {
				t.Errorf("%s: %q: %q, want %q", shell, tc.value, got, want)
			}
		}
	}
}

func TestCommandsQuoteForTheirShell(t *testing.T) {
	for _, tc := range []struct {
		word, sh, cmd, powershell string
	}{
		{"ada@harbor.example", "ada@harbor.example", "ada@harbor.example", "ada@harbor.example"},
		{"", "''", `""`, "''"},
		{"--resume", "--resume", "--resume", "--resume"},
		{"--from=a.csv", "--from=a.csv", `"--from=a.csv"`, "'--from=a.csv'"},
		{`C:\my files\`, `'C:\my files\'`, `"C:\my files\\"`, `'C:\my files\'`},
		{`C:\x.csv`, `'C:\x.csv'`, `C:\x.csv`, `C:\x.csv`},
		{"o'neil@x.example", `'o'\''neil@x.example'`, `"o'neil@x.example"`, "'o''neil@x.example'"},
		{"a,b", "a,b", `"a,b"`, "'a,b'"},
		{"@list", "@list", "@list", "'@list'"},
		{"disk>1GB | x", "'disk>1GB | x'", `"disk>1GB | x"`, "'disk>1GB | x'"},
		{`name:"a b"`, `'name:"a b"'`, `^"name:\^"a b\^"^"`, `'name:"a b"'`},
		{"%PATH%", "%PATH%", `^"^%PATH^%^"`, "'%PATH%'"},
		{"ö", "'ö'", `"ö"`, "(''+[char]0x00F6+'')"},
	} {
		for shell, want := range map[Shell]string{POSIX: tc.sh, Cmd: tc.cmd, PowerShell: tc.powershell} {
			if got := shell.Join("x", tc.word); got != "x "+want {
				t.Errorf("%s: %q: %q, want %q", shell, tc.word, got, "x "+want)
			}
		}
	}
}

// TestMain shows the variables, or the arguments, in the process that a shell has started.
func TestMain(m *testing.M) {
	switch os.Getenv("SHELL_TEST_SHOW") {
	case "variables":
		for _, name := range slices.Sorted(maps.Keys(awkward)) {
			os.Stdout.WriteString(name + "=" + os.Getenv(name) + "\x00")
		}
	case "shell":
		os.Stdout.WriteString(string(Here()))
	case "arguments":
		os.Stdout.WriteString(strings.Join(os.Args[1:], "\x00") + "\x00")
	default:
		os.Exit(m.Run())
	}
}

// interpreter is how a shell of this machine runs a file.
type interpreter struct {
	shell   Shell
	program string
	args    []string
	file    string // its name
}

var interpreters = []interpreter{
	{POSIX, "sh", nil, "script.sh"},
	{Cmd, "cmd", []string{"/d", "/c"}, "script.cmd"},
	{PowerShell, "pwsh", []string{"-NoProfile", "-File"}, "script.ps1"},
}

// interpreterOf skips the test where a system has no shell of the kind.
func interpreterOf(t *testing.T, shell Shell) interpreter {
	t.Helper()
	i := interpreters[slices.IndexFunc(interpreters, func(i interpreter) bool { return i.shell == shell })]
	if _, err := exec.LookPath(i.program); err != nil {
		t.Skipf("there is no %s here", i.program)
	}
	return i
}

// installed are the shells of this machine: sh or, on Windows, cmd, and perhaps others.
func installed(t *testing.T) []interpreter {
	t.Helper()
	found := slices.DeleteFunc(slices.Clone(interpreters), func(i interpreter) bool {
		_, err := exec.LookPath(i.program)
		return err != nil
	})
	if len(found) == 0 {
		t.Fatal("there is no shell here")
	}
	return found
}

// run runs a script and returns what it wrote, at its NULs.
func (i interpreter) run(t *testing.T, show, script string) []string {
	t.Helper()
	file := filepath.Join(t.TempDir(), i.file)
	if err := os.WriteFile(file, []byte(script), 0o600); err != nil {
		t.Fatal(err)
	}
	command := exec.CommandContext(t.Context(), i.program, append(i.args, file)...)
	command.Env = append(os.Environ(), "SHELL_TEST_SHOW="+show)
	command.Stderr = os.Stderr
	out, err := command.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s", i.program, err, out)
	}
	return strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
}

// calls come before the name of a program in a script.
var calls = map[Shell]string{Cmd: "@", PowerShell: "& "}

func TestShellsReadTheScripts(t *testing.T) {
	variables := maps.Clone(awkward)
	if testkit.UnderWine() {
		delete(variables, "BEYOND") // its cmd does not know chcp
	}
	var want []string
	for _, name := range slices.Sorted(maps.Keys(awkward)) {
		want = append(want, name+"="+variables[name])
	}
	for _, i := range installed(t) {
		call := i.shell.Join(os.Args[0])
		got := i.run(t, "variables", i.shell.Script(variables)+calls[i.shell]+call+"\n")
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", i.shell, diff)
		}
	}
}

func TestAShellPassesTheWordsOn(t *testing.T) {
	words := slices.Sorted(maps.Values(awkward))
	line := POSIX.Join(append([]string{os.Args[0]}, words...)...)
	got := interpreterOf(t, POSIX).run(t, "arguments", line+"\n")
	if diff := cmp.Diff(words, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestTheNearestShellIsTaken(t *testing.T) {
	for _, tc := range []struct {
		ancestors []string
		want      Shell
	}{
		{[]string{"cmd.exe", "explorer.exe"}, Cmd},
		{[]string{"CMD.EXE"}, Cmd},
		{[]string{"pwsh.exe", "cmd.exe"}, PowerShell},
		{[]string{"powershell.exe"}, PowerShell},
		{[]string{"gatehouse.exe", "cmd.exe", "powershell.exe"}, Cmd}, // a shim of a package manager
		{[]string{"bash.exe", "mintty.exe"}, POSIX},
		{[]string{"explorer.exe"}, PowerShell},
		{nil, PowerShell},
	} {
		if got := nearest(tc.ancestors); got != tc.want {
			t.Errorf("%q: %s, want %s", tc.ancestors, got, tc.want)
		}
	}
}
