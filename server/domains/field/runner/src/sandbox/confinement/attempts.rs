//! Attempts of a probe: each does what a job could, up to a bound of its own.

use std::{
    fs::{self, File},
    hint::black_box,
    io::{self, Write as _},
    net::UdpSocket,
    path::Path,
    process::{Command, Stdio},
    sync::{Arc, Mutex},
    thread,
    time::{Duration, Instant},
};

use field_package::manifest::WORKDIR;
use rustix::{
    net::{AddressFamily, SocketType, socket},
    process::{Pid, Resource, WaitOptions, getrlimit, waitpid},
};

/// Bytes that a probe writes at most. A limit on files must be above it.
const MOST_FILL: u64 = 256 * 1024;
const PIECE: [u8; 4096] = [0; 4096];
/// Threads of a probe at most.
const MOST_THREADS: usize = 64;
/// Bytes of the stack of one.
const STACK: usize = 64 * 1024;
/// Time for which a probe uses a core at most.
const SPIN: Duration = Duration::from_secs(3);

/// The loopback, and what the kernel makes in each new network for a module of tunnels that is loaded: it leads
/// nowhere. On a device's own network there is more than these.
const OWN_LINKS: [&str; 10] = [
    "lo", "tunl0", "gre0", "gretap0", "erspan0", "ip_vti0", "sit0", "ip6tnl0", "ip6_vti0",
    "ip6gre0",
];

/// Sends one packet to this machine.
pub(super) fn reaches() -> bool {
    let sent =
        UdpSocket::bind("127.0.0.1:0").and_then(|socket| socket.send_to(&[0], "127.0.0.1:9"));
    !matches!(sent, Err(error) if error.kind() == io::ErrorKind::PermissionDenied)
}

/// Looks for interfaces. Without an answer there may be some.
pub(super) fn is_alone() -> bool {
    let table = fs::read_to_string("/proc/self/net/dev").unwrap_or_default();
    let lines = table.lines().skip(2);
    let names: Vec<_> = lines
        .filter_map(|line| line.split_once(':'))
        .map(|(name, _)| name.trim())
        .collect();
    !names.is_empty() && names.iter().all(|name| OWN_LINKS.contains(name))
}

pub(super) fn opens_packet_socket() -> bool {
    socket(AddressFamily::PACKET, SocketType::RAW, None).is_ok()
}

/// Asks for as much memory as this process may address, beside what it has.
pub(super) fn address_space() -> Option<u64> {
    let limit = getrlimit(Resource::As).current?;
    let mut much = Vec::<u8>::new();
    let refused = much
        .try_reserve_exact(usize::try_from(limit).ok()?)
        .is_err();
    // Memory that nobody looks at would not be asked for.
    black_box(&much);
    refused.then_some(limit)
}

/// Starts threads, which stay until the last one.
pub(super) fn threads() -> Option<u64> {
    let gate = Arc::new(Mutex::new(()));
    let closed = gate.lock();
    let mut started = Vec::new();
    let mut refused = false;
    while !refused && started.len() < MOST_THREADS {
        let gate = Arc::clone(&gate);
        let builder = thread::Builder::new().stack_size(STACK);
        match builder.spawn(move || drop(gate.lock())) {
            Ok(thread) => started.push(thread),
            Err(_) => refused = true,
        }
    }
    drop(closed);
    let count = started.len() as u64;
    for thread in started {
        let _ended = thread.join();
    }
    refused.then_some(count)
}

/// Uses a core beside a process that sleeps, until that was stopped and went on.
pub(super) fn is_held() -> bool {
    let mut command = Command::new("/usr/bin/sleep");
    command.arg("9").stdin(Stdio::null()).stdout(Stdio::null());
    let Ok(mut sleeper) = command.spawn() else {
        return false;
    };
    let pid = Pid::from_child(&sleeper);
    let began = Instant::now();
    let mut held = false;
    while !held && began.elapsed() < SPIN {
        let seen = waitpid(Some(pid), WaitOptions::CONTINUED | WaitOptions::NOHANG);
        held = matches!(seen, Ok(Some((_, status))) if status.continued());
    }
    let _ended = sleeper.kill();
    let _reaped = sleeper.wait();
    held
}

/// Writes a file into the working folder until there is no space.
pub(super) fn fill_workspace() -> Option<u64> {
    let path = Path::new(WORKDIR).join("probe");
    let mut file = File::create(&path).ok()?;
    let mut written = 0;
    let end = loop {
        match file.write(&PIECE) {
            Ok(0) => break None,
            Ok(length) => written += length as u64,
            Err(error) => break Some(error.kind()),
        }
        if written > MOST_FILL {
            break None;
        }
    };
    let _removed = fs::remove_file(&path);
    (end == Some(io::ErrorKind::StorageFull)).then_some(written)
}
