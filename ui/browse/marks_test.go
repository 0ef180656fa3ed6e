package browse

import (
	"path/filepath"
	"strings"
	"testing"

	"gatehouse/internal/testkit/uitest"
)

func TestWhatIsDoneIsDoneWithTheMarkedRows(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		dir := t.TempDir()
		t.Chdir(dir)
		d := openShares(t, s, uitest.NewDrip(uitest.Library(9), uitest.Whole), 110, 24)
		d.Press("down", "space", "down", "space").Expect("9 shares · 2 marked, 4.0 MB", "•Share 2", "•Share 4", "▌ Share 5")
		d.Press("e").Expect("Export 2 marked shares").Press("down", "right", "down", "right", "enter").Settle()
		requireContent(t, filepath.Join(dir, "shares.csv"), "Name,Owner,Created,DiskUsage,Open,Id,ShareTick,Tags\r\n"+
			"Share 2,ben@harbor.example,2026-03-01T12:00:00Z,1000000,false,00000001-0000-4000-8000-000000000000,0,\"[\"\"a\"\",\"\"b\"\"]\"\r\n"+
			"Share 4,ann@harbor.example,2026-02-27T12:00:00Z,3000000,false,00000003-0000-4000-8000-000000000000,0,\"[\"\"a\"\",\"\"b\"\"]\"\r\n")
		d.Press("right", "Y")
		requireTold(d, uitest.Copy{Text: "ben@harbor.example\nann@harbor.example\n", What: "Owner of 2 marked shares"})
		d.Press("y").Until("the records", func() bool {
			copied, ok := d.Told[len(d.Told)-1].(uitest.Copy)
			return ok && copied.What == "2 marked shares as JSON" && strings.HasPrefix(copied.Text, "[") &&
				strings.Contains(copied.Text, `"Name":"Share 2"`) && strings.Contains(copied.Text, `"Name":"Share 4"`)
		})
		d.Press("esc").Gone("marked")
	})
}

// A time that is not set is called the same in a comparison as in the list.
func TestATickOfNothingIsComparedAsNever(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := openShares(t, s, answers(`[{"Name":"ab","ShareTick":0,"Disk":0},{"Name":"b","ShareTick":635584236915068204,"Disk":7}]`), 100, 24)
		d.Press("space", "space", "v").Expect("3 differences", "never", "2015-02-01")
		if got := strings.Count(d.Frame(), "never"); got != 1 {
			t.Errorf("%d values are never, want the tick alone, not the number of 0", got)
		}
	})
}

func TestMarksStayWithTheirRecords(t *testing.T) {
	const before = `[{"Id":1,"Name":"ab"},{"Id":2,"Name":"b"},{"Id":3,"Name":"ac"},{"Id":4,"Name":"ad"}]`
	for _, tt := range []struct {
		name, after, want, said string
	}{
		{"in another order", `[{"Id":4,"Name":"ad"},{"Id":9,"Name":"new"},{"Id":3,"Name":"ac"},{"Id":2,"Name":"b"},{"Id":1,"Name":"ab"}]`, "1 of 5 shares · 2 marked, 1 not shown", ""},
		{"where one is gone", `[{"Id":9,"Name":"new"},{"Id":2,"Name":"b"}]`, "0 of 2 shares · 1 marked, 1 not shown", "1 marked share could not be found again: the new list has no such id."},
		{"where an id tells several", `[{"Id":1,"Name":"ab"},{"Id":1,"Name":"ab"},{"Id":2,"Name":"b"}]`, "2 of 3 shares · 1 marked, 1 not shown", "1 marked share could not be found again: the new list has no such id."},
		{"where nothing tells them", `[{"Name":"ab"},{"Name":"b"}]`, "1 of 2 shares ", "2 marked shares could not be found again: the new list has no such id."},
	} {
		t.Run(tt.name, func(t *testing.T) {
			uitest.Run(t, func(t *testing.T, s *uitest.Service) {
				d := openShares(t, s, answers(before, tt.after), 100, 24)
				d.Press("space", "space").Expect("4 shares · 2 marked")
				d.Press("s").Expect("2 marked", "•ab", "•b")
				d.Press("/").Type("ab").Press("enter").Expect("1 of 4 shares · 2 marked, 1 not shown")
				d.Press("A").Expect("1 of 4 shares · 1 marked, 1 not shown")
				d.Press("A", "r").Expect(tt.want)
				if tt.said != "" {
					requireTold(d, uitest.Say{Text: tt.said})
				} else if len(d.Told) > 0 {
					t.Errorf("said is %v", d.Told)
				}
				d.Press("esc").Gone("marked").Press("esc").Gone("/ ab")
			})
		})
	}
}
