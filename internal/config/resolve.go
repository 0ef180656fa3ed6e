package config

import (
	"fmt"
	"strings"

	"gatehouse/internal/text/problem"
)

// Sources are where a profile comes from. A flag overrides a variable, a variable the
// file, the file a default. Empty values count as missing.
type Sources struct {
	// File is the profile file, which must exist. If empty, it is [DefaultPath], which
	// need not exist; [os.DevNull] is no file.
	File string
	// LookupEnv looks up a variable, including XDG_CONFIG_HOME.
	LookupEnv func(string) (string, bool)
	// Flags has the values of flags by key, see [Keys]. Secrets cannot be flags.
	Flags map[string]string
	// Stores are the values that the setting "store" takes, the default first. nil: it takes any
	// name, and has no default.
	Stores []string
	// NameOnly leaves the values of the profile out, which may be wrong.
	NameOnly bool
}

// Resolve chooses a profile, collects its values and checks them. The profile is that of
// the flag --profile, then GATEHOUSE_PROFILE, then default_profile, then the only one of
// the file; one that comes only from variables is called "env" unless they name it. The
// error is [ErrNoProfile] if there is no profile and none was asked for, otherwise an
// [*Error].
func Resolve(s Sources) (*Profile, error) {
	f, err := s.readFile()
	if err != nil {
		return nil, err
	}
	p := &Profile{origins: make(map[string]Origin, len(settings))}
	if err = s.choose(p, f); err == nil && !s.NameOnly {
		err = s.gather(p, f)
	}
	if err != nil {
		return nil, err
	}
	return p, nil
}

// value returns a setting's value from the source with the highest precedence.
func (s Sources) value(set *setting, inFile Value) Value {
	if text := s.Flags[set.key]; text != "" {
		return Value{set.key, text, Origin{Flag: set.flag()}}
	}
	if text, _ := s.LookupEnv(set.variable()); text != "" {
		return Value{set.key, text, Origin{Variable: set.variable()}}
	}
	if inFile.Text != "" {
		return inFile
	}
	return Value{Key: set.key, Text: s.fallback(set)}
}

// fallback is the default of a setting, "" if it has none.
func (s Sources) fallback(set *setting) string {
	if set.choices == nil {
		return set.fallback
	}
	if choices := set.choices(s); len(choices) > 0 {
		return choices[0]
	}
	return ""
}

// choose sets the name of the profile and checks that the profile exists: in the file, or by
// variables and flags alone. If the file has profiles, those variables must be complete, so that a
// misspelt name is not taken for a new profile.
func (s Sources) choose(p *Profile, f *file) error {
	set := find("profile")
	v := s.value(set, Value{set.key, f.defaultProfile(), f.origin})
	some, all := s.given()
	known := f.Profiles[v.Text] != nil || all || some && len(f.Profiles) == 0
	switch {
	case v.Text == "" && len(f.Profiles) > 0:
		e := f.wrong("default_profile", "it has several profiles and no default_profile", "name one of "+f.list()+" there")
		e.Help = problem.HelpNameProfile
		return e
	case v.Text == "" && !some:
		return fmt.Errorf("%w: there is none in %s, and no variable gives one", ErrNoProfile, f.origin.File)
	case v.Text == "":
		v.Text = "env"
	}
	if err := set.set(p, v, s); err != nil || known {
		return err
	}
	return &Error{
		Origin:  v.Origin,
		Key:     set.key,
		Problem: fmt.Sprintf("there is no profile %q", v.Text),
		Want:    "add it to " + f.origin.File + ", which has " + f.list(),
		Help:    problem.HelpVariables,
	}
}

// given reports whether variables and flags give some value that profiles require, and all that
// every profile requires.
func (s Sources) given() (some, all bool) {
	all = true
	for _, set := range settings {
		is := s.value(set, Value{}).Text != ""
		some = some || is && (set.needed || set.authority != "")
		all = all && (is || !set.needed)
	}
	return some, all
}

// gather sets the values of the chosen profile, which the file need not have.
func (s Sources) gather(p *Profile, f *file) error {
	inFile, origin := f.Profiles[p.Name], f.origin
	if inFile == nil {
		inFile, origin = &Profile{}, Origin{}
	}
	for _, set := range settings {
		if set.key == "profile" {
			continue
		}
		if err := set.set(p, s.value(set, Value{set.key, set.value(inFile), origin}), s); err != nil {
			return err
		}
	}
	var missing []*setting
	for _, set := range settings {
		isNeeded := set.needed || set.authority != "" && set.authority == p.Authority
		if isNeeded && set.value(p) == "" {
			missing = append(missing, set)
		}
	}
	if len(missing) > 0 {
		return p.missingError(origin, missing...)
	}
	return p.loadRoots()
}

// missingError returns the error for required settings without a value.
func (p *Profile) missingError(at Origin, missing ...*setting) error {
	var keys []string
	for _, s := range missing {
		key := s.key
		if s.authority != "" {
			key += " (for authority " + s.authority + ")"
		}
		keys = append(keys, key)
	}
	return &Error{
		Origin:  at,
		Key:     missing[0].key,
		Problem: "profile " + p.Name + " lacks " + strings.Join(keys, ", "),
		Want:    "add what is missing to the profile file",
		Help:    problem.HelpVariables,
	}
}

// Profiles lists the names of the profiles of the file, without checking their values;
// none if the default file does not exist. The error is an [*Error].
func (s Sources) Profiles() ([]string, error) {
	f, err := s.readFile()
	if err != nil {
		return nil, err
	}
	return f.names(), nil
}
