package ui

import (
	"context"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/hinshun/vt10x"

	"gatehouse/internal/testkit/uitest"
)

// remote is a terminal at the other end of a network.
type remote struct {
	t       *testing.T
	keys    *io.PipeWriter
	options Options
	ended   chan error
	changed chan struct{}

	mu     sync.Mutex
	screen vt10x.Terminal
	raw    strings.Builder
}

// Write takes what the UI draws.
func (r *remote) Write(b []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.raw.Write(b)
	_, _ = r.screen.Write(b)
	select {
	case r.changed <- struct{}{}:
	default:
	}
	return len(b), nil
}

// dial starts the UI on a terminal at the other end of a network.
func dial(t *testing.T, ctx context.Context, o Options) *remote {
	t.Helper()
	keys, send := io.Pipe()
	r := &remote{
		t: t, keys: send, options: o, ended: make(chan error, 1), changed: make(chan struct{}, 1),
		screen: vt10x.New(vt10x.WithSize(300, 100)),
	}
	o.Open, o.Input, o.Output, o.Remote = neverOpens, keys, r, true
	if o.Environ == nil {
		o.Environ = []string{"TERM=xterm-256color"}
	}
	go func() { r.ended <- Run(ctx, &o) }()
	t.Cleanup(func() { _ = send.Close() })
	return r
}

// until waits for what is drawn to be as wanted.
func (r *remote) until(what string, done func(screen, raw string) bool) {
	r.t.Helper()
	deadline := time.After(20 * time.Second)
	for {
		r.mu.Lock()
		screen, raw := r.screen.String(), r.raw.String()
		r.mu.Unlock()
		if done(screen, raw) {
			return
		}
		select {
		case <-r.changed:
		case <-deadline:
			r.t.Fatalf("waiting for %s: %q", what, raw[max(0, len(raw)-600):])
		}
	}
}

func shows(text string) func(screen, raw string) bool {
	return func(screen, _ string) bool { return strings.Contains(screen, text) }
}

func TestAllColoursAreUsedInTmuxWhereTheyAreWanted(t *testing.T) {
	for _, c := range []struct {
		environ []string
		want    colorprofile.Profile
	}{
		{[]string{"TERM=tmux-256color", "COLORTERM=truecolor"}, colorprofile.TrueColor},
		{[]string{"TERM=screen-256color", "TMUX=/tmp/tmux", "COLORTERM=24bit"}, colorprofile.TrueColor},
		{[]string{"TERM=tmux-256color"}, colorprofile.ANSI256},
		{[]string{"TERM=screen-256color", "COLORTERM=truecolor"}, colorprofile.ANSI256},
		{[]string{"TERM=tmux-256color", "COLORTERM=truecolor", "NO_COLOR=1"}, colorprofile.ASCII},
	} {
		r := newRoot(t.Context(), &Options{Environ: c.environ, Output: io.Discard})
		if r.detect(); r.profile != c.want {
			t.Errorf("%q: %v, want %v", c.environ, r.profile, c.want)
		}
	}
}

// resize has a channel hold the newest size.
func resize(changes chan Size, newest Size) {
	select {
	case <-changes:
	default:
	}
	changes <- newest
}

func TestATerminalOfSomebodyElseIsDrawnOnInItsSize(t *testing.T) {
	resizes := make(chan Size, 1)
	r := dial(t, t.Context(), Options{Size: Size{60, 12}, Resizes: resizes})
	r.until("the first frame", shows("could not be opened"))
	if footer := strings.Split(r.screen.String(), "\n")[11]; !strings.Contains(footer, "quit") {
		t.Errorf("the last line is %q", footer)
	}
	for width := range 200 { // somebody drags a corner
		resize(resizes, Size{60 + width, 20})
	}
	resize(resizes, Size{70, 8})
	r.until("the new size", func(screen, _ string) bool {
		lines := strings.Split(screen, "\n")
		return strings.Contains(lines[7], "quit") && strings.TrimSpace(strings.Join(lines[8:], "")) == ""
	})
	resize(resizes, Size{300, 100})
	r.until("a large size", func(screen, _ string) bool {
		return strings.Contains(strings.Split(screen, "\n")[99], "quit")
	})
	resize(resizes, Size{1, 1})
	_, _ = io.WriteString(r.keys, "\x03")
	if err := <-r.ended; err != nil {
		t.Error(err)
	}
	if frames := strings.Count(r.raw.String(), "\x1b[2J"); frames > 100 {
		t.Errorf("drawn anew %d times", frames)
	}
	requireLast(t, r.raw.String(), "\x1b[?1049h", "\x1b[?1049l")
}

