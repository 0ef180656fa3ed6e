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
	"gatehouse/ui/uitest"
)

// columnsOf are the titles of the shares of a library in the order of the table.
var columnsOf = []string{"Name", "Owner", "DiskUsage", "Created", "ShareTick", "Open", "Tags", "Id"}

// toColumn goes from the first column to another one.
func (d *driver) toColumn(title string) {
	for range slices.Index(columnsOf, title) {
		d.Press("right")
	}
}

func TestTheListLooksAsItShould(t *testing.T) {
	for _, size := range sizes {
		t.Run(fmt.Sprintf("%dx%d", size.width, size.height), uitest.InBubble(func(t *testing.T, s *uitest.Service) {
			home := filepath.Join(os.TempDir(), fmt.Sprintf("gatehouse-%07d", os.Getpid())) // always as long
			if err := os.Mkdir(home, 0o700); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = os.RemoveAll(home) })
			t.Setenv("HOME", home)
			d := openLibrary(t, s, library(200), size.width, size.height)
			golden := func(name string, texts ...string) {
				t.Helper()
				d.Expect(texts...)
				d.Golden(fmt.Sprintf("browse/%s-%dx%d", name, size.width, size.height), home)
			}
			d.Press("/")
			d.Type("owner:ann disk>100MB")
			golden("filtered", "33 of 200 shares")
			d.Press("enter", "esc")
			d.Gone("of 200 shares")
			d.toColumn("DiskUsage")
			d.Press("s")
			d.Expect("DiskUsage ↑")
			d.Press("s")
			d.Expect("DiskUsage ↓")
			d.Press("g")
			golden("sorted", "›Share 200", "sum 19.9 GB, count 200")
			d.Press("left", "b")
			golden("grouped", "3 values", "ann@harbor.example")
			d.Press("esc", "c")
			golden("picker", "Columns: 8 of 9 shown", "only nulls")
			d.Press("esc", "e")
			d.Press("home")
			d.Type("~/")
			golden("export", "Export 200 shares", "sorted down by DiskUsage")
			d.Press("enter")
			golden("export-done", "Wrote 200 shares")
			d.Press("esc", "e", "home")
			d.Type("~/")
			d.Press("enter")
			golden("export-exists", "Replace it?")
			d.Press("esc", "esc")
			d.Expect("›Share 200")
			d.Press("enter", "/")
			d.Type("usage")
			golden("detail", "DiskUsage", "1 of 200")
		}))
	}
}

func TestTheFilterSaysWhatItDidNotUnderstand(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := openLibrary(t, s, library(60), 100, 24)
		d.Press("/")
		d.Type("colour:red")
		d.Expect(`no column "colour"`, "none of the 60 shares")
		d.Press("esc")
		d.Gone("no column")
	})
}

func TestTheHelpExplainsTheFilter(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := openLibrary(t, s, library(60), 100, 100)
		d.Press("?")
		d.Expect("What the filter understands", "owner:ann", "created>7d")
	})
}

func TestTabWritesOutTheNameOfAColumn(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := openLibrary(t, s, library(60), 100, 24)
		d.Press("/")
		d.Type("!o")
		d.Press("tab")
		d.Expect("filter: !Owner:")
		d.Press("tab")
		d.Expect("filter: !Open:")
		d.Press("tab")
		d.Expect("filter: !Owner:")
		d.Type("ann")
		d.Expect("40 of 60 shares")
		d.Press("tab")
		d.Expect("No column begins with Owner:ann")
	})
}

func TestAValueBecomesAFilter(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := openLibrary(t, s, library(61), 100, 24)
		d.toColumn("Owner")
		d.Press("b")
		d.Expect("3 values", "›ann@harbor.example")
		d.Press("down", "enter")
		d.Expect("filter Owner==ben@harbor.example", "20 of 61 shares")
		d.Press("esc", "b")
		d.Expect("3 values")
		d.Press("x")
		d.Expect("filter !Owner==ann@harbor.example", "40 of 61 shares")
	})
}

func TestNullsAreValuesToo(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		body := `[{"Name":"a","Note":"x"},{"Name":"b","Note":null},{"Name":"c"},{"Name":"d","Note":null}]`
		d := openLibrary(t, s, []byte(body), 100, 24)
		d.Press("right", "b")
		d.Expect("1 value", "null")
		d.Press("G", "enter")
		d.Expect("filter Note==null", "2 of 4 shares")
	})
}

func TestTheColumnsAreRemembered(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		kept := files.MemoryState()
		kept.Set("shares.columns", map[string]any{"shown": []string{"Gone", "Owner", "Name"}, "hidden": []string{"Id", "Away"}, "widths": map[string]int{"Gone": 30, "Owner": 30}})
		dripping(s, library(60), whole)
		d := open(t, s, 100, 24)
		d.model.root.env.State = kept
		d.goInto("ada")
		d.Expect("[Owner                         ] Name ", "›ann@harbor.example")
		if strings.Contains(d.Frame(), " Id ") {
			t.Errorf("a hidden column is shown:\n%s", d.Frame())
		}
		d.Press("H")
		d.Expect("[Name")
		var now struct {
			Shown, Hidden []string
			Widths        map[string]int
		}
		kept.Get("shares.columns", &now)
		if !slices.Contains(now.Shown, "Gone") || !slices.Contains(now.Hidden, "Away") || now.Widths["Gone"] != 30 || !slices.Contains(now.Hidden, "Owner") {
			t.Errorf("remembered is %+v", now)
		}
	})
}

