package screen

import (
	"cmp"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/text/safetext"
)

// Verdict is a [Part] that says how something ended, in blocks: what happened, how that is known,
// what to do next, and what to tell the user. All texts are drawn already. If there is room, the
// blocks have an empty line between them, unless the verdict is Compact.
type Verdict struct {
	Env       *Env
	Sentences []Happened
	Known     string   // how that is known; empty for nothing
	Steps     []Step   // what to do next
	Keys      []Action // more that can be done; those that are disabled are not shown
	Tell      string   // what to tell the user; empty for nothing
	TellKey   Action   // copies Tell; the zero Action for none
	Compact   bool     // there are no empty lines between the blocks
}

// Step is something to do next.
type Step struct {
	Text string
	// Key takes the step; the zero Action if the program cannot do that.
	Key Action
}

// Happened is a sentence about what happened. Drawn is the text on the screen, and Said what is
// said instead; if that is empty, Drawn is said.
type Happened struct {
	Drawn, Said string
	// Indent is how many cells are before the first line. Further lines have twice as many.
	Indent int
}

// minLabelled is the minimum width in cells with which labels stand in a column of their own.
const minLabelled = 56

// indent is the width of the column of labels; 0 if labels are in the same line as their texts.
func (v Verdict) indent(width int) int {
	switch {
	case width < minLabelled:
		return 0
	case v.Tell == "" && v.Known == "":
		return len("Next  ")
	}
	return len("Tell the user  ")
}

// Lines is how many lines the whole verdict takes, without empty lines between the blocks.
func (v Verdict) Lines(width int) int { return linesOf(v.blocks(width, math.MaxInt)) }

// linesOf is how many lines some blocks take, without empty lines between them.
func linesOf(blocks []Drawing) (sum int) {
	for _, block := range blocks {
		sum += len(block.Lines)
	}
	return sum
}

// Draw implements [Part].
func (v Verdict) Draw(width, height int) Drawing {
	blocks := v.blocks(width, height)
	isSpaced := !v.Compact && linesOf(blocks)+len(blocks)-1 <= height
	var all Drawing
	for i, block := range blocks {
		if i > 0 && isSpaced {
			all.Lines = append(all.Lines, "")
		}
		all.add(block)
	}
	return all
}

// blocks draws the blocks of the verdict in at most height lines; empty ones are left out. If
// there are too few lines, what happened leaves half of them to what to do next, and at least one
// to the keys. How that is known and what to tell the user are drawn in full or not at all.
func (v Verdict) blocks(width, height int) []Drawing {
	if height < math.MaxInt {
		if whole := v.blocks(width, math.MaxInt); linesOf(whole) <= height {
			return whole
		}
	}
	indent := v.indent(width)
	happened := wrapped(v.Sentences, width)
	next := v.steps(width, max(height/2, height-len(happened)-1))
	rest := height - len(next.Lines)
	keys := v.keys(width-indent, min(max(height/3, 1), max(rest-len(happened), 1), rest-1))
	rest -= len(keys.Lines)
	if len(next.Lines) == 0 && len(keys.Lines) > 0 {
		next = v.labelled("Next", keys, width)
	} else {
		next.add(Indent{Part: Drawn(keys), Left: indent}.Draw(width, height))
	}
	lines := Drawing{Lines: AtMost(happened, rest, width)}
	rest -= len(lines.Lines)
	tell := v.whole("Tell the user", v.Tell, v.TellKey, width, rest)
	known := v.whole("Evidence", v.Known, Action{}, width, rest-len(tell.Lines))
	blocks := []Drawing{lines, known, next, tell}
	return slices.DeleteFunc(blocks, func(d Drawing) bool { return len(d.Lines) == 0 })
}

// whole draws a text with its label, or nothing if that takes more than maxLines lines.
func (v Verdict) whole(label, text string, key Action, width, maxLines int) Drawing {
	if text == "" {
		return Drawing{}
	}
	d := v.labelled(label, v.keyed(v.before(label, width)+text, key, width-v.indent(width)), width)
	if len(d.Lines) > maxLines {
		return Drawing{}
	}
	return d
}

