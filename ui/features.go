package ui

import (
	"slices"
	"strings"

	"github.com/charmbracelet/colorprofile"

	"gatehouse/styles"
)

// variables are the environment, which says what a terminal can do. Over a network
// only a few of them are known.
type variables map[string]string

func variablesOf(environ []string) variables {
	v := make(variables, len(environ))
	for _, variable := range environ {
		name, value, _ := strings.Cut(variable, "=")
		v[name] = value
	}
	return v
}

// isOneOf reports whether TERM names one of some terminals.
func (v variables) isOneOf(names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return strings.Contains(v["TERM"], name) })
}

// answersQueries reports whether the terminal answers queries for modes. Some print them
// instead, and over a network only a few are known not to.
func (v variables) answersQueries(remote bool) bool {
	if v.isOneOf("ghostty", "wezterm", "alacritty", "kitty", "rio") || v["WT_SESSION"] != "" {
		return true
	}
	return !remote && v["SSH_TTY"] == "" && !strings.Contains(v["TERM_PROGRAM"], "Apple")
}

// lacksUnicode reports whether the terminal shows ASCII alone: a text console, an old terminal,
// or a locale with another character set. C and POSIX count as ASCII only if they are set:
// containers and connections often have no locale, and a terminal with UTF-8.
func (v variables) lacksUnicode() bool {
	if v["TERM"] == "linux" || strings.HasPrefix(v["TERM"], "vt") {
		return true
	}
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if value := v[name]; value != "" {
			language, charset, named := strings.Cut(value, ".")
			if language == "C" || language == "POSIX" {
				named = true
			}
			charset = strings.ToLower(strings.ReplaceAll(charset, "-", ""))
			return named && !strings.HasPrefix(charset, "utf8")
		}
	}
	return false
}

// hasLinks reports whether the terminal can be given hyperlinks (OSC 8): it has them, or
// ignores them.
func (v variables) hasLinks() bool {
	old := v["TERM"] == "" || v["TERM"] == "linux" || strings.HasPrefix(v["TERM"], "vt") || v.isOneOf("dumb", "eterm", "cons25", "sun")
	return !old && !strings.Contains(v["TERM_PROGRAM"], "Apple")
}

// hasTrueColourInTmux reports whether the program runs in tmux and COLORTERM says that all
// colours are wanted: tmux takes them, and rounds them where its terminal has fewer.
func (v variables) hasTrueColourInTmux() bool {
	tmux := v["TMUX"] != "" || strings.HasPrefix(v["TERM"], "tmux")
	return tmux && (v["COLORTERM"] == "truecolor" || v["COLORTERM"] == "24bit")
}

// showsProgress reports whether the terminal is known to show the progress of long work
// (OSC 9;4). Others may take it for a message to the person.
func (v variables) showsProgress() bool {
	switch {
	case v["TMUX"] != "", v.isOneOf("screen", "tmux"):
		return false // what is inside does not reach the terminal
	case v["WT_SESSION"] != "", v["ConEmuANSI"] == "ON":
		return true
	}
	return v.isOneOf("ghostty") || v["TERM_PROGRAM"] == "ghostty" || v["TERM_PROGRAM"] == "mintty"
}

// mayDropCopies reports whether the terminal is tmux or screen. tmux gives what a program
// copies to the clipboard only with `set-clipboard on`, which is not the default, and
// screen never does.
func (v variables) mayDropCopies() bool {
	return v["TMUX"] != "" || v["STY"] != "" || strings.HasPrefix(v["TERM"], "tmux") || strings.HasPrefix(v["TERM"], "screen")
}

// LineTheme is the theme for lines that a command prints to a terminal: nothing is asked of
// the terminal, so its background is not known, and the colours are those 16 that its owner
// has set, or none.
func LineTheme(lookup func(string) (string, bool)) *styles.Theme {
	var environ []string
	for _, name := range []string{"TERM", "COLORTERM", "NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "LC_ALL", "LC_CTYPE", "LANG"} {
		if value, ok := lookup(name); ok {
			environ = append(environ, name+"="+value)
		}
	}
	return styles.New(styles.Options{
		Basic:   true,
		NoColor: colorprofile.Env(environ) <= colorprofile.ASCII,
		ASCII:   variablesOf(environ).lacksUnicode(),
	})
}
