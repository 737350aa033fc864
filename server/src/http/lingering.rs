//! The end of a connection whose client is still sending.

use std::{
    io,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll, ready},
    time::Duration,
};

use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    time::{Sleep, sleep},
};

/// A stream that, at its end, takes in for a while what its peer still sends and forgets it.
///
/// A socket that is closed with bytes nobody read resets its connection, and a reset takes away the
/// answer too: a client that sends a body which is too large would see a broken pipe and not why.
pub(super) struct Lingering<S> {
    stream: S,
    /// True if a request was answered whose body was not read.
    unread: Arc<AtomicBool>,
    limit: Duration,
    /// Set once nothing more is written.
    ends: Option<Pin<Box<Sleep>>>,
}

impl<S> Lingering<S> {
    pub(super) fn new(stream: S, unread: Arc<AtomicBool>, limit: Duration) -> Self {
        Self {
            stream,
            unread,
            limit,
            ends: None,
        }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Lingering<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buffer)
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for Lingering<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(cx, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        pieces: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(cx, pieces)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = &mut *self;
        if this.ends.is_none() {
            ready!(Pin::new(&mut this.stream).poll_shutdown(cx))?;
            if !this.unread.load(Ordering::Relaxed) {
                return Poll::Ready(Ok(()));
            }
        }
        let limit = this.limit;
        let ends = this.ends.get_or_insert_with(|| Box::pin(sleep(limit)));
        // Before anything is read: a client that sends without a pause must not outlast it.
        if ends.as_mut().poll(cx).is_ready() {
            return Poll::Ready(Ok(()));
        }
        let mut piece = [0; 8192];
        loop {
            let mut piece = ReadBuf::new(&mut piece);
            let read = ready!(Pin::new(&mut this.stream).poll_read(cx, &mut piece));
            if read.is_err() || piece.filled().is_empty() {
                return Poll::Ready(Ok(()));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::{
        io::{AsyncWriteExt, duplex},
        time::Instant,
    };

    use super::*;

    const LIMIT: Duration = Duration::from_secs(5);

    async fn ended(unread: bool, peer_goes: bool) -> Duration {
        let (stream, peer) = duplex(16);
        let mut stream = Lingering::new(stream, Arc::new(AtomicBool::new(unread)), LIMIT);
        let peer = (!peer_goes).then_some(peer);
        let begun = Instant::now();
        stream.shutdown().await.unwrap();
        drop(peer);
        begun.elapsed()
    }

    #[tokio::test(start_paused = true)]
    async fn it_waits_only_for_a_peer_that_was_not_read_and_only_for_so_long() {
        assert_eq!(ended(false, false).await, Duration::ZERO);
        assert_eq!(ended(true, true).await, Duration::ZERO);
        assert_eq!(ended(true, false).await, LIMIT);
    }

    #[tokio::test(start_paused = true)]
    async fn a_peer_that_never_stops_sending_is_let_go() {
        let (stream, mut peer) = duplex(16);
        let sending = tokio::spawn(async move { while peer.write_all(&[0; 16]).await.is_ok() {} });
        let mut stream = Lingering::new(stream, Arc::new(AtomicBool::new(true)), Duration::ZERO);
        stream.shutdown().await.unwrap();
        drop(stream);
        sending.await.unwrap();
    }
}
