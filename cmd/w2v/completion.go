package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/w2v-go/w2v/internal/wording"
)

func newCompletion(s streams) *cobra.Command {
	var plain bool
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
			root := c.Root()
			switch shell := args[0]; {
			case shell == "bash":
				return root.GenBashCompletionV2(s.out, !plain)
			case shell == "zsh" && plain:
				return root.GenZshCompletionNoDesc(s.out)
			case shell == "zsh":
				return root.GenZshCompletion(s.out)
			case shell == "fish":
				return root.GenFishCompletion(s.out, !plain)
			case shell == "powershell" && plain:
				return root.GenPowerShellCompletion(s.out)
			case shell == "powershell":
				return root.GenPowerShellCompletionWithDesc(s.out)
			}
			return misuse(fmt.Errorf("%q is not %s%s", args[0], anyOf(names), didYouMean("", wording.Nearest(args[0], names))))
		},
	}
	c.Flags().BoolVar(&plain, "no-descriptions", false, "complete names without descriptions")
	return c
}

func setCompletion(c *cobra.Command) {
	c.CompletionOptions.DisableDefaultCmd = true // replaced by newCompletion
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if _, ok := c.GetFlagCompletionFunc(f.Name); ok || f.Value.Type() == "bool" {
			return
		}
		if complete := flagCompletion(c, f); complete != nil {
			_ = c.RegisterFlagCompletionFunc(f.Name, complete) // fails for unknown flags
		}
	})
	if complete := argumentCompletion(c); c.ValidArgsFunction == nil {
		c.ValidArgsFunction = complete
	}
	for _, sub := range c.Commands() {
		setCompletion(sub)
	}
}

// flagCompletion returns the completion of a flag's value, or nil for an unknown kind of flag.
func flagCompletion(c *cobra.Command, f *pflag.Flag) cobra.CompletionFunc {
	if e, ok := f.Value.(*enum); ok {
		return e.complete
	}
	switch f.Value.Type() {
	case "int", "intSlice", "uint64", "float64", "duration", "tokens", "numbers", "size":
		return cobra.NoFileCompletions
	}
	return flagRole(c, f).complete
}

// argumentCompletion returns the completion of a command's arguments, or nil for an unknown command.
func argumentCompletion(c *cobra.Command) cobra.CompletionFunc {
	each := mapped(argumentRoles(c), func(r role) cobra.CompletionFunc { return r.complete })
	if each == nil {
		return nil
	}
	return inTurn(each...)
}

// complete offers the choices that begin with the typed text, with their meanings.
func (e *enum) complete(_ *cobra.Command, _ []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var found []cobra.Completion
	goesOn := true // every choice is a prefix of more text
	for _, c := range e.choices {
		value, _, more := strings.Cut(c.value, "=")
		value += when(more, "=")
		if strings.HasPrefix(value, typed) {
			found = append(found, cobra.CompletionWithDesc(value, c.meaning))
			goesOn = goesOn && more
		}
	}
	directive := cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
	if goesOn {
		directive |= cobra.ShellCompDirectiveNoSpace
	}
	return found, directive
}

// inTurn completes the first argument with the first function and so on, and all further ones with the last.
func inTurn(each ...cobra.CompletionFunc) cobra.CompletionFunc {
	return func(c *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return each[min(len(args), len(each)-1)](c, args, typed)
	}
}

func folders(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveFilterDirs
}

func textExtensions() []string { return []string{"txt", "text", "gz", "zst", "bz2"} }

func setExtensions() []string { return []string{"txt", "tsv", "csv", "gz", "zst", "bz2"} }

// modelExtensions includes the extensions of checkpoints, read-only formats and compressed files.
var modelExtensions = sync.OnceValue(func() []string {
	all := []string{"ckpt", "ck", "ftz", "gz", "zst", "bz2"}
	for _, e := range extensions() {
		if e = strings.TrimPrefix(e, "."); e != "" {
			all = append(all, e)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
})

// files completes names with one of the extensions, or any if none fits: no command insists on extensions.
func files(extensions ...string) cobra.CompletionFunc {
	return func(_ *cobra.Command, _ []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if !anyFile(typed, extensions) {
			return nil, cobra.ShellCompDirectiveDefault
		}
		return extensions, cobra.ShellCompDirectiveFilterFileExt
	}
}

func anyFile(typed string, extensions []string) bool {
	folder, begin := filepath.Split(typed)
	if folder == "" {
		folder = "."
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		return false
	}
	return slices.ContainsFunc(entries, func(e os.DirEntry) bool {
		return strings.HasPrefix(e.Name(), begin) && slices.Contains(extensions, strings.TrimPrefix(filepath.Ext(e.Name()), "."))
	})
}
