package demo

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestEachOfManySharesIsMadeFromItsNumberAlone(t *testing.T) {
	ivy, _ := findAccount("ivy@harbor.example")
	forward, backward := bulkShares(ivy.email, ivy.domains[0]), bulkShares(ivy.email, ivy.domains[0])
	const count = 2_000
	made := make([]string, count)
	for i := range count {
		record, err := forward.append(nil, i)
		if err != nil || !json.Valid(record) {
			t.Fatalf("share %d: %v in %s", i, err, record)
		}
		made[i] = string(record)
	}
	for i := count - 1; i >= 0; i-- {
		if again, _ := backward.append(nil, i); string(again) != made[i] {
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
