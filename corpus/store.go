package corpus

import (
	"bytes"
	"context"
	"crypto/md5"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"os/exec"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/w2v-go/w2v/internal/wording"
)

// A store is where objects are read by commands of others: an object store, or a distributed file system.
type store struct {
	scheme   string
	commands []string // of which the first that there is is used
	// list returns the objects that may match: those whose names begin with a prefix.
	list func(command, bucket, prefix string) (arguments []string, read func(text []byte) ([]object, error))
	cat  func(command, url string) []string
	// sum returns the arguments of the command that prints whether the tag of an object is no MD5; nil if objects have no tags.
	sum func(bucket, key string) []string
}

// An object is a file of a store.
type object struct {
	bucket, key string
	size        int64
	tag         string // changes with the object; of S3, often its MD5
}

var stores = []store{
	{
		scheme: "s3", commands: []string{"aws"},
		list: func(_, bucket, prefix string) ([]string, func([]byte) ([]object, error)) {
			return []string{"s3api", "list-objects-v2", "--bucket", bucket, "--prefix", prefix, "--output", "json", "--query", "Contents[].{Key:Key,Size:Size,ETag:ETag}"},
				func(text []byte) (all []object, err error) {
					var found []struct {
						Key  string `json:"Key"`
						Size int64  `json:"Size"`
						ETag string `json:"ETag"`
					}
					if len(bytes.TrimSpace(text)) > 0 {
						err = json.Unmarshal(text, &found)
					}
					for _, f := range found {
						all = append(all, object{bucket, f.Key, f.Size, strings.Trim(f.ETag, `"`)})
					}
					return all, err
				}
		},
		cat: func(_, url string) []string { return []string{"s3", "cp", "--only-show-errors", url, "-"} },
		sum: func(bucket, key string) []string {
			return []string{"s3api", "head-object", "--bucket", bucket, "--key", key, "--output", "text", "--query", "[ServerSideEncryption,SSECustomerAlgorithm]"}
		},
	},
	{
		scheme: "gs", commands: []string{"gcloud", "gsutil"},
		list: func(command, bucket, prefix string) ([]string, func([]byte) ([]object, error)) {
			arguments := []string{"ls", "-l", "gs://" + bucket + "/" + prefix + "**"}
			if command == "gcloud" {
				arguments = append([]string{"storage"}, arguments...)
			}
			return arguments, func(text []byte) (all []object, err error) {
				return listedObjects(text, "gs://"+bucket+"/", bucket, 0, 1)
			}
		},
		cat: func(command, url string) []string {
			if command == "gcloud" {
				return []string{"storage", "cat", url}
			}
			return []string{"cat", url}
		},
	},
	{
		scheme: "hdfs", commands: []string{"hdfs"},
		list: func(_, bucket, prefix string) ([]string, func([]byte) ([]object, error)) {
			folder := prefix
			if !strings.HasSuffix(folder, "/") {
				folder = path.Dir(prefix) + "/"
			}
			if folder == "./" {
				folder = ""
			}
			return []string{"dfs", "-ls", "-R", "hdfs://" + bucket + "/" + folder}, func(text []byte) (all []object, err error) {
				return listedObjects(text, "hdfs://"+bucket+"/", bucket, 4, 5)
			}
		},
		cat: func(_, url string) []string { return []string{"dfs", "-cat", url} },
	},
}

// listedObjects reads lines of fields, of which one is the size, and the last is a name that begins with root. From the field with the
// number tag to the name, they say when it was written.
func listedObjects(text []byte, root, bucket string, size, tag int) (all []object, err error) {
	for line := range strings.Lines(string(text)) {
		before, key, ok := strings.Cut(strings.TrimRight(line, "\r\n"), root)
		fields := strings.Fields(before)
		if !ok || len(fields) <= size || strings.HasPrefix(line, "d") && size > 0 { // a folder, or a sum of sizes
			continue
		}
		n, err := strconv.ParseInt(fields[size], 10, 64)
		if err != nil {
			return nil, fmt.Errorf("%q is no size of a file", fields[size])
		}
		all = append(all, object{bucket, key, n, strings.Join(fields[min(tag, len(fields)):], " ")})
	}
	return all, nil
}

