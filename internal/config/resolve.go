package config

import (
	"fmt"
	"os"
	"slices"
	"strings"
)

// Sources are the places a profile comes from. A flag overrides a variable, a
// variable the file, the file a default. An empty value counts as none in each
// of them.
type Sources struct {
	// File is the profile file, which must exist; "": the one of [DefaultPath],
	// which need not; [os.DevNull]: none.
	File string
	// LookupEnv looks up a variable, XDG_CONFIG_HOME too; nil: [os.LookupEnv].
	LookupEnv func(string) (string, bool)
	// Flags has the values of flags under the keys of [Keys]. Secrets cannot be flags.
	Flags map[string]string
}

// nameFromVariables is the profile that stands in no file and is given no name.
const nameFromVariables = "env"

// Resolve chooses a profile, gathers its values and checks them. The choice is
// the flag --profile, then GATEHOUSE_PROFILE, then default_profile, then the only
// profile of the file; one that comes wholly from variables is called "env"
// unless they name it. The error is [ErrNoProfile] when there is nothing to
// choose and nothing was asked for, otherwise an [*Error].
func Resolve(s Sources) (*Profile, error) {
	if s.LookupEnv == nil {
		s.LookupEnv = os.LookupEnv
	}
	if err := s.checkFlags(); err != nil {
		return nil, err
	}
	f, err := s.readFile()
	if err != nil {
		return nil, err
	}
	p := &Profile{}
	if err := s.choose(p, f); err != nil {
		return nil, err
	}
	if err := s.gather(p, f); err != nil {
		return nil, err
	}
	return p, nil
}

func (s Sources) checkFlags() error {
	for key := range s.Flags {
		if set := find(key); set == nil || set.isSecret() {
			return &Error{Key: key, Problem: fmt.Sprintf("no flag sets %q", key)}
		}
	}
	return nil
}

func (s Sources) readFile() (*file, error) {
	if s.File != "" {
		return readFile(s.File, false)
	}
	return readFile(defaultPath(s.LookupEnv), true)
}

// value finds what the strongest source says.
func (s Sources) value(set *setting, inFile map[string]value) value {
	if text := s.Flags[set.key]; text != "" {
		return value{text, Origin{Flag: set.flag()}}
	}
	if text, _ := s.LookupEnv(set.variable()); text != "" {
		return value{text, Origin{Variable: set.variable()}}
	}
	if v := inFile[set.key]; v.text != "" {
		return v
	}
	return value{text: set.fallback}
}

// choose finds the profile that is meant and makes sure that it exists.
func (s Sources) choose(p *Profile, f *file) error {
	set := find("profile")
	v := s.value(set, map[string]value{set.key: f.standard()})
	if v.text == "" {
		if err := s.needName(f); err != nil {
			return err
		}
		v.text = nameFromVariables
	}
	if err := set.set(p, v); err != nil {
		return err
	}
	return s.exists(v, f)
}

// needName makes the error for a profile without a name, unless it comes wholly
// from variables.
func (s Sources) needName(f *file) error {
	switch {
	case len(f.names) > 0:
		return &Error{
			Origin:  Origin{File: f.path},
			Key:     "default_profile",
			Problem: "it holds several profiles and names none as default_profile",
			Want:    "want one of " + f.list() + " there, by the variable GATEHOUSE_PROFILE or the flag --profile",
		}
	case !s.giveAny():
		return fmt.Errorf("%w: there is none in %s, and no variable such as GATEHOUSE_BASE_URL gives one", ErrNoProfile, f.path)
	}
	return nil
}

// exists accepts a profile of the file, and one that comes wholly from variables
// and flags: with profiles in the file these must be complete, so that a
// misspelt name does not pass for a new profile.
func (s Sources) exists(name value, f *file) error {
	var want string
	switch {
	case f.profiles[name.text] != nil:
	case len(f.names) == 0 && !s.giveAny():
		want = "want one of that name in " + f.path + ", or variables such as GATEHOUSE_BASE_URL that give it"
	case len(f.names) > 0 && !s.giveAll():
		want = "want one of " + f.list()
	}
	if want == "" {
		return nil
	}
	return &Error{
		Origin:  name.origin,
		Key:     "profile",
		Value:   name.text,
		Problem: fmt.Sprintf("there is no profile %q", name.text),
		Want:    want,
	}
}

// giveAny reports whether a variable or flag gives something that a profile needs.
func (s Sources) giveAny() bool {
	return slices.ContainsFunc(settings, func(set *setting) bool {
		return set.needed != never && s.value(set, nil).text != ""
	})
}

// giveAll reports whether variables and flags give all that every profile needs.
func (s Sources) giveAll() bool {
	return !slices.ContainsFunc(settings, func(set *setting) bool {
		return set.needed == always && s.value(set, nil).text == ""
	})
}

// gather fills the chosen profile.
func (s Sources) gather(p *Profile, f *file) error {
	chosen := f.profiles[p.Name]
	if chosen == nil { // wholly from variables
		chosen = &section{}
	}
	for _, set := range settings {
		if set.key == "profile" {
			continue
		}
		if err := set.set(p, s.value(set, chosen.values)); err != nil {
			return err
		}
	}
	var missing []*setting
	for _, set := range settings {
		if set.neededBy(p) && set.value(p) == "" {
			missing = append(missing, set)
		}
	}
	if len(missing) > 0 {
		return p.lacks(chosen.origin, missing...)
	}
	return nil
}

// lacks makes the error for settings that the profile cannot be without.
func (p *Profile) lacks(at Origin, missing ...*setting) error {
	var keys, variables []string
	for _, s := range missing {
		key := s.key
		if s.isAuthority() {
			key += " (for authority " + string(s.needed) + ")"
		}
		keys, variables = append(keys, key), append(variables, s.variable())
	}
	return &Error{
		Origin:  at,
		Key:     missing[0].key,
		Problem: "profile " + p.Name + " has no " + strings.Join(keys, ", "),
		Want:    "want a value in the profile file or in the variable " + strings.Join(variables, ", "),
	}
}

// ProfileNames lists the profiles of the profile file in the order of the file,
// without a look at their values: none where there is no file and none was
// named. The error is an [*Error].
func (s Sources) ProfileNames() ([]string, error) {
	if s.LookupEnv == nil {
		s.LookupEnv = os.LookupEnv
	}
	f, err := s.readFile()
	if err != nil {
		return nil, err
	}
	return f.names, nil
}
