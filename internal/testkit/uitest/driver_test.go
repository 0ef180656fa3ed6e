package uitest

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
)

// diary writes down the messages that it is given, and begins work for some of them.
type diary struct {
	lines []string
	work  map[string]tea.Cmd
}

func (d *diary) Update(msg tea.Msg) tea.Cmd {
	line := ""
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		line = "key " + msg.String()
	case string:
		line = msg
	}
	d.lines = append(d.lines, line)
	return d.work[line]
}

func (d *diary) View() string { return strings.Join(d.lines, "\n") }

func says(text string, wait time.Duration) tea.Cmd {
	return func() tea.Msg {
		if wait > 0 {
			<-time.After(wait)
		}
		return text
	}
}

func TestWhatIsBegunTogetherAnswersInTheOrderInWhichItBegan(t *testing.T) {
	RunAlone(t, func(t *testing.T) {
		subject := &diary{work: map[string]tea.Cmd{
			"key a": tea.Batch(says("late", time.Second), says("first", 0), says("second", 0), says("as late", time.Second)),
			"first": says("from first", 0),
		}}
		d := NewDriver(t).Drive(subject, nil)
		d.Press("a", "b")
		want := "key a\nfirst\nsecond\nfrom first\nkey b"
		if got := d.Frame(); got != want {
			t.Errorf("what happens is\n%s\nwant\n%s", got, want)
		}
		d.Expect("as late")
		if got := d.Frame(); got != want+"\nlate\nas late" {
			t.Errorf("what happens later is\n%s", got)
		}
	})
}

func TestAHurriedKeyComesBeforeEveryAnswer(t *testing.T) {
	RunAlone(t, func(t *testing.T) {
		d := NewDriver(t).Drive(&diary{work: map[string]tea.Cmd{"key a": says("answer", 0)}}, nil)
		d.Hurry("a", "b").Settle()
		if got := d.Frame(); got != "key a\nkey b\nanswer" {
			t.Errorf("what happens is\n%s", got)
		}
	})
}

func TestTimePassesOnlyWhereNothingElseCanHappen(t *testing.T) {
	RunAlone(t, func(t *testing.T) {
		began := time.Now()
		d := NewDriver(t).Drive(&diary{work: map[string]tea.Cmd{"key a": says("answer", time.Second)}}, says("begun", 0))
		d.Expect("begun").Press("a").Settle()
		if passed := time.Since(began); passed != 0 {
			t.Errorf("%v passed though nobody waited", passed)
		}
		d.Expect("answer")
		if passed := time.Since(began); passed != time.Second {
			t.Errorf("%v passed, want a second", passed)
		}
		d.Pass(time.Hour).Send("from outside")
		d.Expect("from outside")
	})
}
