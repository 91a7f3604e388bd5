package corpus

import (
	"slices"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/internal/longtest"
)

// Languages have a lower case of their own, which depends on neighbouring letters and not on how much
// is read at a time.
func TestLowerCaseOfLanguages(t *testing.T) {
	for _, test := range []struct{ language, text, want string }{
		{"", "IŞIK İstanbul ΟΔΟΣ", "işik istanbul οδοσ"},
		{"tr", "IŞIK ışık İSTANBUL I\u0307STANBUL DİYARBAKIR I\u0323\u0307 I\u0301 I \xffI KIZILIRMAK", "ışık ışık istanbul istanbul diyarbakır i\u0323 ı\u0301 ı \xffı kızılırmak"},
		{"az", "QIZIL İlham ŞƏKİ", "qızıl ilham şəki"},
		{"el", "ΟΔΟΣ ΣΑΣ Σ ΟΔΥΣΣΕΥΣ, ΑΣ1", "οδος σας σ οδυσσευς, ας1"},
		{"lt", "Ì Į\u0303 J\u0301 ĄŽUOLAS IR I\u0300", "i\u0307\u0300 į\u0307\u0303 j\u0307\u0301 ąžuolas ir i\u0307\u0300"},
		{"nl", "IJSLAND Ünïcode", "ijsland ünïcode"},
		{"tr", strings.Repeat("IİΣ", 6000) + " " + strings.Repeat("国I", 9000), strings.Repeat("ıiσ", 5999) + "ıiς " + strings.Repeat("国ı", 9000)},
	} {
		o := Options{Lowercase: true, Language: test.language}
		want := strings.Fields(test.want)
		for _, portion := range []int{1, 700, 1 << 20} {
			if portion == 1 && len(test.text) > 1000 && !longtest.Enabled() {
				continue // takes seconds
			}
			r := newReader(t.Context(), 64, "text", &portions{[]byte(test.text), portion}, o)
			var left int
			long := slices.DeleteFunc(slices.Clone(want), func(w string) bool { return len(w) > MaxToken })
			if got := tokensOf(t, r); !slices.Equal(got, long) {
				t.Errorf("%s, %d bytes at a time: %.200q, want %.200q, %d left out", test.language, portion, got, long, left)
			}
		}
		if got, _, _ := (Options{Lowercase: true, Language: test.language}).Tokens(test.text); len(test.text) < 1000 && !slices.Equal(got, want) {
			t.Errorf("%s: the tokens of a line are %q, want %q", test.language, got, want)
		}
		given := Sentences("given", [][]string{strings.Fields(test.text)}, o)
		shards, err := given.Shards(1)
		if err != nil {
			t.Fatal(err)
		}
		if got := readShards(t, shards); len(test.text) < 1000 && !slices.Equal(got, append(slices.Clone(want), "")) {
			t.Errorf("%s: given tokens become %q, want %q", test.language, got, want)
		}
	}
	for _, o := range []Options{{Lowercase: true, Language: "de"}, {Language: "tr"}} {
		if o.Validate() == nil {
			t.Errorf("%+v is valid", o)
		}
	}
}

// Characters that are not seen make no other words where text is normalized, and stay where it is not.
func TestInvisibleCharacters(t *testing.T) {
	text := "co\u00adop\u00aderate \u200ealef\u200f \ufeffword join\u2060er می\u200cخواهم ក\u200bខ a\u00ad\u0301 \u202ax\u202c \u00ad"
	want := []string{"cooperate", "alef", "word", "joiner", "می\u200cخواهم", "ក\u200bខ", "á", "x"}
	for _, form := range []Normalization{NFC, NFKC} {
		for _, accents := range []bool{false, true} {
			o := Options{Normalize: form, StripAccents: accents}
			wanted := slices.Clone(want)
			if accents {
				wanted[6] = "a"
			}
			if got, _, _ := o.Tokens(text); !slices.Equal(got, wanted) {
				t.Errorf("%v: %+q, want %+q", form, got, wanted)
			}
			var given []string
			for _, token := range strings.Fields(text) {
				if is := newTokenReader(o, nil).edited(token); len(is) > 0 {
					given = append(given, string(is))
				}
			}
			if !slices.Equal(given, wanted) {
				t.Errorf("%v: given tokens become %+q, want %+q", form, given, wanted)
			}
		}
	}
	if got, _, _ := (Options{}).Tokens(text); !slices.Equal(got, strings.Fields(text)) {
		t.Errorf("text that is not normalized: %+q", got)
	}
}
