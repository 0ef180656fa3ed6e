package cli

import (
	"errors"

	"gatehouse/internal/config"
	"gatehouse/styles"
)

// theme is the one that the flag or the profile file asks for.
func (a *app) theme(p config.Preferences) (styles.Choice, error) {
	name, origin := p.Theme, p.ThemeOrigin
	if a.flags.theme != "" {
		name, origin = a.flags.theme, config.Origin{Flag: "--theme"}
	}
	own := make(map[string]map[string]string)
	for _, theme := range p.Themes {
		own[theme.Name] = make(map[string]string)
		for _, c := range theme.Colours {
			own[theme.Name][c.Name] = c.Value
		}
	}
	choice, err := styles.Choose(name, own)
	if wrong, ok := errors.AsType[*styles.ThemeError](err); ok {
		return choice, &config.Error{
			Origin: originOf(wrong, p.Themes, origin), Key: wrong.Key, Value: wrong.Value,
			Problem: wrong.Problem(), Want: "want " + wrong.Want, Err: err,
		}
	}
	return choice, nil
}

// originOf finds the line of a colour that cannot be used; a theme without such a
// line was named wrongly.
func originOf(wrong *styles.ThemeError, themes []config.Theme, named config.Origin) config.Origin {
	for _, theme := range themes {
		for _, c := range theme.Colours {
			if theme.Name == wrong.Theme && c.Name == wrong.Key {
				return c.Origin
			}
		}
	}
	return named
}
