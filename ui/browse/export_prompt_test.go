package browse

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

	"gatehouse/internal/files"
	"gatehouse/internal/lists"
	"gatehouse/internal/testkit"
	"gatehouse/internal/testkit/uitest"
	"gatehouse/ui/screen"
)

// prompt is a prompt with a screen around it.
type prompt struct {
	*ExportPrompt
	t       *testing.T
	choices []ExportChoice
	stage   *uitest.Stage
	now     time.Time
}

// newPrompt offers 1,234 shares; write says what comes of writing them.
func newPrompt(t *testing.T, write func(context.Context, ExportChoice, func(int, int64)) error) *prompt {
	p := &prompt{t: t, stage: uitest.NewStage(t, 80, 24), now: time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)}
	env := p.stage.Env
	env.Now = func() time.Time { return p.now }
	offer := ExportOffer{
		Rows: 1234, One: "share", Many: "shares", Order: "filtered by lars, sorted by Name", Name: "shares",
		Formats: lists.Exports(),
		Write: func(ctx context.Context, c ExportChoice, progress func(int, int64)) error {
			p.choices = append(p.choices, c)
			return write(ctx, c, progress)
		},
	}
	p.ExportPrompt = NewExportPrompt(env, offer)
	p.stage.Show(p.ExportPrompt)
	return p
}

// press deals keys out as the root of the UI does, and gives the work they ask
// for.
func (p *prompt) press(keys ...string) (work tea.Cmd) {
	p.t.Helper()
	codes := map[string]rune{"enter": tea.KeyEnter, "up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft, "right": tea.KeyRight, "backspace": tea.KeyBackspace, "tab": tea.KeyTab}
	for _, key := range keys {
		if a, ok := screen.FindAction(screen.DefaultKeys().Fill(p.ExportPrompt.Actions()), key, p.Typing()); ok && a.Run != nil {
			work = a.Run()
			continue
		}
		if !p.Typing() {
			p.t.Fatalf("nothing is bound to %q", key)
		}
		if code, ok := codes[key]; ok {
			work = p.Update(tea.KeyPressMsg{Code: code})
		} else {
			work = p.Update(tea.PasteMsg{Content: key})
		}
	}
	return work
}

// finish does the work of an export; its ticks are left out.
func (p *prompt) finish(work tea.Cmd) {
	p.t.Helper()
	batch, ok := work().(tea.BatchMsg)
	if !ok {
		p.t.Fatal("nothing is written")
	}
	batch[0]().(screen.Addressed).Take()
}

// name puts another file into the form.
func (p *prompt) name(path string) {
	p.Model.Set("file", path)
	p.Start("file")
}

func (p *prompt) frame() string { return ansi.Strip(uitest.Drawn(p.ExportPrompt, 80, 24)) }

func (p *prompt) requireFrame(texts ...string) {
	p.t.Helper()
	for _, text := range texts {
		if !strings.Contains(testkit.OneBlank(p.frame()), text) {
			p.t.Fatalf("%q is not in the frame:\n%s", text, strings.TrimRight(p.frame(), "\n"))
		}
	}
}

func wrote(_ context.Context, _ ExportChoice, progress func(int, int64)) error {
	progress(1234, 481_000)
	return nil
}

// promptStates are prompts in every state there is.
func promptStates(t *testing.T) map[string]*prompt {
	failed := newPrompt(t, func(context.Context, ExportChoice, func(int, int64)) error {
		return &files.ExportError{Path: "/root/shares.csv", Err: fs.ErrPermission}
	})
	failed.finish(failed.press("enter"))
	running := newPrompt(t, wrote)
	running.press("enter")
	running.job.progress(400, 160_000)
	running.now = running.now.Add(2 * time.Second)
	return map[string]*prompt{"form": newPrompt(t, wrote), "failed": failed, "running": running}
}

func TestTheExportPromptLooksAsRecorded(t *testing.T) {
	for state, p := range promptStates(t) {
		requireSizes(t, p.ExportPrompt)
		for _, size := range []struct{ width, height int }{{80, 24}, {120, 40}, {40, 10}} {
			if size.width == 120 && state != "form" {
				continue
			}
			name := fmt.Sprintf("export-%s-%dx%d", state, size.width, size.height)
			testkit.Golden(t, name, ansi.Strip(uitest.Drawn(p.ExportPrompt, size.width, size.height))+"\n")
		}
	}
}

func TestEnterExportsWhatIsProposed(t *testing.T) {
	p := newPrompt(t, wrote)
	p.finish(p.press("enter"))
	want := []ExportChoice{{Format: lists.AsXLSX, Shown: true, Path: "shares.xlsx"}}
	if !slices.Equal(want, p.choices) {
		t.Errorf("wrote %+v, want %+v", p.choices, want)
	}
	path, err := filepath.Abs("shares.xlsx")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]any{uitest.Say{Text: "Wrote 1,234 shares, 481.0 kB, to " + path + "."}}, p.stage.Told); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if p.stage.Top() != nil {
		t.Error("the prompt stays")
	}
}

