package browse

import (
	"context"
	"encoding/base64"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"gatehouse/api"
	"gatehouse/internal/files"
	"gatehouse/internal/testkit"
	"gatehouse/internal/testkit/uitest"
)

// The screens show local times.
func TestMain(m *testing.M) {
	time.Local = time.UTC
	os.Exit(m.Run())
}

// shares are those that a gateway gives.
type shares struct{ gateway *api.Gateway }

func (s shares) Shares(ctx context.Context, _, _ string) (*api.Body, error) {
	return s.gateway.Shares(ctx, "ada@harbor.example")
}

// showShares shows the shares of a gateway.
func showShares(d *uitest.Stage, s *uitest.Service, gateway http.Handler) {
	client := api.NewTransport(api.Options{Dial: s.Dial})
	d.Show(NewShares(d.Env, shares{&api.Gateway{HTTP: client, BaseURL: s.Handle(gateway), Tokens: testkit.Token("token")}}, "harbor.example"))
}

// openShares shows the shares of a gateway at a size, once there are some.
func openShares(t *testing.T, s *uitest.Service, gateway http.Handler, width, height int) *uitest.Stage {
	t.Helper()
	d := uitest.NewStage(t, width, height)
	showShares(d, s, gateway)
	d.Settle()
	return d
}

// answers is a gateway that gives one body after the other, the last one for ever.
func answers(bodies ...string) http.Handler {
	var asked atomic.Int64
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = fmt.Fprint(w, bodies[min(int(asked.Add(1)), len(bodies))-1])
	})
}

// toColumn goes from the first column of a library to another one.
func toColumn(d *uitest.Stage, title string) {
	for range slices.Index(uitest.LibraryColumns, title) {
		d.Press("right")
	}
}

// requireMarked checks which column of the shares keys are for.
func requireMarked(t *testing.T, d *uitest.Stage, title string) {
	t.Helper()
	if got := marked(d); got != title {
		t.Errorf("the marked column is %q, want %q", got, title)
	}
}

func marked(d *uitest.Stage) string {
	shares := d.Top().(*Shares)
	return shares.List.source.key(shares.grid.Column())
}

// requireSaid checks why the last key that could not work did nothing.
func requireSaid(d *uitest.Stage, reason string) {
	d.Until(fmt.Sprintf("the reason %q", reason), func() bool { return len(d.Said) > 0 && d.Said[len(d.Said)-1] == reason })
}

// requireTold checks what the root was asked for last.
func requireTold(d *uitest.Stage, request any) {
	d.Until(fmt.Sprintf("the request %+v", request), func() bool { return len(d.Told) > 0 && d.Told[len(d.Told)-1] == request })
}

func TestTheColumnsAreRemembered(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		kept := files.MemoryState()
		kept.Set("shares.columns", map[string]any{"shown": []string{"Gone", "Owner", "Name"}, "hidden": []string{"Id", "Away"}})
		d := uitest.NewStage(t, 100, 24)
		d.Env.State = kept
		showShares(d, s, uitest.NewDrip(uitest.Library(60), uitest.Whole))
		d.Expect(" Owner", "▌ ann@harbor.example")
		requireMarked(t, d, "Owner")
		if strings.Contains(d.Frame(), " Id ") {
			t.Errorf("a hidden column is shown:\n%s", d.Frame())
		}
		d.Press("c", "space", "esc").Settle()
		requireMarked(t, d, "Name")
		var now chosenColumns
		kept.Get("shares.columns", &now)
		if !slices.Contains(now.Shown, "Gone") || !slices.Contains(now.Hidden, "Away") || !slices.Contains(now.Hidden, "Owner") {
			t.Errorf("remembered is %+v", now)
		}
	})
}

func TestAnExportIsWhatIsShown(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		dir := t.TempDir()
		t.Chdir(dir)
		d := openShares(t, s, uitest.NewDrip(uitest.Library(9), uitest.Whole), 100, 24)
		d.Press("c", "down", "down", "space", "down", "down", "space", "down", "space", "down", "space", "down", "space", "esc")
		d.Press("/")
		d.Type("owner:cho")
		d.Expect("3 of 9 shares")
		d.Press("enter", "right", "right", "s", "s")
		d.Expect("Disk ▼")
		d.Press("e")
		d.Expect("Export 3 shares", "filtered by owner:cho, sorted by Disk, largest first", "shares.xlsx")
		d.Press("down", "right", "enter")
		d.Settle()
		requireContent(t, filepath.Join(dir, "shares.csv"),
			"\uFEFFName,Owner,Disk\r\nShare 9,cho@harbor.example,8000000\r\nShare 6,cho@harbor.example,5000000\r\nShare 3,cho@harbor.example,2000000\r\n")
		d.Press("e", "down", "right", "down", "right", "enter", "y")
		d.Settle()
		requireContent(t, filepath.Join(dir, "shares.csv"),
			"Name,Owner,DiskUsage\r\nShare 9,cho@harbor.example,8000000\r\nShare 6,cho@harbor.example,5000000\r\nShare 3,cho@harbor.example,2000000\r\n")
	})
}

