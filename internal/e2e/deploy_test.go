//go:build linux

package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const deploy = "../../.deploy"

// aFlag is a flag in a unit, a compose file or a document.
var aFlag = regexp.MustCompile(`(?:^|[\s"'[(\x60])(--[a-z][a-z-]+)`)

// TestTheDeployedFilesUseFlagsThatThereAre compares units, the compose file and the
// document with the program.
func TestTheDeployedFilesUseFlagsThatThereAre(t *testing.T) {
	help, err := exec.Command(binary, "serve", "--help-all").CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, help)
	}
	for _, file := range []string{deploy + "/gatehouse-serve.service", deploy + "/gatehouse-cluster.service", deploy + "/compose.yml", "../../docs/operations.md"} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		found := aFlag.FindAllSubmatch(text, -1)
		if len(found) < 3 {
			t.Errorf("%s has %d flags", file, len(found))
		}
		for _, flag := range found {
			if name := string(flag[1]); !regexp.MustCompile(regexp.QuoteMeta(name) + `\b`).Match(help) {
				t.Errorf("%s has %s, which `gatehouse serve --help` does not know", file, name)
			}
		}
	}
}

// The parts of a Containerfile that say what an image is made from.
var (
	base     = regexp.MustCompile(`(?m)^FROM (\S+)`)
	digest   = regexp.MustCompile(`@sha256:[0-9a-f]{64}$`)
	argument = regexp.MustCompile(`@\$\{(\w+)\}$`)
)

// TestTheImageIsMadeFromDigests looks for tags, which can mean another image tomorrow. A digest that
// the person has to give has no default, and every command that builds gives it.
func TestTheImageIsMadeFromDigests(t *testing.T) {
	text := fileText(t, deploy+"/Containerfile")
	images := base.FindAllStringSubmatch(text, -1)
	if len(images) != 2 {
		t.Fatalf("%d images: %q", len(images), images)
	}
	for _, found := range images {
		given := argument.FindStringSubmatch(found[1])
		switch {
		case found[1] == "scratch" || digest.MatchString(found[1]):
		case given == nil:
			t.Errorf("%s has no digest", found[1])
		case !strings.Contains(text, "\nARG "+given[1]+"\n"):
			t.Errorf("%s is not asked for, or has a default", given[1])
		default:
			requireGiven(t, given[1])
		}
	}
}

// requireGiven looks for an argument in all commands that build the image.
func requireGiven(t *testing.T, name string) {
	t.Helper()
	commands := regexp.MustCompile(`(?m)^podman build .*$`).FindAllString(fileText(t, "../../docs/ssh.md"), -1)
	if len(commands) == 0 {
		t.Error("docs/ssh.md does not build the image")
	}
	for _, command := range commands {
		if !strings.Contains(command, " --build-arg "+name+"=") {
			t.Errorf("%s is missing: %s", name, command)
		}
	}
}

func fileText(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestSystemdUnderstandsTheUnits(t *testing.T) {
	program, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Log("there is no systemd here, which is no part of the program")
		return
	}
	for _, name := range []string{"gatehouse-serve.service", "gatehouse-cluster.service"} {
		text, err := os.ReadFile(filepath.Join(deploy, name))
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(t.TempDir(), name)
		unit := strings.ReplaceAll(string(text), "/usr/local/bin/gatehouse", binary)
		if err := os.WriteFile(file, []byte(unit), 0o600); err != nil {
			t.Fatal(err)
		}
		if said, err := exec.Command(program, "verify", "--man=no", file).CombinedOutput(); err != nil || len(said) > 0 {
			t.Errorf("%s: %v\n%s", name, err, said)
		}
	}
}

func TestHAProxyUnderstandsItsConfiguration(t *testing.T) {
	program, err := exec.LookPath("haproxy")
	if err != nil {
		t.Skip("there is no haproxy here")
	}
	if said, err := exec.Command(program, "-c", "-f", balancerConfig).CombinedOutput(); err != nil || strings.Contains(string(said), "WARNING") {
		t.Errorf("%v: %s", err, said)
	}
}

func TestComposeUnderstandsItsFile(t *testing.T) {
	program, err := exec.LookPath("docker-compose")
	if err != nil {
		t.Skip("there is no docker-compose here")
	}
	if said, err := exec.Command(program, "-f", filepath.Join(deploy, "compose.yml"), "config", "--quiet").CombinedOutput(); err != nil || len(said) > 0 {
		t.Errorf("%v: %s", err, said)
	}
}
