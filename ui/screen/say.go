package screen

import (
	"iter"
	"regexp"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Speaker is a [Screen] that says in sentences what it shows, beside drawing it. What any other
// screen shows is read from its drawing.
type Speaker interface {
	Say() iter.Seq[string]
}

// Listed is a [Screen] with rows, which are said a page at a time after what it says itself,
// and chosen by their numbers.
type Listed interface {
	// Rows is how many there are, and SayRow says one of them, from 0.
	Rows() int
	SayRow(at int) string
	// Choose moves the cursor to a row.
	Choose(at int)
}

// Word is what a person types for an action in place of its key: its title, or the second part of
// its id if the title is a sentence.
func Word(id, title string) string {
	if strings.Count(title, " ") > 1 {
		_, title, _ = strings.Cut(id, ".")
	}
	return strings.ToLower(title)
}

// Said is what a screen says.
func Said(s Screen) iter.Seq[string] {
	if speaker, ok := s.(Speaker); ok {
		return speaker.Say()
	}
	return ReadLines(drawn(s)...)
}

// ReadWidth is the width of what is read: it is drawn in so much room that nothing is wrapped or cut.
const ReadWidth, readHeight = 1000, 500

// drawn are the lines of a screen, with the texts around it first.
func drawn(s Screen) []string {
	var texts []string
	if boxed, ok := s.(Boxed); ok {
		pane, _, _ := boxed.Boxed(ReadWidth, readHeight)
		texts = append(texts, pane.Title, pane.Note)
	}
	paned, ok := s.(Paned)
	if ok {
		paned.Explained(false)
	}
	lines := strings.Split(s.Draw(ReadWidth, readHeight), "\n")
	if ok {
		pane := paned.Pane()
		texts = append(texts, pane.Title, pane.Note, pane.Foot)
	}
	return append(texts, lines...)
}

// apart is what stands between texts on one line that do not belong to one sentence.
var apart = regexp.MustCompile(` {2,}`)

// readLine makes a sentence of a drawn line: the first of its texts is what the others are about.
func readLine(drawn string) string {
	line := strings.TrimSpace(ansi.Strip(drawn))
	if line == "" {
		return ""
	}
	texts := slices.DeleteFunc(apart.Split(line, -1), func(text string) bool { return strings.Trim(text, ", ") == "" })
	switch len(texts) {
	case 0:
		return ""
	case 1:
		return Labelled("", texts[0])
	}
	return Labelled(strings.TrimSuffix(texts[0], ":"), strings.Join(texts[1:], ", "))
}

// SaidBeside is what stands beside a row of a list: of a [Paned] screen, what explains the row under
// the cursor.
func SaidBeside(s Screen) iter.Seq[string] {
	paned, ok := s.(Paned)
	if !ok {
		return Texts()
	}
	pane, content := paned.Side(ReadWidth, readHeight)
	return ReadLines(append([]string{pane.Title, pane.Note}, strings.Split(content, "\n")...)...)
}

// ReadLines reads drawn lines as sentences.
func ReadLines(drawn ...string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, line := range drawn {
			if text := readLine(line); text != "" && !yield(text) {
				return
			}
		}
	}
}

// Say says what happened, what to do next, and what to tell the user.
func (v *Verdict) Say(env *Env) iter.Seq[string] {
	texts := append([]string{}, v.Sentences...)
	for _, advice := range v.Advice {
		texts = append(texts, "Next: "+advice)
	}
	for _, step := range env.Keys.Fill(slices.Clone(v.Steps)) {
		if step.Enabled() && !strings.HasPrefix(step.Title, "copy") && !strings.HasPrefix(step.Title, "stop") {
			texts = append(texts, "Next: "+step.Title)
		}
	}
	if v.Tell != "" {
		texts = append(texts, "Tell the user: "+v.Tell)
	}
	return ReadLines(texts...)
}

// Say says what has to be known for an answer.
func (q *Question) Say() iter.Seq[string] {
	if q.Text == nil {
		return ReadLines(q.Asks)
	}
	return ReadLines(append([]string{q.Asks}, strings.Split(q.Text(ReadWidth), "\n")...)...)
}
