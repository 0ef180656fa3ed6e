package form_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

	"gatehouse/styles"
	"gatehouse/ui/form"
	"gatehouse/ui/screen"
)

// What is chosen in a field is louder than the text beside it only where keys choose.
func TestAChoiceWithoutTheFocusLooksLikeTheTextOfAField(t *testing.T) {
	theme := styles.New(styles.Options{})
	m := form.New(theme, form.Field{Key: "name", Label: "Name"},
		form.Field{Key: "type", Label: "Type", Options: []form.Option{{Label: "one", Value: "1"}, {Label: "two", Value: "2"}}})
	loud := theme.Key.Render("one")
	for focus, want := range map[string]bool{"name": false, "type": true} {
		m.Start(focus)
		drawn := draw(m, 30, 5)
		if got := strings.Contains(drawn, loud); got != want || strings.Contains(ansi.Strip(drawn), "→") != want {
			t.Errorf("with the focus on %s the choice is loud: %v\n%s", focus, got, drawn)
		}
	}
}

func TestAClickFindsTheFieldThatIsDrawnThere(t *testing.T) {
	fields := []form.Field{}
	for i := range 6 {
		fields = append(fields, form.Field{Key: fmt.Sprint(i), Label: fmt.Sprint("Label ", i)})
	}
	for _, height := range []int{1, 2, 4, 7, 8, 13, 18, 20} {
		for _, from := range []string{"0", "3", "5"} {
			m := form.New(styles.New(styles.Options{}), fields...)
			m.Start(from)
			for y := range height {
				lines := strings.Split(ansi.Strip(draw(m, 30, height)), "\n")
				if y >= len(lines) || !strings.Contains(lines[y], "Label") {
					continue
				}
				_, want, _ := strings.Cut(strings.TrimSpace(lines[y]), "Label ")
				if click(m, height, y); m.Focused() != want {
					t.Errorf("%d lines from field %s: line %d, %q, is field %s", height, from, y, lines[y], m.Focused())
				}
				m.Start(from)
			}
			click(m, height, height+5)
			click(m, height, -1)
			if m.Focused() != from {
				t.Errorf("a click beside the form leads to field %s", m.Focused())
			}
		}
	}
}

func TestAClickOnAChoiceTakesTheNextOption(t *testing.T) {
	m := form.New(styles.New(styles.Options{}), form.Field{Key: "name", Label: "Name"},
		form.Field{Key: "type", Label: "Type", Options: []form.Option{{Label: "one", Value: "1"}, {Label: "two", Value: "2"}}})
	m.Start("")
	draw(m, 30, 5)
	click(m, 5, 1)
	if m.Focused() != "type" || m.Value("type") != "1" {
		t.Errorf("the first click chose %s of %s", m.Value("type"), m.Focused())
	}
	click(m, 5, 1)
	if m.Value("type") != "2" {
		t.Errorf("the second click chose %s", m.Value("type"))
	}
}

func TestWhatIsPastedBecomesOneLine(t *testing.T) {
	for _, c := range []struct{ field, pasted, want string }{
		{"name", "one\ntwo\r\nthree\r\n", "one two three"},
		{"name", "tab\tbed", "tab bed"},
		{"secret", "pass word\r\n\n", "pass word"},
		{"secret", "two\nlines", ""},
		{"secret", "tab\tbed", ""},
	} {
		m := form.New(styles.New(styles.Options{}), form.Field{Key: "name", Label: "Name"}, form.Field{Key: "secret", Label: "Secret", Secret: true})
		m.Start(c.field)
		draw(m, 40, 10)
		m.Update(tea.PasteMsg{Content: c.pasted})
		if got := m.Value(c.field); got != c.want {
			t.Errorf("%q pasted into %s is %q, want %q", c.pasted, c.field, got, c.want)
		}
	}
}

func TestWhatIsTypedBehindATabIsNotInTheFieldBefore(t *testing.T) {
	name := form.Field{Key: "name", Label: "Name", Check: func(string) error { return errors.New("never right") }}
	m := form.New(styles.New(styles.Options{}), name, form.Field{Key: "secret", Label: "Secret", Secret: true})
	m.Start("name")
	draw(m, 40, 10)
	m.Update(tea.PasteMsg{Content: "ada"})
	do(t, m, screen.FormDown)
	m.Update(tea.PasteMsg{Content: "demo"})
	if m.Value("name") != "ada" || m.Value("secret") != "demo" {
		t.Errorf("%q and %q", m.Value("name"), m.Value("secret"))
	}
	do(t, m, screen.FormNext)
	if got := ansi.Strip(draw(m, 40, 10)); m.Focused() != "name" || !strings.Contains(got, "never right") {
		t.Errorf("in %s:\n%s", m.Focused(), got)
	}
}

