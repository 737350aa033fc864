//! Limits on connections, in total and for each address, so that nobody uses them all up.
//!
//! When there is no room, the connection that has been idle longest is evicted, first one of the
//! same address. If none is idle, the one that has kept a request of nobody who is signed in
//! unfinished for longest is; one that is being answered never is.

use std::{
    collections::HashMap,
    net::IpAddr,
    pin::Pin,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll},
};

use axum::body::{Body, Bytes, HttpBody};
use hyper::body::{Frame, SizeHint};
use sign_in::network;
use tokio_util::sync::CancellationToken;

use crate::config::Networks;

/// The most connections, however many open files are allowed.
const MOST: usize = 24_576;
/// The fewest connections: less would not serve one person, as a browser alone opens six.
const LEAST: usize = 16;

/// The limits on connections.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Limits {
    /// Connections that carry requests.
    pub(crate) requests: usize,
    /// Of those, connections of one address.
    pub(crate) address: usize,
    /// Websockets, which signed-in people keep open.
    pub(crate) sockets: usize,
}

impl Limits {
    /// Computes the limits for a process that may have this many open files. A quarter of them
    /// stays for the database, the model and the systems.
    pub(crate) fn of(open_files: u64) -> Self {
        let files = usize::try_from(open_files).unwrap_or(usize::MAX);
        let half = (files - files / 4) / 2;
        let half = half.clamp(LEAST, MOST);
        Self {
            requests: half,
            address: (half / 4).max(LEAST),
            sockets: half,
        }
    }
}

/// The state of a connection, the first to be evicted first. A number is the turn since which it
/// lasts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Doing {
    /// No request is open.
    Idle(u64),
    /// The body of a request has not arrived, and nobody is known to be signed in.
    Asking(u64),
    /// A request is being answered.
    Busy,
}

#[derive(Debug)]
struct Entry {
    /// None for a reverse proxy of ours: many people are behind it.
    address: Option<IpAddr>,
    doing: Doing,
    evicted: CancellationToken,
}

#[derive(Debug, Default)]
struct Book {
    entries: HashMap<u64, Entry>,
    /// Increases with every event, so that the longest idle connection has the smallest.
    turn: u64,
}

impl Book {
    fn next(&mut self) -> u64 {
        self.turn = self.turn.saturating_add(1);
        self.turn
    }

    /// Evicts the connection that has waited longest for its client, of an address or of all. False
    /// if none waits.
    fn evict(&mut self, address: Option<IpAddr>) -> bool {
        let waiting = self.entries.iter().filter_map(|(id, entry)| {
            let matches = address.is_none() || entry.address == address;
            (matches && entry.doing != Doing::Busy).then_some((entry.doing, *id))
        });
        let Some(entry) = waiting.min().and_then(|(_, id)| self.entries.remove(&id)) else {
            return false;
        };
        entry.evicted.cancel();
        true
    }
}

#[derive(Debug)]
struct Shared {
    limits: Limits,
    proxies: Networks,
    book: Mutex<Book>,
}

/// The open connections. Clones share them.
#[derive(Debug, Clone)]
pub(crate) struct Connections(Arc<Shared>);

impl Connections {
    pub(crate) fn new(limits: Limits, proxies: Networks) -> Self {
        Self(Arc::new(Shared {
            limits,
            proxies,
            book: Mutex::default(),
        }))
    }

    /// Reserves a place for a new connection. If there is none, the connection that has been idle
    /// longest is evicted: first one of the same address, so that an address with many harms only
    /// itself. None if all are busy.
    pub(super) fn admit(&self, peer: IpAddr) -> Option<Place> {
        let Shared {
            limits,
            proxies,
            book,
        } = &*self.0;
        let address = (!proxies.contains(peer)).then(|| network(peer));
        let mut book = book.lock().unwrap_or_else(PoisonError::into_inner);
        if address.is_some() {
            let of = book.entries.values();
            let same = of.filter(|entry| entry.address == address).count();
            if same >= limits.address && !book.evict(address) {
                return None;
            }
        }
        if book.entries.len() >= limits.requests && !book.evict(None) {
            return None;
        }
        let id = book.next();
        let evicted = CancellationToken::new();
        let entry = Entry {
            address,
            doing: Doing::Idle(id),
            evicted: evicted.clone(),
        };
        book.entries.insert(id, entry);
        Some(Place {
            connections: self.clone(),
            id,
            evicted,
        })
    }

