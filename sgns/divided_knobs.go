package sgns

import (
	"os"
	"strconv"
)

func knob(name string, to *int) {
	if n, err := strconv.Atoi(os.Getenv(name)); err == nil {
		*to = n
	}
}

var wayPercent, poolPercent = 100, 100

func init() {
	knob("DH", &dividing.head)
	knob("DR", &dividing.tokens)
	knob("DW", &dividing.words)
	knob("DWAY", &wayPercent)
	knob("DPOOL", &poolPercent)
	knob("DROUNDS", &dividing.rounds)
}