// steps draws what to do next in at most maxLines lines, numbered if there are several steps.
func (v Verdict) steps(width, maxLines int) Drawing {
	if len(v.Steps) == 0 || maxLines < 1 {
		return Drawing{}
	}
	const label = "Next"
	room := width - v.indent(width)
	var d Drawing
	for i, step := range v.Steps {
		number, before := "", ""
		if len(v.Steps) > 1 {
			number = strconv.Itoa(i+1) + ". "
		}
		if i == 0 {
			before = v.before(label, width)
		}
		if before != "" {
			number, before = "", before+number
		}
		item := v.keyed(before+step.Text, step.Key, room-len(number))
		item.Spots = moved(item.Spots, len(number), 0)
		Indented(item.Lines, len(number))
		item.Lines[0] = number + item.Lines[0][len(number):]
		d.add(item)
	}
	d = v.labelled(label, d, width)
	d.Lines = AtMost(d.Lines, maxLines, width)
	return d
}

// before is the label in the same line as its text; "" if labels have a column of their own.
func (v Verdict) before(label string, width int) string {
	if v.indent(width) > 0 {
		return ""
	}
	return v.Env.Theme.Muted.Render(label+":") + " "
}

// labelled puts a drawing to the right of a label, if labels have a column of their own.
func (v Verdict) labelled(label string, d Drawing, width int) Drawing {
	indent := v.indent(width)
	if indent == 0 {
		return d
	}
	d.Spots = moved(d.Spots, indent, 0)
	Indented(d.Lines, indent)
	d.Lines[0] = v.Env.Theme.Muted.Render(safetext.Pad(label, indent)) + d.Lines[0][indent:]
	return d
}

// keyed draws a text with the key that does what it says at the right of its first line. It has
// no key if the action is disabled or the zero Action.
func (v Verdict) keyed(text string, key Action, width int) Drawing {
	t := v.Env.Theme
	shown := v.possible([]Action{key})
	if key.ID == NoAction || len(shown) == 0 {
		return Drawing{Lines: strings.Split(Wrap(text, max(width, 1)), "\n")}
	}
	name := shown[0].KeyName()
	cells := Cells(name) + len("()")
	lines := strings.Split(Wrap(text, max(width-cells-2, 1)), "\n")
	lines[0] = Sides(lines[0], t.Muted.Render("(")+t.Key.Render(name)+t.Muted.Render(")"), width)
	click := func(int, int) tea.Cmd { return shown[0].Run() }
	return Drawing{Lines: lines, Spots: []Spot{{Width: width, Height: len(lines), Click: click}}}
}

// wrapped draws sentences, each from a line of its own.
func wrapped(sentences []Happened, width int) []string {
	var all []string
	for _, s := range sentences {
		lines := strings.Split(Wrap(s.Drawn, width-2*s.Indent), "\n")
		Indented(lines[:1], s.Indent)
		Indented(lines[1:], 2*s.Indent)
		all = append(all, lines...)
	}
	return all
}

// keys draws the keys that can be used now in at most maxLines lines.
func (v Verdict) keys(width, maxLines int) Drawing {
	const gap = "   "
	var d Drawing
	at := width
	for _, a := range v.possible(v.Keys) {
		text := v.Env.Theme.Key.Render(a.KeyName()) + " " + a.Title
		cells := Cells(text)
		if at+len(gap)+cells <= width {
			d.Lines[len(d.Lines)-1] += gap
			at += len(gap)
		} else if len(d.Lines) >= maxLines {
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

// possible returns the actions that can be done by a key, with their keys.
func (v Verdict) possible(actions []Action) []Action {
	filled := v.Env.Keys.Fill(slices.Clone(actions))
	return slices.DeleteFunc(filled, func(a Action) bool {
		return a.ID == NoAction || !a.Enabled() || len(a.Keys) == 0
	})
}

// Say implements [Part]: what happened, how that is known, what to do next, and what to tell the
// user.
func (v Verdict) Say() iter.Seq[string] {
	var texts []string
	for _, s := range v.Sentences {
		texts = append(texts, cmp.Or(s.Said, s.Drawn))
	}
	if v.Known != "" {
		texts = append(texts, "Evidence: "+v.Known)
	}
	for _, step := range v.Steps {
		texts = append(texts, "Next: "+step.Text)
	}
	for _, key := range v.possible(v.Keys) {
		if !key.Aside {
			texts = append(texts, "Next: "+key.Title)
		}
	}
	if v.Tell != "" {
		texts = append(texts, "Tell the user: "+v.Tell)
	}
	return Texts(texts...)
}
