package screen

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"gatehouse/internal/config"
	_ "gatehouse/internal/testkit" // takes -update, which is given to all packages of the UI at once
)

func TestTheTableHoldsTogether(t *testing.T) {
	m := DefaultKeys()
	if len(m.byID) != len(m.names()) {
		t.Error("an id stands in the table twice")
	}
	for _, e := range m.byID {
		if len(e.Keys) == 0 || e.Title == "" || e.Description == "" {
			t.Errorf("%s lacks something: %+v", e.Name(), e)
		}
		for _, key := range e.Keys {
			if _, ok := Press(key); !ok {
				t.Errorf("%s: there is no key %q", e.Name(), key)
			}
		}
		if isPhrase := len(strings.Fields(e.Title)) > 2; isPhrase != e.TypesShort {
			t.Errorf("%s: TypesShort is %t, and the title %q", e.Name(), e.TypesShort, e.Title)
		}
	}
}

func TestAWordIsTypedForAnAction(t *testing.T) {
	m := DefaultKeys()
	for _, tt := range []struct {
		id    ActionID
		title string
		want  string
	}{
		{RootCheck, "check an address", "check"},
		{RootCheck, "check an address without signing in", "check"},
		{FormFold, "fewer fields", "fewer fields"},
		{NoAction, "Shares", "shares"},
	} {
		if got := m.Word(tt.id, tt.title); got != tt.want {
			t.Errorf("%d with the title %q: %q", tt.id, tt.title, got)
		}
	}
}

func TestEscGoesBackByDefault(t *testing.T) {
	for _, e := range DefaultKeys().byID {
		if hasEsc := slices.Contains(e.Keys, "esc"); hasEsc != e.GoesBack {
			t.Errorf("%s: esc is its key: %t, it goes back: %t", e.Name(), hasEsc, e.GoesBack)
		}
		if e.Within && !e.GoesBack {
			t.Errorf("%s goes back within a screen, but does not go back", e.Name())
		}
	}
}

func TestAnActionGoesBackAndOpensARowWithWhateverKeys(t *testing.T) {
	m, err := DefaultKeys().Bind([]config.Binding{
		{Action: "root.back", Keys: []string{"f9"}},
		{Action: "browse.open", Keys: []string{"f10"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if !m.GoesBack(RootBack) || !m.OpensRow(BrowseOpen) || m.GoesBack(BrowseOpen) || m.OpensRow(RootBack) {
		t.Errorf("back: %+v, open: %+v", m.Entry(RootBack), m.Entry(BrowseOpen))
	}
}

func TestEachActionStandsInTheTable(t *testing.T) {
	m := DefaultKeys()
	for id := NoAction + 1; id < actionEnd; id++ {
		if m.Entry(id) == nil {
			t.Errorf("action %d has no entry; the one before it is %+v", id, m.Entry(id-1))
		}
	}
}

func TestBoundKeysTakeThePlaceOfThoseInTheTable(t *testing.T) {
	m, err := DefaultKeys().Bind([]config.Binding{{Action: "browse.sort", Keys: []string{"W", "ctrl+s"}}})
	if err != nil {
		t.Fatal(err)
	}
	list := m.Fill([]Action{{ID: BrowseSort}, {ID: GridDown}, {ID: TreeNext, Reason: "no", First: BrowseSort}, {ID: NoAction, Keys: []string{"x"}, Title: "own"}})
	if got := list[0].KeyNames() + " " + list[1].KeyNames() + " " + list[3].KeyNames(); got != "W/ctrl+s ↓/j/ctrl+n " {
		t.Errorf("the keys are %s", got)
	}
	if m.Key(BrowseSort) != "W" || list[3].Title != "own" || list[2].Reason != "no; press W first" {
		t.Errorf("%s, %+v", m.Key(BrowseSort), list)
	}
}

func TestWrongBindingsAreRefused(t *testing.T) {
	at := config.Origin{File: "config.toml"}
	for _, c := range []struct {
		action string
		keys   []string
		want   []string
	}{
		{"browse.srt", []string{"s"}, []string{"no action", `"browse.sort"`}},
		{"no such thing", []string{"s"}, []string{"no action", "docs/keys.md"}},
		{"browse.sort", nil, []string{"no key"}},
		{"browse.sort", []string{"crtl+s"}, []string{`"crtl+s"`, "ctrl+s"}},
		{"browse.sort", []string{"ctrl+i"}, []string{`"tab"`}},
		{"browse.sort", []string{"/"}, []string{"browse.sort", "search.open"}},
		{"browse.sort", []string{"esc"}, []string{"browse.sort", "root.back"}},
		{"grid.down", []string{"enter"}, []string{"grid.down", "domains.open"}},
		{"root.quit", []string{"x"}, []string{"works in fields"}},
		{"help.close", []string{"pgdown"}, []string{"help.close", "grid.pagedown"}},
		{"token.renew", []string{"j"}, []string{"token.renew", "grid.down"}},
	} {
		_, err := DefaultKeys().Bind([]config.Binding{{Action: c.action, Keys: c.keys, Origin: at}})
		refused, ok := errors.AsType[*config.Error](err)
		if !ok || !strings.HasPrefix(err.Error(), "config.toml: ") || refused.Want == "" {
			t.Errorf("%s = %q: %v", c.action, c.keys, err)
			continue
		}
		for _, want := range c.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s = %q: %v; want %q in it", c.action, c.keys, err, want)
			}
		}
	}
}

func TestKeysOfActionsThatNeverMeetMayBeTheSame(t *testing.T) {
	for _, b := range []config.Binding{
		{Action: "token.renew", Keys: []string{"s"}},      // as the sort of a list
		{Action: "browse.open", Keys: []string{"w"}},      // on its own
		{Action: "filter.keep", Keys: []string{"ctrl+e"}}, // while typing
		{Action: "form.pause", Keys: []string{"esc"}},     // as it was
		{Action: "browse.sort", Keys: []string{"s", "ctrl+s"}},
	} {
		if _, err := DefaultKeys().Bind([]config.Binding{b}); err != nil {
			t.Error(err)
		}
	}
	swapped := []config.Binding{{Action: "browse.sort", Keys: []string{"r"}}, {Action: "browse.reload", Keys: []string{"s"}}}
	if _, err := DefaultKeys().Bind(swapped); err != nil {
		t.Errorf("two that change places: %v", err)
	}
}

func TestAKeyWithSeveralMeaningsElsewhereIsSaidToHaveNone(t *testing.T) {
	keys := DefaultKeys()
	for _, tt := range []struct {
		key   string
		live  ActionID
		want  ActionID // NoAction: none is named
		bound bool
	}{
		{"enter", DomainsAsk, DomainsOpen, true},
		{"enter", TokenRenew, NoAction, true},
		{"b", DomainsAsk, BrowseValues, true},
		{"z", DomainsAsk, NoAction, false},
	} {
		elsewhere, bound := keys.Bound(tt.key, []Action{{ID: tt.live}})
		if got := keys.Entry(tt.want); elsewhere != got || bound != tt.bound {
			t.Errorf("%s, where %s is: %+v, %v", tt.key, keys.Entry(tt.live).Name(), elsewhere, bound)
		}
	}
}
