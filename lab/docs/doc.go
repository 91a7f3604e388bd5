// Package docs runs what the documentation shows: every block of a page, from top to
// bottom, in a fresh folder. Its tests run all pages, compare the output that pages show, and
// check that commands, flags, links and pictures exist. CONTRIBUTING.md has the rules for pages.
package docs
