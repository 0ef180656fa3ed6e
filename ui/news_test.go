package ui

import (
	"strings"
	"testing"
)

func TestNewsStayOnEachScreenUntilOthersCome(t *testing.T) {
	news := make(chan string, 1)
	d := start(t, Options{Open: neverOpens, News: news}, 80, 24)
	news <- "this server is restarted in a minute\x1b[2J"
	d.wait("This server is restarted in a minute")
	d.press("ctrl+t") // whose toast stands below
	d.wait("The terminal has the mouse", "This server is restarted")
	d.press("ctrl+p")
	d.wait("go to:", "This server is restarted")
	if strings.Contains(d.model.frame.Content, "\x1b[2J") {
		t.Error("a sequence of the news is drawn")
	}
	news <- "it is not, after all"
	d.wait("It is not, after all")
	d.gone("restarted")
	close(news)
	d.press("esc")
	d.wait("It is not, after all")
}

func TestNewsComeBeforeAllElseOnALowScreen(t *testing.T) {
	news := make(chan string, 1)
	d := start(t, Options{Open: neverOpens, News: news}, 40, 6)
	news <- "this server ends in half a minute, and takes no new connections"
	d.wait("This server ends")
	d.press("ctrl+t")
	if frame := d.frame(); !strings.Contains(frame, "This server ends") || strings.Contains(frame, "has the mouse") {
		t.Errorf("the frame is\n%s", frame)
	}
}
