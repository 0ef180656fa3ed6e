package demo

import (
	"encoding/json"
	"math/rand/v2"
	"time"
)

// share is one record of a user's shares, with the fields of the field notes.
// Some records lack a field, have a null in place of an object, or one field
// more.
type share struct {
	ID                   string `json:"Id"`
	CompanyID            int64  `json:"CompanyId"`
	VirtualFieldID       int64  `json:"VirtualFieldId"` // past 2^53
	Name                 string
	ShareAssociationType int // 0 read, 1 write, 2 owner
	ShareRelations       []shareRelation
	ShareDefault         shareDefault
	ShareTick            int64 // .NET ticks
	SpaceUsage           *spaceUsage
	ShareType            int         // 0 normal, 1 sub-share
	ShareIDs             []string    `json:"ShareIds"`
	ParentShareID        *string     `json:"ParentShareId"`
	TimeStamps           *timeStamps `json:",omitempty"`
	GlobalStamp          json.Number `json:",omitempty"`
}

type shareRelation struct {
	UserID               string `json:"UserId"`
	ShareAssociationType int
}

type shareDefault struct {
	Owner         string
	ShareCategory int // 0 corporate, 1 team, 2 private
}

// spaceUsage is in bytes.
type spaceUsage struct {
	DiskUsage, HistoryUsage, DeletedUsage int64
}

type timeStamps struct {
	CreateTime string
	CreatedBy  string
	UpdateTime string
	UpdatedBy  *string
	DeleteTime string
	DeletedBy  *string
}

// shareList makes all shares of a user in a domain.
func shareList(owner string, at membership) []share {
	random := seeded("shares", at.domain, owner)
	names := shareNames(at.domain)
	random.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })

	list := make([]share, at.shares)
	for i := range list {
		list[i] = newShare(random, owner, names[i])
		if i%4 == 3 {
			makeSubShare(&list[i], &list[i-2])
		}
	}
	for i := range list {
		makeRagged(random, &list[i], i)
	}
	return list
}

func newShare(random *rand.Rand, owner, name string) share {
	created := randomTime(random)
	return share{
		ID:                   randomGUID(random),
		CompanyID:            firstCompanyID + random.Int64N(companyCount),
		VirtualFieldID:       1<<53 + random.Int64N(1<<60),
		Name:                 name,
		ShareAssociationType: random.IntN(3),
		ShareRelations:       randomRelations(random),
		ShareDefault:         shareDefault{Owner: owner, ShareCategory: random.IntN(3)},
		ShareTick:            ticks(created.Add(time.Hour)),
		SpaceUsage:           randomUsage(random),
		TimeStamps:           randomTimeStamps(random, created, owner),
	}
}

func makeSubShare(sub, parent *share) {
	sub.ShareType = 1
	sub.ParentShareID = &parent.ID
	parent.ShareIDs = append(parent.ShareIDs, sub.ID)
}

// makeRagged spoils the uniformity of a list here and there.
func makeRagged(random *rand.Rand, s *share, i int) {
	if i%7 == 3 {
		s.GlobalStamp = globalStamp(random)
	}
	if i%9 == 4 {
		s.ShareTick = 0
	}
	if i%11 == 5 {
		s.TimeStamps = nil
	}
	if i%13 == 8 {
		s.SpaceUsage = nil
	}
}

func randomRelations(random *rand.Rand) []shareRelation {
	relations := []shareRelation{}
	for range random.IntN(4) {
		relations = append(relations, shareRelation{
			UserID:               accounts[random.IntN(len(accounts))].email,
			ShareAssociationType: random.IntN(2),
		})
	}
	return relations
}

// randomUsage spreads sizes from a few kilobytes to petabytes, so that some go
// past 2^53.
func randomUsage(random *rand.Rand) *spaceUsage {
	size := func() int64 { return random.Int64N(1 << (12 + random.IntN(46))) }
	return &spaceUsage{DiskUsage: size(), HistoryUsage: size(), DeletedUsage: size() / 16}
}

func randomTimeStamps(random *rand.Rand, created time.Time, owner string) *timeStamps {
	stamps := &timeStamps{CreateTime: isoTime(created), CreatedBy: owner, UpdateTime: unsetTime, DeleteTime: unsetTime}
	if random.IntN(3) > 0 {
		stamps.UpdateTime = isoTime(created.Add(time.Duration(random.Int64N(int64(300 * 24 * time.Hour)))))
		stamps.UpdatedBy = &accounts[random.IntN(len(accounts))].email
	}
	return stamps
}
