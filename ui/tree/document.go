package tree

import (
	"bytes"
	"context"
	"errors"
	"iter"
	"unsafe"

	"gatehouse/internal/human"
	"gatehouse/internal/jsonscan"
)

// maxDepth is how deep a document may nest; what is deeper is shown as text.
// It bounds the recursion over documents and trees.
const maxDepth = 50_000

// document is a text and what is known of it before anybody unfolds something.
type document struct {
	text     string
	raw      []byte // the same memory
	outlines map[int]outline
	// isText says that it is shown as text, and flaw why: "" if it is no JSON.
	isText bool
	flaw   string
}

// read looks through a document. It fails only when the context ends.
func read(ctx context.Context, raw []byte) (*document, error) {
	if len(raw) <= openedAtOnce {
		raw = bytes.Clone(raw) // so as not to keep the bytes around it in memory
	}
	text := bytes.Trim(raw, " \t\r\n")
	if !isJSON(text) {
		flaw := ""
		if depth := nesting(text); depth > maxDepth {
			flaw = human.Number(depth) + " levels of nesting, shown as text: "
		}
		return newText(raw, flaw), ctx.Err()
	}
	found, err := outlines(ctx, text)
	if errors.Is(err, errIntricate) {
		return newText(raw, "Nested too deeply, shown as text: "), nil
	}
	return &document{text: stringOf(text), raw: text, outlines: found}, err
}

func newText(raw []byte, flaw string) *document {
	return &document{text: stringOf(raw), raw: raw, isText: true, flaw: flaw}
}

// stringOf returns bytes that do not change any more as a string of the same memory.
func stringOf(raw []byte) string { return unsafe.String(unsafe.SliceData(raw), len(raw)) }

// isJSON reports whether a text is one JSON value that does not nest too deep.
func isJSON(text []byte) bool {
	s := jsonscan.Scanner{Text: text, MaxDepth: maxDepth}
	return s.Value() == nil && s.AtEnd()
}

// nesting returns how deep brackets nest outside of strings, in any text.
func nesting(text []byte) int {
	depth, deepest, quoted := 0, 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			depth++
			deepest = max(deepest, depth)
		case c == '}' || c == ']':
			depth--
		}
	}
	return deepest
}

// cutQuoted returns the first bytes, about limit, of a longer JSON string as a
// JSON string: not cut inside an escape.
func cutQuoted(raw string, limit int) string {
	end := 1
	for end < limit {
		switch {
		case raw[end] != '\\':
			end++
		case raw[end+1] == 'u':
			end += len(`\u0000`)
		default:
			end += len(`\n`)
		}
	}
	return raw[:end] + `"`
}

const (
	// A container of more bytes has an outline. In long documents they are
	// fewer, so that all outlines together stay small beside the text.
	leastOutlined = 4 << 10
	outlinedShare = 1 << 16
	// maxOutlines is how many there may be at most.
	maxOutlines = 300_000

	// A part ends with so many values or bytes.
	partValues, partBytes = 1_000, 64 << 10

	// checkEvery is how many tokens are read between two looks at the context.
	checkEvery = 1 << 16
)

// errIntricate is why a document has no outlines: there would be too many.
var errIntricate = errors.New("too many containers inside each other")

// outline says where in a long container its values are, so that one can be
// reached without reading all that stands before and in it.
type outline struct {
	count int // values
	cost  int // bytes that must be read to find the values of all parts
	parts []part
}

// part is a stretch of a container: a few small values, or one that is large.
type part struct {
	at, end      int // in the document; a member begins with its name
	first, count int // values
}

// cost is how many bytes must be read to find the values of a part.
func (p part) cost() int {
	if p.count == 1 {
		return 0
	}
	return p.end - p.at
}

func (o *outline) add(p part) {
	o.count += p.count
	o.cost += p.cost()
	o.parts = append(o.parts, p)
}

