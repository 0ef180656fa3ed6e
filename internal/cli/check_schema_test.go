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