    /// Changes the state of a connection, given the present one and a turn.
    fn change(&self, id: u64, to: impl FnOnce(Doing, u64) -> Doing) {
        let mut book = self.0.book.lock().unwrap_or_else(PoisonError::into_inner);
        let turn = book.next();
        if let Some(entry) = book.entries.get_mut(&id) {
            entry.doing = to(entry.doing, turn);
        }
    }
}

/// The place of one connection, released when it is dropped.
#[derive(Debug)]
pub(super) struct Place {
    connections: Connections,
    id: u64,
    evicted: CancellationToken,
}

impl Place {
    /// Returns a token that is cancelled when the connection is evicted.
    pub(super) fn evicted(&self) -> CancellationToken {
        self.evicted.clone()
    }

    /// Marks the connection as busy with a request, until the value is dropped.
    pub(super) fn busy(&self) -> Busy {
        self.connections.change(self.id, |_, _| Doing::Busy);
        Busy {
            connections: self.connections.clone(),
            id: self.id,
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let shared = &self.connections.0;
        let mut book = shared.book.lock().unwrap_or_else(PoisonError::into_inner);
        book.entries.remove(&self.id);
    }
}

/// A request that is being answered.
#[derive(Debug)]
pub(super) struct Busy {
    connections: Connections,
    id: u64,
}

impl Drop for Busy {
    fn drop(&mut self) {
        self.connections
            .change(self.id, |_, turn| Doing::Idle(turn));
    }
}

impl Busy {
    /// Marks the connection as waiting for the body of its request.
    pub(super) fn asking(&self) -> Asking {
        let connections = self.connections.clone();
        connections.change(self.id, |_, turn| Doing::Asking(turn));
        Asking {
            connections,
            id: self.id,
        }
    }
}

/// A request whose body has not arrived. Clones are of the same request.
#[derive(Debug, Clone)]
pub(super) struct Asking {
    connections: Connections,
    id: u64,
}

impl Asking {
    /// Marks the connection as busy: the body is here, or it is that of a signed-in person, for
    /// whom there are quotas.
    pub(super) fn is_taken(&self) {
        self.connections.change(self.id, |doing, _| match doing {
            Doing::Asking(_) => Doing::Busy,
            other => other,
        });
    }
}

/// The body of a request, whose connection is busy once all of it is here or no longer wanted.
pub(super) struct AskingBody<B> {
    body: B,
    asking: Asking,
    /// True once all of it was read.
    read: Arc<AtomicBool>,
}

impl<B: HttpBody> AskingBody<B> {
    pub(super) fn new(body: B, asking: Asking) -> Self {
        let read = Arc::new(AtomicBool::new(body.is_end_stream()));
        Self { body, asking, read }
    }

