package ui

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gatehouse/internal/hostile"
	"gatehouse/internal/testkit"
	"gatehouse/internal/testkit/uitest"
	"gatehouse/ui/screen"
)

func TestThePageOfKeysListsEveryKey(t *testing.T) {
	testkit.Section(t, "docs/keys.md", "keys", keyTable(Keys()))
}

func TestThePageOfScreensHasEachTab(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(testkit.Root(t), "docs", "screens.md"))
	if err != nil {
		t.Fatal(err)
	}
	page, tabs := string(text), Tabs()
	first, last := tabs[0].Keys[0], tabs[len(tabs)-1].Keys[0]
	if keys := fmt.Sprintf("`%s` to `%s` or", first, last); !strings.Contains(page, keys) {
		t.Errorf("docs/screens.md does not say that %s the next key choose a tab", keys)
	}
	for _, tab := range tabs {
		if !strings.Contains(page, "**"+tab.Title+"**") {
			t.Errorf("docs/screens.md does not describe the tab %s", tab.Title)
		}
	}
}

// keyTable is the key map as a table of docs/keys.md: the keys, what they do, and the
// name by which the config file binds others.
func keyTable(m *screen.KeyMap) string {
	var b strings.Builder
	b.WriteString("| keys | what they do | name |\n|---|---|---|\n")
	for _, g := range m.Groups() {
		fmt.Fprintf(&b, "| **%s** | | |\n", g.Title)
		for _, e := range g.Entries {
			fmt.Fprintf(&b, "| %s | %s | `%s` |\n", markdownKeys(e.Keys), e.Description, e.Name())
		}
	}
	return b.String()
}

func markdownKeys(keys []string) string {
	quoted := make([]string, len(keys))
	for i, key := range keys {
		quoted[i] = "`" + strings.ReplaceAll(key, "|", `\|`) + "`"
	}
	return strings.Join(quoted, ", ")
}

func TestWhatIsOpenInATabIsThereOnReturn(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := open(t, s, 100, 24)
		d.goInto("ada")
		d.Press("enter").Expect("1 of 42")
		detail := d.Frame()
		d.Press("2").Expect("25 companies").Press("1")
		if d.Frame() != detail {
			t.Errorf("after another tab the frame is\n%s\nwant\n%s", d.Frame(), detail)
		}
		d.Press("2").Press("esc").Expect("4 domains").Press("enter", "1")
		if d.Frame() != detail {
			t.Errorf("after the domains the frame is\n%s\nwant\n%s", d.Frame(), detail)
		}
	})
}

func TestAKeptTabThatFailedIsLoadedAgainWhenItIsShown(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := open(t, s, 80, 24)
		d.goInto("ada")
		for _, back := range [][]string{{"1", "2"}, {"esc", "enter"}} { // from another tab, from the domains
			s.Faults.Set(hostile.Rule{Fault: hostile.Respond(404, "", "")})
			d.Press("2", "r").Expect("answered 404").Settle()
			s.Faults.Set()
			d.Press(back...).Expect("25 companies").Gone("answered 404")
		}
	})
}

func TestAQuestionIsAnsweredBeforeAnotherTabIsShown(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := open(t, s, 80, 24)
		d.goInto("ada")
		path := filepath.Join(t.TempDir(), "shares.csv")
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		d.Press("e", "ctrl+u").Type(path).Press("enter").Expect("Replace it?")
		d.Click("1 Shares").Press("2", "tab").Expect("Replace it?", "replace the file")
		d.Press("esc", "esc").Click("2 Companies").Expect("25 companies")
	})
}

func TestOnlyTheCurrentOneOfNarrowTabsIsNamed(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := open(t, s, 40, 24)
		d.goInto("ada")
		for key, want := range map[string]string{"1": "1 Shares 2 3 4 5", "3": "1 2 3 Device login 4 5", "5": "1 2 3 4 5 Activity"} {
			d.Press(key).Settle().Expect(want)
		}
	})
}
