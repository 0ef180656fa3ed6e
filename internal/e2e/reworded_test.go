package e2e

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	embedded "gatehouse/internal/demo"
	"gatehouse/internal/testkit"
)

// keepsTexts are the parts of the program whose texts are not its own words: the other side of the
// wire, what services say, what libraries say, statements of SQL, and pages.
var keepsTexts = regexp.MustCompile(`^(internal/(demo|hostile|testkit|e2e)/|docs/|.*postgres.*\.go$|api/(reason|cause|certificate)\.go$)`)

// sentence matches a text that people read: two words, the first of which begins with a letter.
var sentence = regexp.MustCompile(`\pL{2,} \pL{2,}`)

// forMachines matches what has several words and is read by a machine: JSON, PEM and scopes.
var forMachines = regexp.MustCompile(`":|^-----|^openid `)

// stays matches what a text keeps when it is reworded: verbs of fmt, fields of templates, marked-up
// parts such as commands, flags, addresses, and times as Go writes them.
var stays = regexp.MustCompile("%[-+# 0-9.*\\[\\]]*[a-zA-Z]|\\{[^}]*\\}|`[^`]*`|--?[a-z][-a-z]*|\\\\.|\\S*[/@_=<>]\\S*|[A-Z]{2,}|\\b(Jan|Mon|MST)\\b|\\d\\S*")

// reworded is a text in other words: each word is another one, and no two texts begin alike.
func reworded(text string, number int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "q%d ", number)
	for text != "" {
		at := stays.FindStringIndex(text)
		if at == nil {
			at = []int{len(text), len(text)}
		}
		b.WriteString(strings.Map(otherLetter, text[:at[0]]))
		b.WriteString(text[at[0]:at[1]])
		text = text[at[1]:]
	}
	return b.String()
}

// otherLetter turns letters by half the alphabet.
func otherLetter(r rune) rune {
	switch {
	case 'a' <= r && r <= 'z':
		return 'a' + (r-'a'+13)%26
	case 'A' <= r && r <= 'Z':
		return 'A' + (r-'A'+13)%26
	}
	return r
}

// rewriter rewords the sentences of a file.
type rewriter struct {
	number int
	base   int
	edits  []edit
}

type edit struct {
	from, to int
	text     string
}

// Visit skips what is no sentence of the program: paths, tags, expressions that are matched, and
// the usage of a command, whose first word is its name.
func (w *rewriter) Visit(n ast.Node) ast.Visitor {
	switch n := n.(type) {
	case *ast.ImportSpec:
		return nil
	case *ast.Field:
		n.Tag = nil
	case *ast.KeyValueExpr:
		if key, ok := n.Key.(*ast.Ident); ok && (key.Name == "Use" || key.Name == "Scope") {
			return nil
		}
	case *ast.CallExpr:
		if f, ok := n.Fun.(*ast.SelectorExpr); ok && readsText(f) {
			return nil
		}
	case *ast.BasicLit:
		w.reword(n)
	}
	return w
}

// readsText reports whether a function reads a text: what it looks for stays as it was, so that it
// does not find it any more in a sentence of the program.
func readsText(f *ast.SelectorExpr) bool {
	pkg, ok := f.X.(*ast.Ident)
	if !ok {
		return false
	}
	switch pkg.Name {
	case "regexp":
		return true
	case "strings", "bytes":
		return f.Sel.Name != "Join" && f.Sel.Name != "Repeat"
	case "time":
		return f.Sel.Name == "Parse" || f.Sel.Name == "ParseInLocation"
	}
	return f.Sel.Name == "Format"
}

func (w *rewriter) reword(literal *ast.BasicLit) {
	if literal.Kind != token.STRING || !sentence.MatchString(literal.Value) {
		return
	}
	text, err := strconv.Unquote(literal.Value)
	if err != nil || forMachines.MatchString(text) {
		return
	}
	w.number++
	from := int(literal.Pos()) - w.base
	w.edits = append(w.edits, edit{from, from + len(literal.Value), strconv.Quote(reworded(text, w.number))})
}

// rewordedProgram builds the program with every sentence in other words, and returns its path and
// how many there are.
func rewordedProgram(t *testing.T) (path string, sentences int) {
	t.Helper()
	root, dir := testkit.Root(t), t.TempDir()
	overlay := map[string]string{}
	w := &rewriter{}
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		relative, _ := filepath.Rel(root, path)
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		if keepsTexts.MatchString(filepath.ToSlash(relative)) {
			return nil
		}
		changed, err := w.file(path)
		if err != nil || changed == nil {
			return err
		}
		overlay[path] = filepath.Join(dir, strconv.Itoa(len(overlay))+".go")
		return os.WriteFile(overlay[path], changed, 0o600)
	})
	if err != nil {
		t.Fatal(err)
	}
	replaced, err := json.Marshal(map[string]any{"Replace": overlay})
	if err != nil {
		t.Fatal(err)
	}
	list := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(list, replaced, 0o600); err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(dir, "gatehouse")
	build := exec.CommandContext(t.Context(), "go", "build", "-overlay", list, "-ldflags", linked, "-o", path, ".")
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return path, w.number
}

