// Package wordlimit holds the largest length of a word, for all packages that read or write words.
package wordlimit

// Bytes is the largest length of a word in bytes. Words of real text are much shorter: the longest
// entries of dictionaries have fewer than 200 bytes, and web servers refuse addresses of more than
// 8 KiB. The limit is a quarter of the bytes by which the format of a file is recognized, so that
// these always include some numbers of a model's first row. And it is small enough that the
// n-grams of one word, about four for each byte, take little memory.
const Bytes = 16 << 10
