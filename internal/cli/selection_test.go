package cli

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const three = `{"Data":[{"Id":1,"Name":"Plans","Owner":{"Mail":"ann@x.example"},"DiskUsage":1500000000,"Deleted":null},
{"Id":2, "Name":"Bo\u0061rd","Owner":{"Mail":"bo@x.example"},"DiskUsage":999,"Deleted":null},
{"Id":3,"Name":"=1+1","Owner":{"Mail":"ann@x.example"},"DiskUsage":2000000,"CreateTime":"2020-02-01T00:00:00Z","Deleted":null}]}`

func TestRecordsOfAListAreChosen(t *testing.T) {
	d := fakeDesk(t, answer(three))
	d.login("ann@x.example")
	for arguments, want := range map[string]string{
		"--filter board -o json":                                         "[\n{\"Id\":2, \"Name\":\"Bo\\u0061rd\",\"Owner\":{\"Mail\":\"bo@x.example\"},\"DiskUsage\":999,\"Deleted\":null}\n]\n",
		"--filter name:BOARD -o ndjson":                                  "{\"Id\":2, \"Name\":\"Bo\\u0061rd\",\"Owner\":{\"Mail\":\"bo@x.example\"},\"DiskUsage\":999,\"Deleted\":null}\n",
		"--limit 1 -o ndjson":                                            "{\"Id\":1,\"Name\":\"Plans\",\"Owner\":{\"Mail\":\"ann@x.example\"},\"DiskUsage\":1500000000,\"Deleted\":null}\n",
		"--filter nosuchthing -o json":                                   "[]\n",
		"--sort mail,-disk --columns name,disk -o csv":                   "Name,DiskUsage\r\nPlans,1500000000\r\n'=1+1,2000000\r\nBoard,999\r\n",
		"--sort -disk --limit 2 --columns id -o csv":                     "Id\r\n1\r\n3\r\n",
		"--columns disk,deleted,name -o table":                           "  Disk  Deleted  Name\n1.5 GB  null     Plans\n999 B   null     Board\n2.0 MB  null     =1+1\n",
		"--columns disk,created -o table --filter disk>1k":               "  Disk  Created\n1.5 GB\n2.0 MB  2020-02-01 00:00\n",
		"--columns disk,created -o table --exact --sort -name --limit 1": " DiskUsage  CreateTime\n1500000000\n",
	} {
		for _, command := range []string{"shares", "companies --reseller r1"} {
			got := d.mustRun(strings.Fields(command + " " + arguments)...)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s %s (-want +got):\n%s", command, arguments, diff)
			}
		}
	}
}

func TestAChoiceThatMakesNoSenseIsRefused(t *testing.T) {
	d := fakeDesk(t, answer(three))
	d.login("ann@x.example")
	for arguments, want := range map[string]string{
		"--columns name -o json":       "--columns is not for",
		"--columns name -o ndjson":     "--columns is not for",
		"--limit -1":                   "--limit is a number of records, not -1",
		"--sort nosuch -o csv":         `--sort: no column is called "nosuch". The columns are`,
		"--columns d -o csv":           `--columns: "d" may be`,
		"--columns name,nosuch -o csv": `--columns: no column is called "nosuch"`,
		"--filter disk>":               "--filter: disk> needs a value. Add the value after disk>",
	} {
		r := d.run(append([]string{"shares"}, strings.Fields(arguments)...)...)
		if said := strings.ReplaceAll(r.stderr, "\n", " "); r.code != 2 || r.stdout != "" || !strings.Contains(said, want) {
			t.Errorf("%s: code %d, %q; want 2 and %q", arguments, r.code, r.stderr, want)
		}
	}
}

func TestAFilterThatFindsNothingSaysSo(t *testing.T) {
	d := fakeDesk(t, answer(three))
	d.login("ann@x.example")
	r := d.run("shares", "--filter", "nosuch:x", "-o", "table")
	for _, want := range []string{`There is no column "nosuch"; searching for the text instead.`, "No shares match the filter."} {
		if r.code != 0 || r.stdout != "" || !strings.Contains(r.stderr, want) {
			t.Errorf("code %d, %q, %q; want %q", r.code, r.stdout, r.stderr, want)
		}
	}
	empty := fakeDesk(t, answer(`{"Data":[]}`))
	empty.login("ann@x.example")
	if r := empty.run("shares", "--sort", "name", "--filter", "x", "-o", "table"); r.code != 0 || r.stderr != "No shares.\n" {
		t.Errorf("code %d, %q", r.code, r.stderr)
	}
}
