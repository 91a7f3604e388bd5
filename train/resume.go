package train

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/w2v-go/w2v/cluster"
	"github.com/w2v-go/w2v/internal/atomicfile"
	"github.com/w2v-go/w2v/sgns"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
	"github.com/w2v-go/w2v/vocab"
)

// resumed is the checkpoint that the run goes on from, or that a new run begins with.
type resumed struct {
	file   string
	set    *vectors.Set // nil when it is closed
	from   *sgns.Checkpoint
	note   note
	opened fs.FileInfo // of the file
	again  bool        // the run has been extended already
}

// openResumed opens a checkpoint.
func openResumed(path string) (_ *resumed, err error) {
	k := &resumed{file: path}
	k.opened, _ = atomicfile.Identify(path)                    // OpenStream says what is wrong with it
	if k.set, err = format.OpenStream(path, nil); err != nil { // rows are read once, and a mapping would hold them in memory
		return nil, err
	}
	k.from, err = sgns.NewCheckpoint(k.set)
	switch {
	case errors.Is(err, sgns.ErrNoState):
		return k, errorf("%s: %v (%v starts from its vectors)", path, err, name("init"))
	case err != nil:
		return k, ofModel(path, err)
	}
	if err := json.Unmarshal(k.from.Note, &k.note); err != nil {
		return k, fmt.Errorf("%s: its note on how text became tokens: %w", path, err)
	}
	return k, nil
}

// close gives the file back.
func (k *resumed) close() error {
	if k == nil || k.set == nil {
		return nil
	}
	set := k.set
	k.set = nil
	return set.Close()
}

// vocabulary is that of the checkpoint if it was given to the run rather than counted; else
// nil.
func (k *resumed) vocabulary() (*vocab.Vocab, error) {
	if !k.note.Vocabulary {
		return nil, nil
	}
	v, err := k.from.Vocab()
	if err != nil {
		return nil, ofModel(k.file, err)
	}
	return v, nil
}

// unchanged returns an error if another process has replaced the checkpoint since it was opened
// and this run is going to replace it, too. Next is the file of this run's checkpoints.
func (k *resumed) unchanged(next string, tell func(Message)) error {
	if !atomicfile.Same(next, k.file) {
		if holder, held := atomicfile.Holder(k.file); held {
			tell(messagef("another run still writes %s (%s): this one goes on from what it is now", k.file, holder))
		}
		return nil
	}
	now, err := atomicfile.Identify(k.file)
	if err != nil {
		return ofFile(k.file, err)
	}
	switch {
	case atomicfile.Unchanged(k.opened, now):
		return nil
	case os.SameFile(k.opened, now): // no run writes a checkpoint in place
		return ofFile(k.file, vectors.ErrChanged)
	}
	return fmt.Errorf("%s: another run has written it meanwhile: begin again to go on from that", k.file)
}

// elsewhere reports whether the run goes on with another number of ranks, each of which has threads of its own.
func (k *resumed) elsewhere(ranks cluster.Comm) bool {
	size := 1
	if ranks != nil {
		size = ranks.Size()
	}
	return k.from.Ranks() != size
}

// asked is what the caller asked for, where the run itself uses another value.
type asked struct {
	rate    float64 // learning rate; 0 for what suits the corpus
	threads int     // 0 for one a core
}

// resume opens the checkpoint that the options name, and takes its settings. Settings that the
// caller gave must agree with it, unless a new run begins with its vectors.
func (r *run) resume() error {
	k, init := &r.options.Checkpoint, &r.options.Init
	r.asked = asked{r.settings.Model.LearningRate, r.settings.Model.Threads}
	switch {
	case k.Resume == "":
		return nil
	case init.given():
		return optionErrorf("%v and %v both say what to start from: only one of them is possible", name("init"), name("resume"))
	case !init.UpdateVocab && r.settings.Given("freeze"):
		return optionErrorf("%v: leave it out, the run goes on as it was", name("freeze"))
	case init.UpdateVocab && k.ExtendEpochs > 0:
		return optionErrorf("%v goes on with the same text, and %v is for new text: %v says how often to read that", name("extend-epochs"), name("update-vocab"), name("epochs"))
	case init.UpdateVocab && k.Every != 0 && k.File == "":
		return optionErrorf("%v needs %v: new text makes another run, whose checkpoints go to another file", name("checkpoint-every"), name("checkpoint").to("FILE"))
	}
	var err error
	if r.resumed, err = openResumed(k.Resume); err != nil {
		return err
	}
	if has := r.resumed.note.Input; has != "" && has != r.input {
		return optionErrorf("the run in %s trains on %s, and the corpus would be read as %s: %v and %v say what a corpus is", k.Resume, has, r.input, name("graph"), name("kmers"))
	}
	if err := r.takeSettings(!init.UpdateVocab); err != nil {
		return err
	}
	if every, err := time.ParseDuration(r.resumed.note.CheckpointEvery); err == nil && every > 0 && k.Every == 0 {
		k.Every = every
	}
	if init.UpdateVocab {
		// A new run begins with the vectors of the old one.
		init.File = k.Resume
		return r.resumed.close()
	}
	if k.File == "" {
		k.File = k.Resume
	}
	return r.evaluator.resume(r.resumed.note)
}

// takeSettings takes the settings of the checkpoint. If same, settings that the caller gave must
// agree with it.
func (r *run) takeSettings(same bool) error {
	k, now := r.resumed, &r.settings.Model
	saved := k.note.Settings
	saved.Model = k.from.Config
	was := &saved.Model
	switch {
	case !same:
		was.LearningRate = k.note.LearningRate
	case was.Deterministic || k.elsewhere(r.options.Ranks) || now.Threads == k.note.Threads: // as it was asked for, which may be more than there was work for
		was.Threads = now.Threads
	}
	var err error
	if !same {
		err = r.settings.agreeOnText(saved)
	}
	if err == nil {
		err = r.settings.adopt(saved, same)
	}
	if e, ok := errors.AsType[*conflictError](err); ok {
		more := messagef("")
		if e.Setting == "epochs" {
			more = messagef("; %v trains more", name("extend-epochs"))
		}
		return optionErrorf("%v is %s, and the run in %s has %s: leave it out, its settings are taken%v", name(e.Setting), e.Asked, k.file, e.Has, more)
	}
	if err != nil {
		return err
	}
	switch {
	case !same:
		r.asked.rate = now.LearningRate
	case was.Deterministic:
		r.asked.rate = k.note.LearningRate
	default:
		r.asked.rate = k.note.LearningRate
		if !k.elsewhere(r.options.Ranks) {
			r.asked.threads = k.note.Threads
		}
	}
	return nil
}

// goOn makes the run the one of the checkpoint, if it goes on.
func (r *run) goOn() {
	k := r.resumed
	if k == nil || r.options.Init.UpdateVocab {
		return
	}
	r.from = k.from
	c := &r.from.Config
	c.Force = r.settings.Model.Force
	if c.Deterministic || k.elsewhere(r.options.Ranks) {
		c.Threads = r.settings.Model.Threads
	}
	if extend := r.options.Checkpoint.ExtendEpochs; extend > 0 && extend == k.note.Extended && !r.from.Ended() {
		k.again = true // the command is repeated after it was interrupted
	} else {
		r.from.Extend(extend)
	}
	r.settings.Model = *c
}
