package config

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/adrg/xdg"
	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"

	"gatehouse/internal/files"
)

const maxFile = 1 << 20

// file is a parsed profile file. Its keys are checked when it is read; the values of a
// profile when it is resolved, as a variable may replace a wrong one.
type file struct {
	path   string
	preset Value    // default_profile
	names  []string // of the profiles, in order
	// profiles are the values of each, by key; its name is that of the key profile.
	profiles    map[string]map[string]Value
	preferences Preferences
	server      []Value // the lines of [serve]
}

// Value is the text of a key before it is checked. An empty text is no value.
type Value struct {
	Key    string
	Text   string // for a list of [serve], as the flag takes it
	Origin Origin
}

// DefaultPath is the default profile file, $XDG_CONFIG_HOME/gatehouse/config.toml.
func DefaultPath() string { return defaultPath(os.LookupEnv) }

func defaultPath(lookup func(string) (string, bool)) string {
	home, _ := lookup("XDG_CONFIG_HOME")
	if !filepath.IsAbs(home) { // the XDG specification ignores relative paths
		home = xdg.ConfigHome
	}
	return filepath.Join(home, "gatehouse", "config.toml")
}

// readFile reads the profile file. Without the default one it is empty.
func (s Sources) readFile() (*file, error) {
	path := s.File
	if path == "" {
		path = defaultPath(s.LookupEnv)
	}
	document, err := readBounded(path)
	want := "use a TOML file with a table such as [profiles.main]"
	switch {
	case err == nil:
		return parse(path, document)
	case s.File == "" && errors.Is(err, fs.ErrNotExist):
		return parse(path, nil)
	case errors.Is(err, fs.ErrNotExist):
		want = "`gatehouse config init --config FILE` creates it"
	case errors.Is(err, fs.ErrPermission):
		want = "use a file that this user can read"
	}
	problem := fmt.Sprintf("the profile file cannot be read: %v", files.Reason(err))
	return nil, &Error{Origin: Origin{File: path}, Problem: problem, Want: want, Err: err}
}

func readBounded(path string) ([]byte, error) {
	in, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	document, err := io.ReadAll(io.LimitReader(in, maxFile+1))
	if err == nil && len(document) > maxFile {
		err = errors.New("it is larger than 1 MiB")
	}
	return document, err
}

// defaultProfile is default_profile or else the only profile; empty if there is no
// default.
func (f *file) defaultProfile() Value {
	if f.preset.Text == "" && len(f.names) == 1 {
		return f.profiles[f.names[0]]["profile"]
	}
	return f.preset
}

// list names the profiles for an error message, up to 20.
func (f *file) list() string {
	const maxNames = 20
	if len(f.names) > maxNames {
		return strings.Join(f.names[:maxNames], ", ") + ", …"
	}
	return strings.Join(f.names, ", ")
}

// parse returns what a document says, whose path errors name.
func parse(path string, document []byte) (*file, error) {
	f := &file{path: path, profiles: make(map[string]map[string]Value), preferences: Preferences{Mouse: true, Themes: make(map[string]map[string]Value)}}
	list, err := statements(document)
	if syntax, ok := errors.AsType[*toml.DecodeError](err); ok {
		line, _ := syntax.Position()
		return nil, &Error{
			Origin:  Origin{File: f.path, Line: line},
			Problem: "this is not TOML: " + cut(quotedCharacter().ReplaceAllString(strings.TrimPrefix(syntax.Error(), "toml: "), "")),
			Want:    `use lines such as client_id = "name"`,
		}
	}
	if err != nil {
		return nil, err
	}
	for _, st := range list { // the file of a newer program is refused, whatever else is in it
		if st.path[0] == "version" {
			if err := f.checkVersion(st); err != nil {
				return nil, err
			}
		}
	}
	for _, st := range list {
		if err := f.add(st); err != nil {
			return nil, err
		}
	}
	return f, nil
}

// topKeys are the keys of a file outside its profiles.
var topKeys = []string{"version", "default_profile", "mouse", "keys", "theme", "themes", "serve", "profiles"}

// add processes one statement of a document.
func (f *file) add(st statement) (err error) {
	switch st.path[0] {
	case "version":
	case "default_profile":
		f.preset, err = f.text(st, 1, "use the name of a profile in quotes")
	case "theme":
		f.preferences.Theme, err = f.text(st, 1, `use a name such as theme = "high-contrast"`)
	case "mouse":
		if len(st.path) > 1 || st.kind != unstable.Bool {
			return f.wrong(st, "mouse is neither true nor false", "use mouse = false to leave the mouse to the terminal")
		}
		f.preferences.Mouse = st.text == "true"
	case "keys":
		err = f.addKeys(st)
	case "themes":
		err = f.addColour(st)
	case "serve":
		err = f.addSetting(st)
	case "profiles":
		err = f.addToProfile(st)
	default:
		err = f.unknown(st, "", topKeys)
	}
	return err
}

// text is the value of a key that has a string, at this depth.
func (f *file) text(st statement, depth int, want string) (Value, error) {
	key := st.path[depth-1]
	if len(st.path) > depth || st.kind != unstable.String {
		return Value{}, f.wrong(st, key+" is not a string", want)
	}
	return Value{key, st.text, f.at(st)}, nil
}

