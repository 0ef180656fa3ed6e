package cli

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatehouse/internal/testkit"
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
		"--columns disk,deleted,name -o table":                           " Disk Deleted Name\n1.5 GB null Plans\n999 B null Board\n2.0 MB null =1+1\n",
		"--columns disk,created -o table --filter disk>1k":               " Disk Created\n1.5 GB\n2.0 MB 2020-02-01 00:00\n",
		"--columns disk,created -o table --exact --sort -name --limit 1": " DiskUsage CreateTime\n1500000000\n",
	} {
		for _, command := range []string{"shares", "companies --reseller r1"} {
			got := d.mustRun(strings.Fields(command + " " + arguments)...)
			if strings.Contains(arguments, "-o table") {
				got = testkit.OneBlank(got)
			}
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
		"--sort dusk -o csv":           `--sort: no column is called "dusk". Did you mean disk? The columns are`,
		"--columns nmae -o csv":        `--columns: no column is called "nmae". Did you mean name? The columns are`,
		"--columns d -o csv":           `--columns: "d" may be`,
		"--columns name,nosuch -o csv": `--columns: no column is called "nosuch"`,
		"--filter disk>":               "--filter: disk> needs a value. Add the value after disk>",
		"--filter dusk>1GB":            `--filter: no column "dusk". Did you mean disk? The columns are Name,`,
		"--filter nosuch:x":            `--filter: no column "nosuch". The columns are Name,`,
		"--filter disk>1XB":            `--filter: no unit "XB". Did you mean GB or MB or kB? Units are kB,`,
		"--filter disk>plans":          `--filter: "plans" cannot be compared with sizes. Write a number such as 1000 or 1.5GB.`,
		"--filter created>soon":        `--filter: "soon" cannot be compared with times. Write a time such as 2025-03,`,
		"--filter created>03/04/2020":  `--filter: "03/04/2020" may be "2020-04-03" or "2020-03-04". Write one of them. To find it as text, put`,
		"--filter d:1":                 `--filter: "d" may be "Disk" or "Deleted". The columns are`,
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
	for _, filter := range []string{"nosuch", `"nosuch:x"`, "disk>1TB"} {
		r := d.run("shares", "--filter", filter, "-o", "table")
		if r.code != 0 || r.stdout != "" || r.stderr != "No shares match the filter.\n" {
			t.Errorf("%s: code %d, %q, %q", filter, r.code, r.stdout, r.stderr)
		}
	}
	empty := fakeDesk(t, answer(`{"Data":[]}`))
	empty.login("ann@x.example")
	if r := empty.run("shares", "--sort", "name", "--filter", "x", "-o", "table"); r.code != 0 || r.stderr != "No shares.\n" {
		t.Errorf("code %d, %q", r.code, r.stderr)
	}
}

// Spaces around an operator, a unit after a space and the names that people use find the same.
func TestAFilterIsUnderstoodAsPeopleWriteIt(t *testing.T) {
	d := fakeDesk(t, answer(three))
	d.login("ann@x.example")
	for _, filter := range []string{"size>1GB", "disk > 1GB", "disk>1 GB", "> 1 GB", "size:>1GB", "disk > 1 000 Mo", "larger:1GB"} {
		if got := d.mustRun("shares", "--filter", filter, "--columns", "name", "-o", "csv"); got != "Name\r\nPlans\r\n" {
			t.Errorf("%s: %q", filter, got)
		}
	}
	for filter, want := range map[string]struct {
		code int
		says string
	}{
		"size over 1GB":        {2, `--filter: "size over 1GB" is in no record as text. Did you mean size>1GB?`},
		"last week":            {2, `Did you mean created:last week? To find it as text, put`},
		"size>1GB sort:size":   {2, `Did you mean size>1GB?`},
		"order by size":        {2, `--filter: a filter does not sort. Sort with --sort,`},
		"owner=nobod":          {0, `"owner=nobod" finds nothing. Did you mean owner:nobod?`},
		"Acme Inc.":            {0, `"Acme Inc." finds nothing. Did you mean Acme Inc?`},
		"nobody,noone":         {0, `Did you mean nobody|noone?`},
		`"size over 1GB"`:      {0, "No shares match the filter."},
		"size between 1 and 2": {2, `Did you mean size:1..2?`},
	} {
		r := d.run("shares", "--filter", filter, "-o", "table")
		if said := strings.ReplaceAll(r.stderr, "\n", " "); r.code != want.code || r.stdout != "" || !strings.Contains(said, want.says) {
			t.Errorf("%s: code %d, %q, %q; want %d and %q", filter, r.code, r.stdout, r.stderr, want.code, want.says)
		}
	}
	long := d.run("shares", "--filter", strings.Repeat("dusk>1GB ", 1200), "-o", "json")
	if long.code != 2 || long.stdout != "" || !strings.Contains(long.stderr, `no column "dusk"`) {
		t.Errorf("a long filter: %+v", long)
	}
}
