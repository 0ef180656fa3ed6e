package serve

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"gatehouse/internal/config"
	"gatehouse/internal/sessionstore"
)

// flagAlone are the flags that say what one call does. The others describe an installation,
// so the profile file may hold them, too.
var flagAlone = []string{"anyone", "demo", "expose-sign-in", "forget", "help-all", "new-key", "rotate-key"}

// basic are the flags that `--help` shows: they start a server.
var basic = []string{
	"anyone", "authorized-keys", "demo", "help-all", "host-key", "listen", "new-key", "principals", "session-key", "sessions", "user-ca",
}

// pathFlags are the flags that name a file or a directory. A relative path in the profile file begins at its folder.
var pathFlags = []string{"authorized-keys", "desk-keys", "host-key", "revoked-keys", "session-key", "sessions", "user-ca"}

// More is the annotation of the flags that `--help` leaves to `--help-all`.
const More = "few need it"

// sort annotates the flags that few need, and notes the types of those that the profile file may
// hold. Help shows durations without their zeroes.
func (f *serveFlags) sort(flags *pflag.FlagSet) {
	f.types = map[string]string{}
	noZeroes := strings.NewReplacer("h0m0s", "h", "m0s", "m")
	flags.VisitAll(func(flag *pflag.Flag) {
		flag.DefValue = noZeroes.Replace(flag.DefValue)
		if !slices.Contains(basic, flag.Name) {
			_ = flags.SetAnnotation(flag.Name, More, []string{"true"})
		}
		if !slices.Contains(flagAlone, flag.Name) {
			f.types[strings.ReplaceAll(flag.Name, "-", "_")] = flag.Value.Type()
		}
	})
}

// fillIn gives the flags that are not given the values of variables and of the profile file. A
// demo, and making a key file, take nothing of an installation.
func (p *Program) fillIn(f *serveFlags, flags *pflag.FlagSet) error {
	if f.demo || f.sessions.newKey != "" {
		return nil
	}
	settings, err := p.Sources().ServerSettings(slices.Sorted(maps.Keys(f.types)))
	if err != nil {
		return err
	}
	chosen := map[string]config.Value{}
	for _, s := range settings {
		chosen[s.Key] = s // the last one overrides
	}
	for key, s := range chosen {
		flag := flags.Lookup(strings.ReplaceAll(key, "_", "-"))
		if s.Origin.File != "" && isRelative(flag.Name, s.Text) {
			s.Text = filepath.Join(filepath.Dir(s.Origin.File), s.Text) // as ca_file
		}
		if !flag.Changed && flag.Value.Set(s.Text) != nil {
			return s.Refuse("want " + config.Accepts(f.types[key]))
		}
	}
	return nil
}

// isRelative reports whether the value of a flag is a relative path. --sessions also takes what is
// none, and what is refused stays as it is for the message.
func isRelative(name, value string) bool {
	if name == "sessions" && (value == sessionstore.InMemory || strings.Contains(value, "://") || sessionstore.Named(value) != nil) {
		return false
	}
	return slices.Contains(pathFlags, name) && !filepath.IsAbs(value)
}
