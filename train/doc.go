// Package train makes a model of a text in one call: it reads and counts the text, plans,
// trains, writes checkpoints, evaluates, and saves the model.
package train
