//go:build linux

package cluster

import (
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// A wire carries packets between two tun devices with a limited rate and a delay. Not every kernel has
// the queueing discipline that could do so by itself.
type wire struct {
	ends [2]*os.File
	link Link
	done sync.WaitGroup
}

const (
	// mtu is that of machines whose network has large frames.
	mtu = 9000
	// queue is how many bytes wait for a link; a packet that finds it full is lost.
	queue = 4 << 20
)

func newWire(names [2]string, link Link) (*wire, error) {
	w := &wire{link: link}
	for i, name := range names {
		end, err := openTun(name)
		if err != nil {
			return nil, errors.Join(err, w.close())
		}
		w.ends[i] = end
	}
	for _, way := range [][2]*os.File{{w.ends[0], w.ends[1]}, {w.ends[1], w.ends[0]}} {
		packets := make(chan packet, 1<<14)
		w.done.Go(func() { w.read(way[0], packets) })
		w.done.Go(func() { write(way[1], packets) })
	}
	return w, nil
}

// openTun makes a device, which goes when it is closed.
func openTun(name string) (*os.File, error) {
	fd, err := unix.Open("/dev/net/tun", unix.O_RDWR|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("/dev/net/tun: %w", err)
	}
	request, err := unix.NewIfreq(name)
	if err == nil {
		request.SetUint16(unix.IFF_TUN | unix.IFF_NO_PI)
		err = unix.IoctlIfreq(fd, unix.TUNSETIFF, request)
	}
	if err == nil {
		err = setMTU(name)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("device %s: %w", name, err), unix.Close(fd))
	}
	return os.NewFile(uintptr(fd), "/dev/net/tun"), nil // the runtime waits for data of a device that is there
}

func setMTU(name string) error {
	socket, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	request, err := unix.NewIfreq(name)
	if err == nil {
		request.SetUint32(mtu)
		err = unix.IoctlIfreq(socket, unix.SIOCSIFMTU, request)
	}
	return errors.Join(err, unix.Close(socket))
}

// A packet arrives at a moment.
type packet struct {
	data []byte
	at   time.Time
}

// read takes packets from a device until it is closed.
func (w *wire) read(from *os.File, to chan<- packet) {
	defer close(to)
	buffer := make([]byte, mtu+100)
	var free time.Time // when the link has sent all that was given to it
	for {
		n, err := from.Read(buffer)
		if err != nil {
			return
		}
		now := time.Now()
		if free.Before(now) {
			free = now
		}
		if w.link.Rate > 0 {
			if free.Sub(now).Seconds()*w.link.Rate > 8*queue {
				continue
			}
			free = free.Add(time.Duration(float64(8*n) / w.link.Rate * 1e9))
		}
		to <- packet{append([]byte(nil), buffer[:n]...), free.Add(w.link.Delay)}
	}
}

// write gives packets to a device when they arrive. A device that is gone takes none.
func write(to *os.File, packets <-chan packet) {
	for p := range packets {
		if wait := time.Until(p.at); wait > 0 {
			time.Sleep(wait)
		}
		_, _ = to.Write(p.data)
	}
}

func (w *wire) close() error {
	var errs []error
	for _, end := range w.ends {
		if end != nil {
			errs = append(errs, end.Close())
		}
	}
	w.done.Wait()
	return errors.Join(errs...)
}
