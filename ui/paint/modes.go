package paint

import "github.com/charmbracelet/x/ansi"

// mode is something that the terminal is asked for, and what takes that back.
type mode struct{ on, off string }

// Of the stack on which a terminal keeps titles; one that has none does nothing.
const (
	pushTitle = 22
	popTitle  = 23
	ofWindow  = 2
)

// modes are what the terminal is asked for as long as the program has it, in
// order; they are taken back in the opposite one. The terminal has a stack of
// keyboards for each of its two screens, so that one is pushed after the switch.
func modes() []mode {
	return []mode{
		{ansi.WindowOp(pushTitle, ofWindow), ansi.WindowOp(popTitle, ofWindow)},
		{ansi.SetModeAltScreenSaveCursor, ansi.ResetModeAltScreenSaveCursor},
		{ansi.ResetModeTextCursorEnable, ansi.SetModeTextCursorEnable},
		// A line that is wider for the terminal than for us must not go on below.
		{ansi.ResetModeAutoWrap, ansi.SetModeAutoWrap},
		{ansi.SetModeBracketedPaste, ansi.ResetModeBracketedPaste},
		{ansi.SetModifyOtherKeys2, ansi.ResetModifyOtherKeys},
		{ansi.PushKittyKeyboard(ansi.KittyDisambiguateEscapeCodes) + ansi.RequestKittyKeyboard, ansi.PopKittyKeyboard(1)},
	}
}

// mouse reports clicks, the wheel, and movements with a button held.
func mouse() mode {
	return mode{
		ansi.SetModeMouseButtonEvent + ansi.SetModeMouseExtSgr,
		ansi.ResetModeMouseExtSgr + ansi.ResetModeMouseButtonEvent,
	}
}

// graphemes has the terminal measure text as we do.
func graphemes() mode { return mode{ansi.SetModeUnicodeCore, ansi.ResetModeUnicodeCore} }

// to returns what leads from one state of the mode to another.
func (m mode) to(on, was bool) string {
	switch {
	case on == was:
		return ""
	case on:
		return m.on
	}
	return m.off
}
