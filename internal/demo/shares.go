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

// randomUsage returns three sizes in bytes, from a few kilobytes to a few hundred gigabytes.
func randomUsage(random *rand.Rand) (disk, history, deleted int64) {
	size := func() int64 { return random.Int64N(1 << (12 + random.IntN(46)*27/46)) }
	return size(), size(), size() / 16
}

// many makes the shares of an account with very many of them, each from its index alone. They have
// fewer fields than others, and are about 380 bytes long.
type many struct {
	seed   uint64
	pcg    *rand.PCG
	random *rand.Rand // uses pcg
	names  []string   // in JSON, without the quote at the end
	people []string   // in JSON
}

// manyShares are the shares of an account with very many of them. Some names have all their
// characters escaped.
func manyShares(a *Account, domain string) list {
	sum := digest("shares", domain, a.Email)
	m := many{
		seed:   binary.BigEndian.Uint64(sum[:8]),
		pcg:    rand.NewPCG(0, 0),
		people: manyPeople(a.Email, domain),
	}
	m.random = rand.New(m.pcg)
	for i, name := range shareNames {
		quoted := quote(name)
		if i%11 == 5 {
			quoted = escapeAll(name)
		}
		m.names = append(m.names, quoted[:len(quoted)-1])
	}
	return list{count: a.shares, append: m.append, length: a.length}
}

// append appends the share with an index, with the fields that clients of such a service see. Some
// fields are 0 or null, as if they had never been set.
func (m *many) append(dst []byte, i int) []byte {
	m.pcg.Seed(m.seed, uint64(i))
	random := m.random
	text := func(text string) { dst = append(dst, text...) }
	number := func(key string, value int64) {
		dst = strconv.AppendInt(append(dst, key...), value, 10)
	}
	guid := func() {
		var id [16]byte
		binary.BigEndian.PutUint64(id[:8], random.Uint64())
		binary.BigEndian.PutUint64(id[8:], random.Uint64())
		dst = appendGUID(dst, id)
	}

	created := randomTime(random)
	text(`{"Id":"`)
	guid()
	number(`","CompanyId":`, firstCompanyID+random.Int64N(companyCount))
	text(`,"Name":`)
	text(m.names[random.IntN(len(m.names))])
	number(" ", int64(i)+1)
	number(`","ShareAssociationType":`, random.Int64N(3))
	text(`,"ShareDefault":{"Owner":`)
	text(m.people[random.IntN(len(m.people))])
	number(`,"ShareCategory":`, random.Int64N(3))
	if i%9 == 4 {
		text(`},"ShareTick":0`)
	} else {
		number(`},"ShareTick":`, ticks(created.Add(time.Hour)))
	}
	if i%13 == 8 {
		text(`,"SpaceUsage":null`)
	} else {
		disk, history, deleted := randomUsage(random)
		number(`,"SpaceUsage":{"DiskUsage":`, disk)
		number(`,"HistoryUsage":`, history)
		if i%3 == 0 {
			number(`,"DeletedUsage":`, deleted)
		}
		text("}")
	}
	if i%8 == 3 {
		text(`,"ShareType":1,"ParentShareId":"`)
		guid()
		text(`"`)
	} else {
		text(`,"ParentShareId":null`)
	}
	text(`,"TimeStamps":{"CreateTime":"`)
	dst = created.AppendFormat(dst, time.RFC3339Nano) // the layout for which package time is fast
	text(`"}`)
	if i%7 == 3 {
		text(`,"GlobalStamp":` + globalStamp(random))
	}
	return append(dst, '}')
}

// manyPeople are the owner and the people who share with the owner, in JSON.
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
	quoted, _ := json.Marshal(text) // it cannot fail for a text
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
