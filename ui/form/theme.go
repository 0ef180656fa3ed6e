package form

import (
	"charm.land/huh/v2"

	"gatehouse/styles"
)

// dress gives a form of huh the look of a theme. The theme is asked for at each
// drawing, so that a form follows it when the terminal's background is known.
func dress(theme *styles.Theme) huh.Theme {
	var made *huh.Styles
	var of styles.Options
	return huh.ThemeFunc(func(bool) *huh.Styles {
		if made == nil || of != theme.Options {
			made, of = huhStyles(theme), theme.Options
		}
		return made
	})
}

func huhStyles(theme *styles.Theme) *huh.Styles {
	f := theme.Form
	made := &huh.Styles{
		FieldSeparator: theme.Text.SetString("\n"),
		Focused:        fieldStyles(f),
	}
	made.Focused.Base = f.Frame
	made.Focused.Title = f.LabelFocused
	made.Focused.NextIndicator = f.Prompt.SetString(" →")
	made.Focused.PrevIndicator = f.Prompt.SetString("← ")
	made.Blurred = fieldStyles(f)
	made.Blurred.Base = f.FrameIdle
	made.Blurred.Title = f.Label
	return made
}

func fieldStyles(f styles.Form) huh.FieldStyles {
	return huh.FieldStyles{
		Description:    f.Hint,
		ErrorIndicator: f.Error,
		ErrorMessage:   f.Error,
		Option:         f.Option,
		SelectedOption: f.OptionChosen,
		TextInput: huh.TextInputStyles{
			Cursor: f.Cursor, Placeholder: f.Placeholder, Prompt: f.Prompt, Text: f.Input,
		},
	}
}
