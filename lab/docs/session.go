package docs

import (
	"bufio"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

//go:embed session.bash
var sessionShell []byte

//go:embed session.py
var sessionPython []byte

// patience is how long a block may take. Blocks take seconds; the machine may be busy.
const patience = 10 * time.Minute

// A session is a shell in a folder, and a Python beside it, that run one block after the other.
type session struct {
	folder  string // has the blocks, not the page's files
	command *exec.Cmd
	blocks  *os.File   // to the shell: names of blocks
	answers chan error // from the shell: nil after each block that worked, an error when it ends
	ended   chan error // what the shell returned
	cancel  context.CancelFunc
	count   int
}

// newSession starts a shell in the folder of a page. What belongs to the session itself is in folder.
// Env is added to the environment of blocks.
func (w *Workshop) newSession(ctx context.Context, page, folder string, env []string) (*session, error) {
	home := filepath.Join(folder, "home")
	temporary := filepath.Join(folder, "tmp")
	for _, path := range []string{
		temporary,
		filepath.Join(home, ".local/share/bash-completion/completions"),
		filepath.Join(home, ".config/fish/completions"),
	} {
		if err := os.MkdirAll(path, 0o777); err != nil {
			return nil, err
		}
	}
	for name, text := range map[string][]byte{
		"session.bash": sessionShell,
		"session.py":   sessionPython,
		"home/.curlrc": []byte("silent\nshow-error\n"), // curl shows no progress on a terminal either
	} {
		if err := os.WriteFile(filepath.Join(folder, name), text, 0o666); err != nil {
			return nil, err
		}
	}
	blocksOut, blocks, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer blocksOut.Close()
	answers, answersIn, err := os.Pipe()
	if err != nil {
		blocks.Close()
		return nil, err
	}
	defer answersIn.Close()
	ctx, cancel := context.WithCancel(ctx)
	words := append(append([]string{}, w.isolated...), "bash", "--noprofile", "--norc", filepath.Join(folder, "session.bash"))
	command := exec.CommandContext(ctx, words[0], words[1:]...)
	command.Dir = page
	command.Env = append(append(append([]string{}, w.env...), env...), "HOME="+home, "TMPDIR="+temporary, "GOPATH="+filepath.Join(home, "go"), "SESSION="+folder)
	command.ExtraFiles = []*os.File{blocksOut, answersIn}
	// The programs that blocks leave behind end with the shell.
	ownGroup(command)
	if err := command.Start(); err != nil {
		cancel()
		return nil, errors.Join(err, blocks.Close(), answers.Close())
	}
	s := &session{folder: folder, command: command, blocks: blocks, cancel: cancel, answers: make(chan error), ended: make(chan error, 1)}
	go func() {
		lines := bufio.NewScanner(answers)
		for lines.Scan() {
			s.answers <- nil
		}
		answers.Close()
	}()
	go func() { s.ended <- command.Wait() }()
	return s, nil
}

// run runs a block and returns what it printed. Kind is the ending of its file's name.
func (s *session) run(block, kind string) (printed string, err error) {
	s.count++
	path := filepath.Join(s.folder, fmt.Sprintf("block-%d.%s", s.count, kind))
	if err := os.WriteFile(path, []byte(block), 0o666); err != nil {
		return "", err
	}
	if _, err := fmt.Fprintln(s.blocks, path); err != nil {
		return "", err
	}
	select {
	case <-s.answers:
	case err = <-s.ended:
		s.ended <- err
		if err == nil {
			err = errors.New("the block ended its shell")
		}
	case <-time.After(patience):
		err = fmt.Errorf("the block takes more than %v", patience)
	}
	out, errOut := os.ReadFile(path + ".out")
	if errOut != nil && err == nil {
		err = errOut
	}
	return string(out), err
}

// end ends the session with everything that still runs in it. The error is that of a server that
// does not end well.
func (s *session) end() error {
	defer s.cancel()
	err := s.blocks.Close()
	select {
	case ended := <-s.ended:
		if ended != nil {
			out, _ := os.ReadFile(filepath.Join(s.folder, "end.out")) // says more about the error, if it is there
			err = errors.Join(err, fmt.Errorf("the end of the page: %w\n%s", ended, out))
		}
	case <-time.After(patience):
		err = errors.Join(err, errors.New("the page does not end"))
	}
	_ = killGroup(s.command) // nothing is left if all ended
	return err
}
