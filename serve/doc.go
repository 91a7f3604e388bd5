// Package serve answers questions about models over HTTP: nearest neighbours, vectors,
// analogies and similarities as JSON, embeddings as OpenAI's clients ask for them, and an explorer
// for the browser.
//
//	server, err := serve.New(serve.Config{Models: []serve.ModelSpec{{Name: "wiki", Path: "wiki.w2v"}}})
//	…
//	listener, err := net.Listen("tcp", "127.0.0.1:8080")
//	…
//	err = server.Serve(ctx, listener)
//
// Models are mapped from their files, and Reload puts new files in their place while requests go
// on. Everything that a request can cost is bounded by Limits. Nothing is readable but what the
// Config names.
package serve
