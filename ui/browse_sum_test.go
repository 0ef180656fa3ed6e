package ui

import (
	"testing"

	"gatehouse/ui/uitest"
)

func TestASumIsShownOnANarrowScreen(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := openLibrary(t, s, library(60), 60, 24)
		d.toColumn("Owner")
		d.Expect("row 1 of 60 · columns 1–")
		d.Press("right")
		d.Expect("60 shares  DiskUsage: sum 1.8 GB, count 60", "row 1 of 60")
	})
}

func TestASumIsShownWithoutRoomForThePosition(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := openLibrary(t, s, library(60), 60, 24)
		d.toColumn("DiskUsage")
		d.Resize(44, 24)
		d.Expect("60 shares  DiskUsage: sum 1.8 GB, count 60")
		d.Gone("row 1 of 60")
	})
}
