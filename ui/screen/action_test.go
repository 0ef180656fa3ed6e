package screen_test

import (
	"slices"
	"testing"

	"gatehouse/ui/screen"
)

func TestFindWhileTypingSeesOnlyWhatWorksThere(t *testing.T) {
	list := []screen.Action{
		{ID: screen.RootQuit, Keys: []string{"q"}},
		{ID: screen.FormPause, Keys: []string{"esc"}, Typing: true},
	}
	for _, c := range []struct {
		key    string
		typing bool
		want   screen.ActionID
	}{
		{"q", false, screen.RootQuit}, {"q", true, screen.NoAction}, {"esc", true, screen.FormPause},
		{"esc", false, screen.FormPause}, {"x", false, screen.NoAction},
	} {
		got, ok := screen.FindAction(list, c.key, c.typing)
		if got.ID != c.want || ok != (c.want != screen.NoAction) {
			t.Errorf("Find(%q, typing %v) = %d, %v; want %d", c.key, c.typing, got.ID, ok, c.want)
		}
	}
}

func TestShownHidesWhatAnEarlierActionCovers(t *testing.T) {
	shown := slices.Collect(screen.ShownActions([]screen.Action{
		{ID: screen.RootClose, Keys: []string{"esc"}},
		{ID: screen.RootBack, Keys: []string{"esc", "backspace"}},
		{ID: screen.HelpClose, Keys: []string{"esc"}},
	}, false))
	if len(shown) != 2 || shown[0].ID != screen.RootClose || shown[1].KeyNames() != "backspace" {
		t.Fatalf("shown: %+v", shown)
	}
}

func TestKeyNames(t *testing.T) {
	a := screen.Action{Keys: []string{"down", "j", "shift+tab", "ctrl+r"}}
	if got, want := a.KeyNames(), "↓/j/shift+tab/ctrl+r"; got != want {
		t.Errorf("KeyNames() = %q, want %q", got, want)
	}
}

func TestKeysHaveTheNamesThatTheyArePressedBy(t *testing.T) {
	for _, name := range []string{"a", "G", "?", "+", "-", "é", "space", "enter", "esc", "pgdown", "f1", "f9", "f10", "f12", "ctrl+s", "ctrl+alt+x", "alt+enter", "shift+tab", "ctrl++", "ctrl+up"} {
		if press, ok := screen.Press(name); !ok || press.String() != name {
			t.Errorf("%q is pressed as %q, %v", name, press.String(), ok)
		}
	}
	for _, name := range []string{"", "crtl+s", "ctrl+S", "shift+a", "ab", "f13", "ctrl+", "alt+ctrl+x", "\x1b", " "} {
		if press, ok := screen.Press(name); ok {
			t.Errorf("%q is pressed as %q", name, press.String())
		}
	}
}
