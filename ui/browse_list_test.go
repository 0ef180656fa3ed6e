package ui

import (
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/files"
)

// columnsOf are the titles of the shares of a library in the order of the table.
var columnsOf = []string{"Name", "Owner", "DiskUsage", "Created", "ShareTick", "Open", "Tags", "Id"}

// toColumn goes from the first column to another one.
func (d *driver) toColumn(title string) {
	for range slices.Index(columnsOf, title) {
		d.press("right")
	}
}

func TestTheListLooksAsItShould(t *testing.T) {
	for _, size := range sizes {
		t.Run(fmt.Sprintf("%dx%d", size.width, size.height), func(t *testing.T) {
			home := filepath.Join(os.TempDir(), fmt.Sprintf("gatehouse-%07d", os.Getpid())) // always as long
			if err := os.Mkdir(home, 0o700); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = os.RemoveAll(home) })
			t.Setenv("HOME", home)
			d := openLibrary(t, demoVariables(t), library(200), size.width, size.height)
			d.hidden = home
			golden := func(name string, texts ...string) {
				t.Helper()
				d.wait(texts...)
				d.golden(fmt.Sprintf("browse/%s-%dx%d", name, size.width, size.height))
			}
			d.press("/")
			d.write("owner:ann disk>100MB")
			golden("filtered", "33 of 200 shares")
			d.press("enter", "esc")
			d.gone("of 200 shares")
			d.toColumn("DiskUsage")
			d.press("s")
			d.wait("DiskUsage ↑")
			d.press("s")
			d.wait("DiskUsage ↓")
			d.press("g")
			golden("sorted", "›Share 200", "sum 19.9 GB, count 200")
			d.press("left", "b")
			golden("grouped", "3 values", "ann@harbor.example")
			d.press("esc", "c")
			golden("picker", "Columns: 8 of 9 shown", "only nulls")
			d.press("esc", "e")
			d.press("home")
			d.write("~/")
			golden("export", "Export 200 shares", "sorted down by DiskUsage")
			d.press("enter")
			golden("export-done", "Wrote 200 shares")
			d.press("esc", "e", "home")
			d.write("~/")
			d.press("enter")
			golden("export-exists", "Replace it?")
			d.press("esc", "esc")
			d.wait("›Share 200")
			d.press("enter", "/")
			d.write("usage")
			golden("detail", "DiskUsage", "1 of 200")
		})
	}
}

func TestTheFilterSaysWhatItDidNotUnderstand(t *testing.T) {
	d := openLibrary(t, demoVariables(t), library(60), 100, 24)
	d.press("/")
	d.write("colour:red")
	d.wait(`no column "colour"`, "none of the 60 shares")
	d.press("esc")
	d.gone("no column")
}

func TestTheHelpExplainsTheFilter(t *testing.T) {
	d := openLibrary(t, demoVariables(t), library(60), 100, 100)
	d.press("?")
	d.wait("What the filter understands", "owner:ann", "created>7d")
}

func TestTabWritesOutTheNameOfAColumn(t *testing.T) {
	d := openLibrary(t, demoVariables(t), library(60), 100, 24)
	d.press("/")
	d.write("!o")
	d.press("tab")
	d.wait("filter: !Owner:")
	d.press("tab")
	d.wait("filter: !Open:")
	d.press("tab")
	d.wait("filter: !Owner:")
	d.write("ann")
	d.wait("40 of 60 shares")
	d.press("tab")
	d.wait("No column begins with Owner:ann")
}

func TestAValueBecomesAFilter(t *testing.T) {
	d := openLibrary(t, demoVariables(t), library(61), 100, 24)
	d.toColumn("Owner")
	d.press("b")
	d.wait("3 values", "›ann@harbor.example")
	d.press("down", "enter")
	d.wait("filter Owner==ben@harbor.example", "20 of 61 shares")
	d.press("esc", "b")
	d.wait("3 values")
	d.press("x")
	d.wait("filter !Owner==ann@harbor.example", "40 of 61 shares")
}

func TestNullsAreValuesToo(t *testing.T) {
	body := `[{"Name":"a","Note":"x"},{"Name":"b","Note":null},{"Name":"c"},{"Name":"d","Note":null}]`
	d := openLibrary(t, demoVariables(t), []byte(body), 100, 24)
	d.press("right", "b")
	d.wait("1 value", "null")
	d.press("G", "enter")
	d.wait("filter Note==null", "2 of 4 shares")
}

func TestTheColumnsAreRemembered(t *testing.T) {
	kept := files.MemoryState()
	kept.Set("shares.columns", map[string]any{"shown": []string{"Gone", "Owner", "Name"}, "hidden": []string{"Id", "Away"}, "widths": map[string]int{"Gone": 30, "Owner": 30}})
	v := demoVariables(t)
	dripping(t, v, library(60), whole)
	d := open(t, v, 100, 24)
	d.model.root.env.State = kept
	d.goInto("ada")
	d.wait("[Owner                         ] Name ", "›ann@harbor.example")
	if strings.Contains(d.frame(), " Id ") {
		t.Errorf("a hidden column is shown:\n%s", d.frame())
	}
	d.press("H")
	d.wait("[Name")
	var now struct {
		Shown, Hidden []string
		Widths        map[string]int
	}
	kept.Get("shares.columns", &now)
	if !slices.Contains(now.Shown, "Gone") || !slices.Contains(now.Hidden, "Away") || now.Widths["Gone"] != 30 || !slices.Contains(now.Hidden, "Owner") {
		t.Errorf("remembered is %+v", now)
	}
}

