package ui

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"gatehouse/internal/testkit/uitest"
)

// reportID is the id of a report, which is another one each time.
var reportID = regexp.MustCompile(`\b[0-9A-Z]{4}-[0-9A-Z]{4}\b`)

// The situations of the demo that need no sign-in, as the card shows them.
func TestASituationOfTheDemoIsNamedOnTheScreen(t *testing.T) {
	for account, says := range map[string]string{
		"nobody@harbor.example": "Unknown address",
		"ada":                   "No fault seen from outside",
		"kit":                   "Gateway unreachable",
		"lena":                  "Certificate expired",
		"milo":                  "Clock wrong",
	} {
		for _, size := range [][2]int{{80, 24}, {120, 40}} {
			t.Run(fmt.Sprint(account, " ", size), func(t *testing.T) {
				uitest.Run(t, func(t *testing.T, s *uitest.Service) {
					d := open(t, s, size[0], size[1])
					d.Expect("E-mail").Type(account).Press("ctrl+k").Expect(says)
					name, _, _ := strings.Cut(account, "@")
					d.Golden(fmt.Sprintf("check/%s-%dx%d", name, size[0], size[1]), reportID.FindString(d.Frame()))
				})
			})
		}
	}
}
