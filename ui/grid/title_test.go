package grid

import "testing"

func TestTheOwnNameOfANestedMemberIsKeptLongest(t *testing.T) {
	for _, test := range []struct {
		title string
		room  int
		want  string
	}{
		{"SpaceUsage.DiskUsage", 20, "SpaceUsage.DiskUsage"},
		{"SpaceUsage.DiskUsage", 19, "…DiskUsage"},
		{"SpaceUsage.DiskUsage", 10, "…DiskUsage"},
		{"SpaceUsage.DiskUsage", 9, "DiskUsage"},
		{"SpaceUsage.DiskUsage", 6, "DiskU…"},
		{"a.b.Name", 7, "…Name"},
		{"a.b", 1, "b"},
		{"Description", 6, "Descr…"},
		{"ends.", 4, "end…"},
		{".", 1, "."},
	} {
		c := measureTitles([]Column{{Title: test.title}})[0]
		if got := c.titleIn(test.room); got != test.want {
			t.Errorf("%q in %d cells is %q, want %q", test.title, test.room, got, test.want)
		}
	}
}
