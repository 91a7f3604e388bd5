package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/fasttext"
)

// completeFastText completes the command line of w2v fasttext.
func completeFastText(c *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var found []cobra.Completion
	if len(args) == 0 {
		for _, of := range fastTextCommands() {
			found = append(found, cobra.CompletionWithDesc(of.name, of.short))
		}
		return found, cobra.ShellCompDirectiveNoFileComp
	}
	if slices.Contains(fasttext.Architectures(), args[0]) {
		return completeFastTextArgument(c, args, typed)
	}
	if args[0] == "dump" && len(args) == 2 {
		for _, part := range fasttext.Parts() {
			found = append(found, cobra.Completion(part))
		}
		return found, cobra.ShellCompDirectiveNoFileComp
	}
	return inTurn(cobra.NoFileCompletions, files(modelExtensions()...), cobra.NoFileCompletions)(c, args, typed)
}

// completeFastTextArgument completes an argument of skipgram or cbow, or its value.
func completeFastTextArgument(c *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	last := strings.TrimPrefix(args[len(args)-1], "-")
	if of, ok := fasttext.Find(last); ok && !of.Switch && last != args[len(args)-1] {
		switch last {
		case "input":
			return files(textExtensions()...)(c, args, typed)
		case "output":
			return files()(c, args, typed)
		case "pretrainedVectors":
			return files(modelExtensions()...)(c, args, typed)
		case "loss":
			return []cobra.Completion{"ns", "hs"}, cobra.ShellCompDirectiveNoFileComp
		}
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var found []cobra.Completion
	for _, a := range fasttext.Arguments() {
		if !a.Unsupported {
			found = append(found, cobra.CompletionWithDesc("-"+a.Name, a.Help))
		}
	}
	return found, cobra.ShellCompDirectiveNoFileComp
}
