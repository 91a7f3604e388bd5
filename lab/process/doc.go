// Package process runs a program for a test, and kills it or signals it when the test says so.
package process
