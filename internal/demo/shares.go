package demo

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strconv"
	"time"
	"unicode/utf16"
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

// sharers is how many of the accounts shares are shared with. It stays when an account
// is added, so that the shares stay as they are.
const sharers = 10

func randomRelations(random *rand.Rand) []shareRelation {
	relations := []shareRelation{}
	for range random.IntN(4) {
		relations = append(relations, shareRelation{
			UserID:               accounts[random.IntN(sharers)].email,
			ShareAssociationType: random.IntN(2),
		})
	}
	return relations
}

// randomUsage spreads sizes from a few kilobytes to a few hundred gigabytes.
func randomUsage(random *rand.Rand) *spaceUsage {
	size := func() int64 { return random.Int64N(1 << (12 + random.IntN(46)*27/46)) }
	return &spaceUsage{DiskUsage: size(), HistoryUsage: size(), DeletedUsage: size() / 16}
}

func randomTimeStamps(random *rand.Rand, created time.Time, owner string) *timeStamps {
	stamps := &timeStamps{CreateTime: isoTime(created), CreatedBy: owner, UpdateTime: unsetTime, DeleteTime: unsetTime}
	if random.IntN(3) > 0 {
		stamps.UpdateTime = isoTime(created.Add(time.Duration(random.Int64N(int64(300 * 24 * time.Hour)))))
		stamps.UpdatedBy = &accounts[random.IntN(sharers)].email
	}
	return stamps
}

// bulk makes the shares of an account that has very many, one by one and each
// from its number alone. They are leaner than others, about 380 bytes long.
type bulk struct {
	seed   uint64
	pcg    *rand.PCG
	random *rand.Rand // draws from pcg
	names  []string   // in JSON, without the quote that ends them
	people []string   // in JSON
}

func bulkShares(owner string, at membership) list {
	sum := digest("shares", at.domain, owner)
	b := bulk{seed: binary.BigEndian.Uint64(sum[:8]), pcg: rand.NewPCG(0, 0), people: bulkPeople(owner, at.domain)}
	b.random = rand.New(b.pcg)
	for i, name := range shareNames(at.domain) {
		quoted := quote(name)
		if i%11 == 5 {
			quoted = escapeAll(name)
		}
		b.names = append(b.names, quoted[:len(quoted)-1])
	}
	return list{count: at.shares, append: b.append, length: at.length}
}

// append appends the share with a number, with the fields of the field notes.
func (b *bulk) append(dst []byte, i int) ([]byte, error) {
	b.pcg.Seed(b.seed, uint64(i))
	random := b.random
	created := randomTime(random)

	dst = append(dst, `{"Id":"`...)
	dst = appendGUID(dst, randomID(random))
	dst = appendMember(dst, `","CompanyId":`, firstCompanyID+random.Int64N(companyCount))
	dst = append(dst, `,"Name":`...)
	dst = append(dst, b.names[random.IntN(len(b.names))]...)
	dst = appendMember(dst, " ", int64(i)+1)
	dst = appendMember(dst, `","ShareAssociationType":`, random.Int64N(3))
	dst = append(dst, `,"ShareDefault":{"Owner":`...)
	dst = append(dst, b.people[random.IntN(len(b.people))]...)
	dst = appendMember(dst, `,"ShareCategory":`, random.Int64N(3))
	dst = appendMember(dst, `},"ShareTick":`, bulkTick(created, i))
	dst = appendUsage(append(dst, `,"SpaceUsage":`...), random, i)
	dst = appendParent(dst, random, i)
	dst = append(dst, `,"TimeStamps":{"CreateTime":"`...)
	dst = appendTime(dst, created)
	dst = append(dst, `"}`...)
	if i%7 == 3 {
		dst = append(append(dst, `,"GlobalStamp":`...), globalStamp(random)...)
	}
	return append(dst, '}'), nil
}

func appendMember(dst []byte, key string, value int64) []byte {
	return strconv.AppendInt(append(dst, key...), value, 10)
}

// bulkTick is 0 here and there, which is how the service writes that a moment never came.
func bulkTick(created time.Time, i int) int64 {
	if i%9 == 4 {
		return 0
	}
	return ticks(created.Add(time.Hour))
}

func appendUsage(dst []byte, random *rand.Rand, i int) []byte {
	if i%13 == 8 {
		return append(dst, "null"...)
	}
	u := randomUsage(random)
	dst = appendMember(dst, `{"DiskUsage":`, u.DiskUsage)
	dst = appendMember(dst, `,"HistoryUsage":`, u.HistoryUsage)
	if i%3 == 0 {
		dst = appendMember(dst, `,"DeletedUsage":`, u.DeletedUsage)
	}
	return append(dst, '}')
}

func appendParent(dst []byte, random *rand.Rand, i int) []byte {
	if i%8 != 3 {
		return append(dst, `,"ParentShareId":null`...)
	}
	dst = append(dst, `,"ShareType":1,"ParentShareId":"`...)
	return append(appendGUID(dst, randomID(random)), '"')
}

// bulkPeople are the owner and those who share with them.
func bulkPeople(owner, domain string) []string {
	const count = 977
	people := []string{quote(owner)}
	for _, first := range firstNames {
		for _, last := range lastNames {
			if len(people) < count {
				people = append(people, quote(first+"."+last+"@"+domain))
			}
		}
	}
	return people
}

// quote writes a text as JSON.
func quote(text string) string {
	quoted, _ := json.Marshal(text) // of a text it cannot fail
	return string(quoted)
}

// escapeAll writes a text as JSON in which every character is escaped.
func escapeAll(text string) string {
	escaped := []byte{'"'}
	for _, unit := range utf16.Encode([]rune(text)) {
		escaped = fmt.Appendf(escaped, `\u%04x`, unit)
	}
	return string(append(escaped, '"'))
}
