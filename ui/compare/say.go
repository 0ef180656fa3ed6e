package compare

import (
	"fmt"
	"iter"
	"strings"
	"time"

	"gatehouse/internal/human"
	"gatehouse/ui/screen"
)

// Say says what is listed, with both values.
func (c *Model) Say() iter.Seq[string] {
	if !c.ready {
		return screen.Texts("Comparing")
	}
	matter, identity := c.differences()
	texts := []string{
		c.first.said() + " compared with " + strings.TrimSuffix(c.second.said(), ","),
		mattering(matter),
	}
	if identity > 0 {
		texts = append(texts, human.Number(identity)+" expected: "+c.isIdentity.Kinds)
	}
	if c.cut {
		texts = append(texts, onlyBeginning)
	}
	return screen.Concat(screen.Texts(texts...), func(yield func(string) bool) {
		for _, i := range c.shown {
			r := &c.rows[i]
			both := sayValue(r.left)
			if r.differs() {
				both += " before, " + sayValue(r.right) + " now"
			}
			if !yield(screen.Labelled(r.Path, both)) {
				return
			}
		}
	})
}

// said tells a result from the other.
func (r *Result) said() string {
	return fmt.Sprintf("%s, %s, at %s, %s,", r.Name, r.Whose, r.At.Local().Format(time.TimeOnly), r.Verdict)
}

func sayValue(text string) string {
	if text == "" {
		return "not there"
	}
	return text
}