// outlines reads a valid document once and returns the outlines of its long
// containers by where they begin.
func outlines(ctx context.Context, text []byte) (map[int]outline, error) {
	o := outliner{least: max(leastOutlined, len(text)/outlinedShare), found: map[int]outline{}}
	s := jsonscan.Scanner{Text: text, MaxDepth: maxDepth}
	for tokens := 0; ; tokens++ {
		if tokens%checkEvery == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if len(o.found) > maxOutlines {
			return nil, errIntricate
		}
		t, err := s.Next()
		if err != nil {
			return nil, err
		}
		switch t.Kind {
		case jsonscan.End:
			return o.found, nil
		case jsonscan.Name:
			o.begin(t.Start)
		case jsonscan.ObjectStart, jsonscan.ArrayStart:
			o.begin(t.Start)
			o.push(t.Start)
		case jsonscan.ObjectEnd, jsonscan.ArrayEnd:
			o.pop(t.End)
			o.end(t.End)
		default:
			o.begin(t.Start)
			o.end(t.End)
		}
	}
}

// outliner makes outlines on the way through a document.
type outliner struct {
	least int
	found map[int]outline
	stack []level // of the containers around the place that is read
}

// level is a container that has not ended yet.
type level struct {
	at      int
	outline outline
	part    part // in the making
	child   int  // where the value begins that is read; -1: between values
}

func (o *outliner) push(at int) {
	if len(o.stack) == cap(o.stack) {
		o.stack = append(o.stack, level{})
	} else {
		o.stack = o.stack[:len(o.stack)+1] // with the room for parts it had before
	}
	top := &o.stack[len(o.stack)-1]
	*top = level{at: at, child: -1, outline: outline{parts: top.outline.parts[:0]}}
}

func (o *outliner) pop(end int) {
	top := &o.stack[len(o.stack)-1]
	if end-top.at > o.least {
		top.flush()
		kept := top.outline
		kept.parts = append([]part(nil), kept.parts...)
		o.found[top.at] = kept
	}
	o.stack = o.stack[:len(o.stack)-1]
}

// begin notes where a value begins, unless its name did so before.
func (o *outliner) begin(at int) {
	if len(o.stack) == 0 {
		return
	}
	if top := &o.stack[len(o.stack)-1]; top.child < 0 {
		top.child = at
	}
}

// end adds the value that ends here to the container around it.
func (o *outliner) end(end int) {
	if len(o.stack) == 0 {
		return
	}
	top := &o.stack[len(o.stack)-1]
	large := end-top.child > o.least
	if large || top.part.count == partValues || end-top.part.at > partBytes {
		top.flush()
	}
	if top.part.count == 0 {
		top.part.at, top.part.first = top.child, top.outline.count
	}
	top.part.end = end
	top.part.count++
	top.child = -1
	if large {
		top.flush()
	}
}

// flush ends the part in the making.
func (l *level) flush() {
	if l.part.count > 0 {
		l.outline.add(l.part)
	}
	l.part = part{}
}

const (
	// groupValues and groupBytes are how many values can be seen at once below
	// one line, and how many bytes may be read to show them.
	groupValues, groupBytes = 10_000, 1 << 20
)

// groups returns the parts in as few groups as can be unfolded at once.
func (o outline) groups() []outline {
	var groups []outline
	var group outline
	for _, p := range o.parts {
		if group.count > 0 && (group.count+p.count > groupValues || group.cost+p.cost() > groupBytes) {
			groups = append(groups, group)
			group = outline{}
		}
		group.add(p)
	}
	return append(groups, group)
}

// items yields the values of a part; in an object, their names with them.
func (d *document) items(p part, named bool) iter.Seq[jsonscan.Item] {
	return func(yield func(jsonscan.Item) bool) {
		for at := jsonscan.SkipSpace(d.raw, p.at); at < p.end; {
			var item jsonscan.Item
			if named {
				item.Name = jsonscan.Span{Start: at, End: jsonscan.SkipString(d.raw, at)}
				at = jsonscan.MemberValue(d.raw, item.Name.End)
			}
			if p.count == 1 { // it may be long, and its end is known
				item.Value = jsonscan.Span{Start: at, End: len(bytes.TrimRight(d.raw[:p.end], " \t\r\n"))}
			} else {
				item.Value = jsonscan.ValueAt(d.raw, at)
			}
			if !yield(item) {
				return
			}
			at = jsonscan.NextItem(d.raw, item.Value.End)
		}
	}
}
