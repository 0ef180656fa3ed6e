package screen

import (
	"cmp"
	"iter"
	"math"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/text/safetext"
	"gatehouse/styles"
)

// Verdict is a [Part] that says how something came out, in a screen that says so in the border of its
// pane: what happened, what to do next, and what to tell the user. The texts are drawn.
type Verdict struct {
	Env       *Env
	Sentences []Happened
	Advice    []string
	Steps     []Action // those that are possible have their keys below the advice
	Tell      string
}

// Happened is a sentence about what happened, as it is drawn and as it is said; if only drawn, it is said so.
type Happened struct{ Drawn, Said string }

// drawn are sentences as they are drawn.
func drawn(sentences []Happened) []string {
	texts := make([]string, len(sentences))
	for i, s := range sentences {
		texts[i] = s.Drawn
	}
	return texts
}

// minLabelled is the width from which on labels stand beside their texts.
const minLabelled = 56

// Draw implements [Part]. Where lines are few, what happened leaves half of them to what to do next
// and one to the keys. What to tell the person is there as a whole or not at all.
func (v Verdict) Draw(width, height int) Drawing {
	t, indent, tell := v.Env.Theme, 0, []string{}
	if width >= minLabelled {
		indent = len("Next  ")
	}
	if v.Tell != "" {
		indent = min(indent, 1) * len("Tell the user  ")
		tell = labelled(t, "Tell the user", []string{v.Tell}, width, indent, math.MaxInt)
	}
	happened := clipped(drawn(v.Sentences), width, math.MaxInt)
	next := labelled(t, "Next", v.Advice, width, indent, max(height/2, height-len(happened)-1))
	rest := height - len(next)
	keys := v.keys(width-indent, min(max(height/3, 1), max(rest-len(happened), 1), rest-1))
	lines := AtMost(happened, rest-len(keys.Lines), width)
	if len(lines)+len(keys.Lines)+len(tell) > rest {
		tell = nil
	}
	spots := moved(keys.Spots, indent, len(lines)+len(next))
	Indented(keys.Lines, indent)
	if len(next) == 0 && len(keys.Lines) > 0 && indent > 0 {
		keys.Lines[0] = t.Muted.Render(safetext.Pad("Next", indent)) + keys.Lines[0][indent:]
	}
	return Drawing{Lines: slices.Concat(lines, next, keys.Lines, tell), Spots: spots}
}

// labelled are paragraphs in a limited number of lines, after a label in indent cells; without
// these they begin with it.
func labelled(t *styles.Theme, label string, texts []string, width, indent, most int) []string {
	if len(texts) == 0 || most < 1 {
		return nil
	}
	if indent == 0 {
		texts = slices.Clone(texts)
		texts[0] = t.Muted.Render(label+":") + " " + texts[0]
		return clipped(texts, width, most)
	}
	lines := Indented(clipped(texts, width-indent, most), indent)
	lines[0] = t.Muted.Render(safetext.Pad(label, indent)) + lines[0][indent:]
	return lines
}

// clipped are paragraphs in a limited number of lines.
func clipped(paragraphs []string, width, most int) []string {
	var lines []string
	for _, text := range paragraphs {
		item := strings.TrimLeft(text, " ")
		indent := len(text) - len(item)
		wrapped := Indented(strings.Split(Wrap(item, width-2*indent), "\n"), 2*indent)
		wrapped[0] = wrapped[0][indent:]
		lines = append(lines, wrapped...)
	}
	return AtMost(lines, most, width)
}

// keys are the lines of keys that lead on, up to a limit.
func (v Verdict) keys(width, most int) Drawing {
	const gap = "   "
	var d Drawing
	at := width
	for _, a := range v.possible() {
		text := v.Env.Theme.Key.Render(a.ShortKeyNames()[0]) + " " + a.Title
		cells := Cells(text)
		if at+len(gap)+cells <= width {
			d.Lines[len(d.Lines)-1] += gap
			at += len(gap)
		} else if len(d.Lines) >= most {
			break
		} else {
			d.Lines, at = append(d.Lines, ""), 0
		}
		line := len(d.Lines) - 1
		d.Lines[line] += text
		click := func(int, int) tea.Cmd { return a.Run() }
		d.Spots = append(d.Spots, Spot{X: at, Y: line, Width: cells, Height: 1, Click: click})
		at += cells
	}
	return d
}

// possible are the steps that can be done, with their keys.
func (v Verdict) possible() []Action {
	steps := v.Env.Keys.Fill(slices.Clone(v.Steps))
	return slices.DeleteFunc(steps, func(a Action) bool { return !a.Enabled() })
}

// Say implements [Part]: what happened, what to do next, and what to tell the user.
func (v Verdict) Say() iter.Seq[string] {
	var texts []string
	for _, s := range v.Sentences {
		texts = append(texts, cmp.Or(s.Said, s.Drawn))
	}
	for _, advice := range v.Advice {
		texts = append(texts, "Next: "+advice)
	}
	for _, step := range v.possible() {
		if !step.Aside {
			texts = append(texts, "Next: "+step.Title)
		}
	}
	if v.Tell != "" {
		texts = append(texts, "Tell the user: "+v.Tell)
	}
	return Texts(texts...)
}