func TestATerminalThatReadsNothingIsGivenUpInTheEnd(t *testing.T) {
	blocked, unblock := io.Pipe()
	defer blocked.Close()
	ctx, cancel := context.WithCancel(t.Context())
	keys, typed := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		ended <- Run(ctx, &Options{Open: neverOpens, Input: keys, Output: unblock, Environ: []string{"TERM=xterm"}, Remote: true, Size: Size{80, 24}})
	}()
	_, _ = io.WriteString(typed, strings.Repeat("?\x1b[A", 100)) // is read, for nothing waits for the terminal
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// toldSizes is a model that remembers those that it is told.
type toldSizes struct{ told *[]Size }

func (s toldSizes) Init() tea.Cmd  { return nil }
func (s toldSizes) View() tea.View { return tea.View{} }

func (s toldSizes) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	*s.told = append(*s.told, Size(msg.(tea.WindowSizeMsg)))
	return s, nil
}

func TestOfManyChangesOfSizeTheLastIsToldAlways(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		changes := make(chan Size, 1)
		var told []Size
		l := loop{ctx: t.Context(), model: toldSizes{&told}, resizes: changes}
		l.mu.Lock()
		go l.run(Size{0, 0})
		for i := range 1000 {
			resize(changes, Size{i, i})
			<-time.After(time.Millisecond)
		}
		<-time.After(time.Second)
		synctest.Wait()
		if len(told) < 10 || len(told) > 30 || told[0] != (Size{0, 0}) || told[len(told)-1] != (Size{999, 999}) {
			t.Errorf("told are %v", told)
		}
	})
}

func TestOnlyATerminalThatCanBeExpectedToAnswerIsAskedForModes(t *testing.T) {
	for _, tt := range []struct {
		name    string
		environ []string
		remote  bool
		want    bool
	}{
		{"one at hand", []string{"TERM=xterm-256color"}, false, true},
		{"Apple's", []string{"TERM=xterm-256color", "TERM_PROGRAM=Apple_Terminal"}, false, false},
		{"another program's", []string{"TERM=xterm-256color", "TERM_PROGRAM=vscode"}, false, true},
		{"inside of ssh", []string{"TERM=xterm-256color", "SSH_TTY=/dev/pts/1"}, false, false},
		{"a known one inside of ssh", []string{"TERM=xterm-kitty", "SSH_TTY=/dev/pts/1"}, false, true},
		{"Windows Terminal", []string{"WT_SESSION=1", "SSH_TTY=/dev/pts/1"}, false, true},
		{"a remote one", []string{"TERM=xterm-256color"}, true, false},
		{"a known remote one", []string{"TERM=alacritty"}, true, true},
	} {
		if got := variablesOf(tt.environ).answersQueries(tt.remote); got != tt.want {
			t.Errorf("%s: asked %v", tt.name, got)
		}
	}
}

func TestWhatTheTerminalKnowsIsUsed(t *testing.T) {
	r := dial(t, t.Context(), Options{Size: Size{80, 24}, Environ: []string{"TERM=xterm-kitty"}})
	r.until("the questions", func(_, raw string) bool { return strings.Contains(raw, "\x1b[?2026$p\x1b]11;?") })
	_, _ = io.WriteString(r.keys, "\x1b[?2026;2$y")
	_, _ = io.WriteString(r.keys, "\x10") // the palette
	r.until("a synchronized frame", func(_, raw string) bool { return strings.HasSuffix(raw, "\x1b[?2026l") })
	_, _ = io.WriteString(r.keys, "\x03")
	<-r.ended
}

