// Package wordlimit says how long a word may be, for all who read or write one.
package wordlimit

// Bytes is the length of the longest word. Text has no words near it: the longest entry of
// a dictionary has below 200 bytes, and servers refuse addresses of more than 8 KiB. It is
// a quarter of what is looked at to tell the format of a file, so that the first row of a
// model is seen with some of its numbers whatever its word is; and few enough bytes for the
// n-grams of one word, about four a byte, to take no memory to speak of.
const Bytes = 16 << 10
