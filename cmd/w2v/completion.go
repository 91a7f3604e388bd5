package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/internal/spelling"
)

func newCompletion(s streams) *cobra.Command {
	var plain bool
	shells := map[string]func(root *cobra.Command) error{
		"bash":       func(root *cobra.Command) error { return root.GenBashCompletionV2(s.out, !plain) },
		"zsh":        func(root *cobra.Command) error { return genZsh(root, s, plain) },
		"fish":       func(root *cobra.Command) error { return root.GenFishCompletion(s.out, !plain) },
		"powershell": func(root *cobra.Command) error { return genPowerShell(root, s, plain) },
	}
	names := []string{"bash", "zsh", "fish", "powershell"}
	c := &cobra.Command{
		Use:   "completion [flags] SHELL",
		Short: "Print a script that completes commands, flags and values",
		Long: `Print a script for SHELL: bash, zsh, fish or powershell. With it, the Tab key completes commands, flags, values of flags and file names. For
the running shell:

  bash        source <(w2v completion bash)
  zsh         source <(w2v completion zsh)
  fish        w2v completion fish | source
  powershell  w2v completion powershell | Out-String | Invoke-Expression

bash needs the package bash-completion; zsh needs compinit to have run. To keep the
completion, put the same line into the shell's start-up file.`,
		Example: `  w2v completion bash > ~/.local/share/bash-completion/completions/w2v
  w2v completion fish > ~/.config/fish/completions/w2v.fish`,
		Args: usage(cobra.ExactArgs(1)),
		ValidArgsFunction: cobra.FixedCompletions(names,
			cobra.ShellCompDirectiveNoFileComp),
		RunE: func(c *cobra.Command, args []string) error {
			print, ok := shells[args[0]]
			if !ok {
				return &usageError{c.CommandPath(), fmt.Errorf("%q is not %s%s", args[0], anyOf(names), didYouMean("", spelling.Nearest(args[0], names)))}
			}
			return print(c.Root())
		},
	}
	c.Flags().BoolVar(&plain, "no-descriptions", false, "complete names without descriptions")
	return c
}

func genZsh(root *cobra.Command, s streams, plain bool) error {
	if plain {
		return root.GenZshCompletionNoDesc(s.out)
	}
	return root.GenZshCompletion(s.out)
}

func genPowerShell(root *cobra.Command, s streams, plain bool) error {
	if plain {
		return root.GenPowerShellCompletion(s.out)
	}
	return root.GenPowerShellCompletionWithDesc(s.out)
}
