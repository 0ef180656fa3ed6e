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

// spaceUsage is in bytes.
type spaceUsage struct {
	DiskUsage, HistoryUsage, DeletedUsage int64
}

// randomUsage spreads sizes from a few kilobytes to a few hundred gigabytes.
func randomUsage(random *rand.Rand) *spaceUsage {
	size := func() int64 { return random.Int64N(1 << (12 + random.IntN(46)*27/46)) }
	return &spaceUsage{DiskUsage: size(), HistoryUsage: size(), DeletedUsage: size() / 16}
}

// many makes the shares of an account that has very many, one by one and each
// from its number alone. They are leaner than others, about 380 bytes long.
type many struct {
	seed   uint64
	pcg    *rand.PCG
	random *rand.Rand // draws from pcg
	names  []string   // in JSON, without the quote that ends them
	people []string   // in JSON
}

func manyShares(owner string, at membership) list {
	sum := digest("shares", at.domain, owner)
	m := many{seed: binary.BigEndian.Uint64(sum[:8]), pcg: rand.NewPCG(0, 0), people: manyPeople(owner, at.domain)}
	m.random = rand.New(m.pcg)
	for i, name := range shareNames {
		quoted := quote(name)
		if i%11 == 5 {
			quoted = escapeAll(name)
		}
		m.names = append(m.names, quoted[:len(quoted)-1])
	}
	return list{count: at.many, append: m.append, length: at.length}
}

// append appends the share with a number, with the fields that shares have in the field.
func (m *many) append(dst []byte, i int) []byte {
	m.pcg.Seed(m.seed, uint64(i))
	random := m.random
	created := randomTime(random)

	dst = append(dst, `{"Id":"`...)
	dst = appendGUID(dst, randomID(random))
	dst = appendMember(dst, `","CompanyId":`, firstCompanyID+random.Int64N(companyCount))
	dst = append(dst, `,"Name":`...)
	dst = append(dst, m.names[random.IntN(len(m.names))]...)
	dst = appendMember(dst, " ", int64(i)+1)
	dst = appendMember(dst, `","ShareAssociationType":`, random.Int64N(3))
	dst = append(dst, `,"ShareDefault":{"Owner":`...)
	dst = append(dst, m.people[random.IntN(len(m.people))]...)
	dst = appendMember(dst, `,"ShareCategory":`, random.Int64N(3))
	dst = appendMember(dst, `},"ShareTick":`, someTick(created, i))
	dst = appendUsage(append(dst, `,"SpaceUsage":`...), random, i)
	dst = appendParent(dst, random, i)
	dst = append(dst, `,"TimeStamps":{"CreateTime":"`...)
	dst = appendTime(dst, created)
	dst = append(dst, `"}`...)
	if i%7 == 3 {
		dst = append(append(dst, `,"GlobalStamp":`...), globalStamp(random)...)
	}
	return append(dst, '}')
}

func appendMember(dst []byte, key string, value int64) []byte {
	return strconv.AppendInt(append(dst, key...), value, 10)
}

// someTick is 0 here and there, which is how the service writes that a moment never came.
func someTick(created time.Time, i int) int64 {
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

// manyPeople are the owner and those who share with them.
func manyPeople(owner, domain string) []string {
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
