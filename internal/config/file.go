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
	"regexp"
	"slices"
	"strings"

	"github.com/adrg/xdg"
	"github.com/agnivade/levenshtein"
	"github.com/pelletier/go-toml/v2"

	"gatehouse/internal/files"
	"gatehouse/internal/text/problem"
)

const maxFile = 1 << 20

var errTooLarge = errors.New("it is larger than 1 MiB")

// file is a profile file as it is written. The values of a profile are checked when it is
// resolved, as a variable may replace a wrong one.
type file struct {
	origin Origin // of its values

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
var topKeys = []string{"version", "default_profile", "mouse", "keys", "theme", "themes", "serve", "profiles"}

// Value is the text of a key before it is checked. An empty text is no value.
type Value struct {
	Key    string
	Text   string // for a list of [serve], as the flag takes it
	Origin Origin
}

// DefaultPath is the default profile file, $XDG_CONFIG_HOME/gatehouse/config.toml; "" if there is no
// home directory, see [files.BaseDir].
func DefaultPath() string { return defaultPath(os.LookupEnv) }

func defaultPath(lookup func(string) (string, bool)) string {
	given, _ := lookup("XDG_CONFIG_HOME")
	base := files.BaseDir(given, func() string { return xdg.ConfigHome })
	if base == "" {
		return ""
	}
	return filepath.Join(base, "gatehouse", "config.toml")
}

// readFile reads the profile file. Without the default one it is empty.
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
		Origin: Origin{File: path}, Problem: "the profile file cannot be read: " + files.Reason(err).Error(),
		Want: "use a TOML file that this user can read, with a table such as [profiles.main]",
	}
	if errors.Is(err, fs.ErrNotExist) {
		refused.Want, refused.Help = "", problem.HelpMakeFile
	}
	return nil, refused
}

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

// names are the names of the profiles.
func (f *file) names() []string { return slices.Sorted(maps.Keys(f.Profiles)) }

// list names the profiles for an error message.
func (f *file) list() string { return cmp.Or(cut(strings.Join(f.names(), ", ")), "no profile") }

// defaultProfile is default_profile or else the only profile; empty if there is no
// default.
func (f *file) defaultProfile() string {
	if f.Default == "" && len(f.Profiles) == 1 {
		return f.names()[0]
	}
	return f.Default
}

// parse returns what a document says, whose path errors name.
func parse(path string, document []byte) (*file, error) {
	document = bytes.TrimPrefix(document, []byte("\ufeff"))
	f := &file{origin: Origin{File: path}, Mouse: true, Profiles: map[string]*Profile{}}
	var head struct {
		Version any `toml:"version"`
	}
	if wrong := encodingFault(document); wrong != nil {
		e := f.wrong("", wrong.problem, wrong.want)
		e.Line = wrong.line
		return nil, e
	}
	// The file of a newer program is refused, whatever else is in it.
	if err := toml.Unmarshal(document, &head); err != nil {
		return nil, f.notTOML(document, err)
	}
	if err := f.checkVersion(head.Version); err != nil {
		return nil, err
	}
	if err := toml.NewDecoder(bytes.NewReader(document)).DisallowUnknownFields().Decode(f); err != nil {
		return nil, f.unfit(err)
	}
	for _, name := range f.names() {
		if _, wrong := CheckProfileName(name); wrong != nil {
			return nil, f.wrong(name, fmt.Sprintf("%q is not a valid profile name", cut(name)), wrong.Error())
		}
	}
	return f, nil
}

// notTOML explains why the decoder does not understand a document. Its own words may quote what
// stands there.
func (f *file) notTOML(document []byte, err error) error {
	at, ok := errors.AsType[*toml.DecodeError](err)
	if !ok {
		return f.wrong("", "the file cannot be read: "+err.Error(), "use a TOML file")
	}
	message := strings.TrimPrefix(at.Error(), "toml: ")
	reason := cut(quotedCharacter.ReplaceAllString(message, ""))
	want := `use lines such as client_id = "name"`
	line, _ := at.Position()
	// The library has no type for a key or table that is there twice. Its words are tested.
	if strings.Contains(message, " already ") || strings.Contains(message, " should be a table") {
		want = "remove one of the two"
	} else if usual := lineFault(lineOf(document, line)); usual != nil {
		reason, want = usual.problem, usual.want
	}
	e := f.wrong(strings.Join(at.Key(), "."), "this is not TOML: "+reason, want)
	e.Line = line
	return e
}

// unfit explains why a document that is TOML is no profile file: a key is unknown, or has a value of
// another type. The words of the decoder name types of this program.
func (f *file) unfit(err error) error {
	at, ok := errors.AsType[*toml.DecodeError](err)
	if !ok {
		return f.wrong("", "the file cannot be read: "+err.Error(), "use a TOML file")
	}
	key := strings.Join(at.Key(), ".")
	e := f.wrong(key, fmt.Sprintf("%q has a value of the wrong kind", cut(key)),
		"use text in quotes, true or false for mouse, and tables such as [profiles.main]")
	if _, unknown := errors.AsType[*toml.StrictMissingError](err); unknown {
		e.Problem = fmt.Sprintf("unknown key %q", cut(key))
		e.Want, e.Help = wantInstead(at.Key())
	}
	e.Line, _ = at.Position()
	return e
}

// wantInstead says what to use in place of an unknown key: a similar one, or one of those that are
// known.
func wantInstead(path toml.Key) (string, problem.Help) {
	key := path[0]
	if slices.Contains(topKeys, key) {
		key = path[len(path)-1]
	}
	if meant := Nearest(key, slices.Concat(topKeys, fileKeys())); meant != "" && meant != key {
		return fmt.Sprintf("did you mean %q?", meant), problem.HelpNone
	}
	if s := find(Nearest(key, Keys())); s != nil && !s.inFile {
		return s.key + " is never in the file", problem.HelpVariables
	}
	return "known are " + strings.Join(topKeys, ", ") + " and, below a line such as [profiles.main], " + strings.Join(fileKeys(), ", "), problem.HelpNone
}

// fileVersion is the version of the profile file, which is its key version. A file without one
// has version 1; it is increased when a key gets another meaning.
const fileVersion = 1

func (f *file) checkVersion(written any) error {
	if written == nil {
		return nil
	}
	version, ok := written.(int64)
	if !ok || version < 1 {
		return f.wrong("version", "version is not a number from 1", fmt.Sprintf("use version = %d, or none", fileVersion))
	}
	if newer := files.CheckVersion(int(version), fileVersion); newer != nil {
		e := f.wrong("version", newer.Error(), "upgrade gatehouse")
		e.Help = problem.HelpOtherFile
		return e
	}
	return nil
}

func (f *file) wrong(key, problem, want string) *Error {
	return &Error{Origin: f.origin, Key: key, Problem: problem, Want: want}
}

// Nearest returns the known word that was probably meant, or "". Hyphens, underscores
// and case do not count.
func Nearest(word string, known []string) string {
	if len(word) > 64 {
		return ""
	}
	word = joined(word)
	best, closest := "", 1+max(1, len(word)/3) // two letters swapped are 2
	for _, k := range known {
		if d := levenshtein.ComputeDistance(word, joined(k)); d < closest {
			best, closest = k, d
		}
	}
	return best
}

func joined(word string) string {
	return strings.NewReplacer("-", "", "_", "").Replace(strings.ToLower(word))
}

// quotedCharacter matches the character that a syntax error quotes: it may be the first
// of a secret that somebody wrote without quotes.
var quotedCharacter = regexp.MustCompile(`( but got|:)? U\+[0-9A-F]+( '.')?`)