func TestTheEndOfTheNameChoosesTheFormat(t *testing.T) {
	for end, want := range map[string]*lists.Output{
		".json": lists.AsJSON, ".ndjson": lists.AsNDJSON, ".JSON": lists.AsJSON, ".csv": lists.AsCSV,
		"": lists.AsXLSX, ".txt": nil, "json": nil,
	} {
		p := newPrompt(t, wrote)
		p.press(end)
		work := p.press("enter")
		if want == nil {
			p.requireFrame("the name must end in .xlsx, .csv, .ndjson or .json")
			continue
		}
		p.requireFrame("writing shares.xlsx" + end)
		p.finish(work)
		path := "shares.xlsx" + end
		if len(p.choices) != 1 || p.choices[0].Format != want || p.choices[0].Path != path {
			t.Errorf("%s: wrote %+v, want the format %s", path, p.choices, want.Name)
		}
	}
}

func TestNamesOfFiles(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	for name, want := range map[string]string{
		"a.csv": "a.csv", " ~/a b.csv ": home + "/a b.csv", "/tmp/~x": "/tmp/~x", "dir/東京.csv": "dir/東京.csv",
		"": "!type the name", "dir/": "!type the name of a file in this folder", "~": "!after ~, type", "~ann/x": "!after ~, type",
	} {
		got, err := expand(name)
		if err != nil {
			got = "!" + err.Error()
		}
		if got != want && (want == "" || want[0] != '!' || !strings.HasPrefix(got, want)) {
			t.Errorf("%q is %q, want %q", name, got, want)
		}
	}
	p := newPrompt(t, wrote)
	p.name("")
	if p.press("enter"); len(p.choices) > 0 || !strings.Contains(p.frame(), "type the name of the file") {
		t.Errorf("without a name:\n%s", p.frame())
	}
}

func TestWritingTellsHowFarItIsAndCanBeStopped(t *testing.T) {
	begun := make(chan struct{})
	p := newPrompt(t, func(ctx context.Context, _ ExportChoice, progress func(int, int64)) error {
		progress(617, 240_000)
		close(begun)
		<-ctx.Done()
		return fmt.Errorf("write: %w", ctx.Err())
	})
	batch := p.press("enter")().(tea.BatchMsg)
	answer := make(chan tea.Msg)
	go func() { answer <- batch[0]() }()
	<-begun
	p.requireFrame("writing shares.xlsx", "617 of 1,234 shares, 240.0 kB", "━")
	if p.Typing() {
		t.Error("keys are text while the file is written")
	}
	p.Close()
	if (<-answer).(screen.Addressed).Take() != nil {
		t.Error("what came of a stopped export is said")
	}
}

// writeFile is a Write on real files.
func writeFile(ctx context.Context, c ExportChoice, progress func(int, int64)) error {
	return files.Export(ctx, c.Path, c.Overwrite, func(w io.Writer) error {
		n, err := fmt.Fprintln(w, c.Format.Name)
		progress(1234, int64(n))
		return err
	})
}

func TestAFileIsReplacedOnlyWhenAskedFor(t *testing.T) {
	uitest.RunAlone(t, func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "shares.csv")
		if err := os.WriteFile(path, []byte("precious"), 0o644); err != nil {
			t.Fatal(err)
		}
		p := newPrompt(t, writeFile)
		p.name(path)
		p.stage.Press("enter").Expect("Replace it?", "exists already").Press("enter").Press("n").Gone("Replace it?")
		if got := p.Model.Value("file"); got != path {
			t.Errorf("back in the form the file is %q", got)
		}
		if got, _ := os.ReadFile(path); string(got) != "precious" {
			t.Fatalf("the file was replaced: %q", got)
		}
		p.stage.Press("enter").Expect("Replace it?").Press("y").Settle()
		if got, _ := os.ReadFile(path); string(got) != "csv\n" {
			t.Errorf("the file holds %q", got)
		}
	})
}

func TestAFailureSaysWhyAndWhatToDo(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "folder.csv"), 0o755); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		filepath.Join(dir, "none", "a.csv"): "the directory does not exist",
		filepath.Join(dir, "folder.csv"):    "symbolic links are not followed",
	} {
		p := newPrompt(t, writeFile)
		p.name(path)
		p.finish(p.press("enter"))
		p.requireFrame(want, "File")
	}
	p := newPrompt(t, writeFile)
	p.name(filepath.Join(dir, "later", "a.csv"))
	p.finish(p.press("enter"))
	if err := os.Mkdir(filepath.Join(dir, "later"), 0o755); err != nil {
		t.Fatal(err)
	}
	if p.finish(p.press("enter")); p.stage.Top() != nil {
		t.Error("the second try wrote no file")
	}
}

