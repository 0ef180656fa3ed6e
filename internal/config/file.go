package config

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/adrg/xdg"
	"github.com/pelletier/go-toml/v2"

	"gatehouse/internal/files"
	"gatehouse/internal/text/problem"
)

// maxFile is the size limit of a profile file and of a file of certificates, in bytes.
const maxFile = 1 << 20

var errTooLarge = errors.New("it is larger than 1 MiB")

// fileVersion is the newest value of the key version that this program reads. A file without
// that key has version 1. The version increases when a key changes its meaning.
const fileVersion = 1

// file is the content of a profile file. The values of a profile are checked only when that
// profile is resolved, because a variable may replace a wrong value.
type file struct {
	origin Origin // of every value in it

	Version  any                          `toml:"version"`
	Default  string                       `toml:"default_profile"`
	Mouse    bool                         `toml:"mouse"`
	Keys     map[string]any               `toml:"keys"`
	Theme    string                       `toml:"theme"`
	Themes   map[string]map[string]string `toml:"themes"`
	Serve    map[string]any               `toml:"serve"`
	Profiles map[string]*Profile          `toml:"profiles"`
}

// topKeys are the keys of a file outside its profiles.
var topKeys = []string{
	"version", keyDefaultProfile, "mouse", "keys", "theme", "themes", "serve", "profiles",
}

// keyDefaultProfile is the key that names the profile to take where none is named.
const keyDefaultProfile = "default_profile"

// Value is the text of a key before it is checked. An empty Text counts as no value.
type Value struct {
	Key    string
	Text   string // a list of [serve] is joined with commas, as its flag takes it
	Origin Origin
}

// DefaultPath returns the default profile file, $XDG_CONFIG_HOME/gatehouse/config.toml, or "" if
// there is no home directory (see [files.BaseDir]).
func DefaultPath() string { return defaultPath(os.LookupEnv) }

func defaultPath(lookup func(string) (string, bool)) string {
	given, _ := lookup("XDG_CONFIG_HOME")
	base := files.BaseDir(given, func() string { return xdg.ConfigHome })
	if base == "" {
		return ""
	}
	return filepath.Join(base, "gatehouse", "config.toml")
}

// readFile reads the profile file. If the default file does not exist, the result is empty.
func (s Sources) readFile() (*file, error) {
	path := s.File
	if path == "" {
		path = defaultPath(s.LookupEnv)
	}
	if path == "" { // without a home directory a profile can come from variables alone
		return parse("", nil)
	}
	document, err := readBounded(path)
	switch {
	case err == nil:
		return parse(path, document)
	case s.File == "" && errors.Is(err, fs.ErrNotExist):
		return parse(path, nil)
	}
	refused := &Error{
		Origin:  Origin{File: path},
		Problem: "the profile file cannot be read: " + files.Reason(err).Error(),
		Want:    "use a TOML file that this user can read, with a table such as [profiles.main]",
	}
	if errors.Is(err, fs.ErrNotExist) {
		refused.Want, refused.Help = "", problem.HelpMakeFile
	}
	return nil, refused
}

// readBounded reads a file of at most maxFile bytes.
func readBounded(path string) ([]byte, error) {
	in, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	document, err := io.ReadAll(io.LimitReader(in, maxFile+1))
	if err == nil && len(document) > maxFile {
		err = errTooLarge
	}
	return document, err
}

// names returns the sorted names of the profiles.
func (f *file) names() []string { return slices.Sorted(maps.Keys(f.Profiles)) }

// nameList names the profiles for an error message.
func (f *file) nameList() string {
	return cmp.Or(cut(strings.Join(f.names(), ", ")), "no profile")
}

// defaultProfile returns default_profile, or else the only profile. It is "" if neither exists.
func (f *file) defaultProfile() string {
	if f.Default == "" && len(f.Profiles) == 1 {
		return f.names()[0]
	}
	return f.Default
}

// parse reads a document: its keys and their types, not yet the values. Errors name the path as
// the file.
func parse(path string, document []byte) (*file, error) {
	document = bytes.TrimPrefix(document, []byte("\ufeff"))
	f := &file{origin: Origin{File: path}, Mouse: true, Profiles: map[string]*Profile{}}
	if fault := encodingFault(document); fault != nil {
		e := f.invalid("", fault.problem, fault.want)
		e.Line = fault.line
		return nil, e
	}
	// The version comes first, as the file of a newer program may have keys unknown here.
	var head struct {
		Version any `toml:"version"`
	}
	if err := toml.Unmarshal(document, &head); err != nil {
		return nil, f.syntaxError(document, err)
	}
	if err := f.checkVersion(head.Version); err != nil {
		return nil, err
	}
	decoder := toml.NewDecoder(bytes.NewReader(document)).DisallowUnknownFields()
	if err := decoder.Decode(f); err != nil {
		return nil, f.schemaError(err)
	}
	for _, name := range f.names() {
		if _, err := CheckProfileName(name); err != nil {
			reason := fmt.Sprintf("%q is not a valid profile name", cut(name))
			return nil, f.invalid(name, reason, err.Error())
		}
	}
	return f, nil
}

// checkVersion checks the value of the key version, which is nil where the file has none.
func (f *file) checkVersion(written any) error {
	if written == nil {
		return nil
	}
	version, ok := written.(int64)
	if !ok || version < 1 {
		want := fmt.Sprintf("use version = %d, or none", fileVersion)
		return f.invalid("version", "version is not a number from 1", want)
	}
	if newer := files.CheckVersion(int(version), fileVersion); newer != nil {
		e := f.invalid("version", newer.Error(), "upgrade gatehouse")
		e.Help = problem.HelpOtherFile
		return e
	}
	return nil
}

// invalid returns an error about a key of the file.
func (f *file) invalid(key, problem, want string) *Error {
	return &Error{Origin: f.origin, Key: key, Problem: problem, Want: want}
}
