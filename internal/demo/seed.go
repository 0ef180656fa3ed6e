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

// Everything the demo makes up follows from names, so that each start shows
// the same. What is made up here must not depend on the clock.

func digest(parts ...string) [sha256.Size]byte {
	return sha256.Sum256([]byte(strings.Join(parts, "\x00")))
}

// digestHex is 32 hex digits that follow from the parts.
func digestHex(parts ...string) string {
	sum := digest(parts...)
	return hex.EncodeToString(sum[:16])
}

// digestGUID is a GUID that follows from the parts.
func digestGUID(parts ...string) string {
	sum := digest(parts...)
	return string(appendGUID(nil, [16]byte(sum[:16])))
}

func seeded(parts ...string) *rand.Rand {
	sum := digest(parts...)
	return rand.New(rand.NewPCG(binary.BigEndian.Uint64(sum[:8]), binary.BigEndian.Uint64(sum[8:16])))
}

// appendGUID writes 16 bytes as a version 4 GUID.
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

// randomTime is a moment of 2013 to 2024, in whole microseconds.
func randomTime(random *rand.Rand) time.Time {
	first := time.Date(2013, time.January, 1, 0, 0, 0, 0, time.UTC)
	return first.Add(time.Duration(random.Int64N(12*365*24*int64(time.Hour/time.Microsecond))) * time.Microsecond)
}

// ticks counts 100 ns units since 0001-01-01, as .NET does.
func ticks(t time.Time) int64 {
	const secondsToUnixEpoch = 62_135_596_800
	return (t.Unix()+secondsToUnixEpoch)*10_000_000 + int64(t.Nanosecond()/100)
}

// globalStamp is an integer of 21 digits, past what 64 bits hold.
func globalStamp(random *rand.Rand) string {
	return fmt.Sprintf("%d%020d", 1+random.IntN(9), random.Uint64())
}

// shareNames are fit for the shares of any account.
var shareNames = []string{
	"Annual report 2024", "Board minutes", "Brand & logo kit", "Contracts (signed)", "Crew rosters",
	"Customs declarations", "Engine drawings <rev C>", "Harbor office", "Insurance claims", "Lighthouse maintenance",
	"Marketing", "Pilot schedules", "Port authority correspondence", "Press photos", "R&D", "Scans from reception",
	"Tender 14-B", "Tide tables", "Training videos", "Warehouse 7 inventory",

	"Bestyrelsesmøder", "Årsregnskab 2023", "Fælles billeder", "Havneplan Ærø", "Lønsedler", "Medarbejderhåndbog",
	"Kundeaftaler", "Rederi Sørensen & Søn", "Skibstegninger", "Øresund – målinger", "Tilbud til Ålborg", "Vagtplan uge 12",

	"営業部 共有フォルダ", "契約書", "請求書 2024年度", "港湾図面", "議事録", "写真アーカイブ", "人事・労務",
	"横浜支店", "ﾃｽﾄ用データ", "船舶点検記録", "プロジェクト灯台", "見積書(最新版)",

	"عقود الشحن", "تقارير الميناء", "صور الحملة ٢٠٢٤", "الموارد البشرية HR", "فواتير",

	"🚢 Ship's log", "📸 Summer party 2023", "👩‍💻 Developers", "⚓ Anchorage ⚓", "🇩🇰 Danmark", "🇯🇵 東京オフィス",
	"Plans 👍🏽 approved", "❤️ Charity run",

	"Договоры и акты", "Προσφορές 2024", "חוזים", "계약 문서", "เอกสารท่าเรือ", "Zoe\u0308's folder", "Straße & Hafen",
	"हिन्दी दस्तावेज़", "The folder that holds everything nobody has found a better place for since the office moved in 2016",
}

// firstNames and lastNames are for e-mail addresses.
var firstNames = []string{
	"aino", "anna", "ben", "carla", "dagny", "david", "elena", "emil", "farid", "freja", "goro", "hana", "ines", "ivan",
	"jamal", "jun", "karin", "lars", "leila", "mads", "maria", "mei", "nadia", "nils", "olga", "omar", "pia", "ravi", "sofie",
	"tomas", "yuki",
}

var lastNames = []string{
	"adler", "andersen", "bakke", "berg", "costa", "dahl", "eklund", "fischer", "garcia", "hansen", "haddad", "ito", "jensen",
	"kim", "krogh", "larsen", "lopez", "meyer", "mori", "nair", "novak", "okafor", "olsen", "petrov", "rossi", "sato", "silva",
	"suzuki", "tanaka", "thygesen", "virtanen", "wang",
}
