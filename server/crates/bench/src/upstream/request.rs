//! Reads HTTP requests off a connection, with no more of HTTP than our own client sends.

use anyhow::{Context, Result, ensure};
use memchr::memmem;
use tokio::{io::AsyncReadExt, net::TcpStream};

/// The largest request. A long history is long.
const MAX_BYTES: usize = 64 * 1024 * 1024;

pub(super) struct UpstreamRequest {
    pub(super) path: String,
    pub(super) body: Vec<u8>,
}

/// Bytes that were read and not yet used.
#[derive(Default)]
pub(super) struct RequestReader(Vec<u8>);

impl RequestReader {
    /// The next whole request; none at the end.
    pub(super) async fn next(&mut self, stream: &mut TcpStream) -> Result<Option<UpstreamRequest>> {
        let head = loop {
            if let Some(end) = memmem::find(&self.0, b"\r\n\r\n") {
                break end + 4;
            }
            if !self.more(stream).await? {
                return Ok(None);
            }
        };
        let text = String::from_utf8_lossy(&self.0[..head]).into_owned();
        let path = text.split(' ').nth(1).context("no path")?;
        let path = path.split('?').next().unwrap_or_default().to_owned();
        let mut length = 0;
        for line in text.lines().skip(1) {
            if let Some((name, value)) = line.split_once(':') {
                ensure!(
                    !name.eq_ignore_ascii_case("transfer-encoding"),
                    "a request in chunks is not understood"
                );
                if name.eq_ignore_ascii_case("content-length") {
                    length = value.trim().parse()?;
                }
            }
        }
        let whole = head + length;
        ensure!(whole <= MAX_BYTES, "the request is too long");
        while self.0.len() < whole {
            ensure!(self.more(stream).await?, "the request was cut off");
        }
        let rest = self.0.split_off(whole);
        let mut body = std::mem::replace(&mut self.0, rest);
        body.drain(..head);
        Ok(Some(UpstreamRequest { path, body }))
    }

    async fn more(&mut self, stream: &mut TcpStream) -> Result<bool> {
        self.0.reserve(16 * 1024);
        Ok(stream.read_buf(&mut self.0).await? > 0)
    }
}
