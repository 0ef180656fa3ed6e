package screen

import (
	"strings"

	"gatehouse/styles"
)

// Paned is a [Screen] that is drawn in a pane, from [PaneWidth] columns on with a pane beside
// it that explains what is under the cursor. On a smaller terminal the texts of its border
// are the line above it. Draw gets the room inside.
type Paned interface {
	Screen
	// Pane gives the texts in the border. It is called after Draw, and only reads.
	Pane() Pane
	// Side gives the pane beside the screen, and its contents, for a width and a
	// height in cells. It is called after Draw, and changes nothing but what it has drawn.
	Side(width, height int) (pane Pane, content string)
	// Explained is called before each Draw: it says whether there is a pane beside it.
	Explained(bool)
}

// Sided is a [Paned] screen that chooses how wide the pane beside it is, and handles clicks in
// that: their x is the width of the screen or more.
type Sided interface {
	Paned
	// SideWidth is the width with the border, 0 for no pane. It is called after Explained.
	SideWidth(width int) int
}

// Stacked is a [Paned] screen with a second pane beside it, below the first.
type Stacked interface {
	Paned
	// Lower gives the lower pane, and its lines for a width in cells; there are none where
	// the height of the screen has no room for it. It is called as Side is.
	Lower(width, height int) (pane Pane, lines []string)
}

const (
	// minPaneHeight is the height from which on a screen is drawn in a pane.
	minPaneHeight = 6
	// maxSide is how wide the pane beside a screen is at most.
	maxSide = 80
)

// page is the lowest visible screen of a stack with the panes around it.
type page struct {
	// x and y are where the screen begins within the page, width and height its size.
	x, y, width, height int
	frame               string
}

// layOutPage gives a screen its size, and draws the panes around it.
func layOutPage(theme *styles.Theme, shown Screen, width, height int) page {
	p := page{width: width, height: height}
	paned, ok := shown.(Paned)
	switch {
	case !ok:
		p.frame = shown.Draw(width, height)
	case width >= PaneWidth && height >= minPaneHeight:
		p.layOutPanes(theme, paned, width, height)
	case height >= minTitled:
		p.y, p.height = 1, height-1 // below a line with the texts of its pane
		paned.Explained(false)
		content := Box(paned.Draw(width, p.height), width, p.height)
		p.frame = " " + paned.Pane().line(theme, max(width-2, 0)) + "\n" + content
	default:
		paned.Explained(false)
		p.frame = shown.Draw(width, height)
	}
	return p
}

// layOutPanes draws a screen in its pane, and the one that explains it.
func (p *page) layOutPanes(theme *styles.Theme, paned Paned, width, height int) {
	paned.Explained(true)
	side := min(width*2/5, maxSide)
	if sided, ok := paned.(Sided); ok {
		side = sided.SideWidth(width)
	}
	p.x, p.y, p.width, p.height = 1, 1, width-side-2, height-2
	content := paned.Draw(p.width, p.height)
	p.frame = paned.Pane().Draw(theme, content, width-side, height)
	if side == 0 {
		return
	}
	p.frame = Beside([]string{p.frame, drawSide(theme, paned, side, height)}, []int{width - side, side})
}

// drawSide draws what stands beside a screen.
func drawSide(theme *styles.Theme, paned Paned, width, height int) string {
	cells, _ := Pane{Padding: 1}.Inner(width, height)
	lower := ""
	if stacked, ok := paned.(Stacked); ok {
		if pane, lines := stacked.Lower(cells, height); len(lines) > 0 {
			pane.Padding = 1
			height -= len(lines) + 2
			lower = "\n" + pane.Draw(theme, strings.Join(lines, "\n"), width, len(lines)+2)
		}
	}
	pane, content := paned.Side(cells, height-2)
	pane.Padding = 1
	return pane.Draw(theme, content, width, height) + lower
}
