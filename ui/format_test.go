package ui

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gatehouse/internal/files"
	"gatehouse/internal/testkit"
	"gatehouse/internal/testkit/uitest"
	"gatehouse/session"
	"gatehouse/ui/browse"
)

// What the first version has remembered has to be read for ever. The file is one that it wrote,
// with every key that it had.
func TestTheStateOfTheFirstVersionIsRead(t *testing.T) {
	content, err := os.ReadFile("testdata/state-v1.json")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "gatehouse", "main.json")
	if err := files.System().Write(path, content); err != nil {
		t.Fatal(err)
	}
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		state := files.OpenState(path)
		opened := session.NewService(session.ServiceOptions{Profile: profile(t, s), Vault: session.NewMemoryVault(), Now: time.Now, Dial: s.Dial})
		d := start(t, Options{
			State: state, Now: time.Now,
			Open: func(context.Context) (Opened, error) { return Opened{Service: opened}, nil },
		}, 140, 40)
		if d.model.root.frame.Mouse {
			t.Error("root.mouse: the program has the mouse")
		}
		d.signIn("ada")
		d.Press("enter").Expect("minato.example", "Shares", "row 1 of 23") // domains.last
		frame := d.Frame()
		head := strings.Split(frame, "\n")[3]
		for _, column := range []string{"Disk", "Changed", "History", "Deleted"} { // shares.columns
			before, after, found := strings.Cut(head, column)
			if !found {
				t.Errorf("shares.columns: %s is not where it was left:\n%s", column, frame)
			}
			head = strings.Repeat(" ", len(before)) + after
		}
		if strings.Contains(frame, "UpdatedBy ") {
			t.Errorf("shares.columns: UpdatedBy is not hidden:\n%s", frame)
		}
		d.Press("ctrl+p").Type("the tides").Expect("the tides", "tide").Press("enter").Expect("1 of 23 shares", "Tide tables") // shares.filters
		top, _, _ := strings.Cut(strings.Split(d.Frame(), "\n")[2], "╮")
		if len([]rune(top)) > 85 { // lists.preview: 42 % of 140 cells instead of 37
			t.Errorf("lists.preview: the preview is not as wide as it was left:\n%s", d.Frame())
		}
		d.Press("enter").Expect("{") // record.tree
		d.Settle()
		if err := state.Close(); err != nil {
			t.Error(err)
		}
	})
	after, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var had, has map[string]json.RawMessage
	if err := errors.Join(json.Unmarshal(content, &had), json.Unmarshal(after, &has)); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(had, has); diff != "" {
		t.Errorf("it has changed (-had +has):\n%s", diff)
	}
}

func TestAPlaceOfTheFirstVersionIsRead(t *testing.T) {
	want := place{
		Version: 1, Username: "ada@harbor.example", Authority: "main", Domain: "harbor.example", Tab: "root.tab1",
		List: browse.Place{
			Filter: "size>1", Sort: []browse.SortedBy{{Column: "Name"}, {Column: "ShareTick", Descending: true}},
			Row: 3, Record: "05c3f1d7-b0d1-4184-94b5-665e69e88568",
		},
	}
	stored := testkit.Fixture(t, "place-v1.json")
	now := session.Status{Username: "ada@harbor.example", Authority: "main", Claims: session.Claims{PrimaryDomain: "harbor.example"}}
	got, ok := readPlace(stored, now)
	if diff := cmp.Diff(want, got); !ok || diff != "" {
		t.Errorf("it is read: %v (-want +got):\n%s", ok, diff)
	}
}

func TestThePlaceOfANewerProgramIsLeftAsItIs(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		k := uitest.NewKeeper(t)
		d := connect(t, s, k, 100, 30)
		d.signInKeeping("ada")
		d.hangUp()
		const newer = `{"version":2,"where":["harbor.example"]}`
		v := k.Connect(profile(t, s))
		_, _ = v.Load(t.Context())
		if err := v.SavePlace(t.Context(), []byte(newer)); err != nil {
			t.Fatal(err)
		}
		d = connect(t, s, k, 100, 30)
		d.Expect("4 domains", "from your last visit").Press("enter").Expect("row 1 of 42").Press("down").Pass(time.Minute)
		d.hangUp()
		if place, _ := k.Place(profile(t, s)); place != newer {
			t.Errorf("it has become %s", place)
		}
	})
}