// A switch and the end of a name say the same: what was changed last decides.
func TestTheFormatAndTheEndOfTheNameAgree(t *testing.T) {
	p := newPrompt(t, wrote)
	p.requireFrame("Format xlsx", "for Excel")
	if strings.Contains(p.frame(), "Columns") {
		t.Errorf("a workbook has nothing to choose, and the form asks:\n%s", p.frame())
	}
	p.press("down", "right")
	p.requireFrame("shares.csv", "Columns", "as shown", "for a spreadsheet")
	p.press("down", "right")
	p.requireFrame("as sent", "for scripts")
	p.finish(p.press("enter"))
	want := ExportChoice{Format: lists.AsCSV, Path: "shares.csv"}
	if len(p.choices) != 1 || p.choices[0] != want {
		t.Errorf("wrote %+v, want %+v", p.choices, want)
	}

	p = newPrompt(t, wrote)
	p.name("")
	p.press("all.ndjson")
	p.requireFrame("Format ndjson")
	p.finish(p.press("enter"))
	want = ExportChoice{Format: lists.AsNDJSON, Path: "all.ndjson"}
	if len(p.choices) != 1 || p.choices[0] != want {
		t.Errorf("wrote %+v, want %+v", p.choices, want)
	}
}

func TestAnErrorReplacesTheOneBefore(t *testing.T) {
	p := newPrompt(t, func(context.Context, ExportChoice, func(int, int64)) error {
		return &files.ExportError{Path: "/root/shares.csv", Err: fs.ErrPermission}
	})
	p.finish(p.press("enter"))
	p.requireFrame("is not writable")
	p.press(".txt")
	p.press("enter")
	p.requireFrame("the name must end in")
	if strings.Contains(p.frame(), "is not writable") {
		t.Errorf("two errors stand together:\n%s", p.frame())
	}
}

func TestTabCompletesFilesAndFolders(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"reports", "リスト"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	p := newPrompt(t, wrote)
	p.name(filepath.Join(dir, "rep"))
	p.press("tab")
	if got, want := p.Value("file"), filepath.Join(dir, "reports")+"/"; got != want || p.Focused() != "file" {
		t.Errorf("tab made %q in %s, want %q", got, p.Focused(), want)
	}
	p.press("all.csv", "tab")
	if p.Focused() != "format" {
		t.Errorf("with nothing to complete, tab leads to %s", p.Focused())
	}
}

func TestMoreRowsThanASheetHasAreRefusedBeforeAnythingIsWritten(t *testing.T) {
	p := newPrompt(t, wrote)
	p.offer.Rows = 1_048_576
	if p.press("enter"); len(p.choices) > 0 {
		t.Fatalf("wrote %+v", p.choices)
	}
	p.requireFrame("xlsx has room for 1,048,575 rows, and there are 1,048,576")
	p.press("down", "right")
	p.finish(p.press("enter"))
	if len(p.choices) != 1 || p.choices[0].Format != lists.AsCSV {
		t.Errorf("wrote %+v", p.choices)
	}
}

func TestCellsThatWouldBeCutAreSaidBefore(t *testing.T) {
	p := newPrompt(t, wrote)
	p.offer.Cut = func(*lists.Output) int { return 2 }
	p.Init()().(screen.Addressed).Take()
	p.requireFrame("2 cells are longer than 32,767 characters, the limit of xlsx,")
}

func TestAFileThatExistsIsSaidBefore(t *testing.T) {
	path := filepath.Join(t.TempDir(), "shares.xlsx")
	if err := os.WriteFile(path, []byte("precious"), 0o644); err != nil {
		t.Fatal(err)
	}
	p := newPrompt(t, wrote)
	p.name("")
	p.press(path)
	p.requireFrame("this file exists; you will be asked before it is replaced")
}

func TestAnExportThatLeavesOutColumnsSaysSo(t *testing.T) {
	for end, left := range map[string]bool{".csv": true, ".xlsx": true, ".json": false, ".ndjson": false} {
		for _, partial := range []bool{true, false} {
			p := newPrompt(t, wrote)
			p.offer.Partial = partial
			p.name("")
			p.press(filepath.Join(t.TempDir(), "shares"+end))
			before := strings.Contains(p.frame(), "Columns beyond 2,000 are left out")
			p.finish(p.press("enter"))
			if before != (left && partial) {
				t.Errorf("%s, partial %v: said before: %v", end, partial, before)
			}
			said := fmt.Sprint(p.stage.Told...)
			if !strings.Contains(said, "Wrote 1,234 shares") || strings.Contains(said, "Columns beyond 2,000 are left out; json has them.") != (left && partial) {
				t.Errorf("%s, partial %v: said %q", end, partial, said)
			}
		}
	}
}
