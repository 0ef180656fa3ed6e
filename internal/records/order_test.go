package records_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatehouse/internal/records"
)

func TestTheRoleOfAColumnFollowsFromItsName(t *testing.T) {
	for name, want := range map[string]records.Role{
		"Name": records.RoleName, "name": records.RoleName, "NAME": records.RoleName,
		"Contact.Name": records.RoleOther, "DisplayName": records.RoleOther, "": records.RoleOther,
		"value": records.RoleOther, "Paid": records.RoleOther, "Grid": records.RoleOther, "Identity": records.RoleOther,
		"Id": records.RoleID, "id": records.RoleID, "Owner.id": records.RoleID, "CompanyId": records.RoleID,
		"ShareIds": records.RoleID, "userID": records.RoleID, "company_id": records.RoleID,
	} {
		if got := (records.Column{Name: name}).Role(); got != want {
			t.Errorf("%q: role %d, want %d", name, got, want)
		}
	}
}

func TestColumnsAreDisplayedNamesFirstAndIdsLast(t *testing.T) {
	table, err := records.Parse([]byte(`[{"Id":1,"b":2,"Name":"n","CompanyId":3,"a":4}]`))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]int{2, 1, 4, 0, 3}, table.DisplayOrder()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
