// Package explore answers what the explorer's page asks of models: the words of a map and where they lie, clusters with
// labels, where a word outside the vocabulary would lie and what composes it, axes, analogies, words that moved between two
// models, runs of training while they go on, and results of evaluations.
//
// All paths begin with /explorer/ and are private to the page in serve/web. The server registers Routes and sends the
// problems that they return.
package explore

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strconv"
	"sync"
	"time"
	"weak"

	"github.com/w2v-go/w2v/serve/internal/facts"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/projection"
	"github.com/w2v-go/w2v/vectors/query"
)

// Models are the models that the explorer shows. Several goroutines may call the methods.
type Models interface {
	// Names returns the names of the models, in the order in which they are shown.
	Names() []string
	// Use returns a model, which does not change until Release is called. The client gets its errors.
	Use(name string) (*Model, error)
}

// A Model is one of Models, in use.
type Model struct {
	Name string
	Path string // the model's file: maps are kept beside it; empty keeps them in memory
	// Context ends when another file replaces the model. Work in the background ends then.
	Context context.Context
	// Checksum identifies the words and vectors: see the function Checksum.
	Checksum func() (string, error)
	Words    *query.Finder // finds words in the set
	Facts    *facts.Facts  // about the words of the set; nil for none
	// Read calls read, which copies what it needs from the set. It is an error if the file was changed meanwhile.
	Read    func(read func() error) error
	Release func() // ends the use of the model
}

func (m *Model) set() *vectors.Set { return m.Words.Set() }

// DefaultMapWords is the default of Options.MapWords.
const DefaultMapWords = 200_000

const maxMapWords = 2_000_000 // the most points that a browser is asked to draw

// Options say what is shown. Models is required.
type Options struct {
	Models   Models
	MapWords int          // words on a map, the first ones of the model; 0 means DefaultMapWords
	Logs     []string     // training logs, one JSON object per line, and folders of them; they may appear later
	Scores   []string     // evaluation results, one JSON object per line
	Log      *slog.Logger // receives what goes wrong in the background, and what happens to files of maps; may be nil
}

// An Explorer answers the requests below /explorer/. Several goroutines may use it.
type Explorer struct {
	options Options
	scores  []*scoreFile

	ctx       context.Context // ends with Close
	cancel    context.CancelFunc
	jobs      sync.WaitGroup
	turn      chan struct{} // held by the map that takes all cores
	comparing chan struct{} // held by the comparison that is being computed

	mu          sync.Mutex
	states      map[string]*state
	comparisons map[comparisonKey]*comparison
}

// New returns an explorer. Close ends its work in the background.
func New(o Options) (*Explorer, error) {
	if o.MapWords < 0 || o.MapWords > maxMapWords {
		return nil, fmt.Errorf("explorer: MapWords is %d, must be from 1 to %d, or 0 for %d", o.MapWords, maxMapWords, DefaultMapWords)
	}
	o.MapWords = cmp.Or(o.MapWords, DefaultMapWords)
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	e := &Explorer{
		options: o, states: map[string]*state{}, comparisons: map[comparisonKey]*comparison{},
		turn: make(chan struct{}, 1), comparing: make(chan struct{}, 1),
	}
	for _, path := range o.Scores {
		e.scores = append(e.scores, &scoreFile{path: path})
	}
	e.ctx, e.cancel = context.WithCancel(context.Background())
	return e, nil
}

// Close ends all jobs and all streams, and waits until they have ended.
func (e *Explorer) Close() {
	e.cancel()
	e.jobs.Wait()
}

// A Route is a kind of request that an Explorer answers.
type Route struct {
	Pattern string // of net/http's ServeMux, with the method
	Stream  bool   // events are sent for as long as somebody listens
	// Handle answers. If it returns an error, it has written nothing: the error is a *Problem, one of
	// Models.Use, one of vectors.Set.Guard, or one that is not the client's to know.
	Handle func(w http.ResponseWriter, r *http.Request) error
}

