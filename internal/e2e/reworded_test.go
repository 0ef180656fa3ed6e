package e2e

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
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
	"gatehouse/internal/desk/check"
	"gatehouse/internal/testkit"
)

// keepsTexts are the parts of the program whose texts are not its own words: the other side of the
// wire, what libraries say, statements of SQL, pages, and what people write in filters.
var keepsTexts = regexp.MustCompile(`^(internal/(demo|hostile|testkit|e2e)/|docs/|.*postgres.*\.go$|internal/lists/habit[a-z]*\.go$)`)

// saidByOthers are the constants and tables, by their files, that hold what services and libraries
// say, which the program looks for, and the names of columns, which people type in filters.
var saidByOthers = map[string][]string{
	"api/reason.go":      {"tellingWords", "hypotheses", "refusingWords"},
	"api/cause.go":       {"lostHTTP2"},
	"api/certificate.go": {"unreadable", "signature", "tooLong"},

	"internal/lists/name.go": {"knownMembers"},
}

// sentence matches a text that people read: two words, the first of which begins with a letter.
var sentence = regexp.MustCompile(`\pL{2,} \pL{2,}`)

// oneWord matches a text of one word. Those of the members in [forPeople] are reworded as well.
var oneWord = regexp.MustCompile(`^"\pL[\pL-]+"$`)

// forPeople are the members of structs that hold texts which people read.
var forPeople = []string{
	"Title", "title", "Text", "text", "Label", "label", "Heading", "hint", "One", "Many",
}

// forMachines matches what has several words and is read by a machine: JSON, PEM and scopes.
var forMachines = regexp.MustCompile(`":|^-----|^openid `)

// stays matches what a text keeps when it is reworded: verbs of fmt, fields of templates, marked-up
// parts such as commands, flags, addresses, and times as Go writes them.
var stays = regexp.MustCompile("%[-+# 0-9.*\\[\\]]*[a-zA-Z]|\\{[^}]*\\}|`[^`]*`|--?[a-z][-a-z]*|\\\\.|\\S*[/@_=<>]\\S*|[A-Z]{2,}|\\b(Jan|Mon|MST)\\b|\\d\\S*")

// reworded is a text in other words: no two texts begin alike, but for blanks.
func reworded(text string, number int) string {
	words := strings.TrimLeft(text, " ")
	blanks := text[:len(text)-len(words)]
	return fmt.Sprintf("%sq%d %s", blanks, number, inOtherWords(words))
}

// rewordedTitle is the title of an action in other words. It can be typed without its number.
func rewordedTitle(title string, number int) string {
	return fmt.Sprintf("%s q%d", inOtherWords(title), number)
}

// typedTitle is what people type for a title that is [rewordedTitle] with any number.
func typedTitle(title string) string { return strings.TrimSuffix(rewordedTitle(title, 0), "0") }

// inOtherWords is a text of which each word is another one.
func inOtherWords(text string) string {
	var b strings.Builder
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
	others []string // those of [saidByOthers] in the file
	// words are the single words that a file of the UI says, as literals, with other ones for them.
	// Elsewhere in the file they become the same ones, so that a word may be compared as a whole.
	words map[string]string
	base  int
	edits []edit
}

type edit struct {
	from, to int
	text     string
}

// Visit skips what is no sentence of the program: paths, tags, what is looked for or compared, and
// the usage of a command, whose first word is its name.
func (w *rewriter) Visit(n ast.Node) ast.Visitor {
	switch n := n.(type) {
	case *ast.ImportSpec:
		return nil
	case *ast.Field:
		n.Tag = nil
	case *ast.ValueSpec:
		if slices.Contains(w.others, n.Names[0].Name) {
			return nil
		}
	case *ast.KeyValueExpr:
		return w.member(n)
	case *ast.BinaryExpr:
		if n.Op == token.EQL || n.Op == token.NEQ {
			w.compared(n.X, n.Y)
			return nil
		}
	case *ast.CaseClause:
		w.compared(n.List...)
		for _, statement := range n.Body {
			ast.Walk(w, statement)
		}
		return nil
	case *ast.CallExpr:
		if f, ok := n.Fun.(*ast.SelectorExpr); ok && readsText(f) {
			return nil
		}
	case *ast.BasicLit:
		if sentence.MatchString(n.Value) {
			w.reword(n)
		}
		w.rewordWord(n)
	}
	return w
}

