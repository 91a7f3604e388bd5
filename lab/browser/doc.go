// Package browser tests the explorer in a real browser: Debian's chromium, which chromedp drives.
//
// The tests skip where there is no chromium, unless the variable W2V_BROWSER is "require". With
// W2V_SCREENSHOTS=FOLDER they write pictures of what they see, for people to look at.
package browser
