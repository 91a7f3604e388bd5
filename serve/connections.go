package serve

import (
	"net"
	"sync"
)

// limitConnections accepts no more than so many connections of a listener at a time. More of
// them wait in the queue of the system.
func limitConnections(l net.Listener, limit int) net.Listener {
	return &limitedListener{Listener: l, places: make(chan struct{}, limit), closed: make(chan struct{})}
}

type limitedListener struct {
	net.Listener
	places chan struct{}
	close  sync.Once
	closed chan struct{}
}

// Accept waits for a place, and then for a connection.
func (l *limitedListener) Accept() (net.Conn, error) {
	select {
	case l.places <- struct{}{}:
	case <-l.closed:
		return nil, net.ErrClosed
	}
	c, err := l.Listener.Accept()
	if err != nil {
		<-l.places
		return nil, err
	}
	return &limitedConn{Conn: c, leave: sync.OnceFunc(func() { <-l.places })}, nil
}

// Close stops accepting.
func (l *limitedListener) Close() error {
	l.close.Do(func() { close(l.closed) })
	return l.Listener.Close()
}

type limitedConn struct {
	net.Conn
	leave func()
}

// Close gives the place back.
func (c *limitedConn) Close() error {
	defer c.leave()
	return c.Conn.Close()
}