// findWords finds the single words that a file of the UI says: a function returns them, a member
// gets them, or a table has them for constants.
func (w *rewriter) findWords(file *ast.File) {
	w.words = map[string]string{}
	said := func(values []ast.Expr) {
		for _, value := range values {
			literal, ok := value.(*ast.BasicLit)
			if ok && oneWord.MatchString(literal.Value) && w.words[literal.Value] == "" {
				w.number++
				word := strings.Trim(literal.Value, `"`)
				w.words[literal.Value] = strconv.Quote(reworded(word, w.number))
			}
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ReturnStmt:
			said(n.Results)
		case *ast.AssignStmt:
			if _, isMember := n.Lhs[0].(*ast.SelectorExpr); isMember {
				said(n.Rhs)
			}
		case *ast.CompositeLit:
			if _, isTable := n.Type.(*ast.ArrayType); !isTable {
				return true
			}
			for _, element := range n.Elts {
				if entry, ok := element.(*ast.KeyValueExpr); ok {
					said([]ast.Expr{entry.Value})
				}
			}
		}
		return true
	})
}

// compared rewords the words that a file says where it compares something with them.
func (w *rewriter) compared(values ...ast.Expr) {
	for _, value := range values {
		if literal, ok := value.(*ast.BasicLit); ok {
			w.rewordWord(literal)
		}
	}
}

// rewordWord rewords a literal that is one of the words that the file says.
func (w *rewriter) rewordWord(literal *ast.BasicLit) {
	if text, ok := w.words[literal.Value]; ok {
		w.edit(literal, text)
	}
}

