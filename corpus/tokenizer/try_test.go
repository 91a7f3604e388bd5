package tokenizer
import ("testing";"os";"time";"strconv";"strings";"github.com/w2v-go/w2v/corpus")
func TestTry(t *testing.T){
 src,err:=corpus.Files(strings.Split(os.Getenv("TRY"),","),nil,corpus.Options{}); if err!=nil{t.Skip(err)}
 n,_:=strconv.Atoi(os.Getenv("N"))
 m,_:=strconv.Atoi(os.Getenv("MINF"))
 b:=time.Now()
 f,r,err:=Train(t.Context(),src,Options{Model:Model(os.Getenv("M")),PreTokenizer:PreTokenizer(os.Getenv("P")),VocabSize:n,MinFrequency:m,Note:func(s string){t.Log(s)}, Progress:func(p Progress){ if p.Step!="counting" {t.Log(time.Since(b),p)}}})
 t.Log(time.Since(b),r,err)
 os.WriteFile(os.Getenv("OUT"),f,0o666)
}
