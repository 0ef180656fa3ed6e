package demo

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"
)

// All that the demo makes up is derived from names, so that each start shows the same. It must not
// depend on the clock.

// digest is a digest of some texts.
func digest(parts ...string) [sha256.Size]byte {
	return sha256.Sum256([]byte(strings.Join(parts, "\x00")))
}

// digestHex is 32 hex digits that are derived from some texts.
func digestHex(parts ...string) string {
	sum := digest(parts...)
	return hex.EncodeToString(sum[:16])
}

// digestGUID is a GUID that is derived from some texts.
func digestGUID(parts ...string) string {
	sum := digest(parts...)
	return string(appendGUID(nil, [16]byte(sum[:16])))
}

// seeded is a source of random numbers that is seeded with some texts.
func seeded(parts ...string) *rand.Rand {
	sum := digest(parts...)
	return rand.New(rand.NewPCG(binary.BigEndian.Uint64(sum[:8]), binary.BigEndian.Uint64(sum[8:16])))
}

// appendGUID appends 16 bytes as a GUID of version 4.
func appendGUID(dst []byte, id [16]byte) []byte {
	id[6] = id[6]&0x0f | 0x40
	id[8] = id[8]&0x3f | 0x80
	var text [36]byte
	hex.Encode(text[0:8], id[0:4])
	hex.Encode(text[9:13], id[4:6])
	hex.Encode(text[14:18], id[6:8])
	hex.Encode(text[19:23], id[8:10])
	hex.Encode(text[24:36], id[10:16])
	text[8], text[13], text[18], text[23] = '-', '-', '-', '-'
	return append(dst, text[:]...)
}

// randomTime is a time from 2013 to 2024, in whole microseconds.
func randomTime(random *rand.Rand) time.Time {
	const (
		day   = 24 * time.Hour
		years = 12 * 365 * day
	)
	first := time.Date(2013, time.January, 1, 0, 0, 0, 0, time.UTC)
	passed := random.Int64N(int64(years / time.Microsecond))
	return first.Add(time.Duration(passed) * time.Microsecond)
}

// ticks is a time as .NET counts it: in units of 100 ns since 0001-01-01.
func ticks(t time.Time) int64 {
	const (
		secondsToUnixEpoch = 62_135_596_800
		ticksPerSecond     = 10_000_000
		nanosPerTick       = 100
	)
	return (t.Unix()+secondsToUnixEpoch)*ticksPerSecond + int64(t.Nanosecond()/nanosPerTick)
}

// globalStamp is an integer with 21 digits, which 64 bits cannot hold.
func globalStamp(random *rand.Rand) string {
	return fmt.Sprintf("%d%020d", 1+random.IntN(9), random.Uint64())
}

// shareNames are names for the shares of any account.
var shareNames = []string{
	"Annual report 2024", "Board minutes", "Brand & logo kit", "Contracts (signed)",
	"Crew rosters", "Customs declarations", "Engine drawings <rev C>", "Harbor office",
	"Insurance claims", "Lighthouse maintenance", "Marketing", "Pilot schedules",
	"Port authority correspondence", "Press photos", "R&D", "Scans from reception",
	"Tender 14-B", "Tide tables", "Training videos", "Warehouse 7 inventory",

	"Bestyrelsesmøder", "Årsregnskab 2023", "Fælles billeder", "Havneplan Ærø", "Lønsedler",
	"Medarbejderhåndbog", "Kundeaftaler", "Rederi Sørensen & Søn", "Skibstegninger",
	"Øresund – målinger", "Tilbud til Ålborg", "Vagtplan uge 12",

	"営業部 共有フォルダ", "契約書", "請求書 2024年度", "港湾図面", "議事録", "写真アーカイブ", "人事・労務", "横浜支店", "ﾃｽﾄ用データ",
	"船舶点検記録", "プロジェクト灯台", "見積書(最新版)",

	"عقود الشحن", "تقارير الميناء", "صور الحملة ٢٠٢٤", "الموارد البشرية HR", "فواتير",

	"🚢 Ship's log", "📸 Summer party 2023", "👩‍💻 Developers", "⚓ Anchorage ⚓", "🇩🇰 Danmark",
	"🇯🇵 東京オフィス", "Plans 👍🏽 approved", "❤️ Charity run",

	"Договоры и акты", "Προσφορές 2024", "חוזים", "계약 문서", "เอกสารท่าเรือ",
	"Zoe\u0308's folder", "Straße & Hafen", "हिन्दी दस्तावेज़",
	"The folder that holds everything nobody has found a better place for since the office moved in 2016",
}

// firstNames and lastNames are for e-mail addresses.
var firstNames = []string{
	"aino", "anna", "ben", "carla", "dagny", "david", "elena", "emil", "farid", "freja", "goro",
	"hana", "ines", "ivan", "jamal", "jun", "karin", "lars", "leila", "mads", "maria", "mei",
	"nadia", "nils", "olga", "omar", "pia", "ravi", "sofie", "tomas", "yuki",
}

var lastNames = []string{
	"adler", "andersen", "bakke", "berg", "costa", "dahl", "eklund", "fischer", "garcia",
	"hansen", "haddad", "ito", "jensen", "kim", "krogh", "larsen", "lopez", "meyer", "mori",
	"nair", "novak", "okafor", "olsen", "petrov", "rossi", "sato", "silva", "suzuki", "tanaka",
	"thygesen", "virtanen", "wang",
}
