//go:build linux

package cluster

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// A Link is what joins two machines.
type Link struct {
	Rate  float64       // bits a second; 0 for any
	Delay time.Duration // of a packet on its way
}

// A Network is two network namespaces that stand for two machines, and a link between them.
type Network struct {
	hosts  [2]string // names of the namespaces, and of the machines that they stand for
	device [2]string
	cores  []int  // on which each machine runs; nil for any
	agent  string // the program with which mpirun reaches the second one
	folder string
	wire   *wire // nil for a veth pair
}

const (
	subnet   = "10.99.19.0/24"
	addressA = "10.99.19.1"
	addressB = "10.99.19.2"
)

// NewNetwork makes two namespaces, which Close removes. A link without a delay is a pair of veth devices of the kernel, which limits
// their rate (tc-tbf). Others are a pair of tun devices, between which this process carries packets. Each machine runs on one of
// the cores, if there are some.
func NewNetwork(ctx context.Context, link Link, cores ...int) (_ *Network, err error) {
	id := strconv.Itoa(os.Getpid() % 100_000)
	n := &Network{hosts: [2]string{"w2va" + id, "w2vb" + id}, device: [2]string{"wa" + id, "wb" + id}, cores: cores}
	defer func() {
		if err != nil {
			err = errors.Join(err, n.Close())
		}
	}()
	if n.folder, err = os.MkdirTemp("", "w2v-network-"); err != nil {
		return nil, err
	}
	for _, host := range n.hosts {
		if err := ip(ctx, "netns", "add", host); err != nil {
			return nil, err
		}
	}
	if link.Delay == 0 {
		err = ip(ctx, "link", "add", n.device[0], "type", "veth", "peer", "name", n.device[1])
	} else {
		n.wire, err = newWire(n.device, link)
	}
	if err != nil {
		return nil, err
	}
	for i, address := range []string{addressA, addressB} {
		host, device := n.hosts[i], n.device[i]
		for _, line := range []string{
			"link set " + device + " netns " + host,
			"-n " + host + " link set lo up",
			"-n " + host + " addr add " + address + "/24 dev " + device,
			"-n " + host + " link set " + device + " up",
		} {
			if err := ip(ctx, strings.Fields(line)...); err != nil {
				return nil, err
			}
		}
		if link.Delay == 0 && link.Rate > 0 {
			if err := limit(ctx, host, device, link.Rate); err != nil {
				return nil, err
			}
		}
	}
	n.agent = filepath.Join(n.folder, "agent")
	// mpirun calls it as it calls ssh: with the machine, and a command for the shell there.
	script := fmt.Sprintf("#!/bin/sh\nshift\nexec %[2]s ip netns exec %[1]s unshare --uts sh -c 'hostname %[1]s; exec sh -c \"$1\"' agent \"$*\"\n", n.hosts[1], strings.Join(n.pinned(1), " "))
	return n, os.WriteFile(n.agent, []byte(script), 0o700)
}

// enter is what begins a command that runs in the first namespace.
func (n *Network) enter() []string {
	return append(n.pinned(0), "ip", "netns", "exec", n.hosts[0], "unshare", "--uts", "sh", "-c", "hostname "+n.hosts[0]+`; exec "$@"`, "sh")
}

// pinned is what begins a command that runs on the core of a machine.
func (n *Network) pinned(machine int) []string {
	if len(n.cores) == 0 {
		return nil
	}
	return []string{"taskset", "-c", strconv.Itoa(n.cores[machine])}
}

// limit lets a device send so many bits a second. Packets wait for up to 20 ms, and go in bursts of up to 1 ms.
func limit(ctx context.Context, host, device string, rate float64) error {
	burst := max(rate/8/1000, 1<<17)
	out, err := exec.CommandContext(ctx, "ip", "netns", "exec", host, "tc", "qdisc", "add", "dev", device, "root", "tbf",
		"rate", fmt.Sprintf("%.0fbit", rate), "burst", fmt.Sprintf("%.0f", burst), "latency", "20ms").CombinedOutput()
	if err != nil {
		return fmt.Errorf("tc: %w: %s", err, out)
	}
	return nil
}

// options make mpirun put ranks into both namespaces.
func (n *Network) options(ranks int) []string {
	first := (ranks + 1) / 2
	return []string{
		"--host", fmt.Sprintf("%s:%d,%s:%d", addressA, first, addressB, ranks-first), "--bind-to", "none",
		"--mca", "plm_rsh_agent", n.agent, "--mca", "btl", "tcp,self",
		"--mca", "btl_tcp_if_include", subnet, "--mca", "oob_tcp_if_include", subnet,
	}
}

// Bytes returns how many bytes the link has carried so far, in both directions; 0 without a network.
func (n *Network) Bytes(ctx context.Context) (uint64, error) {
	if n == nil {
		return 0, nil
	}
	var sum uint64
	for i, host := range n.hosts {
		out, err := exec.CommandContext(ctx, "ip", "netns", "exec", host, "cat", "/proc/net/dev").Output()
		if err != nil {
			return 0, fmt.Errorf("counting bytes in %s: %w", host, err)
		}
		for line := range strings.Lines(string(out)) {
			if counts, ok := strings.CutPrefix(strings.TrimSpace(line), n.device[i]+":"); ok {
				sent, err := strconv.ParseUint(strings.Fields(counts)[8], 10, 64)
				if err != nil {
					return 0, err
				}
				sum += sent
			}
		}
	}
	return sum, nil
}

// kill kills the processes of a program in one of the namespaces.
func (n *Network) kill(ctx context.Context, host int, program string) error {
	out, err := exec.CommandContext(ctx, "ip", "netns", "pids", n.hosts[host]).Output()
	if err != nil {
		return err
	}
	killed := 0
	for _, text := range strings.Fields(string(out)) {
		if path, err := os.Readlink("/proc/" + text + "/exe"); err != nil || path != program {
			continue // it has ended, or is another program
		}
		id, err := strconv.Atoi(text)
		if err == nil {
			err = syscall.Kill(id, syscall.SIGKILL)
		}
		if err != nil {
			return err
		}
		killed++
	}
	if killed == 0 {
		return fmt.Errorf("no %s runs in %s", program, n.hosts[host])
	}
	return nil
}

// Close removes the namespaces and the link.
func (n *Network) Close() error {
	var errs []error
	if n.wire != nil {
		errs = append(errs, n.wire.close())
	}
	for _, host := range n.hosts {
		if _, err := os.Stat("/run/netns/" + host); err == nil {
			errs = append(errs, ip(context.Background(), "netns", "delete", host))
		}
	}
	return errors.Join(append(errs, os.RemoveAll(n.folder))...)
}

func ip(ctx context.Context, args ...string) error {
	out, err := exec.CommandContext(ctx, "ip", args...).CombinedOutput()
	if err != nil && bytes.Contains(out, []byte("not permitted")) {
		err = fmt.Errorf("%w: %w", fs.ErrPermission, err)
	}
	if err != nil {
		return fmt.Errorf("ip %s: %w: %s", strings.Join(args, " "), err, out)
	}
	return nil
}
