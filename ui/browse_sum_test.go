package ui

import (
	"testing"

	tea "charm.land/bubbletea/v2"
)

func TestASumIsShownOnANarrowScreen(t *testing.T) {
	d := openLibrary(t, demoVariables(t), library(60), 60, 24)
	d.toColumn("Owner")
	d.wait("row 1 of 60 · columns 1–")
	d.press("right")
	d.wait("60 shares  DiskUsage: sum 1.8 GB, count 60", "row 1 of 60")
}

func TestASumIsShownWithoutRoomForThePosition(t *testing.T) {
	d := openLibrary(t, demoVariables(t), library(60), 60, 24)
	d.toColumn("DiskUsage")
	d.update(tea.WindowSizeMsg{Width: 44, Height: 24})
	d.wait("60 shares  DiskUsage: sum 1.8 GB, count 60")
	d.gone("row 1 of 60")
}
