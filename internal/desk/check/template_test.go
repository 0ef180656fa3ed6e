package check

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// wordsOfTemplates are the words of all templates in the sources of this package, each with a place
// where it stands.
func wordsOfTemplates(t *testing.T) map[string]token.Position {
	t.Helper()
	sources, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	words, files := map[string]token.Position{}, token.NewFileSet()
	for _, source := range sources {
		if strings.HasSuffix(source, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(files, source, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			literal, ok := n.(*ast.BasicLit)
			isText := ok && literal.Kind == token.STRING
			if !isText {
				return true
			}
			for _, found := range word().FindAllString(literal.Value, -1) {
				words[wordName(found)] = files.Position(literal.Pos())
			}
			return true
		})
	}
	return words
}

func TestTemplatesHaveTheWordsThatThereAre(t *testing.T) {
	s := &scene{}
	fields, words := s.fields(Check{}), wordsOfTemplates(t)
	for name, at := range words {
		if _, ok := fields[name]; !ok {
			t.Errorf("%v: there is no word {%s}", at, name)
		}
	}
	for name := range fields {
		if _, ok := words[name]; !ok {
			t.Errorf("no template has the word {%s}", name)
		}
	}
}