func requireContent(t *testing.T, path, want string) {
	t.Helper()
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("%s is\n%s\nwant\n%s", path, got, want)
	}
}

func TestTheDetailGoesToTheNextRecord(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := openShares(t, s, uitest.NewDrip(uitest.Library(3), uitest.Whole), 100, 24)
		d.Press("enter")
		d.Expect("1 of 3", "Name Share 1")
		d.Press("K")
		requireSaid(d, "it is the first of the list")
		d.Press("J")
		d.Expect("2 of 3", "Name Share 2")
		d.Press("J")
		d.Press("t").Expect("3 of 3", `"Share 3"`)
		d.Press("esc")
		d.Expect("▌ Share 3", "row 3 of 3")
	})
}

func TestSearchInTheDetailOfARecord(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := openShares(t, s, uitest.NewDrip([]byte(`[{"Name":"Board","ShareDefault":{"Owner":"ann@harbor.example"}}]`), uitest.Whole), 100, 40)
		d.Press("enter")
		d.Expect("Owner ")
		d.Press("t").Expect("Owner:")
		d.Press("n")
		requireSaid(d, "no search yet; press / first")
		d.Press("t").Gone("Owner:")
		d.Press("/")
		d.Type("owner")
		d.Expect("/ owner", "1 of 1")
		d.Press("enter", "n", "Y")
		requireTold(d, uitest.Copy{Text: "ShareDefault.Owner", What: "the path ShareDefault.Owner"})
		d.Press("esc", "t")
		d.Gone("/ owner")
		d.Gone("Owner:")
		d.Press("esc")
		d.Expect("row 1 of")
	})
}

func TestALongRecordIsNotReadForEachFrame(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		long := base64.StdEncoding.EncodeToString(make([]byte, 300_000))
		body := `[{"Name":"a","Text":"` + long + `"},{"Name":"b","Text":"x"}]`
		d := openShares(t, s, uitest.NewDrip([]byte(body), uitest.Whole), 100, 24)
		d.Expect(" a ", "400.0 kB", " b ")
		d.Press("enter")
		d.Expect("1 of 2", "Name a")
		d.Press("esc", "y")
		requireTold(d, uitest.Copy{Text: `{"Name":"a","Text":"` + long + `"}`, What: "a as JSON"})
	})
}

func TestAShareWithManyRelationsKeepsItsColumns(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		relation := `{"UserId":"0f8fad5b-d9cd-469f-a165-70867728950e","Name":"Ada Lindqvist","Rights":"read"},`
		relations := strings.TrimSuffix(strings.Repeat(relation, 420), ",")
		body := `[{"Id":1,"Name":"Drawings","ShareRelations":[` + relations + `],"ShareDefault":{"Owner":"cho"},"SpaceUsage":{"DiskUsage":1200000}},` +
			`{"Id":2,"Name":"Plans","ShareRelations":[],"ShareDefault":{"Owner":"ann"},"SpaceUsage":{"DiskUsage":34}}]`
		d := openShares(t, s, uitest.NewDrip([]byte(body), uitest.Whole), 120, 24)
		d.Expect("Drawings", "cho", "1.2 MB", "Plans", "ann").Gone("a record of")
	})
}

func TestAListThatNamesAFurtherPageSaysSo(t *testing.T) {
	for body, want := range map[string]string{
		`{"Data":[{"Name":"a"},{"Name":"b"},{"Name":"c"}],"TotalCount":300}`:       "3 of 300 shares · the service has more",
		`{"value":[{"Name":"a"}],"@odata.nextLink":"https://harbor.example/next"}`: "1 share · the service has more",
		`{"Data":[{"Name":"a"},{"Name":"b"}],"TotalCount":2}`:                      " 2 shares  ",
	} {
		uitest.Run(t, func(t *testing.T, s *uitest.Service) {
			openShares(t, s, uitest.NewDrip([]byte(body), uitest.Whole), 100, 24).Expect(want)
		})
	}
}

func TestAnEmptyListSaysWhatTheServiceSays(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := openShares(t, s, uitest.NewDrip([]byte(`{"Data":[],"Message":"Not for \u001b[31myou"}`), uitest.Whole), 100, 24)
		d.Expect("No shares.", "The service says: Not for")
		d = openShares(t, s, uitest.NewDrip([]byte(`{"Data":[],"Message":"Ok."}`), uitest.Whole), 100, 24)
		d.Expect("No shares.").Gone("The service says")
	})
}
