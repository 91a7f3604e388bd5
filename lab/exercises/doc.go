// Package exercises has the variants that CONTRIBUTING.md adds step by step: a loss, a kind of n-grams, and a
// composition of words. Its tests add them to a copy of the product, build that and train with
// it.
package exercises