// file returns a file with its sentences reworded; nil if it has none.
func (w *rewriter) file(path string) ([]byte, error) {
	source, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	files := token.NewFileSet()
	parsed, err := parser.ParseFile(files, path, source, 0)
	if err != nil {
		return nil, err
	}
	w.base, w.edits = files.File(parsed.Pos()).Base(), nil
	ast.Walk(w, parsed)
	if len(w.edits) == 0 {
		return nil, nil
	}
	var out []byte
	at := 0
	for _, e := range w.edits {
		out = append(append(out, source[at:e.from]...), e.text...)
		at = e.to
	}
	return append(out, source[at:]...), nil
}

// decided are the members of the program's JSON that say what it has decided; all others are texts,
// times and figures.
var decided = []string{
	"id", "state", "code", "scope", "status", "because", "check", "error_code", "known", "wipe",
	"email", "primary_domain", "domain", "primary", "verdict", "checks", "authority", "renewable",
}

// decisions are the exit code of a command and what its JSON decides.
func decisions(t *testing.T, f finished) any {
	t.Helper()
	var document any
	if f.stdout != "" {
		if err := json.Unmarshal([]byte(f.stdout), &document); err != nil {
			t.Fatalf("%v: %s%s", err, f.stdout, f.stderr)
		}
	}
	return map[string]any{"exit code": f.code, "output": onlyDecided(document)}
}

// onlyDecided leaves out what is not in [decided]. The id of a report is another one each time.
func onlyDecided(value any) any {
	switch value := value.(type) {
	case []any:
		for i := range value {
			value[i] = onlyDecided(value[i])
		}
	case map[string]any:
		if _, isReport := value["checks"]; isReport {
			delete(value, "id")
		}
		for name, member := range value {
			_, isText := member.(string)
			if !slices.Contains(decided, name) || name == "known" && isText {
				delete(value, name)
				continue
			}
			value[name] = onlyDecided(member)
		}
	}
	return value
}

// oneOfEachKind are accounts that fail at different links; the long test takes all.
var oneOfEachKind = []string{"finn@harbor.example", "kit@harbor.example", "sten@harbor.example", "uma@harbor.example"}

// whatIsDecided are commands whose outcome depends on what the program has found, for each account
// of the demo.
func whatIsDecided() (commands [][]string) {
	for _, a := range embedded.Accounts() {
		if !testkit.Long() && !slices.Contains(oneOfEachKind, a.Email) {
			continue
		}
		commands = append(commands,
			[]string{"check", a.Email, "-o", "json"},
			[]string{"check", a.Email, "--sign-in", "--device-name", "laptop", "--password-stdin", "-o", "json"},
			[]string{"lookup", a.Email, "-o", "json"},
			[]string{"device-login", "--email", a.Email, "--device-name", "laptop", "--password-stdin", "-o", "json"},
		)
	}
	return append(commands,
		[]string{"check", "nobody@harbor.example", "no address", "ada@harbor.example", "-o", "json"},
		[]string{"lookup", "nobody@harbor.example", "no address", "ada@harbor.example", "-o", "json"},
		[]string{"check", "ada@harbor.example", "--domain", "drydock.example", "-o", "json"},
		[]string{"check", "ada@harbor.example", "--control", "-o", "json"},
		[]string{"shares", "-o", "json"},
		[]string{"shares", "--filter", "dusk>1GB"},
		[]string{"login", "--email", "rosa@harbor.example", "--password-stdin"},
		[]string{"login", "--email", "ada@harbor.example", "--password-stdin"},
		[]string{"whoami", "--output", "yaml"},
	)
}

func TestAProgramInOtherWordsDecidesTheSame(t *testing.T) {
	t.Parallel()
	other, sentences := rewordedProgram(t)
	if sentences < 1000 {
		t.Fatalf("only %d sentences were reworded", sentences)
	}
	env := demoService(t)
	said := finish(t, withEnv(exec.CommandContext(t.Context(), other, "lookup", "x"), env), "")
	if strings.Contains(said.stderr, "address") || !regexp.MustCompile(`\bq\d+ `).MatchString(said.stderr) {
		t.Errorf("the program speaks as before: %s", said.stderr)
	}
	for _, args := range whatIsDecided() {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			t.Parallel()
			run := func(program string) finished {
				command := exec.CommandContext(t.Context(), program, args...)
				return finish(t, withEnv(command, append(env, home(t)...)), "demo\n")
			}
			own, others := run(binary), run(other)
			if diff := cmp.Diff(decisions(t, own), decisions(t, others)); diff != "" {
				t.Errorf("in other words it decides otherwise (-own words +other words):\n%s\n%s\n%s", diff, own.stderr, others.stderr)
			}
		})
	}
}

func withEnv(command *exec.Cmd, env []string) *exec.Cmd {
	command.Env = env
	return command
}
