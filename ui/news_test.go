package ui

import (
	"strings"
	"testing"

	"gatehouse/ui/uitest"
)

func TestNewsStayOnEachScreenUntilOthersCome(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		news := make(chan string, 1)
		d := start(t, Options{Open: neverOpens, News: news}, 80, 24)
		news <- "this server is restarted in a minute\x1b[2J"
		d.Expect("This server is restarted in a minute")
		d.Press("ctrl+t") // whose toast stands below
		d.Expect("The terminal has the mouse", "This server is restarted")
		d.Press("ctrl+p")
		d.Expect("go to:", "This server is restarted")
		if strings.Contains(d.model.frame.Content, "\x1b[2J") {
			t.Error("a sequence of the news is drawn")
		}
		news <- "it is not, after all"
		d.Expect("It is not, after all")
		d.Gone("restarted")
		close(news)
		d.Press("esc")
		d.Expect("It is not, after all")
	})
}

func TestNewsComeBeforeAllElseOnALowScreen(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		news := make(chan string, 1)
		d := start(t, Options{Open: neverOpens, News: news}, 40, 6)
		news <- "this server ends in half a minute, and takes no new connections"
		d.Expect("This server ends")
		d.Press("ctrl+t")
		if frame := d.Frame(); !strings.Contains(frame, "This server ends") || strings.Contains(frame, "has the mouse") {
			t.Errorf("the frame is\n%s", frame)
		}
	})
}