func TestAnExportIsWhatIsShown(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		dir := t.TempDir()
		t.Chdir(dir)
		d := openLibrary(t, s, library(9), 100, 24)
		d.Press("c", "down", "down", "down", "space", "down", "space", "down", "space", "down", "space", "down", "down", "space", "esc")
		d.Press("/")
		d.Type("owner:cho")
		d.Expect("3 of 9 shares")
		d.Press("enter", "right", "right", "s", "s")
		d.Expect("DiskUsage ↓")
		d.Press("e")
		d.Expect("Export 3 shares", "filtered by owner:cho, sorted down by DiskUsage", "the 3 shown")
		d.Press("enter")
		d.Expect("Wrote 3 shares with the 3 columns shown")
		got, err := os.ReadFile(filepath.Join(dir, "shares 2026-03-02.csv"))
		if err != nil {
			t.Fatal(err)
		}
		want := "Name,Owner,DiskUsage\r\nShare 9,cho@harbor.example,8000000\r\nShare 6,cho@harbor.example,5000000\r\nShare 3,cho@harbor.example,2000000\r\n"
		if string(got) != want {
			t.Errorf("the file is\n%s\nwant\n%s", got, want)
		}
	})
}

func TestWhereFilesAreOutOfReachTheRowsAreCopied(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := openLibrary(t, s, library(3), 140, 24)
		d.model.root.env.Remote = true
		d.model.root.settle()
		d.Press("?")
		d.Expect("a file would be written on the machine you are signed in to")
		d.Press("esc")
		d.Settle()
		d.Press("e")
		d.Expect("Copied 3 shares as CSV")
	})
}

func TestTheDetailGoesToTheNextRecord(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := openLibrary(t, s, library(3), 100, 24)
		d.Press("enter")
		d.Expect("1 of 3", `"Share 1"`)
		d.Press("K")
		d.Expect("Not now: it is the first of the list")
		d.Press("J")
		d.Expect("2 of 3", `"Share 2"`)
		d.Press("J")
		d.Expect("3 of 3", `"Share 3"`)
		d.Press("esc")
		d.Expect("›Share 3", "row 3 of 3")
	})
}

func TestAPanelTakesTheMouse(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := openLibrary(t, s, library(60), 100, 24)
		d.Press("right", "b")
		d.Expect("3 values")
		at := slices.IndexFunc(strings.Split(d.Frame(), "\n"), func(line string) bool { return strings.Contains(line, "cho@harbor.example") })
		click := tea.MouseClickMsg{X: 3, Y: at, Button: tea.MouseLeft}
		d.Update(click)
		d.Expect("›cho@harbor.example")
		d.Update(click)
		d.Expect("filter Owner==cho@harbor.example")
	})
}

func TestSumsOfNumbersBeyondAllMeasure(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		body := `[{"Name":"a","Size":9223372036854775807,"N":0.1},{"Name":"b","Size":9223372036854775807,"N":0.2}]`
		d := openLibrary(t, s, []byte(body), 100, 24)
		d.Press("right")
		d.Expect("Size: sum 18.4 EB, count 2")
		d.Press("right")
		d.Expect("N: sum 0.3, count 2")
	})
}

func TestALongRecordIsNotReadForEachFrame(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		long := base64.StdEncoding.EncodeToString(make([]byte, 300_000))
		body := `[{"Name":"a","Text":"` + long + `"},{"Name":"b","Text":"x"}]`
		d := openLibrary(t, s, []byte(body), 100, 24)
		d.Expect("a record of 400.0 kB", " b ")
		d.Press("enter")
		d.Expect("share 1")
		d.Press("esc", "y")
		d.Expect("Not copied: 400.0 kB")
	})
}

func TestAnEmptyListSaysWhatTheServiceSays(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		dripping(s, []byte(`{"Data":[],"Message":"Not for \u001b[31myou"}`), whole)
		d := open(t, s, 100, 24)
		d.signIn("ada")
		d.Press("enter")
		d.Expect("No shares.", "The service says: Not for")
	})
}

func TestATermThatIsBegunLeavesTheRowsAsTheyAre(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := openLibrary(t, s, library(60), 100, 24)
		d.Press("/")
		d.Type("owner:")
		d.Expect("nothing behind owner: yet", "60 shares", "›Share 1 ")
		d.Type("ben")
		d.Expect("20 of 60 shares")
	})
}

func TestWhatIsAboutTheRowsWaitsForThoseAskedFor(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := openLibrary(t, s, library(60), 100, 24)
		for _, key := range []string{"e", "b"} {
			d.Press("/")
			d.Hurry("7", "enter", key)
			d.Expect("The shares are still being filtered and sorted", "of 60 shares")
			d.Press("esc")
			d.Gone("of 60 shares")
		}
	})
}
