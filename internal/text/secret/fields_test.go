package secret_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gatehouse/internal/testkit"
)

// secretName finds the secrets of the interface among the names of fields, in
// letters of any size.
var secretName = regexp.MustCompile(`(?i)^(access|refresh|id|bearer)$|password|passphrase|secret|token|api_?key|(reseller|company|confirm)key|credential`)

// inClear are the fields of such a name that may be text all the same, by their packages, and why.
var inClear = map[string]string{
	"api Exchange.Credential":                        "it is the scheme of the header",
	"api BodyError.TokenType":                        "it is the scheme that the token is for",
	"internal/desk/check observation.TokenType":      "it is the scheme that the token is for",
	"api StatusError.Credential":                     "it is the scheme of the header",
	"internal/desk/check Check.ID":                   "it names a check",
	"internal/desk/check Report.ID":                  "it names a report, to be quoted",
	"internal/desk/check Request.ID":                 "it names a report, to be quoted",
	"internal/desk/check step.id":                    "it names a check",
	"internal/server/serve serveFlags.secretDomains": "they are domains that may be sent the secret",
	"internal/config Profile.SecretDomains":          "they are domains that may be sent the secret",
	"internal/server/sshd Connection.ID":             "it names a connection in the log",
	"internal/server/sessionstore Claim.Token":       "it names a claim",
	"session sealedRecord.AccessToken":               "it is for the vault to seal, where a secret would be a mask",
	"session sealedRecord.RefreshToken":              "it is for the vault to seal, where a secret would be a mask",
	"session sealedRecord.IDToken":                   "it is for the vault to seal, where a secret would be a mask",
	"internal/desk/check Kind.ID":                    "it names a check",
	"internal/desk/check cause.id":                   "it names the cause of a verdict",
	"internal/desk/check bar.id":                     "it names the cause of a verdict",
	"internal/desk/batch Cause.ID":                   "it names the cause of a verdict",
	"ui/check detail.id":                             "it names a check",
	"ui/check row.ID":                                "it names a report, to be quoted",
}

// A field that holds a secret is a secret.Text. The embedded service is the other
// side of the wire, where secrets are made.
func TestNoFieldHoldsASecretAsText(t *testing.T) {
	var found []string
	for _, dir := range []string{"api", "session", "internal", "ui"} {
		found = append(found, clearFields(t, dir)...)
	}
	for _, field := range found {
		if inClear[field] == "" {
			t.Errorf("%s is text; let it be a secret.Text, or say why not", field)
		}
	}
	for field := range inClear {
		if !slices.Contains(found, field) {
			t.Errorf("there is no field %s any more", field)
		}
	}
}

// clearFields are the fields of text whose names are those of secrets, in all
// packages below a directory of the module.
func clearFields(t *testing.T, dir string) []string {
	t.Helper()
	root := testkit.Root(t)
	var found []string
	err := filepath.WalkDir(filepath.Join(root, dir), func(path string, entry fs.DirEntry, err error) error {
		name, _ := filepath.Rel(root, path)
		name = filepath.ToSlash(name)
		switch {
		case err != nil:
			return err
		case name == "internal/demo" || name == "internal/testkit":
			return fs.SkipDir
		case !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, field := range fieldsOf(file) {
			found = append(found, filepath.ToSlash(filepath.Dir(name))+" "+field)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// fieldsOf are the fields of text with the name of a secret in a file, as
// Type.Field.
func fieldsOf(file *ast.File) []string {
	var found []string
	owner := ""
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.TypeSpec:
			owner = n.Name.Name
		case *ast.FuncDecl:
			owner = n.Name.Name
		case *ast.StructType:
			for _, field := range n.Fields.List {
				for _, name := range field.Names {
					if secretName.MatchString(name.Name) && isText(field.Type) {
						found = append(found, owner+"."+name.Name)
					}
				}
			}
		}
		return true
	})
	return found
}

// isText reports whether a type is a string or bytes, or pointers to, lists or
// maps of them.
func isText(t ast.Expr) bool {
	switch t := t.(type) {
	case *ast.Ident:
		return t.Name == "string" || t.Name == "byte" || t.Name == "rune"
	case *ast.StarExpr:
		return isText(t.X)
	case *ast.ArrayType:
		return isText(t.Elt)
	case *ast.MapType:
		return isText(t.Value)
	case *ast.SelectorExpr:
		return t.Sel.Name == "RawMessage"
	}
	return false
}

func TestAFieldOfTextIsNoticed(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "x.go", `package x
type a struct { Password string; Other string; apiKey []byte; Token secret.Text; ClientSecret *string }
func f() { var x struct { UserDomainToken map[string]string } }`, 0)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"a.Password", "a.apiKey", "a.ClientSecret", "f.UserDomainToken"}
	if got := fieldsOf(file); !slices.Equal(got, want) {
		t.Errorf("noticed %v, want %v", got, want)
	}
}
