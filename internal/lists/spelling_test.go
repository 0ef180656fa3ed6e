package lists_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"gatehouse/internal/lists"
)

// spelled is shares as the service sends them; what is found among them is told by their letters. The
// sizes are on disk, in the history and deleted.
func spelled(t testing.TB) *lists.Table {
	t.Helper()
	shares := []struct {
		name, owner   string
		disk, history string
		changed       string // the day of the tick
		created       string
		category      int
	}{
		{"Annual report", "ada@harbor.example", "999999999", "0", "2024-12-31", "2019-05-01T10:00:00Z", 0},
		{"Board minutes", "ada@harbor.example", "1000000000", "0", "2025-01-01", "2020-03-14T09:30:00Z", 1},
		{"Crew & rosters", "ben@harbor.example", "1000000001", "5", "2025-03-01", "2020-03-31T23:59:59Z", 2},
		{"契約書", "ivy@harbor.example", "1073741824", "2000000000", "2025-03-14", "2021-04-03T00:00:00Z", 0},
		{"Årsregnskab", "søren@fjord.example", "1500000000", "0", "2025-03-31", "2021-03-04T00:00:00Z", 1},
		{"Frühjahr 'Plan'", "jörg@harbor.example", "1500000001", "0", "2025-04-01", "2022-12-31T00:00:00Z", 2},
		{"Œuvres <rev C>", "anaïs@harbor.example", "2000000000", "0", "2025-04-09", "2023-01-01T00:00:00Z", 0},
		{"مشاريع", "ada@harbor.example", "500", "3000000000", "2025-04-10", "2024-02-29T00:00:00Z", 1},
		{"size matters", "ben@harbor.example", "1000", "0", "2013-10-16", "2013-10-16T00:43:11Z", 2},
	}
	var body strings.Builder
	for i, s := range shares {
		changed, err := time.Parse(time.DateOnly, s.changed)
		if err != nil {
			t.Fatal(err)
		}
		ticks := (changed.Unix() + 62_135_596_800 + 60*60) * 10_000_000 // an hour after midnight
		fmt.Fprintf(&body, `{"Id":"%08x-0000-4000-8000-000000000000","Name":%q,"ShareDefault":{"Owner":%q,"ShareCategory":%d},"ShareTick":%d,`+
			`"SpaceUsage":{"DiskUsage":%s,"HistoryUsage":%s,"DeletedUsage":0},"TimeStamps":{"CreateTime":%q,"CreatedBy":%q},"Active":%t}`+"\n",
			i, s.name, s.owner, s.category, ticks, s.disk, s.history, s.created, s.owner, i%2 == 0)
	}
	return parse(t, body.String())
}

// thursday is who writes the spellings, and when.
var thursday = lists.Asker{Now: time.Date(2025, 4, 10, 12, 0, 0, 0, time.UTC), Me: "ada@harbor.example"}