func TestAnExportIsWhatIsShown(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	d := openLibrary(t, demoVariables(t), library(9), 100, 24)
	d.press("c", "down", "down", "down", "space", "down", "space", "down", "space", "down", "space", "down", "down", "space", "esc")
	d.press("/")
	d.write("owner:cho")
	d.wait("3 of 9 shares")
	d.press("enter", "right", "right", "s", "s")
	d.wait("DiskUsage ↓")
	d.press("e")
	d.wait("Export 3 shares", "filtered by owner:cho, sorted down by DiskUsage", "the 3 shown")
	d.press("enter")
	d.wait("Wrote 3 shares with the 3 columns shown")
	got, err := os.ReadFile(filepath.Join(dir, "shares 2026-03-02.csv"))
	if err != nil {
		t.Fatal(err)
	}
	want := "Name,Owner,DiskUsage\r\nShare 9,cho@harbor.example,8000000\r\nShare 6,cho@harbor.example,5000000\r\nShare 3,cho@harbor.example,2000000\r\n"
	if string(got) != want {
		t.Errorf("the file is\n%s\nwant\n%s", got, want)
	}
}

func TestWhereFilesAreOutOfReachTheRowsAreCopied(t *testing.T) {
	d := openLibrary(t, demoVariables(t), library(3), 140, 24)
	d.model.root.env.Remote = true
	d.press("?")
	d.wait("a file would be written on the machine you are signed in to")
	d.press("esc")
	d.drain()
	d.press("e")
	d.wait("Copied 3 shares as CSV")
}

func TestTheDetailGoesToTheNextRecord(t *testing.T) {
	d := openLibrary(t, demoVariables(t), library(3), 100, 24)
	d.press("enter")
	d.wait("1 of 3", `"Share 1"`)
	d.press("K")
	d.wait("Not now: it is the first of the list")
	d.press("J")
	d.wait("2 of 3", `"Share 2"`)
	d.press("J")
	d.wait("3 of 3", `"Share 3"`)
	d.press("esc")
	d.wait("›Share 3", "row 3 of 3")
}

func TestAPanelTakesTheMouse(t *testing.T) {
	d := openLibrary(t, demoVariables(t), library(60), 100, 24)
	d.press("right", "b")
	d.wait("3 values")
	at := slices.IndexFunc(strings.Split(d.frame(), "\n"), func(line string) bool { return strings.Contains(line, "cho@harbor.example") })
	click := tea.MouseClickMsg{X: 3, Y: at, Button: tea.MouseLeft}
	d.update(click)
	d.wait("›cho@harbor.example")
	d.update(click)
	d.wait("filter Owner==cho@harbor.example")
}

func TestSumsOfNumbersBeyondAllMeasure(t *testing.T) {
	body := `[{"Name":"a","Size":9223372036854775807,"N":0.1},{"Name":"b","Size":9223372036854775807,"N":0.2}]`
	d := openLibrary(t, demoVariables(t), []byte(body), 100, 24)
	d.press("right")
	d.wait("Size: sum 18.4 EB, count 2")
	d.press("right")
	d.wait("N: sum 0.3, count 2")
}

func TestALongRecordIsNotReadForEachFrame(t *testing.T) {
	long := base64.StdEncoding.EncodeToString(make([]byte, 300_000))
	body := `[{"Name":"a","Text":"` + long + `"},{"Name":"b","Text":"x"}]`
	d := openLibrary(t, demoVariables(t), []byte(body), 100, 24)
	d.wait("a record of 400.0 kB", " b ")
	d.press("enter")
	d.wait("share 1")
	d.press("esc", "y")
	d.wait("Not copied: 400.0 kB")
}

func TestAnEmptyListSaysWhatTheServiceSays(t *testing.T) {
	v := demoVariables(t)
	dripping(t, v, []byte(`{"Data":[],"Message":"Not for \u001b[31myou"}`), whole)
	d := open(t, v, 100, 24)
	d.signIn("ada")
	d.press("enter")
	d.wait("No shares.", "The service says: Not for")
}

func TestATermThatIsBegunLeavesTheRowsAsTheyAre(t *testing.T) {
	d := openLibrary(t, demoVariables(t), library(60), 100, 24)
	d.press("/")
	d.write("owner:")
	d.wait("nothing behind owner: yet", "60 shares", "›Share 1 ")
	d.write("ben")
	d.wait("20 of 60 shares")
}

func TestWhatIsAboutTheRowsWaitsForThoseAskedFor(t *testing.T) {
	d := openLibrary(t, demoVariables(t), library(60), 100, 24)
	for _, key := range []string{"e", "b"} {
		d.press("/")
		d.hurry("7", "enter", key)
		d.wait("The shares are still being filtered and sorted", "of 60 shares")
		d.press("esc")
		d.gone("of 60 shares")
	}
}
