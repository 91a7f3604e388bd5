package main

import (
	"errors"
	"slices"
	"strconv"
	"strings"
)

// dimensionList is a list of numbers of dimensions as a flag: 32,64,128.
type dimensionList string

func (d *dimensionList) String() string { return string(*d) }

// Type is how the help calls a value.
func (d *dimensionList) Type() string { return "numbers" }

// Set takes a list without spaces.
func (d *dimensionList) Set(text string) error {
	var numbers []int
	for part := range strings.SplitSeq(text, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(part))
		if err != nil || n < 1 || len(numbers) > 0 && n <= slices.Max(numbers) {
			return errors.New("is no rising list of numbers of dimensions, as 32,64,128 is")
		}
		numbers = append(numbers, n)
	}
	*d = dimensionListOf(numbers)
	return nil
}

// dimensionListOf returns the list of numbers.
func dimensionListOf(numbers []int) dimensionList {
	var parts []string
	for _, n := range numbers {
		parts = append(parts, strconv.Itoa(n))
	}
	return dimensionList(strings.Join(parts, ","))
}

// numbers returns what is in the list, nil for nothing.
func (d dimensionList) numbers() []int {
	if d == "" {
		return nil
	}
	var numbers []int
	for part := range strings.SplitSeq(string(d), ",") {
		n, _ := strconv.Atoi(part) // Set let only numbers in
		numbers = append(numbers, n)
	}
	return numbers
}
