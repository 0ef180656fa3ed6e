package domains

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gatehouse/internal/testkit/uitest"
)

func TestMarkedDomainsAreCopiedComparedAndExported(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		g := newGateways(s)
		g.Handle("/harbor.example/", answerShares(42))
		g.Handle("/small.example/", answerShares(7))
		g.Handle("/shut.example/", refuse(403))
		stage, m := show(t, g, account("harbor.example", "small.example", "shut.example"))
		settled(t, stage, m)
		if why := m.notTwo(); !strings.HasPrefix(why, "no domain is marked") {
			t.Errorf("nothing is compared because %q", why)
		}
		stage.Press("space", "space").Expect("3 domains · 2 marked")
		stage.Press("y")
		copied := uitest.Copy{Text: "harbor.example\nsmall.example\n", What: "2 marked domains"}
		stage.Until("the copy", func() bool { return slices.Contains(stage.Told, any(copied)) })
		stage.Press("v").Expect("Shares", "42", "7")
		stage.Press("esc")
		file := filepath.Join(t.TempDir(), "domains.csv")
		stage.Press("e").Expect("Export 2 marked domains")
		stage.Press("ctrl+u")
		stage.Type(file)
		stage.Press("enter")
		stage.Until("the file", func() bool { _, err := os.Stat(file); return err == nil })
		written, err := os.ReadFile(file)
		if text := string(written); err != nil || !strings.HasPrefix(text, "\uFEFFDomain,Role,Shares,") || !strings.Contains(text, "\nharbor.example,") || !strings.Contains(text, "small.example") || strings.Contains(text, "shut") {
			t.Errorf("the export is %q, %v", text, err)
		}
		stage.Press("esc").Gone("marked")
	})
}

func TestTheMembersThatTellDomainsApartAreThoseOfTheDocument(t *testing.T) {
	document, err := json.Marshal(facts{Domain: "harbor.example", Gateway: "https://gateway.example"})
	if err != nil {
		t.Fatal(err)
	}
	var members map[string]any
	if err := json.Unmarshal(document, &members); err != nil {
		t.Fatal(err)
	}
	if members[memberDomain] != "harbor.example" || members[memberGateway] != "https://gateway.example" {
		t.Errorf("%s and %s are not in %s", memberDomain, memberGateway, document)
	}
}
