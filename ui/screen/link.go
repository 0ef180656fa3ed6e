package screen

import (
	"net/url"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"gatehouse/styles"
)

// maxLink is the maximum length of the address of a link in bytes; terminals ignore longer
// ones.
const maxLink = 2000

// Link draws a text that leads to a web or mail address, as a hyperlink of the terminal
// (OSC 8). What draws the frame removes the address where the terminal has no
// hyperlinks, so the text should say where it leads. An address of another kind, or one
// that is no URL, is left out.
func Link(theme *styles.Theme, text, address string) string {
	drawn := styles.NewSGR(theme.Link).Render(text)
	if safe := linkAddress(address); safe != "" {
		return ansi.SetHyperlink(safe) + drawn + ansi.ResetHyperlink()
	}
	return drawn
}

// linkAddress is an address as printable ASCII, or empty if it may not be a link.
func linkAddress(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.User != nil {
		return ""
	}
	switch u.Scheme {
	case "https", "http":
		if u.Host == "" {
			return ""
		}
	case "mailto":
	default:
		return ""
	}
	safe := u.String()
	if len(safe) > maxLink || strings.ContainsFunc(safe, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return ""
	}
	return safe
}
