package vectors

// For tests of package vectors_test.
var MeanOverPositions = meanOverPositions
