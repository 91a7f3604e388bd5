package checkpoint

import (
	"cmp"
	"fmt"
)

// Revision numbers the algorithm. Checkpoints and the results of a sweep hold it, so that no
// program continues, or compares, what another algorithm has begun. Files that name no revision
// are of revision 1.
const Revision = 5

// Raise Revision by one, and add a line to the table in docs/reliability.md, whenever the same
// corpus, configuration and seed may give other vectors than before, with one worker and
// the same kernels: another step or another order of random numbers, but also another
// default size, such as how many negatives a block draws. Then ask whether this program
// can still resume older checkpoints as they began. It can if only sizes differ that
// checkpoints hold (see plan.Sizes); if not, OldestResumed becomes the new revision too.

// OldestResumed is the revision of the oldest checkpoints that this program goes on with.
const OldestResumed = 3

// resumable returns an error if this program cannot go on with a checkpoint of a revision,
// which is 0 if the checkpoint names none.
func resumable(revision int) error {
	made := cmp.Or(revision, 1)
	if made >= OldestResumed && made <= Revision {
		return nil
	}
	advice := "train again, or resume it with the w2v that made it"
	if made > Revision {
		advice = "resume it with the w2v that made it, or a newer one"
	}
	resumed := fmt.Sprintf("revisions %d to %d", OldestResumed, Revision)
	if OldestResumed == Revision {
		resumed = "no other"
	}
	return fmt.Errorf("the checkpoint was made by algorithm revision %d, and this program is revision %d, which resumes %s: %s; a new run can start from its vectors", made, Revision, resumed, advice)
}