// storedInputs returns the objects that a name with the scheme of a store stands for, by name; ok is false for other names.
func storedInputs(ctx context.Context, name string) (inputs []input, ok bool, err error) {
	scheme, rest, found := strings.Cut(name, "://")
	if !found || strings.ContainsAny(scheme, "/ ") {
		return nil, false, nil
	}
	at := slices.IndexFunc(stores, func(s store) bool { return s.scheme == strings.ToLower(scheme) })
	if at < 0 {
		switch strings.ToLower(scheme) {
		case "http", "https", "ftp":
			return nil, true, fmt.Errorf("%s: w2v reads nothing from the web itself: write curl -sSLf '%s' | w2v …, and - as the name of the corpus", name, name)
		}
		return nil, false, nil // a file may have such a name
	}
	s := stores[at]
	command, err := s.command()
	if err != nil {
		return nil, true, fmt.Errorf("%s: %w", name, err)
	}
	bucket, pattern, _ := strings.Cut(rest, "/")
	if bucket == "" && s.scheme != "hdfs" {
		return nil, true, fmt.Errorf("%s: a bucket is missing", name)
	}
	all, err := s.objects(ctx, command, bucket, pattern)
	if err != nil {
		return nil, true, fmt.Errorf("%s: %w", name, err)
	}
	if len(all) == 0 {
		return nil, true, fmt.Errorf("%s: no object has or matches this name", name)
	}
	for _, o := range all {
		url := s.scheme + "://" + o.bucket + "/" + o.key
		of := &stored{store: s, command: command, url: url, object: o}
		inputs = append(inputs, input{name: url, size: -1, stored: of, open: of.open})
	}
	return inputs, true, nil
}

func (s store) command() (string, error) {
	for _, name := range s.commands {
		if _, err := exec.LookPath(name); err == nil {
			return name, nil
		}
	}
	return "", fmt.Errorf("there is no command %s, which reads %s://: install it, or write the text to standard input and name -", strings.Join(s.commands, " or "), s.scheme)
}

// objects lists the objects that a pattern stands for: a name, the names that match a glob, or all below a folder.
func (s store) objects(ctx context.Context, command, bucket, pattern string) (matched []object, err error) {
	prefix, glob := pattern, false
	if i := strings.IndexAny(pattern, `*?[`); i >= 0 {
		prefix, glob = pattern[:i], true
	}
	arguments, read := s.list(command, bucket, prefix)
	wait := silenceOf(ctx, Wait{Name: s.scheme + "://" + bucket + "/" + pattern, Listing: true})
	wait.begin(0)
	defer wait.end()
	var text []byte
	for try := 0; ; try++ {
		if text, err = output(ctx, command, arguments); err == nil {
			break
		}
		if err := waitAgain(ctx, try, err); err != nil {
			return nil, err
		}
	}
	all, err := read(text)
	if err != nil {
		return nil, fmt.Errorf("%s %s printed no list of objects: %w", command, strings.Join(arguments, " "), err)
	}
	folder := strings.TrimSuffix(pattern, "/") + "/"
	if pattern == "" {
		folder = ""
	}
	for _, o := range all {
		_, own := path.Split(o.key)
		below := strings.HasPrefix(o.key, folder)
		hidden := slices.ContainsFunc(strings.Split(strings.TrimPrefix(o.key, folder), "/"), func(name string) bool {
			return strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_")
		})
		var is bool
		switch {
		case own == "": // a folder
		case glob:
			if is, err = path.Match(pattern, o.key); err != nil {
				return nil, err
			}
			is = is && !(strings.HasPrefix(own, ".") && !strings.HasPrefix(path.Base(pattern), "."))
		default:
			is = o.key == pattern || below && !hidden
		}
		if is {
			matched = append(matched, o)
		}
	}
	slices.SortFunc(matched, func(a, b object) int { return strings.Compare(a.key, b.key) })
	return matched, nil
}

// A Wait says that the command of a store has written nothing for a while.
type Wait struct {
	Name    string        // of the object; while objects are listed, of what was asked for
	Listing bool          // objects are listed; else one is read
	For     time.Duration // since something was last written
	Came    int64         // bytes of the object
	Size    int64         // its size in bytes
}

