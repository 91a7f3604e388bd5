package corpus

import (
	"crypto/md5"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/w2v-go/w2v/internal/atomicfile"
)

// tokenRevision increases whenever the same options would cut the same text into other tokens.
const tokenRevision = 2

// A State identifies the files of a corpus and how they become tokens. Corpora with equal States have the
// same tokens.
type State struct {
	Revision int             `json:"revision"` // of the tokenizers
	Options  json.RawMessage `json:"options"`
	Files    []fileState     `json:"files"`
	Part     string          `json:"part,omitempty"` // the part of the files
}

// A fileState identifies a file without reading all of it.
type fileState struct {
	Path     string    `json:"path"` // absolute
	Size     int64     `json:"size"`
	Modified time.Time `json:"modified"`
	// Identity distinguishes a file from another file with the same size and time, as cp -p, rsync -t and
	// touch -r make. States of earlier versions have no Identity.
	Identity string `json:"identity"`
	Sum      string `json:"sum,omitempty"` // see Summed
}

// State returns the state of the corpus. It returns false unless the corpus consists of unmodified regular
// files: streams, sentences and Stages cannot be recognized. The state of a part has all files of the corpus.
func (s *Source) State() (State, bool) {
	if s.part != nil {
		state, ok := s.part.of.State()
		state.Part = s.part.String()
		return state, ok
	}
	if !s.files || s.err != nil || len(s.inputs) == 0 || len(s.stages) > 0 {
		return State{}, false
	}
	plain, file := s.options, ""
	if plain.File != nil {
		plain.File, file = nil, plain.File.String()
	}
	options, err := json.Marshal(struct {
		Options Options
		File    string // checksum of the tokenizer file
	}{plain, file})
	if err != nil {
		return State{}, false
	}
	state := State{Revision: tokenRevision, Options: options}
	for _, in := range s.inputs {
		if of := in.stored; of != nil && of.object.tag != "" {
			state.Files = append(state.Files, fileState{Path: of.url, Size: of.object.size, Identity: of.object.tag})
			continue
		}
		if !in.isRegular() {
			return State{}, false
		}
		path, err := filepath.Abs(in.name)
		if err != nil {
			return State{}, false
		}
		identity := atomicfile.Identity(path)
		if identity == "" {
			sum, _ := sampleSum(path, 64) // none if the file cannot be read
			identity = hex.EncodeToString(sum)
		}
		state.Files = append(state.Files, fileState{Path: path, Size: in.info.Size(), Modified: in.info.ModTime().UTC(), Identity: identity})
	}
	return state, true
}

// Key returns a name for the files and the part that does not depend on the files' contents.
func (s State) Key() string {
	h := sha256.New()
	for _, f := range s.Files {
		fmt.Fprintf(h, "%s\n", f.Path) // a hash returns no errors
	}
	if s.Part != "" {
		fmt.Fprintf(h, "\npart %s\n", s.Part)
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// Summed returns the state with checksums, with which Differs recognizes a file whose identity alone has
// changed, because of chmod, a hard link or a copy. There is no checksum for a file that was written after
// the state was taken, nor for a file of which a rank reads only a part.
func (s State) Summed() State {
	s.Files = slices.Clone(s.Files)
	for i := range s.Files {
		f := &s.Files[i]
		if strings.Contains(f.Path, "://") {
			continue
		}
		same := func() bool { return atomicfile.Identity(f.Path) == f.Identity }
		if s.Part != "" || !same() {
			continue
		}
		if sum := contentSum(f.Path); same() {
			f.Sum = sum
		}
	}
	return s
}

// contentSum returns a checksum of a file, or "" if the file cannot be read.
func contentSum(path string) string {
	file, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer file.Close()
	sum := crc32.New(crc32.MakeTable(crc32.Castagnoli))
	if _, err := io.Copy(sum, file); err != nil {
		return ""
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// Differs describes a difference from an earlier state, or returns "" if there is none. It reads files that
// may have been replaced.
func (s State) Differs(was State) string {
	switch {
	case s.Revision != was.Revision:
		return "it was made by another version of w2v"
	case string(s.Options) != string(was.Options):
		return "the text becomes tokens in another way now"
	case s.Part != was.Part:
		return "it is another part of the corpus"
	case len(s.Files) != len(was.Files):
		return fmt.Sprintf("it is of %d files, and there are %d now", len(was.Files), len(s.Files))
	}
	for i, f := range s.Files {
		if old := was.Files[i]; f.Path != old.Path || f.Size != old.Size || !f.Modified.Equal(old.Modified) {
			return f.Path + " has changed"
		} else if f.Identity != "" && f.Identity == old.Identity {
			continue
		} else if old.Sum == "" {
			return f.Path + " may have been replaced or written, though its size and its time are the same"
		} else if contentSum(f.Path) != old.Sum {
			return f.Path + " has been replaced or written, though its size and its time are the same"
		}
	}
	return ""
}

// sampleSum returns a checksum of a file's size and of so many parts from its beginning to its end.
func sampleSum(path string, parts int64) ([]byte, error) {
	const size = 64 << 10
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	hash, length := sha256.New(), int64(size)
	if info.Size() <= parts*size {
		length = parts * size
	}
	fmt.Fprintf(hash, "%d\n", info.Size()) // a hash returns no errors
	for part := range parts {
		at := max(info.Size()-length, 0) * part / (parts - 1)
		if _, err := io.Copy(hash, io.NewSectionReader(file, at, length)); err != nil {
			return nil, err
		}
		if at+length >= info.Size() {
			break
		}
	}
	return hash.Sum(nil), nil
}

// Digests returns 16 bytes for each input that identify it without reading all of it: its size in 8 bytes,
// little-endian (bytes of a file, sentences in memory, or -1 if unknown), and a checksum of its beginning and
// its end. With more than a thousand inputs, most have no checksums.
func (s *Source) Digests() ([][16]byte, error) {
	const most, sentences = 1000, 100
	all := make([][16]byte, len(s.inputs))
	apart := (len(s.inputs) + most - 1) / most
	for i, in := range s.inputs {
		size, sum, err := int64(-1), []byte(nil), error(nil)
		if in.sentences != nil {
			size = int64(len(in.sentences))
			n := min(len(in.sentences), sentences)
			hash := sha256.New()
			fmt.Fprintf(hash, "%q\n%q\n", in.sentences[:n], in.sentences[len(in.sentences)-n:]) // a hash returns no errors
			sum = hash.Sum(nil)
		} else if in.stored != nil {
			size = in.stored.object.size
			tag := md5.Sum([]byte(in.stored.object.tag))
			sum = tag[:]
		} else if in.isRegular() {
			if size = in.info.Size(); i%apart == 0 {
				sum, err = sampleSum(in.name, 2)
			}
		}
		if err != nil {
			return nil, err
		}
		binary.LittleEndian.PutUint64(all[i][:], uint64(size))
		copy(all[i][8:], sum)
	}
	return all, nil
}

// Layout returns the layout of the corpus's Sample.
func (s *Source) Layout() Layout { return s.Sample().Layout(s.options) }