// Routes returns everything that the explorer answers.
func (e *Explorer) Routes() []Route {
	of := func(pattern string, handle modelHandler) Route {
		return Route{Pattern: "GET /explorer/{model}/" + pattern, Handle: e.of(handle)}
	}
	return []Route{
		{Pattern: "GET /explorer/models", Handle: e.listModels},
		{Pattern: "GET /explorer/compare", Handle: e.compare},
		{Pattern: "GET /explorer/compare/cosines", Handle: e.compareCosines},
		{Pattern: "GET /explorer/evaluations", Handle: e.evaluations},
		{Pattern: "GET /explorer/runs", Handle: e.listRuns},
		{Pattern: "GET /explorer/runs/{run}", Handle: e.followRun, Stream: true},
		// A pattern for each of these would overlap with that of runs.
		of("{what}", e.about),
		{Pattern: "POST /explorer/{model}/selection", Handle: e.of(e.selection)},
		of("fields/{field}", e.field),
		of("axis/values", e.axisValues),
		of("maps/{projection}", e.mapState),
		of("maps/{projection}/points", e.mapPoints),
		of("maps/{projection}/clusters", e.mapClusters),
		{Pattern: "GET /explorer/{model}/maps/{projection}/preserved", Handle: e.mapPreserved},
		{Pattern: "GET /explorer/{model}/maps/{projection}/progress", Handle: e.mapProgress, Stream: true},
	}
}

func (e *Explorer) of(handle modelHandler) func(w http.ResponseWriter, r *http.Request) error {
	return func(w http.ResponseWriter, r *http.Request) error {
		m, s, err := e.use(r.PathValue("model"))
		if err != nil {
			return err
		}
		defer m.Release()
		// If the file changed meanwhile, nothing read from it is sent.
		var a any
		if err := m.Read(func() (err error) { a, err = handle(r, m, s); return err }); err != nil {
			return err
		}
		if b, ok := a.(body); ok {
			b.send(w, r)
			return nil
		}
		return sendJSON(w, http.StatusOK, a)
	}
}

func (e *Explorer) about(r *http.Request, m *Model, s *state) (any, error) {
	handle, ok := map[string]modelHandler{
		"words": e.words, "counts": e.counts, "place": e.place, "axis": e.axis, "analogy": e.analogy, "cosines": e.cosines,
	}[r.PathValue("what")]
	if !ok {
		return nil, notThere("not_found", "there is nothing at this address")
	}
	return handle(r, m, s)
}

type modelHandler func(r *http.Request, m *Model, s *state) (any, error)

func (e *Explorer) use(name string) (*Model, *state, error) {
	m, err := e.options.Models.Use(name)
	if err != nil {
		return nil, nil, err
	}
	s, err := e.stateOf(m)
	if err != nil {
		m.Release()
		return nil, nil, err
	}
	return m, s, nil
}

// A keptText belongs to the facts of a model: another file of facts may come with the same words.
type keptText struct {
	of    weak.Pointer[facts.Facts] // the model may be closed by now
	bytes []byte
}

type state struct {
	checksum   string
	points     int // words on the map
	maps       map[string]*mapJob
	alike      map[string]*mapJob // maps that begin at the places of another model's, by its name; guarded by Explorer.mu
	completing sync.Mutex         // held while something is added to a map
	ctx        context.Context    // ends when the model is replaced
	end        context.CancelFunc
	near       neighborhoods

	keeping sync.Mutex
	texts   map[string]keptText // what is sent of the words, the counts and the fields of the words of the map
}