// do runs an action of a form.
func do(t *testing.T, m *form.Model, id screen.ActionID) {
	t.Helper()
	actions := m.Actions("send", false)
	at := slices.IndexFunc(actions, func(a screen.Action) bool { return a.ID == id })
	if at < 0 || !actions[at].Enabled() {
		t.Fatalf("action %d cannot be done: %+v", id, actions)
	}
	actions[at].Run()
}

func TestOtherActionsFollowTheOneThatConfirmsAField(t *testing.T) {
	m := form.New(styles.New(styles.Options{}), form.Field{Key: "name", Label: "Name"}, form.Field{Key: "box", Label: "Box", Toggle: true})
	for focus, want := range map[string][]screen.ActionID{
		"name": {screen.FormNext, screen.RootCheck, screen.FormDown, screen.FormUp},
		"box":  {screen.FormToggle, screen.FormNext, screen.RootCheck, screen.FormDown, screen.FormUp},
	} {
		m.Start(focus)
		var got []screen.ActionID
		for _, a := range m.Actions("send", false, screen.Action{ID: screen.RootCheck}) {
			got = append(got, a.ID)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", focus, diff)
		}
	}
}

// An action that finds nothing to complete, and has no field to go to, says so.
func TestALastFieldSaysThatNothingIsCompleted(t *testing.T) {
	file := form.Field{Key: "file", Label: "File", Expand: func(typed string) string {
		if typed == "sh" {
			return "shares.csv"
		}
		return typed
	}}
	m := form.New(styles.New(styles.Options{}), file)
	m.Start("file")
	m.Update(tea.PasteMsg{Content: "sh"})
	do(t, m, screen.FormDown)
	if got := ansi.Strip(draw(m, 80, 10)); m.Value("file") != "shares.csv" || strings.Contains(got, "nothing") {
		t.Errorf("%q in\n%s", m.Value("file"), got)
	}
	do(t, m, screen.FormDown)
	if got := ansi.Strip(draw(m, 80, 10)); !strings.Contains(got, "nothing to complete") {
		t.Errorf("nothing is said:\n%s", got)
	}
	m.Update(tea.PasteMsg{Content: "x"})
	if got := ansi.Strip(draw(m, 80, 10)); strings.Contains(got, "nothing to complete") {
		t.Errorf("it is said of what was typed since:\n%s", got)
	}
}

// Keys that are bound to nothing do nothing: an action has a key only by the key map.
func TestAFormReadsNoKeysOfActions(t *testing.T) {
	m := form.New(styles.New(styles.Options{}), form.Field{Key: "name", Label: "Name", Value: "ada"}, form.Field{Key: "id", Label: "Id"})
	m.Submit = func() tea.Cmd {
		t.Error("a key has sent the form")
		return nil
	}
	for _, focus := range []string{"name", "id"} {
		for _, key := range []rune{tea.KeyEnter, tea.KeyTab, tea.KeyDown, tea.KeyUp} {
			m.Start(focus)
			if m.Update(tea.KeyPressMsg{Code: key}); m.Focused() != focus {
				t.Errorf("%c has moved the focus from %s", key, focus)
			}
		}
	}
}

func TestFieldsStandApartWhereThereIsRoomForAllOfThem(t *testing.T) {
	m := form.New(styles.New(styles.Options{}),
		form.Field{Key: "a", Label: "First", Noted: true}, form.Field{Key: "b", Label: "Second", Noted: true})
	m.Start("")
	for _, test := range []struct {
		height int
		want   []string
	}{
		{5, []string{"First", "", "", "Second", ""}},
		{4, []string{"First", "", "Second", ""}},
	} {
		lines := strings.Split(ansi.Strip(draw(m, 30, test.height)), "\n")
		for i, line := range lines {
			lines[i] = strings.Trim(line, " ┃")
		}
		if diff := cmp.Diff(test.want, lines); diff != "" {
			t.Errorf("in %d lines (-want +got):\n%s", test.height, diff)
		}
	}
}

// draw is a form as it is drawn in a size.
func draw(m *form.Model, width, height int) string {
	m.Settle(screen.Room{Width: width, Height: height})
	return m.Draw(width, height).String()
}

// click clicks on a line of the form as it is drawn in a height.
func click(m *form.Model, height, y int) {
	screen.ClickOn(m.Draw(30, height).Spots, 0, y)
}
