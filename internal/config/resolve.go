package config

import (
	"fmt"
	"strings"

	"gatehouse/internal/text/problem"
)

// Sources are the places that the values of a profile come from. A flag overrides a variable, a
// variable the file, and the file a default. Empty values count as missing.
type Sources struct {
	// File is the path of the profile file, which must exist. If it is empty, [DefaultPath] is
	// read, which need not exist. [os.DevNull] stands for no file.
	File string
	// LookupEnv looks up an environment variable, as [os.LookupEnv] does.
	LookupEnv func(string) (string, bool)
	// Flags has the values of flags by key, see [Keys]. Secrets cannot be flags.
	Flags map[string]string
	// Stores are the values that the setting "store" accepts, the default first. If nil, it
	// accepts any name and has no default.
	Stores []string
	// NameOnly resolves nothing but the name of the profile, so that wrong values do no harm.
	NameOnly bool
}

// Resolve chooses a profile, collects its values and checks them. It takes the profile that the
// flag --profile names, else GATEHOUSE_PROFILE, else default_profile, else the only profile of
// the file. A profile that comes from variables alone is called "env" unless they name it.
//
// The error is [ErrNoProfile] if there is no profile and none was asked for, otherwise an
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
func (s Sources) value(setting *setting, inFile Value) Value {
	if text := s.Flags[setting.key]; text != "" {
		return Value{setting.key, text, Origin{Flag: setting.flag()}}
	}
	if text, _ := s.LookupEnv(setting.variable()); text != "" {
		return Value{setting.key, text, Origin{Variable: setting.variable()}}
	}
	if inFile.Text != "" {
		return inFile
	}
	return Value{Key: setting.key, Text: s.fallback(setting)}
}

// fallback returns the default of a setting, or "" if it has none.
func (s Sources) fallback(setting *setting) string {
	if setting.choices == nil {
		return setting.fallback
	}
	if choices := setting.choices(s); len(choices) > 0 {
		return choices[0]
	}
	return ""
}

// profileOfVariables is the name of a profile that comes from variables alone, unless they name it.
const profileOfVariables = "env"

// choose sets the name of the profile and checks that the profile exists, either in the file or
// in variables and flags alone. If the file has profiles, the variables must define a whole
// profile: otherwise a misspelt name would pass for a new profile.
func (s Sources) choose(p *Profile, f *file) error {
	setting := settingOf(keyProfile)
	name := s.value(setting, Value{setting.key, f.defaultProfile(), f.origin})
	hasSome, hasAll := s.hasRequired()
	isInFile := f.Profiles[name.Text] != nil
	isInVariables := hasAll || hasSome && len(f.Profiles) == 0
	switch {
	case name.Text == "" && len(f.Profiles) > 0:
		e := f.invalid(keyDefaultProfile,
			"it has several profiles and no default_profile",
			"name one of "+f.nameList()+" there")
		e.Help = problem.HelpNameProfile
		return e
	case name.Text == "" && !hasSome:
		return fmt.Errorf("%w: there is none in %s, and no variable gives one",
			ErrNoProfile, f.origin.File)
	case name.Text == "":
		name.Text = profileOfVariables
	}
	err := setting.assign(p, name, s)
	if err != nil || isInFile || isInVariables {
		return err
	}
	return &Error{
		Origin:  name.Origin,
		Key:     setting.key,
		Problem: fmt.Sprintf("there is no profile %q", name.Text),
		Want:    "add it to " + f.origin.File + ", which has " + f.nameList(),
		Help:    problem.HelpVariables,
	}
}

// hasRequired reports whether variables and flags set some of the required values, and whether
// they set all that every profile requires. The URL of an authority is required by some profiles
// alone, so it counts for some only.
func (s Sources) hasRequired() (some, all bool) {
	all = true
	for _, setting := range settings {
		isSet := s.value(setting, Value{}).Text != ""
		mayBeRequired := setting.required || setting.authority != ""
		some = some || isSet && mayBeRequired
		all = all && (isSet || !setting.required)
	}
	return some, all
}

// gather sets the values of the chosen profile, which may come from variables and flags alone,
// and reports those that are missing.
func (s Sources) gather(p *Profile, f *file) error {
	inFile, origin := f.Profiles[p.Name], f.origin
	if inFile == nil {
		inFile, origin = &Profile{}, Origin{}
	}
	for _, setting := range settings {
		if setting.key == keyProfile {
			continue
		}
		value := s.value(setting, Value{setting.key, setting.value(inFile), origin})
		if err := setting.assign(p, value, s); err != nil {
			return err
		}
	}
	if missing := p.missing(); len(missing) > 0 {
		return p.missingError(origin, missing...)
	}
	return p.loadRoots()
}

// missing returns the settings that the profile requires and has no value for.
func (p *Profile) missing() []*setting {
	var missing []*setting
	for _, s := range settings {
		isOwnAuthority := s.authority != "" && s.authority == p.Authority
		if (s.required || isOwnAuthority) && s.value(p) == "" {
			missing = append(missing, s)
		}
	}
	return missing
}

// missingError returns the error for required settings without a value, which should be at an
// origin.
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

// Profiles lists the names of the profiles of the file without checking their values. There are
// none if the default file does not exist. The error is an [*Error].
func (s Sources) Profiles() ([]string, error) {
	f, err := s.readFile()
	if err != nil {
		return nil, err
	}
	return f.names(), nil
}