    /// True once all of it was read. While it is not, nothing else can be read from its connection.
    pub(super) fn read(&self) -> Arc<AtomicBool> {
        self.read.clone()
    }
}

impl<B> Drop for AskingBody<B> {
    fn drop(&mut self) {
        self.asking.is_taken();
    }
}

impl<B: HttpBody + Unpin> HttpBody for AskingBody<B> {
    type Data = B::Data;
    type Error = B::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<B::Data>, B::Error>>> {
        let frame = Pin::new(&mut self.body).poll_frame(cx);
        if matches!(frame, Poll::Ready(None)) || self.body.is_end_stream() {
            self.asking.is_taken();
            self.read.store(true, Ordering::Relaxed);
        }
        frame
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// The body of an answer, whose connection is busy until the last of it is handed over.
pub(super) struct BusyBody {
    body: Body,
    _busy: Busy,
}

impl BusyBody {
    pub(super) fn new(body: Body, busy: Busy) -> Self {
        Self { body, _busy: busy }
    }
}

impl HttpBody for BusyBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn peer(n: u8) -> IpAddr {
        IpAddr::from([192, 0, 2, n])
    }

    fn connections(requests: usize, address: usize) -> Connections {
        let limits = Limits {
            requests,
            address,
            sockets: 0,
        };
        Connections::new(limits, "10.0.0.1".parse().unwrap())
    }

    #[test]
    fn limits_leave_files_for_the_rest() {
        for (files, requests, address) in [
            (0, 16, 16),
            (256, 96, 24),
            (1024, 384, 96),
            (65_536, 24_576, 6144),
        ] {
            let limits = Limits::of(files);
            assert_eq!((limits.requests, limits.address), (requests, address));
            let taken = limits.requests + limits.sockets;
            assert!(files < 64 || taken <= usize::try_from(files * 3 / 4).unwrap());
        }
    }

    #[test]
    fn who_waits_longest_makes_way() {
        let connections = connections(3, 3);
        let places: Vec<_> = (0..3)
            .map(|n| connections.admit(peer(n)).unwrap())
            .collect();
        // The first has been used since, so the second has been idle longest.
        drop(places[0].busy());
        let new = connections.admit(peer(9)).unwrap();
        let evicted: Vec<_> = places.iter().map(|p| p.evicted.is_cancelled()).collect();
        assert_eq!(evicted, [false, true, false]);
        assert!(!new.evicted.is_cancelled());
    }

    #[test]
    fn what_is_busy_is_never_ended() {
        let connections = connections(2, 2);
        let places: Vec<_> = (0..2)
            .map(|n| connections.admit(peer(n)).unwrap())
            .collect();
        let busy: Vec<_> = places.iter().map(Place::busy).collect();
        assert!(connections.admit(peer(9)).is_none());
        drop(busy);
        assert!(connections.admit(peer(9)).is_some());
    }

    #[test]
    fn who_does_not_finish_a_request_makes_way_unless_signed_in() {
        let connections = connections(3, 3);
        let places: Vec<_> = (0..3)
            .map(|n| connections.admit(peer(n)).unwrap())
            .collect();
        let busy: Vec<_> = places.iter().map(Place::busy).collect();
        let asking: Vec<_> = busy.iter().map(Busy::asking).collect();
        // The first is signed in, the body of the third is here.
        asking[0].is_taken();
        drop(AskingBody::new(Body::empty(), asking[2].clone()));
        let new = connections.admit(peer(9)).unwrap();
        let evicted: Vec<_> = places.iter().map(|p| p.evicted.is_cancelled()).collect();
        assert_eq!(evicted, [false, true, false]);
        // An idle one goes first.
        let busy_again = new.busy();
        let again = busy_again.asking();
        drop(busy);
        asking[2].is_taken();
        assert!(connections.admit(peer(9)).is_some());
        assert!(places[0].evicted.is_cancelled() && !new.evicted.is_cancelled());
        drop(again);
    }

    #[test]
    fn an_address_with_many_harms_itself() {
        let connections = connections(100, 2);
        let other = connections.admit(peer(1)).unwrap();
        let many: Vec<_> = (0..50)
            .map(|_| connections.admit(peer(2)).unwrap())
            .collect();
        let left = many.iter().filter(|p| !p.evicted.is_cancelled()).count();
        assert_eq!((left, other.evicted.is_cancelled()), (2, false));
        // A listed proxy has many people behind it.
        let proxy: IpAddr = "10.0.0.1".parse().unwrap();
        let behind: Vec<_> = (0..9).map(|_| connections.admit(proxy).unwrap()).collect();
        assert!(behind.iter().all(|place| !place.evicted.is_cancelled()));
    }

    #[test]
    fn a_place_is_free_again() {
        let connections = connections(1, 1);
        for _ in 0..5 {
            let place = connections.admit(peer(1)).unwrap();
            let _busy = place.busy();
            assert!(connections.admit(peer(1)).is_none());
        }
    }
}