// TestSpellingsThatMeanTheSameFindTheSame asks as people do who know other programs: mail and web
// searches, desktops, gh, k9s, lazygit, visidata, SQL, and the figures and dates of several countries.
func TestSpellingsThatMeanTheSameFindTheSame(t *testing.T) {
	table := spelled(t)
	asked := 0
	for _, group := range []struct {
		meaning, want string
		spellings     []string
	}{
		{"over 1 GB on disk", "cdefg", []string{
			"size>1GB", "disk > 1GB", "disk>1 GB", "disk>1gb", "disk> 1GB", "disk >1GB", "disk  >  1  GB", ">1GB", "> 1GB", "> 1 GB",
			"size:>1GB", "size: > 1 GB", "larger:1GB", "bigger:1GB", "diskusage>1000MB", "DiskUsage > 1e9", "SpaceUsage.DiskUsage>1000000000",
			"disk>1,000,000,000", "disk>1.000.000.000", "disk > 1 000 000 000", "disk>1'000'000'000", "disk>1_000_000_000", "disk>1 000 MB",
			"disk > 1 Go", "disk>1go", "disk > 1 000 Mo", "disk>1 gigabyte", "disk > 1 GByte", "disk>1000 MByte", "disk>1.0GB", "disk>1,0 GB",
			"\"disk\">1GB", "disk>\"1 GB\"", "disk > '1 GB'", "disk>1G", "size>1g", "!disk<=1GB", "NOT disk<=1GB", "not disk <= 1GB", "-disk<=1GB",
			"disk\u00a0>\u00a01\u202f000\u202fMo", "disk>1ГБ", "disk > 1 Гб", "disk > 1 гбайт", "dis>1GB", "disk > 1 GB and active = yes OR disk > 1 GB and active = no",
		}},
		{"at least 1 GB", "bcdefg", []string{
			"disk>=1GB", "disk => 1 GB", "disk≥1GB", "size:>=1GB", "disk:1GB", "size: 1 GB", "disk:1GB..", "disk:1GB..*", "disk:1GB+", "1GB+", "size: 1 gig+", ">=1GB", "≥ 1 GB", "size>=1000000kB",
		}},
		{"over 1 GiB", "efg", []string{
			"disk>1GiB", "disk > 1 GiB", "size>1gib", "disk>1Gi", "disk > 1 Gio", "disk>1024 MiB", "disk>1048576KiB", "disk>1073741824", "disk>1,073,741,824 bytes",
		}},
		{"over one and a half", "fg", []string{
			"disk>1.5GB", "disk>1,5GB", "disk > 1,5 GB", "disk > 1.5 GB", "size>1,50 Go", "disk>1500MB", "disk>1.500.000.000", "disk>1,500,000,000", "> 1,5 GB",
		}},
		{"between 1 and 1.5 GB", "bcde", []string{
			"disk:1GB..1.5GB", "disk=1GB..1,5GB", "disk: 1 GB .. 1.5 GB", "size:1..1.5GB", "disk>=1GB disk<=1.5GB", "disk >= 1 GB && disk <= 1,5 GB", "1GB..1.5GB", "disk:1000MB..1500MB",
		}},
		{"small", "hi", []string{
			"disk<1MB", "size < 1 Mo", "smaller:1MB", "disk<=1000", "disk<=1,000", "disk<=1.000", "disk<=1 kB", "disk ≤ 1 ko", "<1MB", "disk:..1kB", "disk:*..1kB",
		}},
		{"any space over 1.9 GB", "dgh", []string{
			"space>1.9GB", "space > 1,9 GB", "SpaceUsage > 1900MB", "usage>1.9GB", "spaceusage>1.9GB",
		}},
		{"as the list shows it", "ef", []string{"disk=1.5GB", "disk = 1,5 GB", "size == 1.5GB | disk=1.5GB", "disk:1.5GB disk<1.6GB"}},
		{"exactly", "i", []string{"disk=1000", "disk = 1,000", "disk==1000", "disk=1e3", "DiskUsage == 1000"}},

		{"changed after 2024", "bcdefgh", []string{
			"changed>2024", "modified>2024", "modified > 2024", "updated>=2025", ">2024", "> 2024", ">=2025-01", "≥ 2025", "after:2024", "since:2025", "changed:2025",
			"changed>=2025-01-01", "changed>=01.01.2025", "changed >= 1.1.2025", "changed>=1/1/2025", "changed > 31.12.2024", "changed>31/12/2024", "changed > 12/31/2024",
			"modified:>=2025", "modified: 2025", "2025..2025", "changed:2025..", "changed >= January 2025", "changed >= 1 January 2025", "changed>= Jan 1, 2025",
			"changed >= 1. Januar 2025", "changed >= 1er janvier 2025", "changed >= 1. januar 2025", "tick>=20250101", "changed:this year", "changed = this year", "ShareTick >= 2025/01/01",
		}},
		{"in March 2025", "cde", []string{
			"changed:2025-03", "changed=2025-03", "modified:2025/03", "changed:03/2025", "changed = 3.2025", "changed:March 2025", "changed = March 2025", "changed:mar 2025",
			"changed: März 2025", "changed = mars 2025", "changed:marts 2025", "changed:last month", "changed = last month", "changed>=2025-03 changed<=2025-03", "changed:2025-03-01..2025-03-31",
			"changed:\"March 2025\"..\"March 2025\" | changed:2025-03", "2025-03..2025-03", "changed=march", "changed:2025-03..2025-03", "changed:2025-W09..2025-W13 | changed:2025-03",
			"changed:marzo 2025", "changed = março 2025", "changed:maart 2025", "changed: mar..mar 2025", "changed:03.2025",
		}},
		{"on 14 March", "d", []string{
			"changed=2025-03-14", "changed:14.03.2025", "changed=14/03/2025", "changed:03/14/2025", "changed = 14-03-2025", "changed:14 March 2025", "changed = March 14, 2025",
			"changed: 14. März 2025", "changed: 14. marts 2025", "changed:14 mars 2025", "changed:20250314", "changed: 2025.3.14",
			"changed:14.03.25", "changed=14/03/25", "changed = 2025年3月14日", "changed=2025. 3. 14.", "changed:14Mar2025", "changed = Friday, March 14, 2025",
			"changed: Fri Mar 14 2025", "changed=14 de marzo de 2025", "changed:14 marca 2025", "changed = 14 марта 2025", "changed:\"14 Mar 2025\"", "changed=2025\u201103\u201114",
			"changed=２０２５-03-14", "changed:14 marzo 2025",
		}},
		{"in the first quarter", "bcde", []string{
			"changed:2025-Q1", "changed=1Q25", "changed = Q1/2025", "changed:last quarter", "changed:2025Q1",
		}},
		{"in the first half", "bcdefgh", []string{"changed:2025-H1", "changed = H1 2025", "changed:1H25"}},
		{"not for a year", "i", []string{"changed>1 year old", "changed > a year old", "changed < two years ago", "changed<one year ago"}},
		{"yesterday", "g", []string{"changed:gestern", "changed = i går", "changed:hier", "changed:yesterday", "modified = yesterday", "changed>=yesterday changed<today", "changed: 2025-04-09"}},
		{"since yesterday", "gh", []string{
			"changed>=yesterday", ">= yesterday", "changed>2d", "changed > 48h", "changed > 2 days ago", "changed:2d", "newer_than:2d", "changed > 1d18h", "changed: last 2 days", ">2d", "changed:-2d", "changed>now-2d", "changed>today-2", "changed > today - 2", "changed > now - 48h", "age<2d", "changed:week", "changed:>-2d",
		}},
		{"today", "h", []string{"changed:today", "modified>=today", "changed>yesterday", ">yesterday", "changed>12h", "changed:thursday", "changed=thu", "age<=12h", "changed > 700 minutes"}},
		{"last week", "ef", []string{"changed:last week", "changed = last week", "changed>=last week changed<this week", "changed:31.03.2025..06.04.2025", "changed:2025-W14", "changed:week 14 2025", "changed = KW 14 2025", "changed:uge 14 2025", "changed:W14/2025", "changed:last-week", "changed:lastweek", "changed:last_week"}},
		{"old", "i", []string{"changed<2020", "older_than:1y modified<2014", "before:2020", "< 2020", "changed<10 years ago", "age>10y", "age >= 10 years", "changed < 120 months ago", "until:2013", "modified<=2013-10-16", "changed<01.01.2020"}},

		{"created, which is another column", "bc", []string{
			"created:2020-03", "created=2020-03", "CreateTime:2020-03", "TimeStamps.CreateTime = March 2020", "created:2020", "created >= 2020 created < 2021", "created>2020-03-13 created<2020-04",
		}},
		{"to the minute", "b", []string{
			"created > 2020-03-14 09:00 created<2020-03-15", "created=2020-03-14T09:30", `created="2020-03-14T09:30:00Z"`, "created: 14.03.2020 09:30", "created=14.03.2020 kl. 9.30", "created = 14/03/2020 9:30 AM", "created:2020-03-14T09:30:00Z",
		}},

		{"of ada", "abh", []string{
			"owner:ada", "owner: ada", "owner : ada", "owner :ada", "own:ada", "ShareDefault.Owner:ada", "OWNER:ADA", "owner=ada@harbor.example", "owner = ada@harbor.example",
			"owner == 'ada@harbor.example'", `owner=="ada@harbor.example"`, "owner:“ada”", "owner: « ada »", "owner:„ada“", "createdby:ada", "created by:ada", "Created by = ada@harbor.example", `"created by":ada`,
			"owner:~adda", "user:ada", "author:ada", "from:ada", "mailto:ada@harbor.example", "owner=ada@harbor.example && owner:ada",
			"owner:me", "owner=me", "owner == me", "owner:@me", "owner:ME", "from:me", "created by:me", "owner:self", "owner:myself", "owner: me", "owner:nobody|me",
		}},
		{"not of ada", "cdefgi", []string{"!owner:ada", "-owner:ada", "NOT owner:ada", "owner!=ada@harbor.example", "owner != ada@harbor.example", "owner <> ada@harbor.example", "owner≠ada@harbor.example", "!ada", "-ada", "!owner:ada|nobody", "owner!=ada@harbor.example|nobody", "!owner:me", "-owner:me", "owner!=me"}},
		{"of ben or ivy", "cdi", []string{"owner:ben | owner:ivy", "ben | ivy", "ben || ivy", "ben OR ivy", "owner:ben or owner:ivy", "owner : ben OR owner : ivy", "harbor -ada ben OR ivy", "ben|ivy", "ben| ivy", "ben |ivy", "owner:ben|ivy", "owner:ben|owner:ivy", `owner:"ben"|ivy`, "harbor ben|ivy", "owner=ben@harbor.example|ivy@harbor.example"}},
		{"misspelled", "a", []string{"~anual", "-f anual", "~reprot"}},

		{"names and other scripts", "d", []string{"契約", "name:契約書", "name = 契約書", "name = \"契約書\"", "title:契約"}},
		{"Danish letters", "e", []string{"årsregn", "name:ÅRS", "owner:søren", "owner: SØREN"}},
		{"Arabic", "h", []string{"مشاريع", "name:مشاريع", "name = مشاريع"}},
		{"signs that are text", "g", []string{"<rev", `"<rev C>"`, "name:<rev", "œuvres", "'<rev C>'"}},
		{"an ampersand", "c", []string{"crew & rosters", "name:&", `"Crew & rosters"`}},
		{"quotes in a name", "f", []string{"'Plan'", "name:plan", `"'plan'"`, "frühjahr", "FRÜHJAHR"}},
		{"text that is a name too", "i", []string{`"size matters"`, "size matters", "matters size", "name:size"}},
		{"yes and no", "acegi", []string{"active=yes", "active:yes", "active = true", "active:on", "active != no", "!active=no", "active == True", "active:ja", "active=oui", "active:✓"}},
		{"what a number means", "adg", []string{"category:corporate", "category = corporate", "category=0"}},
	} {
		for _, spelling := range group.spellings {
			asked++
			query := table.Query(spelling, thursday)
			found := ""
			for _, row := range search(t, table, query) {
				found += string('a' + rune(row))
			}
			if found != group.want {
				t.Errorf("%s: %q finds %q, want %q; %v", group.meaning, spelling, found, group.want, query.Notices())
			}
			if n, ok := query.Misunderstood(); ok {
				t.Errorf("%s: %q is not understood: %v", group.meaning, spelling, n)
			}
		}
	}
	if asked < 120 {
		t.Errorf("only %d spellings", asked)
	}
}

