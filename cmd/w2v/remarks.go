package main

// A remark is what a command says once, besides its results: on stderr, in the log and in
// the summary. Its JSON is read by scripts.
type remark struct {
	Kind string `json:"kind"`
	Text string `json:"text"`
}

// remark prints and logs a remark, and keeps it for the summary.
func (r *reporter) remark(kind, text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	said := remark{kind, text}
	r.remarks = append(r.remarks, said)
	r.encode(noteEvent{"note", kind, text})
	r.tell("note: %s", text)
}
