package browse

import (
	"errors"
	"os"
	"strings"

	"gatehouse/internal/files"
	"gatehouse/internal/safetext"
	"gatehouse/ui/form"
	"gatehouse/ui/human"
)

// Format is what a file is written as.
type Format string

// The formats. CSV is the one that is proposed.
const (
	CSV      Format = "csv"       // a line of column titles, then a line for each row
	ExactCSV Format = "exact csv" // the same without apostrophes before what looks like a formula
	JSON     Format = "json"      // one array
	NDJSON   Format = "ndjson"    // a record on each line
)

// extension is how the names of files of a format end.
func (f Format) extension() string {
	if f == ExactCSV {
		f = CSV
	}
	return "." + string(f)
}

// ExportChoice is what a person wants to have written, and where.
type ExportChoice struct {
	Format Format
	// AllColumns takes the columns that are not shown, too.
	AllColumns bool
	// Path is the file, with the home directory in the place of "~".
	Path string
	// Overwrite replaces a file that is there: the person was asked.
	Overwrite bool
}

const allColumns = "all"

// fields are the inputs of the form; the file is the last one, behind which the
// export begins.
func fields(o ExportOffer) []form.Field {
	if o.Only != "" {
		return []form.Field{{Key: "file", Label: "File", Value: o.Name + o.Only.extension(), Hint: "~ is home", Check: checkFile}}
	}
	return []form.Field{
		{Key: "format", Label: "Format", Value: string(CSV), Hint: "←/→ choose", Options: []form.Option{
			{Label: "CSV, for spreadsheets", Value: string(CSV)},
			{Label: "JSON, one array", Value: string(JSON)},
			{Label: "NDJSON, a record a line", Value: string(NDJSON)},
			{Label: "CSV, formulas as they are", Value: string(ExactCSV)},
		}},
		{Key: "columns", Label: "Columns", Hint: "←/→ choose", Options: []form.Option{
			{Label: "the " + human.Count(o.Shown) + " shown", Value: ""},
			{Label: "all " + human.Count(o.All), Value: allColumns},
		}},
		{Key: "file", Label: "File", Value: o.Name + CSV.extension(), Hint: "shift+tab: other fields; ~ is home", Check: checkFile},
	}
}

func checkFile(value string) error {
	_, err := expand(value)
	return err
}

// expand puts the home directory in the place of "~".
func expand(path string) (string, error) {
	path = strings.TrimSpace(path)
	switch {
	case path == "":
		return "", errors.New("type the name of the file")
	case os.IsPathSeparator(path[len(path)-1]):
		return "", errors.New("type the name of a file in this folder")
	}
	expanded, err := files.ExpandHome(path)
	switch {
	case err != nil:
		return "", errors.New("the home directory is not known; type the whole path")
	case path == "~" || expanded[0] == '~':
		return "", errors.New("~ is followed by / and the rest of the path")
	}
	return expanded, nil
}

// choice reads the form, whose checks have passed.
func (p *ExportPrompt) choice() ExportChoice {
	path, _ := expand(p.form.Value("file"))
	if p.offer.Only != "" {
		return ExportChoice{Format: p.offer.Only, Path: path}
	}
	return ExportChoice{Format: Format(p.form.Value("format")), AllColumns: p.form.Value("columns") == allColumns, Path: path}
}

// followFormat changes the end of the file's name with the format, unless the
// person gave it another end, and the format with the end that is typed.
func (p *ExportPrompt) followFormat() {
	chosen := p.choice().Format
	if chosen == p.format {
		p.followName()
		return
	}
	if name, ours := strings.CutSuffix(p.form.Value("file"), p.format.extension()); ours {
		p.form.Set("file", name+chosen.extension())
		p.form.Init(p.form.Focused())
	}
	p.format = chosen
}

// followName chooses the format that the end of the file's name stands for.
func (p *ExportPrompt) followName() {
	if p.offer.Only != "" {
		return
	}
	name := strings.ToLower(p.form.Value("file"))
	if strings.HasSuffix(name, p.format.extension()) {
		return // two formats share an end
	}
	for _, f := range []Format{CSV, JSON, NDJSON} {
		if strings.HasSuffix(name, f.extension()) {
			p.form.Set("format", string(f))
			p.form.Init(p.form.Focused())
			p.format = f
			return
		}
	}
}

// columns says which columns a choice takes.
func (o ExportOffer) columns(c ExportChoice) string {
	if c.AllColumns {
		return "all " + human.Count(o.All) + " columns"
	}
	return "the " + human.Count(o.Shown) + " columns shown"
}

// rows says how many rows there are.
func (o ExportOffer) rows(n int) string {
	if n == 1 {
		return "1 " + o.One
	}
	return human.Count(n) + " " + o.Many
}

// shownPath is a path as people read it.
func shownPath(path string) string { return safetext.Clip(path, longestPath) }

const longestPath = 300