// requireLast wants what undoes a sequence to stand behind it.
func requireLast(t *testing.T, drawn, sequence, undo string) {
	t.Helper()
	if !strings.Contains(drawn, sequence) || strings.LastIndex(drawn, undo) < strings.LastIndex(drawn, sequence) {
		t.Errorf("%q is not undone by %q", sequence, undo)
	}
}

func TestWhatATerminalCanDoIsKnownFromItsVariables(t *testing.T) {
	for _, tt := range []struct {
		environ                string
		ascii, links, progress bool
	}{
		{"TERM=xterm-256color LANG=en_GB.UTF-8", false, true, false},
		{"TERM=xterm-256color", false, true, false},
		{"TERM=xterm-256color LANG=C", true, true, false},
		{"TERM=xterm-256color LANG=en_GB.UTF-8 LC_ALL=POSIX", true, true, false},
		{"TERM=xterm-256color LANG=C.UTF-8", false, true, false},
		{"TERM=xterm-256color LANG=C LC_CTYPE=UTF-8", false, true, false},
		{"TERM=xterm-256color LANG=en_GB", false, true, false},
		{"TERM=xterm-256color LANG=da_DK.ISO-8859-1", true, true, false},
		{"TERM=xterm-256color LC_ALL=C.utf8 LANG=da_DK.ISO-8859-1", false, true, false},
		{"TERM=linux LANG=en_GB.UTF-8", true, false, false},
		{"TERM=vt220", true, false, false},
		{"TERM=dumb", false, false, false},
		{"TERM=xterm-256color TERM_PROGRAM=Apple_Terminal", false, false, false},
		{"TERM=xterm-256color WT_SESSION=1", false, true, true},
		{"TERM=tmux-256color WT_SESSION=1 TMUX=/tmp/tmux", false, true, false},
		{"TERM=xterm-ghostty", false, true, true},
		{"TERM=xterm-256color TERM_PROGRAM=iTerm.app", false, true, false},
	} {
		v := variablesOf(strings.Fields(tt.environ))
		if v.lacksUnicode() != tt.ascii || v.hasLinks() != tt.links || v.showsProgress() != tt.progress {
			t.Errorf("%s: ASCII %v, links %v, progress %v", tt.environ, v.lacksUnicode(), v.hasLinks(), v.showsProgress())
		}
	}
}

func TestColoursAreLeftOutWhereNobodyWantsThemOrTheTerminalHasNone(t *testing.T) {
	for environ, want := range map[string]bool{
		"TERM=xterm-256color":                             true,
		"TERM=xterm-256color CLICOLOR=1":                  true,
		"TERM=xterm-256color CLICOLOR=0":                  false,
		"TERM=xterm-256color CLICOLOR=0 CLICOLOR_FORCE=1": true,
		"TERM=xterm-256color NO_COLOR=1":                  false,
		"TERM=xterm-mono":                                 false,
		"TERM=linux-m":                                    false,
	} {
		list := strings.Fields(environ)
		r := newRoot(t.Context(), &Options{Output: io.Discard, Environ: list, Remote: true})
		r.detect()
		if got := !r.styling.NoColor; got != want {
			t.Errorf("%s: the UI has colours: %v", environ, got)
		}
		v := variablesOf(list)
		lookup := func(name string) (string, bool) { value, ok := v[name]; return value, ok }
		if got := !LineTheme(lookup).Options.NoColor; got != want {
			t.Errorf("%s: lines have colours: %v", environ, got)
		}
	}
}

func TestTheTerminalShowsTheProgressOfALoading(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		body := uitest.Library(200)
		dripping(s, body, uitest.UpTo(t, body, 120))
		d := open(t, s, 80, 24)
		d.model.root.showsProgress = true
		d.signIn("ada")
		d.Press("enter").Expect("loading: 120 shares")
		if got := d.model.root.frame.Progress; got < 50 || got > 70 {
			t.Errorf("while it loads the progress is %d", got)
		}
		d.Press("esc").Expect("120 shares kept")
		if got := d.model.root.frame.Progress; got != 0 {
			t.Errorf("afterwards the progress is %d", got)
		}
	})
}
