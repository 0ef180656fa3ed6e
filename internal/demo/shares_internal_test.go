package demo

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestEachOfManySharesIsMadeFromItsNumberAlone(t *testing.T) {
	ivy, _ := findAccount("ivy@harbor.example")
	forward, backward := manyShares(&ivy, harbor), manyShares(&ivy, harbor)
	const count = 2_000
	made := make([]string, count)
	for i := range count {
		record := forward.append(nil, i)
		if !json.Valid(record) {
			t.Fatalf("share %d: %s", i, record)
		}
		made[i] = string(record)
	}
	for i := count - 1; i >= 0; i-- {
		if again := backward.append(nil, i); string(again) != made[i] {
			t.Fatalf("share %d is %s and then %s", i, made[i], again)
		}
	}
	all := strings.Join(made, "\n")
	for _, oddity := range []string{`"SpaceUsage":null`, `"ShareTick":0,`, `"ParentShareId":null`, `"ParentShareId":"`, `\u0026`, `"Name":"\u00`, "東京", "📸", `"GlobalStamp":`, `ivy@harbor.example`} {
		if !strings.Contains(all, oddity) {
			t.Errorf("no %s among the first %d shares", oddity, count)
		}
	}
}

func TestEveryAccountHasSharesWhereItsDomainDoesNotRefuseIt(t *testing.T) {
	for _, a := range accounts {
		for _, domain := range a.domains {
			if kept := records().Shares[a.Email+" "+domain]; (len(kept) == 0) != (a.denies == domain || a.shares > 0) {
				t.Errorf("%s in %s: %d records", a.Email, domain, len(kept))
			}
		}
	}
	if got := len(records().Companies); got != companyCount {
		t.Errorf("%d companies", got)
	}
}