// member visits a member of a struct: one that people read is reworded even if it is a single word.
func (w *rewriter) member(n *ast.KeyValueExpr) ast.Visitor {
	key, ok := n.Key.(*ast.Ident)
	if !ok {
		return w
	}
	if key.Name == "Use" || key.Name == "Scope" {
		return nil
	}
	literal, ok := n.Value.(*ast.BasicLit)
	isWord := ok && oneWord.MatchString(literal.Value)
	if ok && key.Name == "Title" && (isWord || sentence.MatchString(literal.Value)) {
		w.rewordAs(rewordedTitle, literal)
		return nil
	}
	if isWord && slices.Contains(forPeople, key.Name) {
		w.reword(literal)
		return nil
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

func (w *rewriter) reword(literal *ast.BasicLit) { w.rewordAs(reworded, literal) }

// rewordAs rewords a literal with a function that gets a number for it.
func (w *rewriter) rewordAs(reword func(text string, number int) string, literal *ast.BasicLit) {
	if literal.Kind != token.STRING {
		return
	}
	text, err := strconv.Unquote(literal.Value)
	if err != nil || forMachines.MatchString(text) {
		return
	}
	w.number++
	w.edit(literal, strconv.Quote(reword(text, w.number)))
}

// edit replaces a literal by another one.
func (w *rewriter) edit(literal *ast.BasicLit, text string) {
	from := int(literal.Pos()) - w.base
	w.edits = append(w.edits, edit{from, from + len(literal.Value), text})
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
		relative = filepath.ToSlash(relative)
		if keepsTexts.MatchString(relative) {
			return nil
		}
		w.others = saidByOthers[relative]
		changed, err := w.file(path, strings.HasPrefix(relative, "ui/"))
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

// file returns a file with its sentences reworded; nil if it has none. In one of the UI the single
// words that it says are reworded as well.
func (w *rewriter) file(path string, ofUI bool) ([]byte, error) {
	source, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	files := token.NewFileSet()
	parsed, err := parser.ParseFile(files, path, source, 0)
	if err != nil {
		return nil, err
	}
	w.base, w.edits, w.words = files.File(parsed.Pos()).Base(), nil, nil
	if ofUI {
		w.findWords(parsed)
	}
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
	"id", "state", "code", "cause", "scope", "status", "because", "check", "error_code", "known", "wipe",
	"email", "primary_domain", "domain", "primary", "verdict", "checks", "authority", "renewable",
}

// answer is the JSON that a command has written; nil if it has written nothing.
func answer(t *testing.T, f finished) (document any) {
	t.Helper()
	if f.stdout == "" {
		return nil
	}
	if err := json.Unmarshal([]byte(f.stdout), &document); err != nil {
		t.Fatalf("%v: %s%s", err, f.stdout, f.stderr)
	}
	return document
}

// decisions are the exit code of a command and what its JSON decides.
func decisions(t *testing.T, f finished) any {
	t.Helper()
	return map[string]any{"exit code": f.code, "output": onlyDecided(answer(t, f))}
}

// slowChecks are the ids of the checks in the output of a command that took longer than
// [check.Slow].
func slowChecks(t *testing.T, f finished) (ids []string) {
	t.Helper()
	var find func(value any)
	find = func(value any) {
		switch value := value.(type) {
		case []any:
			for _, element := range value {
				find(element)
			}
		case map[string]any:
			id, _ := value["id"].(string)
			took, _ := value["ms"].(float64)
			if _, isReport := value["checks"]; !isReport && took > float64(check.Slow.Milliseconds()) {
				ids = append(ids, id)
			}
			for _, name := range slices.Sorted(maps.Keys(value)) {
				find(value[name])
			}
		}
	}
	find(answer(t, f))
	return ids
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
			var own, others finished
			for range maxTries {
				own, others = run(binary), run(other)
				if slices.Equal(slowChecks(t, own), slowChecks(t, others)) {
					break
				}
			}
			if diff := cmp.Diff(decisions(t, own), decisions(t, others)); diff != "" {
				t.Errorf("in other words it decides otherwise (-own words +other words):\n%s\n%s\n%s",
					diff, own.stderr, others.stderr)
			}
		})
	}
	for name, answers := range conversations {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var diff string
			for range maxTries {
				own := heard(t, binary, answers, strings.Clone)
				others := heard(t, other, answers, typedTitle)
				if diff = cmp.Diff(own, others); diff == "" {
					return
				}
			}
			t.Errorf("in other words it leads elsewhere (-own words +other words):\n%s", diff)
		})
	}
}

// maxTries is how often two programs are run until the same answers were slow for both: a slow one
// is a warning. If they decide differently, they do so each time.
const maxTries = 5

// chosen begins an answer that is the title of a choice: the other program has it in other words.
const chosen = ">"

