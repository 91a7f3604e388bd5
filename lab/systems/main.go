// Command systems compiles nothing, and says all the same what a compiler for another system or processor would
// refuse in the packages of a module and in their tests: it reads the sources that belong to that system, also
// those of dependencies, and checks their types. Of dependencies it checks what they declare. In packages that have
// other files there than on linux/amd64 it finds what "go vet" finds, which would compile all that they import.
//
//	cd lab && go run ./systems -folder .. windows/arm64 darwin/amd64
package main

import (
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"log"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/analysis/passes/appends"
	"golang.org/x/tools/go/analysis/passes/asmdecl"
	"golang.org/x/tools/go/analysis/passes/assign"
	"golang.org/x/tools/go/analysis/passes/atomic"
	"golang.org/x/tools/go/analysis/passes/bools"
	"golang.org/x/tools/go/analysis/passes/buildtag"
	"golang.org/x/tools/go/analysis/passes/composite"
	"golang.org/x/tools/go/analysis/passes/copylock"
	"golang.org/x/tools/go/analysis/passes/defers"
	"golang.org/x/tools/go/analysis/passes/directive"
	"golang.org/x/tools/go/analysis/passes/errorsas"
	"golang.org/x/tools/go/analysis/passes/framepointer"
	"golang.org/x/tools/go/analysis/passes/ifaceassert"
	"golang.org/x/tools/go/analysis/passes/lostcancel"
	"golang.org/x/tools/go/analysis/passes/nilfunc"
	"golang.org/x/tools/go/analysis/passes/printf"
	"golang.org/x/tools/go/analysis/passes/shift"
	"golang.org/x/tools/go/analysis/passes/sigchanyzer"
	"golang.org/x/tools/go/analysis/passes/stdmethods"
	"golang.org/x/tools/go/analysis/passes/stringintconv"
	"golang.org/x/tools/go/analysis/passes/structtag"
	"golang.org/x/tools/go/analysis/passes/testinggoroutine"
	"golang.org/x/tools/go/analysis/passes/tests"
	"golang.org/x/tools/go/analysis/passes/timeformat"
	"golang.org/x/tools/go/analysis/passes/unmarshal"
	"golang.org/x/tools/go/analysis/passes/unreachable"
	"golang.org/x/tools/go/analysis/passes/unsafeptr"
	"golang.org/x/tools/go/analysis/passes/unusedresult"
	"golang.org/x/tools/go/analysis/passes/waitgroup"
	"golang.org/x/tools/go/packages"
)

// vet are the analyzers of "go vet" that files of a system or a processor may need.
var vet = []*analysis.Analyzer{
	appends.Analyzer, asmdecl.Analyzer, assign.Analyzer, atomic.Analyzer, bools.Analyzer, buildtag.Analyzer, composite.Analyzer,
	copylock.Analyzer, defers.Analyzer, directive.Analyzer, errorsas.Analyzer, framepointer.Analyzer, ifaceassert.Analyzer,
	lostcancel.Analyzer, nilfunc.Analyzer, printf.Analyzer, shift.Analyzer, sigchanyzer.Analyzer, stdmethods.Analyzer,
	stringintconv.Analyzer, structtag.Analyzer, testinggoroutine.Analyzer, tests.Analyzer, timeformat.Analyzer, unmarshal.Analyzer,
	unreachable.Analyzer, unsafeptr.Analyzer, unusedresult.Analyzer, waitgroup.Analyzer,
}

func main() {
	log.SetFlags(0)
	log.SetPrefix("systems: ")
	folder := flag.String("folder", ".", "a folder of the module")
	flag.Parse()
	root, err := filepath.Abs(*folder)
	if err != nil {
		log.Fatal(err)
	}
	var failed bool
	for _, target := range flag.Args() {
		found, err := check(root, target)
		if err != nil {
			log.Fatal(err)
		}
		for _, problem := range found {
			failed = true
			fmt.Fprintf(os.Stderr, "%s: %v\n", target, problem)
		}
	}
	if failed {
		os.Exit(1)
	}
}

// check returns what is wrong in the module of a folder on the system and the processor of target.
func check(root, target string) (found []error, err error) {
	system, processor, ok := strings.Cut(target, "/")
	if !ok {
		return nil, fmt.Errorf("%q is not SYSTEM/PROCESSOR", target)
	}
	all, err := packages.Load(&packages.Config{
		Mode:  packages.LoadAllSyntax | packages.NeedModule,
		Dir:   root,
		Env:   append(os.Environ(), "GOOS="+system, "GOARCH="+processor, "CGO_ENABLED=0"),
		Tests: true,
		ParseFile: func(files *token.FileSet, name string, text []byte) (*ast.File, error) {
			return parse(root, files, name, text)
		},
	}, "./...")
	if err != nil {
		return nil, err
	}
	packages.Visit(all, nil, func(p *packages.Package) {
		own := p.Module != nil && p.Module.Main
		for _, err := range p.Errors {
			if own || !strings.HasSuffix(err.Msg, "and not used") { // an import, by a body that was left out
				found = append(found, err)
			}
		}
		p.IllTyped = false
	})
	var others []*packages.Package
	for _, p := range all {
		if other, err := hasOthers(p); err != nil {
			return nil, err
		} else if other {
			others = append(others, p)
		}
	}
	fmt.Printf("%s: %d packages, %d of them with other files\n", target, len(all), len(others))
	if len(found) > 0 {
		return found, nil
	}
	graph, err := checker.Analyze(vet, others, nil)
	if err != nil {
		return nil, err
	}
	for _, action := range graph.Roots {
		if action.Err != nil {
			return nil, errors.New(action.String() + ": " + action.Err.Error())
		}
		for _, d := range action.Diagnostics {
			found = append(found, fmt.Errorf("%s: %s", action.Package.Fset.Position(d.Pos), d.Message))
		}
	}
	return found, nil
}

// parse parses a file. Functions of other modules have no bodies, except those that need them.
func parse(root string, files *token.FileSet, name string, text []byte) (*ast.File, error) {
	file, err := parser.ParseFile(files, name, text, parser.AllErrors|parser.ParseComments|parser.SkipObjectResolution)
	if file == nil || strings.HasPrefix(name, root+string(filepath.Separator)) {
		return file, err
	}
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Type.TypeParams == nil && f.Name.Name != "init" && f.Name.Name != "main" {
			f.Body = nil
		}
	}
	return file, err
}

// hasOthers reports whether a package has files that it does not have on linux/amd64. Programs of tests are generated.
func hasOthers(p *packages.Package) (bool, error) {
	if strings.HasSuffix(p.ID, ".test") {
		return false, nil
	}
	here := build.Default
	here.GOOS, here.GOARCH, here.CgoEnabled = "linux", "amd64", false
	for _, file := range append(p.GoFiles, p.OtherFiles...) {
		if is, err := here.MatchFile(filepath.Split(file)); err != nil || !is {
			return !is, err
		}
	}
	return false, nil
}