// Nothing that is not understood is looked for without a word about it.
func TestWhatIsNotUnderstoodIsSaid(t *testing.T) {
	table := spelled(t)
	for query, want := range map[string]struct {
		says string
		tab  string // the query that tab makes of it; "" for none
	}{
		"dusk>1GB":              {`no column "dusk"`, "disk>1GB"},
		"class:corporate":       {`no column "class"`, "category:corporate"},
		"dusk > 1 GB":           {`no column "dusk"`, "disk > 1 GB"},
		"report dusk > 1 GB":    {`no column "dusk"`, "report disk > 1 GB"},
		"!dusk>1GB":             {`no column "dusk"`, "!disk>1GB"},
		"onwer:ada":             {`no column "onwer"`, "owner:ada"},
		"modifed>2020":          {`no column "modifed"`, "modified>2020"},
		"sise>1GB":              {`no column "sise"`, "size>1GB"},
		"colour:red":            {`no column "colour"`, ""},
		`"dusk">1GB`:            {`no column "dusk"`, `"disk">1GB`},
		"disk>1XB":              {`no unit "XB"`, "disk>1GB"},
		"disk > 1 XB":           {`no unit "XB"`, "disk > 1 GB"},
		">1XB":                  {`no unit "XB"`, ">1GB"},
		"disk:1GX":              {`no unit "GX"`, "disk:1GB"},
		"disk=1 GBB report":     {`no unit "GBB"`, "disk=1 GB report"},
		"disk>report":           {`"report" cannot be compared with sizes`, ""},
		"disk=report":           {`"report" cannot be compared with sizes`, ""},
		"disk:report":           {`"report" cannot be compared with sizes`, ""},
		"disk>2020-01":          {`"2020-01" cannot be compared with sizes`, ""},
		"changed>1GB":           {`"1GB" cannot be compared with times`, ""},
		"created:ada":           {`"ada" cannot be compared with times`, ""},
		"changed>32.13.2025":    {`"32.13.2025" cannot be compared with times`, ""},
		"changed:2025-02-30":    {`"2025-02-30" cannot be compared with times`, ""},
		"active=perhaps":        {`"perhaps" cannot be compared with yes and no`, ""},
		"changed>03/04/2025":    {`"03/04/2025" may be "2025-04-03" or "2025-03-04"`, "changed>2025-04-03"},
		"disk>1,500 MB":         {`"1,500 MB" may be "1.5 MB" or "1500 MB"`, "disk>1.5 MB"},
		"changed:2025-13":       {`"2025-13" cannot be compared with times`, ""},
		"created:25:00":         {`"25:00" cannot be compared with times`, ""},
		"created:1700000000":    {`"1700000000" cannot be compared with times`, ""},
		"category:public":       {`"public" is no value of this column`, ""},
		"category=corprate":     {`"corprate" is no value of this column`, "category=corporate"},
		"category=priv":         {`"priv" is no value of this column`, "category=private"},
		"kind:private":          {`no column "kind"`, "category:private"},
		"s:1":                   {`"s" may be "Owner", "Category"`, "owner:1"},
		"report foo:x disk>1XB": {`no column "foo"`, ""},
	} {
		notice, ok := table.Query(query, thursday).Misunderstood()
		if !ok {
			t.Errorf("%s: nothing is said", query)
			continue
		}
		tab := ""
		if meant := notice.Fixes; meant != nil {
			tab = meant[0]
		}
		if !strings.HasPrefix(notice.String(), want.says) || tab != want.tab {
			t.Errorf("%s: says %q and tab makes %q; want %q and %q", query, notice, tab, want.says, want.tab)
		}
		if meant := table.Complete(query, thursday); tab != "" && (len(meant) == 0 || meant[0] != tab) {
			t.Errorf("%s is completed to %q, want %q", query, meant, tab)
		}
	}
}