// conversations are what people answer in line mode: they sign in, open each tab of a domain and
// records of its lists, and check accounts. They type numbers, verbs of commands, and titles of
// choices.
var conversations = map[string][]string{
	"everything works": {
		"ada@harbor.example", "demo", "help", "1", "next", "help", "12", "help", "1", "2", "back",
		"4", "check ben@harbor.example", "help", "2", "help", "1", "back", "back", "back", "quit",
	},
	"the sign-in fails": {
		"ada@harbor.example", "wrong", "", "demo", "3", "99", "1", "no command", "back", "quit",
	},
	"the domain is another one": {
		"finn@harbor.example", "demo", "help", "1", "filter dusk>1GB", "filter a", "2", "quit",
	},
	"domains are compared": {
		"ada@harbor.example", "demo", ">refresh", "about 1", "about 3", "about 4", "mark 1, 3", "help",
		">compare", "help", "1", "2", "back", "marks", "unmark 1", "help", ">URLs", "help", "quit",
	},
	"a gateway is down": {
		"kit@harbor.example", "demo", ">refresh", "about 1", "1", "help", ">check why", "help", "1",
		"back", "help", "activity", "1", "help", "quit",
	},
	"a list is arranged": {
		"ada@harbor.example", "demo", "1", "values disk", "help", "1", "back", "1", "columns",
		"examples", "back", "mark 1-2", "marks", ">refresh", "export /nowhere/shares.csv", "help", "back",
		"filter a", "sort disk down", "2", "help", "1", "2", "help", "back", "companies", "2",
		"help", "quit",
	},
	"devices are logged in": {
		"ada@harbor.example", "demo", "1", "1", "6", "wrong", "demo", "next", "2", "help", "demo",
		"next", "help", "3", "help", "1", "quit",
	},
	"the session is renewed": {
		"ada@harbor.example", "demo", "1", "token", "help", "1", "help", "activity", "1", "help", "back",
		"2", "help", "1", "2", "back", "filter connect", "values status", "help", "quit",
	},
	"it cannot be renewed": {
		"tove@harbor.example", "demo", "1", "token", "help", "1", "activity", "help", "quit",
	},
	"an address is checked again": {
		"ada@harbor.example", "demo", "check kit@harbor.example", ">check again", "help", "2", "help",
		"back", ">check with password", "demo", "help", "2", "back", "back", "help",
	},
}

// varies matches what differs between two runs: times, addresses with ports, and ids of reports,
// tokens, sessions and devices.
var varies = regexp.MustCompile(`<?[\d.]+ m?s\b|\d\d:\d\d(:\d\d)?|\b1[78]\d{8}\b|127\.0\.0\.1:\d+|` +
	`\b\w{4}-\w{4}\b|\b[a-z2-7]{26}\b|\b[0-9a-f]{32}\b`)

// varying stands for what [varies] matches.
const varying = "#"

// heard are the lines that a program says in a conversation, in a form in which a sentence and the
// same one in other words are equal. What is left to differ is which sentences are said, how many
// choices there are, and what a number opens.
//
// said says the title of a choice as the program does.
func heard(
	t *testing.T, program string, answers []string, said func(title string) string,
) (lines []string) {
	t.Helper()
	typed := slices.Clone(answers)
	for i, answer := range typed {
		if title, isChosen := strings.CutPrefix(answer, chosen); isChosen {
			typed[i] = said(title)
		}
	}
	command := exec.CommandContext(t.Context(), program, "demo", "--accessible")
	f := finish(t, withEnv(command, home(t)), strings.Join(typed, "\n")+"\n")
	if f.code != 0 {
		t.Fatalf("exit code %d: %s", f.code, f.stderr)
	}
	for line := range strings.Lines(f.stdout) {
		line = inNoWords(line)
		isProgress := slices.ContainsFunc(ofProgress, func(begins string) bool {
			return strings.HasPrefix(line, inNoWords(begins))
		})
		// A time is said again when it has changed, a second later.
		isSaidAgain := strings.Contains(line, varying) && slices.Contains(lines, line)
		if !isProgress && !isSaidAgain {
			lines = append(lines, line)
		}
	}
	return lines
}

// ofProgress begin the lines that say how far the work is: what they say depends on the time.
var ofProgress = []string{"Loading", "Started at", "Still waiting"}

// numbered matches the number that [reworded] puts before a text.
var numbered = regexp.MustCompile(`q\d+ ?`)

// inNoWords is a line of which words are told apart, but not from the same ones in other words. It
// has no blanks: the number of a text stands between some of them.
func inNoWords(line string) string {
	line = varies.ReplaceAllString(strings.ToLower(line), varying) // ids may look like numbers of texts
	line = numbered.ReplaceAllString(line, "")
	line = strings.Join(strings.Fields(line), "")
	return strings.Map(func(r rune) rune { return min(r, otherLetter(r)) }, line)
}

func withEnv(command *exec.Cmd, env []string) *exec.Cmd {
	command.Env = env
	return command
}
