package cli

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"gatehouse/internal/testkit"
)

// reportSchema is docs/check.schema.json.
func reportSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	file := filepath.Join(testkit.Root(t), "docs", "check.schema.json")
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	schema, err := compiler.Compile(file)
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// requireValid holds the JSON of check against the schema.
func requireValid(t *testing.T, schema *jsonschema.Schema, what, text string) {
	t.Helper()
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Errorf("%s is not JSON: %v\n%s", what, err, text)
		return
	}
	if err := schema.Validate(value); err != nil {
		t.Errorf("%s: %v\n%s", what, err, text)
	}
}

func TestTheSchemaRefusesWhatIsNoReport(t *testing.T) {
	schema := reportSchema(t)
	good := demoDesk(t).mustRun("check", "ada")
	requireValid(t, schema, "the report", good)
	requireValid(t, schema, "no report", "[]")
	for name, change := range map[string][2]string{
		"a state that is not finished":       {`"state": "ok"`, `"state": "running"`},
		"a verdict that is skipped":          {`"code": "looks-fine"`, `"code": "fine"`},
		"a member more":                      {`"because": ""`, `"because": "", "more": 1`},
		"a member less":                      {`"because": "",`, ``},
		"a time with another zone":           {`Z",`, `+01:00",`},
		"a status that is text":              {`"status": 200`, `"status": "200"`},
		"a list that is null":                {`"next": [`, `"nexx": [`},
		"a reason for what was not skipped":  {`"because": ""`, `"because": "lookup"`},
		"a detail that is an object in JSON": {`"detail": {`, `"detail": {"x": {},`},
	} {
		text := strings.Replace(good, change[0], change[1], 1)
		if text == good {
			t.Errorf("%s: there is no %s in\n%s", name, change[0], good)
		}
		value, err := jsonschema.UnmarshalJSON(strings.NewReader(strings.ReplaceAll(text, ",}", "}")))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if schema.Validate(value) == nil {
			t.Errorf("%s is accepted:\n%s", name, text)
		}
	}
}