// What finds nothing, and is a condition as other programs or people write it, is offered as this
// language has it.
func TestWhatOtherProgramsWriteIsOffered(t *testing.T) {
	table := spelled(t)
	for _, group := range []struct {
		meaning, want string // what the query that is offered finds
		offered       map[string]string
	}{
		{"words for operators", "cdefg", map[string]string{
			"size gt 1GB": "size>1GB", "size over 1GB": "size>1GB", "size greater than 1GB": "size>1GB", "size is more than 1 GB": "size>1 GB",
			"larger than 1GB": ">1GB", "over 1 GB": ">1 GB", "more than 1GB": ">1GB", "+1G": ">1G", "-size +1G": "size>1G",
			"larger 1gb": ">1gb", "--larger 1GB": "larger:1GB", "size larger 1GB": "size>1GB", "disk exceeds 1 GB": "disk>1 GB",
			"1GB<disk": "disk>1GB", "1 GB < size": "size>1 GB", "disk > 10^9": "disk > 1000000000", "disk>10**9": "disk>1000000000", "disk > 1000*1000*1000": "disk > 1000000000",
			"disk > 1 billion": "disk > 1e9", "disk>0x3b9aca00": "disk>1000000000", ".SpaceUsage.DiskUsage > 1e9": "SpaceUsage.DiskUsage > 1e9", "SpaceUsage/DiskUsage>1GB": "SpaceUsage.DiskUsage>1GB",
			"SpaceUsage->DiskUsage > 1GB": "SpaceUsage.DiskUsage > 1GB", "$.SpaceUsage.DiskUsage>1e9": "SpaceUsage.DiskUsage>1e9", "SpaceUsage['DiskUsage']>1GB": "SpaceUsage.DiskUsage>1GB",
			"`disk`>1GB": "disk>1GB", "select(.SpaceUsage.DiskUsage > 1e9)": "SpaceUsage.DiskUsage > 1e9", "--size '>1GB'": "size:>1GB", "only size over 1GB": "size>1GB",
			"where size>1GB": "size>1GB", "select * where size > 1GB": "size > 1GB", "size>1GB.": "size>1GB", "size>>1GB": "size>1GB",
		}},
		{"at least", "bcdefg", map[string]string{
			"size at least 1GB": "size>=1GB", "at least 1GB": ">=1GB", "1GB": "disk>=1GB", "1 gig": "disk>=1 gig", "disk 1GB": "disk>=1GB", "size ge 1GB": "size>=1GB",
		}},
		{"ranges", "bcdefg", map[string]string{
			"size between 1 and 2 GB": "size:1..2 GB", "size between 1GB and 2GB": "size:1GB..2GB", "size from 1GB to 2GB": "size:1GB..2GB",
			"disk:[1GB TO 2GB]": "disk:1GB..2GB", "disk:1GB…2GB": "disk:1GB..2GB", "disk:1GB~2GB": "disk:1GB..2GB", "disk 1GB to 2GB": "disk:1GB..2GB", "disk:{1GB,2GB}": "disk:1GB..2GB",
			"1GB<=disk<=2GB": "disk>=1GB disk<=2GB", "disk>=1GB<=2GB": "disk>=1GB disk<=2GB",
			"1-2GB": "disk:1..2GB", "1GB – 2GB": "disk:1GB..2GB", "size:1-2GB": "size:1..2GB", "1 to 2 GB": "disk:1..2 GB",
		}},
		{"small", "hi", map[string]string{"size under 1MB": "size<1MB", "less than 1 MB": "<1 MB", "smaller than 1MB": "<1MB", "size lt 1MB": "size<1MB"}},
		{"days", "h", map[string]string{
			"today": "changed:today", "changed today": "changed:today", "changed on today": "changed:today", "date modified: today": "modified: today",
			"datemodified:today": "modified:today", "today!": "changed:today",
		}},
		{"last week", "ef", map[string]string{
			"last week": "changed:last week", "modified last week": "modified:last week", "changed during last week": "changed:last week", "2025-W14": "changed:2025-W14",
		}},
		{"in March", "cde", map[string]string{
			"2025-03": "changed:2025-03", "march 2025": "changed:march 2025", "in March 2025": "changed:March 2025", "changed in 2025-03": "changed:2025-03",
			"changed between 2025-03-01 and 2025-03-31": "changed:2025-03-01..2025-03-31", "2025-03-01 to 2025-03-31": "changed:2025-03-01..2025-03-31",
			"changed:2025-03-01/2025-03-31": "changed:2025-03-01..2025-03-31", "changed:2025-03-01 - 2025-03-31": "changed:2025-03-01..2025-03-31",
			"changed:2025-03-01 til 2025-03-31": "changed:2025-03-01..2025-03-31", "changed:[2025-03-01 TO 2025-03-31]": "changed:2025-03-01..2025-03-31",
			"from 1 March 2025 to 31 March 2025": "changed:1 March 2025..31 March 2025",
		}},
		{"since and before", "gh", map[string]string{
			"since yesterday": ">=yesterday", "newer than 2d": ">2d", "changed since yesterday": "changed>=yesterday", "within 2d": "changed:2d",
		}},
		{"old", "i", map[string]string{"before 2020": "<2020", "older than 1 year": "<1 year", "changed before 2020": "changed<2020", "until 2013": "<=2013"}},
		{"a part of a text", "abh", map[string]string{
			"owner=ada": "owner:ada", "owner==ada": "owner:ada", `owner="ada"`: "owner:ada", "owner is ada": "owner:ada", "owner contains ada": "owner:ada",
			"owner equals ada": "owner:ada", "owner starts with ada": "owner:ada", "owner like '%ada%'": "owner:ada", "owner ada": "owner:ada",
			"owner=~ada": "owner:ada", "owner =~ /ada/": "owner:ada", "owner~ada": "owner:ada", "owner:^ada": "owner:ada", "owner=ada*": "owner:ada", "owner:*ada*": "owner:ada",
			"/ada/": "ada", "*ada*": "ada", "ada*": "ada", "^ada": "ada", "%ada%": "ada", "+ada": "ada", "@ada": "ada", "=ada": "ada", "-i ada": "ada", "-w ada": "ada", "(?i)ada": "ada", "\\bada\\b": "ada", "owner in (ada)": "owner:ada",
			".ShareDefault.Owner | contains(\"ada\")": "ShareDefault.Owner:ada", "mine": "owner:me", "my shares": "owner:me", "owned by me": "owner:me", "in:owner ada": "owner:ada", "ada in:owner": "owner:ada",
		}},
		{"not", "cdefgi", map[string]string{
			"not ada": "!ada", "owner is not ada": "!owner:ada", "owner not ada": "!owner:ada", "owner:!ada": "!owner:ada", "owner:-ada": "!owner:ada", "owner!:ada": "!owner:ada",
			"owner !~ ada": "!owner:ada", "owner not like ada": "!owner:ada", "owner does not contain ada": "!owner:ada", "-v ada": "!ada", "not mine": "!owner:me", "owner notin (ada)": "!owner:ada", "<>ada": "!ada",
		}},
		{"one of some", "cdi", map[string]string{
			"ben or ivy": "ben | ivy", "(ben or ivy)": "ben|ivy", "(ben|ivy)": "ben|ivy", "ben,ivy": "ben|ivy", "owner:ben or ivy": "owner:ben|ivy", "owner:ben,ivy": "owner:ben|ivy",
			"owner in (ben, ivy)": "owner:ben|ivy", "owner in ('ben', 'ivy')": "owner:ben|ivy", "owner:(ben|ivy)": "owner:ben|ivy", "{ben ivy}": "ben|ivy", "-e ben -e ivy": "ben|ivy",
		}},
		{"both", "c", map[string]string{
			"ben and crew": "ben crew", "size>1GB and crew": "size>1GB crew", "size>1gb&owner:ben": "size>1gb owner:ben", "size>1gb,owner:ben": "size>1gb owner:ben", "ben and (crew or board)": "ben crew|board",
		}},
		{"yes", "acegi", map[string]string{"is:active": "active=yes", "active": "active=yes", "active is yes": "active:yes"}},
		{"no", "bdfh", map[string]string{"is:inactive": "active=no", "inactive": "active=no", "not active": "active=no", "is:not-active": "active=no"}},
		{"what a number means", "adg", map[string]string{"corporate": "category:corporate", "is:corporate": "category:corporate", "corporate shares": "category:corporate", "category is 0": "category=0"}},
		{"not what a number means", "bcefhi", map[string]string{"not corporate": "!category:corporate", "category:!corporate": "!category:corporate"}},
		{"unset", "", map[string]string{"owner unset": "owner=null|missing", "no owner": "owner=null|missing", "owner:n/a": "owner=null|missing"}},
		{"set", "abcdefghi", map[string]string{
			"owner is set": "!owner=null|missing", "owner not empty": "!owner=null|missing", "owner exists": "!owner=null|missing", "has owner": "!owner=null|missing",
			"owner is not null": "!owner=null|missing", "changed is set": "!changed=never|null|missing",
		}},
		{"there", "cdh", map[string]string{"has:history": "history>0", "has history": "history>0"}},
		{"none", "", map[string]string{"owner is null": "owner=null|missing", "no:owner": "owner=null|missing", "empty": "disk=0", "is:empty": "disk=0"}},
	} {
		for spelling, want := range group.offered {
			if rows := search(t, table, table.Query(spelling, thursday)); len(rows) > 0 {
				t.Errorf("%s: %q finds something by itself: %v", group.meaning, spelling, rows)
			}
			offer, ok := table.Otherwise(spelling, thursday)
			if !ok || len(offer.Fixes) != 1 || offer.Fixes[0] != want {
				t.Errorf("%s: for %q is offered %q, want %q", group.meaning, spelling, offer.Fixes, want)
				continue
			}
			found := ""
			for _, row := range search(t, table, table.Query(want, thursday)) {
				found += string('a' + rune(row))
			}
			if found != group.want {
				t.Errorf("%s: %q finds %q, want %q", group.meaning, want, found, group.want)
			}
		}
	}
}

