package screen_test

import (
	"testing"

	"gatehouse/ui/screen"
)

func TestFindWhileTypingSeesOnlyWhatWorksThere(t *testing.T) {
	list := []screen.Action{
		{ID: "quit", Keys: []string{"q"}},
		{ID: "cancel", Keys: []string{"esc"}, Typing: true},
	}
	for _, c := range []struct {
		key    string
		typing bool
		want   string
	}{
		{"q", false, "quit"}, {"q", true, ""}, {"esc", true, "cancel"}, {"esc", false, "cancel"}, {"x", false, ""},
	} {
		got, ok := screen.FindAction(list, c.key, c.typing)
		if got.ID != c.want || ok != (c.want != "") {
			t.Errorf("Find(%q, typing %v) = %q, %v; want %q", c.key, c.typing, got.ID, ok, c.want)
		}
	}
}

func TestShownHidesWhatAnEarlierActionCovers(t *testing.T) {
	shown := screen.ShownActions([]screen.Action{
		{ID: "close", Keys: []string{"esc"}},
		{ID: "back", Keys: []string{"esc", "backspace"}},
		{ID: "other", Keys: []string{"esc"}},
	}, false)
	if len(shown) != 2 || shown[0].ID != "close" || shown[1].KeyNames() != "backspace" {
		t.Fatalf("shown: %+v", shown)
	}
}

func TestKeyNames(t *testing.T) {
	a := screen.Action{Keys: []string{"down", "j", "shift+tab", "ctrl+r"}}
	if got, want := a.KeyNames(), "↓/j/⇧tab/ctrl+r"; got != want {
		t.Errorf("KeyNames() = %q, want %q", got, want)
	}
}
