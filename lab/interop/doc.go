// Package interop holds tests against the real programs of the field: fastText
// and gensim, as Debian packages them, and tokenizers, as npm does. The tests are
// skipped where a program is missing, unless W2V_PEERS=require is set, as .ci/run does.
package interop
