package record

import (
	"slices"
	"strings"
	"testing"
	"time"

	"gatehouse/internal/lists"
	"gatehouse/internal/testkit/uitest"
	"gatehouse/internal/text/safetext"
	"gatehouse/styles"
	"gatehouse/ui/explain"
	"gatehouse/ui/fields"
)

func TestMain(m *testing.M) { uitest.Main(m) }

const share = `{"Id":"287278d0-9148-4595-8270-15840653bf9a","CompanyId":4112,"VirtualFieldId":1119366025089865143,"Name":"계약 문서",
"ShareAssociationType":1,"ShareRelations":[{"UserId":"ben@harbor.example","ShareAssociationType":2}],
"ShareDefault":{"Owner":"ada@harbor.example","ShareCategory":9},"ShareTick":638335656985837470,
"SpaceUsage":{"DiskUsage":19359212,"HistoryUsage":756690,"DeletedUsage":3556706577122},"ShareType":0,"ShareIds":null,"ParentShareId":null,
"TimeStamps":{"CreateTime":"2023-10-22T09:01:38.583747Z","CreatedBy":"ada@harbor.example","UpdateTime":"0001-01-01T00:00:00Z","UpdatedBy":null},
"Extra":{"Weight":12.50,"Text":"","Deep":{"X":[1,[2]]}},"Url":"https://harbor.example/s/1"}`

