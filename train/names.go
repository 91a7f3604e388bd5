package train

import "reflect"

// fields has the field of Options for the name of each option that is no setting: see settingField.
var fields = map[name]string{
	"output":           "Output",
	"format":           "Format",
	"skip-unwritable":  "SkipUnwritable",
	"cache":            "Cache",
	"no-cache":         "NoCache",
	"vocab-memory":     "VocabMemory",
	"force":            "Force",
	"divide":           "Divide",
	"sync-every":       "SyncEvery",
	"sync-budget":      "SyncBudget",
	"vocab":            "Vocabulary.File",
	"save-vocab":       "Vocabulary.Save",
	"init":             "Init.File",
	"update-vocab":     "Init.UpdateVocab",
	"checkpoint":       "Checkpoint.File",
	"checkpoint-every": "Checkpoint.Every",
	"resume":           "Checkpoint.Resume",
	"extend-epochs":    "Checkpoint.ExtendEpochs",
	"validate":         "Evaluation.HeldOut",
	"eval":             "Evaluation.Sets",
	"reduce":           "transform.Reduce",
	"convert":          "format.Open and format.Write",
	"factorize":        "transform.Factorize",
	"graph":            "train.Walks",
	"kmers":            "kmers.Options.K",
}

// settingField is the field of Options that a setting is, by its place in the table: empty for
// what is no setting.
func settingField(option string) string {
	row, ok := table().Find(option)
	if !ok {
		return ""
	}
	const subwords = "Settings.Model.Subword"
	switch {
	case row.Name == subwordsName:
		return subwords
	case row.Group == GroupSubwords:
		return option + " of " + subwords
	}
	var s Settings
	at := row.At(&s)
	switch two := at.(type) { // fields, of which one has the name
	case *cutting:
		at = &two.options.Tokenizer
	case *lowercase:
		at = &two.options.Lowercase
	}
	return "Settings" + pathTo(reflect.ValueOf(&s).Elem(), reflect.ValueOf(at).Pointer())
}

// pathTo returns the names of the fields that lead from v to what a pointer points to.
func pathTo(v reflect.Value, pointer uintptr) string {
	for i := range v.NumField() {
		field, at := v.Type().Field(i), v.Field(i)
		begin := at.Addr().Pointer()
		switch {
		case pointer < begin || pointer >= begin+field.Type.Size():
		case field.Type.Kind() == reflect.Struct:
			return "." + field.Name + pathTo(at, pointer)
		default:
			return "." + field.Name
		}
	}
	return ""
}
