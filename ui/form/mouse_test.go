package form_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"gatehouse/styles"
	"gatehouse/ui/form"
)

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
				lines := strings.Split(ansi.Strip(m.Draw(30, height)), "\n")
				if y >= len(lines) || !strings.Contains(lines[y], "Label") {
					continue
				}
				_, want, _ := strings.Cut(strings.TrimSpace(lines[y]), "Label ")
				if m.Click(0, y); m.Focused() != want {
					t.Errorf("%d lines from field %s: line %d, %q, is field %s", height, from, y, lines[y], m.Focused())
				}
				m.Start(from)
			}
			m.Click(0, height+5)
			m.Click(0, -1)
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
	m.Draw(30, 5)
	m.Click(0, 3)
	if m.Focused() != "type" || m.Value("type") != "1" {
		t.Errorf("the first click chose %s of %s", m.Value("type"), m.Focused())
	}
	m.Click(0, 4)
	if m.Value("type") != "2" {
		t.Errorf("the second click chose %s", m.Value("type"))
	}
}
