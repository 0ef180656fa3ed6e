package check

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gatehouse/internal/config"
	"gatehouse/internal/testkit"
	"gatehouse/internal/text/secret"
	"gatehouse/session"
)

// page is a page of the documentation.
func page(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(testkit.Root(t), "docs", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// schema is what docs/check.schema.json says of ids and codes.
type schema struct {
	Defs struct {
		Verdict struct {
			Properties struct {
				Code struct{ Enum []Code }
			}
		}
		Check struct {
			Properties struct {
				ID struct{ Pattern string }
			}
		}
	} `json:"$defs"`
}

func readSchema(t *testing.T) (s schema) {
	t.Helper()
	if err := json.Unmarshal([]byte(page(t, "check.schema.json")), &s); err != nil {
		t.Fatal(err)
	}
	return s
}

// planned are the kinds of all checks that there can be.
func planned(t *testing.T) (kinds []string) {
	t.Helper()
	profile := &config.Profile{BaseURL: "https://{domain}"}
	service := session.NewService(session.ServiceOptions{Profile: profile, Vault: session.NewMemoryVault()})
	t.Cleanup(func() { _ = service.Close() })
	request := Request{Password: secret.New("p"), DeviceName: "laptop", Control: true}
	for _, s := range plan(&run{Request: request, Checker: New(service)}) {
		kinds = append(kinds, s.id)
	}
	return append(kinds, DomainPrefix)
}

// idPattern matches the ids of all checks, as the schema has it.
func idPattern() string {
	var ids []string
	for _, kind := range Kinds {
		id := kind.ID
		if id == DomainPrefix {
			id += ".+"
		}
		ids = append(ids, id)
	}
	return "^(" + strings.Join(ids, "|") + ")$"
}

func TestTheSchemaHasTheIDOfEachCheck(t *testing.T) {
	const name = "check.schema.json"
	const before, after = `"pattern": "`, `"`
	inPage, written := before+readSchema(t).Defs.Check.Properties.ID.Pattern+after, before+idPattern()+after
	testkit.GoldenFile(t, "docs/"+name, strings.Replace(page(t, name), inPage, written, 1))
}

func TestEachCheckHasAllItsParts(t *testing.T) {
	desk := page(t, "support-desk.md")
	for _, id := range planned(t) {
		if Rank(id) < 0 {
			t.Errorf("%q has no entry in Kinds: name, rank on the card, column of a CSV", id)
		}
	}
	columns := map[string]bool{}
	for _, kind := range Kinds {
		if kind.Column == "" || columns[kind.Column] {
			t.Errorf("%q has no column of a CSV to itself: %q", kind.ID, kind.Column)
		}
		columns[kind.Column] = true
		if kind.name == "" && kind.ID != DomainPrefix {
			t.Errorf("%q has no name in the middle of a sentence", kind.ID)
		}
		if !slices.Contains(planned(t), kind.ID) {
			t.Errorf("%q is in no plan", kind.ID)
		}
		if !strings.Contains(desk, "\n| `"+kind.ID) {
			t.Errorf("%q has no row among the checks in docs/support-desk.md", kind.ID)
		}
	}
}

func TestEachVerdictHasAllItsParts(t *testing.T) {
	inSchema := readSchema(t).Defs.Verdict.Properties.Code.Enum
	desk := page(t, "support-desk.md")
	ruled := map[Code]bool{}
	for _, r := range rules {
		ruled[r.code] = true
		if !slices.ContainsFunc(verdictKinds, func(kind verdictKind) bool { return kind.code == r.code }) {
			t.Errorf("%q has no entry in verdictKinds: its title", r.code)
		}
	}
	for _, kind := range verdictKinds {
		if kind.title == "" {
			t.Errorf("%q has no title", kind.code)
		}
		if !ruled[kind.code] {
			t.Errorf("%q: no rule leads to it", kind.code)
		}
		if !slices.Contains(inSchema, kind.code) {
			t.Errorf("%q is not in docs/check.schema.json", kind.code)
		}
		if !strings.Contains(desk, "`"+string(kind.code)+"`") {
			t.Errorf("%q is not among the codes in docs/support-desk.md", kind.code)
		}
	}
}

// TestCausesKeepTheirIDs holds the ids of all causes against those of before: people count by them.
func TestCausesKeepTheirIDs(t *testing.T) {
	isID := regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	titles, ids := map[string]string{}, map[string]string{}
	var list []string
	for _, r := range rules {
		cause := r.causeOrCode()
		if !isID.MatchString(cause.id) {
			t.Errorf("%q is no id", cause.id)
		}
		if title, known := titles[cause.id]; known && title != cause.title {
			t.Errorf("%s is called %q and %q", cause.id, title, cause.title)
		}
		if id, known := ids[cause.title]; known && id != cause.id {
			t.Errorf("%q is the title of %s and %s", cause.title, id, cause.id)
		}
		titles[cause.id], ids[cause.title] = cause.title, cause.id
		list = append(list, string(r.code)+" "+cause.id)
	}
	slices.Sort(list)
	got := strings.Join(slices.Compact(list), "\n") + "\n"
	testkit.GoldenFile(t, "internal/desk/check/testdata/causes.txt", got)
}

// TestEachUnitHasItsFact holds the names of facts, which say a unit to those who read JSON, against
// the kinds by which people read them.
func TestFactsAreCalledAsPeopleWriteThem(t *testing.T) {
	for name, want := range map[string]string{
		"authority_url": "authority URL", "ca_file": "CA file", "tls": "TLS version", "tls_ms": "TLS handshake",
		"client_id": "client id", "certificate_ends": "certificate ends",
	} {
		if got := NewFact(name, "x").Label(); got != want {
			t.Errorf("%s is called %q, want %q", name, got, want)
		}
	}
}

func TestEachUnitHasItsFact(t *testing.T) {
	names := []string{"resolve_ms", "connect_ms", "tls_ms", "first_byte_ms", FactClockSkew} // of a request
	fields := reflect.TypeFor[observation]()
	for i := range fields.NumField() {
		name, _, _ := strings.Cut(fields.Field(i).Tag.Get("json"), ",")
		names = append(names, name)
	}
	for _, name := range names {
		want := unitNone
		switch {
		case strings.HasSuffix(name, "_ms"):
			want = unitMilliseconds
		case strings.HasSuffix(name, "_seconds"):
			want = unitSeconds
		default:
			continue
		}
		if factKinds[name].unit != want || !FactDiffers(name) {
			t.Errorf("%s: %+v", name, factKinds[name])
		}
	}
}
