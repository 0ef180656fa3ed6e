package demo

import "slices"

// shareNames returns names fit for the shares of a domain: a fresh slice, all
// different, more than any account but the largest has shares.
func shareNames(domain string) []string {
	switch domain {
	case minato:
		return slices.Concat(japaneseNames(), englishNames())
	case fjord:
		return slices.Concat(danishNames(), englishNames())
	}
	return slices.Concat(englishNames(), danishNames(), japaneseNames(), arabicNames(), emojiNames(), otherNames())
}

func englishNames() []string {
	return []string{
		"Annual report 2024", "Board minutes", "Brand & logo kit", "Contracts (signed)", "Crew rosters",
		"Customs declarations", "Engine drawings <rev C>", "Harbor office", "Insurance claims", "Lighthouse maintenance",
		"Marketing", "Pilot schedules", "Port authority correspondence", "Press photos", "R&D", "Scans from reception",
		"Tender 14-B", "Tide tables", "Training videos", "Warehouse 7 inventory",
	}
}

func danishNames() []string {
	return []string{
		"Bestyrelsesmøder", "Årsregnskab 2023", "Fælles billeder", "Havneplan Ærø", "Lønsedler", "Medarbejderhåndbog",
		"Kundeaftaler", "Rederi Sørensen & Søn", "Skibstegninger", "Øresund – målinger", "Tilbud til Ålborg", "Vagtplan uge 12",
	}
}

func japaneseNames() []string {
	return []string{
		"営業部 共有フォルダ", "契約書", "請求書 2024年度", "港湾図面", "議事録", "写真アーカイブ", "人事・労務",
		"横浜支店", "ﾃｽﾄ用データ", "船舶点検記録", "プロジェクト灯台", "見積書(最新版)",
	}
}

func arabicNames() []string {
	return []string{"عقود الشحن", "تقارير الميناء", "صور الحملة ٢٠٢٤", "الموارد البشرية HR", "فواتير"}
}

func emojiNames() []string {
	return []string{
		"🚢 Ship's log", "📸 Summer party 2023", "👩‍💻 Developers", "⚓ Anchorage ⚓", "🇩🇰 Danmark", "🇯🇵 東京オフィス",
		"Plans 👍🏽 approved", "❤️ Charity run",
	}
}

func otherNames() []string {
	return []string{
		"Договоры и акты", "Προσφορές 2024", "חוזים", "계약 문서", "เอกสารท่าเรือ", "Zoe\u0308's folder", "Straße & Hafen",
		"अनुबंध", "The folder that holds everything nobody has found a better place for since the office moved in 2016",
	}
}

// firstNames and lastNames are those of e-mail addresses.
func firstNames() []string {
	return []string{
		"aino", "anna", "ben", "carla", "dagny", "david", "elena", "emil", "farid", "freja", "goro", "hana", "ines", "ivan",
		"jamal", "jun", "karin", "lars", "leila", "mads", "maria", "mei", "nadia", "nils", "olga", "omar", "pia", "ravi", "sofie",
		"tomas", "yuki",
	}
}

func lastNames() []string {
	return []string{
		"adler", "andersen", "bakke", "berg", "costa", "dahl", "eklund", "fischer", "garcia", "hansen", "haddad", "ito", "jensen",
		"kim", "krogh", "larsen", "lopez", "meyer", "mori", "nair", "novak", "okafor", "olsen", "petrov", "rossi", "sato", "silva",
		"suzuki", "tanaka", "thygesen", "virtanen", "wang",
	}
}