// fileVersion is the version of the profile file, which is its key version. A file without one
// has version 1; it is increased when a key gets another meaning.
const fileVersion = 1

func (f *file) checkVersion(st statement) error {
	version, err := strconv.Atoi(st.text)
	if st.kind != unstable.Integer || len(st.path) > 1 || err != nil || version < 1 {
		return f.wrong(st, "version is not a number from 1", fmt.Sprintf("use version = %d, or none", fileVersion))
	}
	if newer := files.CheckVersion(version, fileVersion); newer != nil {
		return &Error{Origin: f.at(st), Key: "version", Problem: newer.Error(), Want: "upgrade gatehouse, or name another file with --config", Err: newer}
	}
	return nil
}

func (f *file) addToProfile(st statement) error {
	const want = "use a table such as [profiles.main]"
	if len(st.path) == 1 {
		if !st.isTable() {
			return f.wrong(st, "profiles is not a table", want)
		}
		return nil
	}
	name := st.path[1]
	if f.profiles[name] == nil {
		if _, wrong := CheckProfileName(name); wrong != nil {
			return f.wrong(st, fmt.Sprintf("%q is not a valid profile name", cut(name)), wrong.Error())
		}
		f.names, f.profiles[name] = append(f.names, name), map[string]Value{"profile": {"profile", name, f.at(st)}}
	}
	if len(st.path) == 2 {
		if !st.isTable() {
			return f.wrong(st, "profile "+name+" is not a table", want)
		}
		return nil
	}
	key := st.path[2]
	if set := find(key); set == nil || !set.inFile {
		return f.unknown(st, " in profile "+name, fileKeys())
	}
	v, err := f.text(st, 3, "use text in quotes")
	f.profiles[name][key] = v
	return err
}

// unknown is the error for a key that is none of those that are known in a place: at the top,
// or in a profile.
func (f *file) unknown(st statement, place string, known []string) error {
	key, isTop := st.path[0], place == ""
	if !isTop {
		key = st.path[2]
	}
	want, similar := suggestion(key, known)
	switch set := find(Nearest(key, Keys())); {
	case set != nil && !set.inFile && !(isTop && similar):
		want = set.elsewhere()
	case similar:
	case set != nil && isTop:
		want = set.key + " belongs in a profile, below a line such as [profiles.main]"
	case !isTop && st.kind == unstable.Table:
		want = `a profile contains no tables, and a name with a dot goes in quotes: [profiles."a.b"]`
	}
	return f.wrong(st, fmt.Sprintf("unknown key %q%s", cut(key), place), want)
}

// suggestion is what is wanted in place of an unknown word: the similar one, if there is any, or
// one of those that are known.
func suggestion(word string, known []string) (want string, similar bool) {
	if meant := Nearest(word, known); meant != "" {
		return fmt.Sprintf("did you mean %q?", meant), true
	}
	return "known are " + strings.Join(known, ", "), false
}

// elsewhere says where a value comes from that is not allowed in the file.
func (s *setting) elsewhere() string {
	if s.isSecret() {
		return "secrets are never in the file: they come from the variable " + s.variable() + ", standard input or the keyring"
	}
	return s.key + " cannot be set in the file: use the variable " + s.variable() + " or the flag " + s.flag()
}

func (f *file) wrong(st statement, problem, want string) error {
	return &Error{Origin: f.at(st), Key: st.path[len(st.path)-1], Problem: problem, Want: want}
}

func (f *file) at(st statement) Origin { return Origin{File: f.path, Line: st.line} }

// Nearest returns the known word that was probably meant, or "". Hyphens, underscores
// and case do not count.
func Nearest(word string, known []string) string {
	if len(word) > 64 {
		return ""
	}
	word = joined(word)
	best, closest := "", 1+max(1, len(word)/4)
	for _, k := range known {
		if d := distance(word, joined(k)); d < closest {
			best, closest = k, d
		}
	}
	return best
}

func joined(word string) string {
	return strings.NewReplacer("-", "", "_", "").Replace(strings.ToLower(word))
}

// distance is the number of bytes to insert, remove, replace or swap with the next one.
func distance(a, b string) int {
	d := make([][]int, len(a)+1) // between the first i bytes of a and the first j of b
	for i := range d {
		d[i] = make([]int, len(b)+1)
		for j := range d[i] {
			switch {
			case i == 0 || j == 0:
				d[i][j] = i + j
			case a[i-1] == b[j-1]:
				d[i][j] = d[i-1][j-1]
			case i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1]:
				d[i][j] = 1 + min(d[i-1][j-1], d[i-1][j], d[i][j-1], d[i-2][j-2])
			default:
				d[i][j] = 1 + min(d[i-1][j-1], d[i-1][j], d[i][j-1])
			}
		}
	}
	return d[len(a)][len(b)]
}

// quotedCharacter matches the character that a syntax error quotes: it may be the first
// of a secret that somebody wrote without quotes.
var quotedCharacter = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`( but got|:)? U\+[0-9A-F]+( '.')?`) })
