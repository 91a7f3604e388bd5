package interop

import (
	"math/rand/v2"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// oddLines returns lines of everything that two tokenizers may disagree about: all
// categories and scripts of Unicode, marks, joiners, flags, white space and control
// characters of all kinds, numbers with separators, and letters whose lower case is
// special.
func oddLines(n int, seed uint64) []string {
	o := oddText{rand.New(rand.NewPCG(seed, 12))}
	for name := range unicode.Categories {
		categories = append(categories, name)
	}
	for name := range unicode.Scripts {
		scripts = append(scripts, name)
	}
	slices.Sort(categories) // maps have no order
	slices.Sort(scripts)
	lines := slices.Clone(fixedLines)
	for len(lines) < n {
		var b strings.Builder
		for range 1 + o.IntN(12) {
			b.WriteString(o.piece())
			if o.IntN(3) > 0 {
				b.WriteString(o.one(" ", " ", "", ".", "\u200d", "\u0301", ",", "'", "_", "-"))
			}
		}
		lines = append(lines, b.String())
	}
	return lines[:n]
}

var categories, scripts []string

// fixedLines are those that were found to be cut otherwise, and what rules of UAX #29
// are made for.
var fixedLines = []string{
	"km² 10⁶ ①② x² H₂O m³/s ⅷ Ⅷ ½", "東京。ひらがな。カタカナ. です.ます 日本.", "İstanbul İ i̇ ı I DİYARBAKIR", "__init__ _ __ a__b _a_ 1_000",
	"a\u00a0b\u2003c\u3000d\u0085e\u2028f\u2029g\vh\fi\tj\u1680k\u202fl\u205fm\u200bn\ufeffo", "don't o’clock 'tis dogs' e.g. i.e", "1,000.5 1:2 3;4 5'6 7’8 a,b a;b a:b",
	"ΟΔΟΣ ΑΣ Σ ΣΑΣ σς ὈΔΥΣΣΕΎΣ", "ẞ STRASSE straße ﬀ ǅ Ǆ ǆ K Å Ω", "צה״ל צה\"ל ג'ירפה ג׳ א'1 א'_ א'א א\u05b0'1 א'カ א\u05b0\"\u05b0א א\"",
	"🇩🇪🇫🇷 🇩 🇩🇪🇫 🇩\u200d🇪🇫", "👩\u200d💻👨\u200d👩\u200d👧\u200d👦 👍🏽 ☎️ 1️⃣ 🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f a\u200d🙂 .\u200d🙂b カ\u200dℹb 🙂\u200dℹab.c 🙂\u200d🙂\u200dⓂx a\u200d🙂\u200dⓂx א'\u200dℹa \u200d🙂 🙂カ 🙂\u200d🙂_a",
	"ｶﾞｷﾞ ﾞ .ﾞ \tﾞ \x00ﾞ \u3000ﾞ \u3000 \u200d🙂 \u3000\u200d🙂", "カタカナー〱 カ_a aカ カa カ゛a ㍿ ㌔ カa.b", "สวัสดีครับ ភាសាខ្មែរ မြန်မာ ລາວ", "क्षत्रिय বাংলা தமிழ்", "한국어 조선말 ㄱㄴ",
	"", " ", "\x00", "\x00a\x00", "a\r\nb\nc\rd", "\u0301", "a\u0301\u0302.\u0303b", "1\u0301,\u03022", "http://a.b/c?d=e&f=g#h @user #tag $5.00 50% C++ C# a@b.c",
}

type oddText struct{ *rand.Rand }

func (o oddText) one(of ...string) string { return of[o.IntN(len(of))] }

// from returns a character of a table.
func (o oddText) from(table *unicode.RangeTable) string {
	i := o.IntN(len(table.R16) + len(table.R32))
	if i < len(table.R16) {
		r := table.R16[i]
		return valid(rune(r.Lo) + rune(r.Stride)*rune(o.IntN(int(r.Hi-r.Lo)/int(r.Stride)+1)))
	}
	r := table.R32[i-len(table.R16)]
	return valid(rune(r.Lo) + rune(r.Stride)*rune(o.IntN(int(r.Hi-r.Lo)/int(r.Stride)+1)))
}

// valid returns a character, or another one for half a surrogate pair.
func valid(r rune) string {
	if !utf8.ValidRune(r) {
		return "\ufffd"
	}
	return string(r)
}

// some returns a few strings after each other.
func (o oddText) some(most int, next func() string) string {
	var b strings.Builder
	for range 1 + o.IntN(most) {
		b.WriteString(next())
	}
	return b.String()
}

func (o oddText) piece() string {
	switch o.IntN(14) {
	case 0:
		return o.some(4, func() string { return o.from(unicode.Categories[o.one(categories...)]) })
	case 1:
		script := unicode.Scripts[o.one(scripts...)]
		return o.some(8, func() string { return o.from(script) })
	case 2:
		return o.some(3, func() string { return valid(rune(o.IntN(unicode.MaxRune + 1))) }) // most of them nobody uses
	case 3:
		return o.some(3, func() string {
			return o.from(unicode.L) + o.some(3, func() string { return o.from(unicode.M) })
		})
	case 4: // pictographs, joiners, skins, flags, tags
		return o.some(6, func() string {
			return o.one("\u200d", "\u200d", "\ufe0f", "\ufe0e", "\u20e3", "🏽", "🇩", "🇪", "🇫", "👩", "🙂", "☎", "©", "ℹ", "Ⓜ", "🅰", "™",
				"\U000e0067", "a", "1", "カ", "#", o.from(unicode.So))
		})
	case 5:
		return o.some(6, func() string {
			return o.one("0", "12", "345", "٣", "४", "²", "①", "Ⅷ", "½", ",", ".", ";", ":", "'", "’", "٫", "٬", "_", "/", "-", "%", "\u0301", "\u00ad")
		})
	case 6:
		return o.some(7, func() string {
			return o.one("a", "Bc", "é", "א", "ב", "\u05b0", "'", "\"", "’", ".", ":", "·", ",", "״", "׳", "‧", "．", "_", "1", "\u00ad", "\u200d", "\u0301")
		})
	case 7: // all that is white space, and what looks like it
		return o.some(3, func() string {
			return o.one("\t", "\n", "\v", "\f", "\r", " ", "\u0085", "\u00a0", "\u1680", "\u2000", "\u2001", "\u2002", "\u2003", "\u2004",
				"\u2005", "\u2006", "\u2007", "\u2008", "\u2009", "\u200a", "\u2028", "\u2029", "\u202f", "\u205f", "\u3000",
				"\u180e", "\u200b", "\u2060", "\ufeff", "\u00ad", "\u200c", "\u200e", "\u202e", "\ufffe", "\uffff", "\ufffd")
		})
	case 8:
		return string(rune(o.IntN(0xa1)))
	case 9: // lower case
		return o.some(6, func() string {
			return o.one("İ", "ı", "I", "ẞ", "ß", "Σ", "σ", "ς", "Α", "ǅ", "Ǆ", "K", "Å", "Ω", "Ꭰ", "ꭰ", "𐐀", "Ა", "ა", "Ⓐ", "Ⓜ", "Ⅷ", "ﬁ",
				"\u0307", "\u0345", "ͅ", "\U00010d50", "\ua7cb", "\ua7dc", "\U00016ea0", "Ὀ", "ᾈ", o.from(unicode.Lu), o.from(unicode.Lt))
		})
	case 10:
		return o.some(8, func() string {
			return o.one("カ", "タ", "ー", "ア", "ｶ", "ﾞ", "ﾟ", "ひ", "ら", "ゞ", "漢", "字", "。", "、", "．", ".", "〱", "゛", "㌔", "_", "a", "1", "\u3099", "𠀀", "々", "〆")
		})
	case 11:
		return o.one("__init__", "km²", "10⁶", "①②", "C++", "new-york", "e.g.", "don't", "3d", "x_1", "1_000", "a/b", "<b>", "&amp;", "\\n", "é", "naïve")
	case 12:
		return o.some(10, func() string { return string(rune('a' + o.IntN(26))) })
	}
	return o.one("the", "The", "THE", "of", "Word", "Straße", "Ελλάδα", "Москва", "日本語", "한국어", "สวัสดี", "שלום", "مرحبا", "हिन्दी")
}