func (w Wait) String() string {
	if w.Listing {
		return fmt.Sprintf("%s: its objects are not listed after %.0f s", w.Name, w.For.Seconds())
	}
	return fmt.Sprintf("%s: nothing has come for %.0f s, after %s of %s bytes", w.Name, w.For.Seconds(), wording.Thousands(uint64(w.Came)), wording.Thousands(uint64(w.Size)))
}

type waitsKey struct{}

// WithWaits returns a context with which tell is called when a store has written nothing for ten seconds, and again when
// that time has doubled. Goroutines may call it at once.
func WithWaits(ctx context.Context, tell func(Wait)) context.Context {
	return context.WithValue(ctx, waitsKey{}, tell)
}

var storeSilence = 10 * time.Second // shorter in tests

// A silence tells of waits between begin and end. Its methods do nothing if it is nil.
type silence struct {
	tell func(Wait)

	mu    sync.Mutex
	wait  Wait // the next one to tell of
	on    bool
	timer *time.Timer
}

func silenceOf(ctx context.Context, w Wait) *silence {
	tell, _ := ctx.Value(waitsKey{}).(func(Wait))
	if tell == nil {
		return nil
	}
	return &silence{tell: tell, wait: w}
}

func (s *silence) begin(came int64) {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.on, s.wait.Came, s.wait.For = true, came, storeSilence
	if s.timer == nil {
		s.timer = time.AfterFunc(storeSilence, s.over)
	} else {
		s.timer.Reset(storeSilence)
	}
}

func (s *silence) over() {
	s.mu.Lock()
	on, w := s.on, s.wait
	if on {
		s.timer.Reset(w.For)
		s.wait.For *= 2
	}
	s.mu.Unlock()
	if on {
		s.tell(w)
	}
}

func (s *silence) end() {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.on = false
	s.timer.Stop()
}

// storeTries is how often a command that has failed is run again, after pauses of which each is twice as long as the one before.
const storeTries = 4

var storePause = time.Second // shorter in tests

// forGood are what commands say of failures that another try does not mend.
var forGood = []string{
	"AccessDenied", "Access Denied", "Permission denied", "does not have permission", "does not have storage.", "(403)", "Forbidden",
	"NoSuchBucket", "BucketNotFound", "NoSuchKey", "(404)", "404:", "not found", "matched no objects", "No such file or directory",
	"InvalidAccessKeyId", "SignatureDoesNotMatch", "ExpiredToken", "Unable to locate credentials", "Token has expired",
}

// waitAgain waits before a command that has failed is run again. It returns an error if the command is not to be run again.
func waitAgain(ctx context.Context, tries int, failed error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	_, ran := errors.AsType[*exec.ExitError](failed)
	if ran && slices.ContainsFunc(forGood, func(text string) bool { return strings.Contains(failed.Error(), text) }) {
		return failed
	}
	if tries == storeTries {
		return fmt.Errorf("%w (tried %d times)", failed, tries+1)
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(storePause << tries):
		return nil
	}
}

func output(ctx context.Context, command string, arguments []string) ([]byte, error) {
	var out, said bytes.Buffer
	c := exec.CommandContext(ctx, command, arguments...)
	c.Stdout, c.Stderr, c.WaitDelay = &out, &said, time.Second
	if err := c.Run(); err != nil {
		return nil, failure(command, arguments, err, said.Bytes())
	}
	return out.Bytes(), nil
}

// failure says how a command has failed, and what it said last.
func failure(command string, arguments []string, err error, said []byte) error {
	lines := strings.Split(strings.TrimSpace(string(said)), "\n")
	if last := lines[len(lines)-1]; last != "" {
		err = fmt.Errorf("%w: %.300s", err, last)
	}
	return fmt.Errorf("%s %s: %w", command, strings.Join(arguments[:min(2, len(arguments))], " "), err)
}

// stored is an object and how to read it.
type stored struct {
	store   store
	command string
	url     string
	object  object
}

func (s *stored) open(ctx context.Context) (io.ReadCloser, error) {
	r := &storedReader{ctx: ctx, of: s, sum: md5.New(), wait: silenceOf(ctx, Wait{Name: s.url, Size: s.object.size})}
	return r, r.start()
}

