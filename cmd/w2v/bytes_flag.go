package main

import (
	"errors"
	"math"
	"strconv"
	"strings"
)

// sizeUnits are the units of a size. Those of one letter are powers of 1,024, as elsewhere.
var sizeUnits = map[string]float64{
	"": 1, "b": 1,
	"k": 1 << 10, "kib": 1 << 10, "kb": 1e3,
	"m": 1 << 20, "mib": 1 << 20, "mb": 1e6,
	"g": 1 << 30, "gib": 1 << 30, "gb": 1e9,
	"t": 1 << 40, "tib": 1 << 40, "tb": 1e12,
}

// parseBytes reads a number of bytes with a unit.
func parseBytes(text string) (uint64, error) {
	number := strings.TrimRight(text, "bBiIkKmMgGtT ")
	unit, ok := sizeUnits[strings.ToLower(strings.TrimSpace(text[len(number):]))]
	n, err := strconv.ParseFloat(number, 64)
	if !ok || err != nil || !(n >= 0) || n*unit > math.MaxInt64 {
		return 0, errors.New("is not a size, as 256MiB and 2G are")
	}
	return uint64(n * unit), nil
}

// A bytesFlag is a number of bytes.
type bytesFlag int64

func (b *bytesFlag) Type() string { return "size" }

func (b *bytesFlag) String() string {
	switch n := int64(*b); {
	case n == 0:
		return ""
	case n%1e6 == 0:
		return strconv.FormatInt(n/1e6, 10) + "MB"
	default:
		return strconv.FormatInt(n, 10)
	}
}

func (b *bytesFlag) Set(text string) error {
	n, err := parseBytes(text)
	*b = bytesFlag(min(n, math.MaxInt64))
	return err
}
