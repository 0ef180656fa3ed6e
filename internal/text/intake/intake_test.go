package intake

import (
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"
)

func TestALineIsUTF8OrRefused(t *testing.T) {
	for name, tt := range map[string]struct {
		raw, want string
		fault     Fault
	}{
		"a line":                  {"demo\n", "demo", 0},
		"without an end":          {"demo", "demo", 0},
		"of Windows":              {"demo\r\n", "demo", 0},
		"with a byte-order mark":  {"\ufeffdemo\n", "demo", 0},
		"with letters":            {"påss 日本", "påss 日本", 0},
		"that ends in a blank":    {"demo \n", "demo ", 0},
		"with an empty one":       {"demo\n\n", "", SecondLine},
		"two":                     {"demo\nmore\n", "", SecondLine},
		"two of an old Mac":       {"demo\rmore", "", SecondLine},
		"Latin-1":                 {"p\xe4ss\n", "", NotUTF8},
		"a part of a character":   {"demo\xe6\x97", "", NotUTF8},
		"NUL":                     {"de\x00mo\n", "", HasNUL},
		"UTF-16, little":          {"\xff\xfed\x00e\x00", "", UTF16},
		"UTF-16, big":             {"\xfe\xff\x00d\x00e", "", UTF16},
		"UTF-16 without its mark": {"d\x00e\x00m\x00o\x00\n\x00", "", UTF16},
		"nothing":                 {"", "", 0},
	} {
		got, err := Line([]byte(tt.raw))
		var refused *Error
		if errors.As(err, &refused); got != tt.want || (err != nil) != (tt.fault != 0) || err != nil && refused.Fault != tt.fault {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}

func TestBracketsOfAPasteAreTakenOffWhereverTheyStand(t *testing.T) {
	for typed, want := range map[string]string{
		"demo\r":                         "demo\r",
		PasteBegin + "demo" + PasteEnd:   "demo",
		PasteBegin + "demo\n" + PasteEnd: "demo\n",
		"a" + PasteEnd + "b":             "ab",
		PasteBegin + "never ends\x03":    "never ends\x03",
		"\x1b[A\x1b[20":                  "\x1b[A\x1b[20",
		"p\xe4ss":                        "p\ufdd0ss",
		"日本\xe6":                         "日本\ufdd0",
		"a\x00b":                         "a\ufdd0b",
	} {
		for name, from := range map[string]io.Reader{"at once": strings.NewReader(typed), "byte by byte": iotest.OneByteReader(strings.NewReader(typed))} {
			if got, err := io.ReadAll(&Reader{From: from}); string(got) != want || err != nil {
				t.Errorf("%q, %s: %q, %v", typed, name, got, err)
			}
		}
	}
}

func TestAPasteOfSeveralLinesIsNoSecret(t *testing.T) {
	for typed, want := range map[string]string{
		PasteBegin + "demo\rmore" + PasteEnd + "\r":  "demo\ufdd1more\r",
		PasteBegin + "demo\r\nmore\r\n" + PasteEnd:   "demo\ufdd1more\r\n",
		PasteBegin + "\rdemo" + PasteEnd + "\r":      "\ufdd1demo\r",
		PasteBegin + "demo\n\n" + PasteEnd:           "demo\n\n",
		PasteBegin + "demo\r\x03":                    "demo\ufdd1\x03",
		PasteBegin + "demo\r":                        "demo\r",
		PasteBegin + "demo" + PasteEnd + "\rmore\r":  "demo\rmore\r",
		"demo\rmore\r":                               "demo\rmore\r",
		PasteEnd + "demo\rmore\r":                    "demo\rmore\r",
		PasteBegin + "p" + PasteEnd + "demo\rmore\r": "pdemo\rmore\r",
	} {
		r := &Reader{From: strings.NewReader(typed)}
		r.AskSecret(true)
		if got, err := io.ReadAll(r); string(got) != want || err != nil {
			t.Errorf("%q: %q, %v", typed, got, err)
		}
	}
}

func TestALineEndOfAPasteWaitsForWhatComesNext(t *testing.T) {
	for name, tt := range map[string]struct {
		pieces []string
		pause  time.Duration // before each piece
		want   string
	}{
		"a second line":                   {[]string{PasteBegin + "demo\r", "more" + PasteEnd + "\r"}, time.Minute, "demo\ufdd1more\r"},
		"a second line, of Windows":       {[]string{PasteBegin + "demo\r", "\nmore" + PasteEnd + "\r"}, 0, "demo\ufdd1more\r"},
		"an empty line":                   {[]string{PasteBegin + "demo\r", "\r", "more" + PasteEnd}, 0, "demo\ufdd1more"},
		"the end of the paste":            {[]string{PasteBegin + "demo\r", PasteEnd}, time.Minute, "demo\r"},
		"the end of the paste, in halves": {[]string{PasteBegin + "demo\r\x1b[20", "1~"}, time.Minute, "demo\r"},
		"the key enter, its end lost":     {[]string{PasteBegin + "demo\r", "\r"}, time.Second, "demo\r"},
		"ctrl+c, its end lost":            {[]string{PasteBegin + "demo\r", "\x03"}, time.Second, "demo\ufdd1\x03"},
		"nothing":                         {[]string{PasteBegin + "demo\r"}, 0, "demo\r"},
	} {
		synctest.Test(t, func(t *testing.T) {
			from, terminal := io.Pipe()
			go func() {
				for _, piece := range tt.pieces {
					time.Sleep(tt.pause)
					_, _ = io.WriteString(terminal, piece)
				}
				_ = terminal.Close()
			}()
			r := &Reader{From: from}
			r.AskSecret(true)
			if got, err := io.ReadAll(r); string(got) != tt.want || err != nil {
				t.Errorf("%s: %q, %v", name, got, err)
			}
		})
	}
}

func TestAPasteThatBeganBeforeASecretWasAskedMayBeSeveralAnswers(t *testing.T) {
	pieces, paste := io.Pipe()
	go func() {
		for _, piece := range []string{PasteBegin + "login\n", "demo\nshares\n" + PasteEnd} {
			_, _ = io.WriteString(paste, piece)
		}
		_ = paste.Close()
	}()
	r := &Reader{From: pieces}
	command := make([]byte, 64)
	n, err := r.Read(command)
	if got := string(command[:n]); got != "login\n" || err != nil {
		t.Fatalf("%q, %v", got, err)
	}
	r.AskSecret(true)
	if got, err := io.ReadAll(r); string(got) != "demo\nshares\n" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
}

// interrupted is a terminal on which somebody types after a reading of it was interrupted.
type interrupted struct {
	io.Reader
	before error
}

func (i *interrupted) Read(p []byte) (int, error) {
	if err := i.before; err != nil {
		i.before = nil
		return 0, err
	}
	return i.Reader.Read(p)
}

func TestAReaderGoesOnAfterAnInterruption(t *testing.T) {
	r := &Reader{From: &interrupted{strings.NewReader("demo"), os.ErrDeadlineExceeded}}
	if _, err := io.ReadAll(r); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("the first time: %v", err)
	}
	if got, err := io.ReadAll(r); string(got) != "demo" || err != nil {
		t.Errorf("then %q, %v", got, err)
	}
}