// A storedReader reads an object by a command. If the command fails or ends too early, it is run again, and what was read
// before is skipped if it is the same.
type storedReader struct {
	ctx   context.Context // of opening
	of    *stored
	stop  context.CancelFunc
	child *exec.Cmd
	out   io.ReadCloser
	said  tail
	read  int64     // bytes that the caller has
	sum   hash.Hash // of these
	skip  int64     // bytes that the command has to write again
	again hash.Hash // of bytes that it has written again
	tries int
	ended bool
	wait  *silence
}

func (r *storedReader) start() (err error) {
	ctx, stop := context.WithCancel(r.ctx)
	r.stop = stop
	r.said = tail{}
	r.child = exec.CommandContext(ctx, r.of.command, r.of.store.cat(r.of.command, r.of.url)...)
	r.child.Stderr, r.child.WaitDelay = &r.said, time.Second
	r.skip, r.again = r.read, md5.New()
	if r.out, err = r.child.StdoutPipe(); err == nil {
		err = r.child.Start()
	}
	if err != nil {
		stop()
	}
	return err
}

func (r *storedReader) Read(p []byte) (int, error) {
	r.wait.begin(r.read)
	defer r.wait.end()
	for {
		if r.ended {
			return 0, io.EOF
		}
		n, err := r.out.Read(p)
		if again := int(min(int64(n), r.skip)); again > 0 {
			r.again.Write(p[:again])
			if r.skip -= int64(again); r.skip == 0 && !bytes.Equal(r.again.Sum(nil), r.sum.Sum(nil)) {
				return 0, errors.New("it has other text than when it was first read: leave it alone until it is read")
			}
			n = copy(p, p[again:n])
		}
		if n > 0 {
			r.sum.Write(p[:n])
			if r.read += int64(n); r.read > r.of.object.size {
				return 0, fmt.Errorf("it has more than the %d bytes that the store lists: leave it alone until it is read", r.of.object.size)
			}
			return n, nil
		}
		if err == nil {
			continue
		}
		if err := r.end(); err != nil {
			return 0, err
		}
	}
}

// end ends the command, and runs it again if bytes are missing.
func (r *storedReader) end() error {
	_ = r.out.Close() // what the command has begun ends, too
	err := r.child.Wait()
	r.stop()
	if err != nil {
		err = failure(r.of.command, r.child.Args[1:], err, r.said)
	} else if missing := r.of.object.size - r.read; missing > 0 {
		err = fmt.Errorf("%s has written %d of the %d bytes that the store lists", r.of.command, r.read, r.of.object.size)
	}
	if err == nil || r.read == r.of.object.size && r.skip == 0 { // all is there
		r.ended = true
		return r.check()
	}
	if err := waitAgain(r.ctx, r.tries, err); err != nil {
		return err
	}
	r.tries++
	return r.start()
}

// check compares what was read with the MD5 that the store lists, if it lists one.
func (r *storedReader) check() error {
	tag, sum := r.of.object.tag, hex.EncodeToString(r.sum.Sum(nil))
	if r.of.store.sum == nil || len(tag) != len(sum) || tag == sum {
		return nil
	}
	// The tag of an object that is encrypted with a key of the user is no MD5.
	text, err := output(r.ctx, r.of.command, r.of.store.sum(r.of.object.bucket, r.of.object.key))
	if err != nil || strings.Contains(string(text), "kms") || strings.Contains(string(text), "AES256\tAES256") || strings.Contains(string(text), "None\tAES256") {
		return nil
	}
	return fmt.Errorf("its MD5 is %s, and the store lists %s: it was damaged on its way, or replaced while it was read", sum, tag)
}

func (r *storedReader) Close() error {
	if !r.ended {
		_ = r.out.Close() // what the command has begun ends, too
		r.stop()
		_ = r.child.Wait() // it was killed
		r.ended = true
	}
	return nil
}

// tail keeps the end of what is written.
type tail []byte

func (t *tail) Write(p []byte) (int, error) {
	*t = append(*t, p...)
	const most = 4096
	if extra := len(*t) - most; extra > 0 {
		*t = slices.Clone((*t)[extra:])
	}
	return len(p), nil
}
