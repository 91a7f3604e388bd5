package train_test

import (
	"bytes"
	"fmt"
	"os"
	"regexp"
	"testing"
)

// Programs find remarks by their kinds, which the page on logs has.
func TestKindsOfRemarksAreDocumented(t *testing.T) {
	page, err := os.ReadFile("../docs/reliability.md")
	if err != nil {
		t.Fatal(err)
	}
	kinds := regexp.MustCompile(`Remark\w+\s+(?:RemarkKind )?= +"([a-z-]+)"`)
	found := 0
	for _, file := range []string{"result.go", "rows.go", "../sgns/remark.go"} {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, kind := range kinds.FindAllSubmatch(source, -1) {
			if found++; !bytes.Contains(page, fmt.Appendf(nil, "`%s`", kind[1])) {
				t.Errorf("docs/reliability.md does not have %s of %s", kind[1], file)
			}
		}
	}
	if found < 14 {
		t.Errorf("%d kinds are found", found)
	}
}
