package demo

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
)

const (
	resellerID   = "7d3c1b52-94e0-4f6a-8a1d-5b20c9e6f314"
	resellerName = "Harbor Cloud Partners"

	companyCount   = 25
	firstCompanyID = 4101
)

// company is one record of a reseller's companies. The interface does not show
// its fields; these are made up.
type company struct {
	ID          int64 `json:"Id"`
	Name        string
	ResellerID  string `json:"ResellerId"`
	Number      string
	Enabled     bool
	Users       struct{ Active, Licensed int }
	Quota       int64 // bytes
	DiskUsage   int64 // bytes
	CreateTime  string
	ExpireTime  string
	Contact     *companyContact
	ParentID    *int64      `json:"ParentId"`
	GlobalStamp json.Number `json:",omitempty"`
}

type companyContact struct {
	Name, Email string
	Phone       *string
	Address     struct{ Street, Zip, City, Country string }
}

// companyList makes all companies of the reseller.
func companyList() []company {
	random := seeded("companies", resellerID)
	list := make([]company, companyCount)
	for i := range list {
		list[i] = newCompany(random, i)
	}
	return list
}

func newCompany(random *rand.Rand, i int) company {
	home := companyHomes[i]
	licensed := 5 + random.IntN(400)
	quota := int64(1+random.IntN(64)) << 40
	c := company{
		ID:         firstCompanyID + int64(i),
		Name:       home.name,
		ResellerID: resellerID,
		Number:     fmt.Sprintf("C-%05d", 10_000+random.IntN(90_000)),
		Enabled:    i%8 != 6,
		Users:      struct{ Active, Licensed int }{random.IntN(licensed), licensed},
		Quota:      quota,
		DiskUsage:  random.Int64N(quota),
		CreateTime: isoTime(randomTime(random)),
		ExpireTime: unsetTime,
		Contact:    newContact(random, home),
	}
	makeCompanyRagged(random, &c, i)
	return c
}

func newContact(random *rand.Rand, home companyHome) *companyContact {
	contact := &companyContact{
		Name:  home.contact,
		Email: fmt.Sprintf("office-%d@%s", 100+random.IntN(900), pier),
	}
	contact.Address.Street, contact.Address.Zip = home.street, fmt.Sprintf("%04d", 1000+random.IntN(9000))
	contact.Address.City, contact.Address.Country = home.city, home.country
	if random.IntN(3) > 0 {
		phone := fmt.Sprintf("%02d %02d %02d %02d", 20+random.IntN(79), random.IntN(100), random.IntN(100), random.IntN(100))
		contact.Phone = &phone
	}
	return contact
}

func makeCompanyRagged(random *rand.Rand, c *company, i int) {
	if i%5 == 2 {
		c.GlobalStamp = globalStamp(random)
	}
	if i%6 == 4 {
		parent := c.ID - 3
		c.ParentID = &parent
	}
	if i == 17 {
		c.Contact = nil
	}
}

type companyHome struct {
	name, contact, street, city, country string
}

var companyHomes = [companyCount]companyHome{
	{"Harbor Office ApS", "Ada Lindqvist", "Havnegade 12", "København", "DK"},
	{"Rederi Sørensen & Søn A/S", "Finn Sørensen", "Nordhavnsvej 4", "Århus", "DK"},
	{"港湾物流株式会社", "田中 五郎", "海岸通り 3-1", "横浜市", "JP"},
	{"Fjord Survey AS", "Ingrid Bakke", "Strandkaien 8", "Bergen", "NO"},
	{"شركة الميناء للشحن", "إلياس حداد", "شارع الكورنيش ١٤", "بيروت", "LB"},
	{"Lantern & Wick Ltd", "Wes Ibarra", "2 Quay Street", "Bristol", "GB"},
	{"Blåhaj Dykning", "Dora Møller", "Skibbrogade 21", "Aalborg", "DK"},
	{"株式会社 灯台ソフト", "佐藤 美咲", "港町 5-12", "神戸市", "JP"},
	{"Pier 9 Coffee ☕", "Ben Okafor", "9 Pier Road", "Lagos", "NG"},
	{"Northern Bulk Carriers", "Hal Jørgensen", "Kajen 1", "Göteborg", "SE"},
	{"Θαλάσσιες Μεταφορές ΑΕ", "Cleo Papadaki", "Ακτή Μιαούλη 85", "Πειραιάς", "GR"},
	{"Drydock Partners", "Gus Tanaka", "Dock 3", "Hamburg", "DE"},
	{"Ærø Færgefart", "Mette Krogh", "Vestergade 40", "Ærøskøbing", "DK"},
	{"Compañía Naviera del Sur", "Lucía Ibáñez", "Calle del Muelle 7", "Cádiz", "ES"},
	{"한빛해운", "김민준", "해안로 22", "부산", "KR"},
	{"Müller & Großmann Schiffsbau", "Jürgen Großmann", "Werftstraße 11", "Kiel", "DE"},
	{"Saltwater Insurance", "Priya Nair", "18 Marine Drive", "Mumbai", "IN"},
	{"Île-de-Ré Voiles", "Benoît Lefèvre", "Quai de la Poithevinière 2", "Saint-Martin", "FR"},
	{"Порт Восток", "Анна Петрова", "ул. Портовая 3", "Владивосток", "RU"},
	{"Keel & Sons", "Owen Keel", "Harbour Row 6", "Cork", "IE"},
	{"מספנות הצפון", "נועה לוי", "שדרות הנמל 10", "חיפה", "IL"},
	{"Sundet Lodseri", "Lars Thygesen", "Lodsvej 2", "Helsingør", "DK"},
	{"東京倉庫サービス", "鈴木 一郎", "芝浦 2-8", "東京都", "JP"},
	{"🐟 Fresh Catch Co-op", "Marit Olsen", "Fiskekaia 5", "Tromsø", "NO"},
	{"Beacon Analytics Inc", "Ruth Adler", "77 Water Street", "Boston", "US"},
}