func read(t testing.TB, raw string) *Reader {
	t.Helper()
	r, err := One([]byte(raw), styles.New(styles.Options{}).Glyphs, func() time.Time { return uitest.Noon })
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// lines are the groups of a record as text: "Space: Disk = 19.4 MB | 19,359,212".
func lines(groups []fields.Group) (lines []string) {
	for _, g := range groups {
		for _, f := range g.Fields {
			behind := f.Behind
			if f.Digits != "" {
				behind = append(behind, f.Digits)
			}
			lines = append(lines, strings.Join(append([]string{g.Title + ": " + f.Label + " = " + f.Text}, behind...), " | "))
		}
	}
	return lines
}

func TestAShareIsReadInGroups(t *testing.T) {
	want := []string{
		"General: Name = 계약 문서", "General: Id = 287278d0-9148-4595-8270-15840653bf9a", "General: Association = 1 write",
		"General: Category = 9", "General: Type = 0 normal",
		"People: Company = 4112", "People: Relations = ben@harbor.example 2 owner", "People: Owner = ada@harbor.example", "People: Created by = ada@harbor.example",
		"Space: Disk = 19.4 MB | 19,359,212", "Space: History = 756.7 kB | 756,690", "Space: Deleted = 3.6 TB | 3,556,706,577,122",
		"Times: Changed = 2023-10-22 10:01 | 2 y ago", "Times: Created = 2023-10-22 09:01 | 2 y ago", "Times: Updated = never",
		"References: Virtual field = 1119366025089865143", "References: Url = https://harbor.example/s/1",
		"Other: Weight = 12.50", "Other: Text = empty", "Other: X = 2 entries",
		"Other: Not set = Share ids, Parent share, Updated by",
	}
	if got := lines(read(t, share).Groups(0)); !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// A company has a quota, against which its use is shown.
func TestAQuotaIsTheWholeOfABar(t *testing.T) {
	for raw, want := range map[string]fields.Bar{
		`{"Quota":1000000,"DiskUsage":250000}`:    {Part: 0.25, Limit: true},
		`{"DiskUsage":3000000,"Quota":1000000}`:   {Part: 1, Limit: true},
		`{"HistoryUsage":750,"DiskUsage":250}`:    {Part: 0.25},
		`{"Quota":0,"DiskUsage":250}`:             {},
		`{"DiskUsage":250}`:                       {},
		`{"Quota":1,"MaxSize":2,"DiskUsage":250}`: {},
	} {
		got := fields.Bar{}
		for _, f := range read(t, raw).Groups(0)[0].Fields {
			if f.Path == "DiskUsage" && f.Bar != nil {
				got = *f.Bar
			}
		}
		if got != want {
			t.Errorf("%s: %+v, want %+v", raw, got, want)
		}
	}
}

func TestWhateverARecordIsAllOfItsFieldsAreRead(t *testing.T) {
	for raw, want := range map[string]string{
		`7`:                                    "Value = 7",
		`"x"`:                                  "Value = x",
		`[1,2]`:                                "1, 2",
		`{}`:                                   "",
		`{"a":{"name":1},"b":{"name":2}}`:      "A name = 1\nB name = 2",
		`{"User":{"Reseller":1},"Reseller":2}`: "User reseller = 1\nReseller = 2",
		`{"List":[]}`:                          "List = none",
		`{"List":[{"a":1,"b":2,"c":3,"d":4}]}`: "List = 1 entry",
		`{"Enabled":true,"Deleted":false}`:     "✓ yes",
		`{"":1,"e\u001b[31m":2}`:               "= 1",
	} {
		got := strings.Join(lines(read(t, raw).Groups(0)), "\n")
		if slices.ContainsFunc(strings.Split(want, "\n"), func(line string) bool { return !strings.Contains(got, line) }) {
			t.Errorf("%s is read as\n%s\nwant\n%s", raw, got, want)
		}
	}
}

func TestWhatIsSecretIsMaskedInListsToo(t *testing.T) {
	r := read(t, `{"Token":"s3cret","Nested":{"Token":"s3cret"},"List":["s3cret","x"],"Objects":[{"Token":"s3cret"}],"Note":"about s3cret"}`)
	r.Masked = func(_, key, text string) bool { return key == "Token" || strings.Contains(text, "s3cret") }
	groups := r.Groups(0)
	theme := styles.New(styles.Options{})
	if drawn := (fields.Groups{Theme: theme, Groups: groups}).Draw(100, 40).String(); strings.Contains(drawn, "s3cret") || !strings.Contains(drawn, "•••") {
		t.Errorf("it is drawn as\n%s", drawn)
	}
	list := fields.List{Theme: theme}
	list.Set(groups)
	for _, down := range list.Moves()[:1] {
		for range 10 {
			if drawn := list.Draw(100, 20).String(); strings.Contains(drawn, "s3cret") {
				t.Fatalf("it is drawn as\n%s", drawn)
			}
			down.Run()
		}
	}
}

// open shows a record on a stage.
func open(t *testing.T, raw string) (*uitest.Stage, *shown) {
	t.Helper()
	stage := uitest.NewStage(t, 80, 24)
	s := &shown{Model: Open(stage.Env, read(t, raw), 0)}
	s.Explains = explain.Share
	stage.Show(s)
	return stage, s
}

// shown is a record as a screen.
type shown struct{ *Model }

func (s *shown) Title() string { return "Record" }

func TestTheTreeIsTheSecondViewAndRemembered(t *testing.T) {
	uitest.RunAlone(t, func(t *testing.T) {
		stage, s := open(t, share)
		stage.Expect("General ─", "Association 1 write")
		for range 3 {
			stage.Press("down")
		}
		stage.Press("t").Expect("ShareCategory: 9", "{15}")
		if at := s.tree.Explained().Border.Title; at != "ShareDefault.ShareCategory" {
			t.Errorf("the tree is at %q", at)
		}
		again, _ := open(t, share)
		again.Expect("General ─") // of another profile
		var asTree bool
		if !stage.Env.State.Get(stateKey, &asTree) || !asTree {
			t.Error("the tree is not remembered")
		}
		stage.Press("tab").Expect("General ─")
	})
}

func TestASearchOfTheFieldsIsOneOfTheTree(t *testing.T) {
	uitest.RunAlone(t, func(t *testing.T) {
		stage, _ := open(t, share)
		stage.Press("/").Type("weight").Expect("/ weight", "1 of 1", "Weight: 12.50")
		stage.Press("enter", "esc", "t").Expect("General ─")
		var asTree bool
		if stage.Env.State.Get(stateKey, &asTree) && asTree {
			t.Error("a search is remembered as the choice of the tree")
		}
	})
}

func TestWhatIsCopiedIsExact(t *testing.T) {
	uitest.RunAlone(t, func(t *testing.T) {
		stage, s := open(t, share)
		copied := func(label, key string) any {
			s.list.Select(func(f *fields.Field) bool { return f.Label == label })
			stage.Press(key)
			return stage.Root.Told[len(stage.Root.Told)-1]
		}
		for label, want := range map[string]uitest.Copy{
			"Virtual field": {Text: "1119366025089865143", What: "VirtualFieldId"},
			"Created":       {Text: "2023-10-22T09:01:38.583747Z", What: "TimeStamps.CreateTime"},
			"Weight":        {Text: "12.50", What: "Extra.Weight"},
			"X":             {Text: "[1,[2]]", What: "Extra.Deep.X"},
			"Not set":       {Text: "ShareIds, ParentShareId, TimeStamps.UpdatedBy", What: "the names of fields that are null"},
		} {
			if got := copied(label, "y"); got != want {
				t.Errorf("%s: %+v, want %+v", label, got, want)
			}
		}
		if got := copied("Created", "Y"); got != (uitest.Copy{Text: "TimeStamps.CreateTime", What: "the path TimeStamps.CreateTime"}) {
			t.Errorf("the path: %+v", got)
		}
		if copied("Not set", "Y"); stage.Said[len(stage.Said)-1] != "it has no path" {
			t.Errorf("said %q", stage.Said)
		}
		if got := copied("Url", "o"); got != (uitest.OpenLink{Address: "https://harbor.example/s/1"}) {
			t.Errorf("opened: %+v", got)
		}
	})
}

func TestALongRecordIsShownAsText(t *testing.T) {
	uitest.RunAlone(t, func(t *testing.T) {
		stage, _ := open(t, `{"Name":"`+strings.Repeat("x", maxRead)+`"}`)
		stage.Expect("1.0 MB is too long for a tree.", `{"Name":"xxx`)
		stage.Press("t")
		if said := stage.Said[len(stage.Said)-1]; said != "the record is too long to be shown as fields" {
			t.Errorf("said %q", said)
		}
	})
}

func TestARecordLooksAsRecordedAndFitsEverySize(t *testing.T) {
	uitest.RunAlone(t, func(t *testing.T) {
		stage, _ := open(t, share)
		stage.Golden("record/share")
		stage.FitsEverySize()
	})
}

func TestOneValueIsReadByItsName(t *testing.T) {
	for _, test := range []struct{ path, raw, want string }{
		{"SpaceUsage.DiskUsage", "19359212", "19.4 MB"}, {"a[0].CreateTime", `"2023-10-22T09:01:38Z"`, "2023-10-22 09:01, 2 y ago"},
		{"CreateTick", "638335656985837470", "2023-10-22 10:01, 2 y ago"}, {"UpdateTime", `"0001-01-01T00:00:00Z"`, "never"},
		{"ShareType", "1", "1 sub-share"}, {"Name", `"x"`, "x"}, {"Name", `""`, `""`}, {"Name", "null", "null"}, {"Enabled", "true", "yes"},
		{"List", "[1]", "[1]"}, {"x", "", ""}, {"[3]", `"y"`, "y"}, {"Big", "123456789012345678901234567890", "123456789012345678901234567890"},
	} {
		if got := Readable(test.path, test.raw, uitest.Noon); got != test.want {
			t.Errorf("%s %s is read as %q, want %q", test.path, test.raw, got, test.want)
		}
	}
}

func FuzzRecord(f *testing.F) {
	f.Add([]byte(share), uint8(80), uint8(24))
	f.Add([]byte(`{"Quota":1e400,"DiskUsage":-5,"SpaceUsage":{"A":0}}`), uint8(30), uint8(6))
	f.Add([]byte(`[{"\u001b[2J":"\u202e"}]`), uint8(1), uint8(1))
	f.Fuzz(func(t *testing.T, raw []byte, width, height uint8) {
		theme := styles.New(styles.Options{})
		r, err := One(raw, theme.Glyphs, func() time.Time { return uitest.Noon })
		if err != nil || r.long == nil && r.table.Len() == 0 {
			return
		}
		groups := r.Groups(0)
		drawn := fields.Lines(theme, groups, int(width), int(height))
		if len(drawn) > max(int(height), 1) {
			t.Fatalf("%d lines of %d", len(drawn), height)
		}
		for _, line := range drawn {
			if safetext.Width(line) > int(width) {
				t.Fatalf("%q is wider than %d", line, width)
			}
		}
	})
}

// What a list does for each key while its preview is shown.
func BenchmarkPreview(b *testing.B) {
	body := []byte("[" + strings.Repeat(share+",", 999) + share + "]")
	table, err := lists.Parse(body)
	if err != nil {
		b.Fatal(err)
	}
	theme := styles.New(styles.Options{})
	r := NewReader(table, theme.Glyphs, time.Now)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		fields.Lines(theme, r.Groups(i%1000), 50, 36)
	}
}