func (e *Explorer) stateOf(m *Model) (*state, error) {
	sum, err := m.Checksum()
	if err != nil {
		return nil, err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	s := e.states[m.Name]
	if s != nil && s.checksum == sum {
		return s, nil
	}
	if s != nil {
		s.end()
	}
	s = &state{checksum: sum, points: e.points(m), maps: map[string]*mapJob{}, alike: map[string]*mapJob{}, texts: map[string]keptText{}}
	s.ctx, s.end = context.WithCancel(e.ctx)
	for _, p := range projections {
		s.maps[p] = &mapJob{method: p, changed: make(chan struct{})}
	}
	e.states[m.Name] = s
	return s, nil
}

func (e *Explorer) points(m *Model) int { return min(m.set().Len(), e.options.MapWords) }

// begin runs a job in the background, unless the explorer is closed. failed is called if the job panics.
func (e *Explorer) begin(job, failed func()) bool {
	if e.ctx.Err() != nil {
		return false
	}
	e.jobs.Go(func() {
		defer func() {
			if fault := recover(); fault != nil {
				e.options.Log.Error("panic", "error", fmt.Sprint(fault), "stack", string(debug.Stack()))
				failed()
			}
		}()
		job()
	})
	return true
}

type body struct {
	contentType, tag string // the tag is of what the bytes are made; a browser that has it need not be sent them again
	bytes            []byte
}

const binaryType, jsonType = "application/octet-stream", "application/json"

func tagged(contentType string, bytes []byte, versions ...string) body {
	h := fnv.New128a()
	for _, v := range versions {
		_, _ = h.Write([]byte(strconv.Quote(v))) // cannot fail
	}
	return body{contentType, strconv.FormatUint(binary.BigEndian.Uint64(h.Sum(nil)), 36), bytes}
}

// ofMap returns a body that belongs to a map and changes with the algorithms of maps.
func (s *state) ofMap(j *mapJob, what string, bytes []byte, versions ...string) body {
	versions = append(versions, what, s.checksum, j.method, j.likeSum, strconv.Itoa(s.points), strconv.Itoa(projection.Revision))
	return tagged(binaryType, bytes, versions...)
}

func (b body) send(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Type", b.contentType)
	h.Set("Cache-Control", "no-store")
	if b.tag != "" {
		h.Set("Cache-Control", "private, no-cache")
		h.Set("ETag", "W/"+strconv.Quote(b.tag)) // compression makes other bytes of the same body
	}
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(b.bytes))
}

func sendJSON(w http.ResponseWriter, status int, value any) error {
	text, err := json.Marshal(value)
	if err != nil {
		return err
	}
	sendText(w, status, text)
	return nil
}

func sendText(w http.ResponseWriter, status int, parts ...[]byte) {
	h := w.Header()
	h.Set("Content-Type", jsonType)
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	for _, part := range parts {
		_, _ = w.Write(part) // if the client is gone, there is nobody to tell
	}
}

// LittleEndian returns numbers as the bytes that a typed array of the browser reads.
func LittleEndian[T float32 | float64 | uint16 | projection.Point](numbers []T) []byte {
	b, _ := binary.Append(make([]byte, 0, max(0, binary.Size(numbers))), binary.LittleEndian, numbers) // of fixed size
	return b
}

// A Problem is an error that the client is told of.
type Problem struct {
	Status      int      // of HTTP
	Code        string   // for programs, as "unknown_word"
	Message     string   // for people
	Param       string   // the parameter that is wrong; empty if it is none
	Suggestions []string // what may have been meant
	RetryAfter  int      // seconds; 0 means not set
}

func (p *Problem) Error() string { return p.Message }

func badRequest(param, format string, args ...any) *Problem {
	return &Problem{Status: http.StatusBadRequest, Code: "invalid_value", Param: param, Message: fmt.Sprintf(format, args...)}
}

func notThere(code, format string, args ...any) *Problem {
	return &Problem{Status: http.StatusNotFound, Code: code, Message: fmt.Sprintf(format, args...)}
}

const suggested = 5 // how many words are suggested in place of one that has no vector

func unknownWord(param string, words *query.Finder, f query.Found) *Problem {
	if f.Wrong != nil {
		return badRequest(param, "%v", f.Wrong)
	}
	p := notThere("unknown_word", "there is no vector for the word %.200q", f.Lacking)
	if token, ok := words.Recast(f.Lacking); ok {
		p.Message += fmt.Sprintf(", which is %.200q in the training text", token)
	}
	p.Param, p.Suggestions = param, words.Suggest(f.Lacking, suggested)
	return p
}

// kept returns what is sent, made on first use. All who ask share it, so that slow clients do not each hold their
// own. It is made again after an error, if the model's file changed meanwhile, and for other facts.
func (s *state) kept(m *Model, what string, make func() ([]byte, error)) (text []byte, err error) {
	s.keeping.Lock()
	defer s.keeping.Unlock()
	if k := s.texts[what]; k.bytes != nil && k.of == weak.Make(m.Facts) {
		return k.bytes, nil
	}
	if err = m.Read(func() (err error) { text, err = make(); return err }); err == nil {
		s.texts[what] = keptText{weak.Make(m.Facts), text}
	}
	return text, err
}