// A filter does not sort, which is said.
func TestAnOrderIsNoFilter(t *testing.T) {
	for spelling, want := range map[string]string{
		"sort by size": "", "order by size": "", "sort:size": "", "limit 10": "", "largest": "", "top 10": "",
		"size>1GB order by size desc": "size>1GB", "size>1GB sort:size": "size>1GB",
	} {
		offer, ok := spelled(t).Otherwise(spelling, thursday)
		fix := strings.Join(offer.Fixes, "")
		if !ok || offer.Kind != lists.SortsInstead || fix != want {
			t.Errorf("for %q is said %q and offered %q, want %q", spelling, offer, fix, want)
		}
	}
}

// What is text is left alone.
func TestTextIsNoOtherWriting(t *testing.T) {
	for _, text := range []string{
		"zebra", "two words", `"last week"`, `"ben or ivy"`, `!"today"`, "https://a.example/x", "10:30", "契約 甲", "report 12", "AT&T", "rev. C", "a/b", "owner=null",
		"", " ", "|", "!", "=", strings.Repeat("ab ", 100),
	} {
		if offer, ok := spelled(t).Otherwise(text, thursday); ok {
			t.Errorf("for %q is offered %q", text, offer.Fixes)
		}
	}
}

func TestSignsOfOtherProgramsWithinAWordAreTaken(t *testing.T) {
	for spelling, want := range map[string]string{
		"[Zz]ebra": "Zebra", "[zZ]ebra [Cc]rossing": "zebra Crossing", "owner#ada": "owner:ada", "owner#4112": "owner:4112",
	} {
		offer, ok := spelled(t).Otherwise(spelling, thursday)
		if !ok || len(offer.Fixes) != 1 || offer.Fixes[0] != want {
			t.Errorf("for %q is offered %q, want %q", spelling, offer.Fixes, want)
		}
	}
}

func TestAValueInWordsThatAColumnCannotHaveIsSaid(t *testing.T) {
	for spelling, value := range map[string]string{"size is big": "big", "disk equals huge": "huge"} {
		said, ok := spelled(t).Otherwise(spelling, thursday)
		if !ok || said.Kind != lists.WrongValue || said.Text != value || said.Column != lists.BytesColumn {
			t.Errorf("%s: %v, %v", spelling, said, ok)
		}
	}
}
