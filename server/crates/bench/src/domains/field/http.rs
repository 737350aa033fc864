//! Requests over a connection that stays open, as cheap for this side as can be.

use anyhow::{Context, Result, bail, ensure};
use memchr::memmem;
use serde::de::DeserializeOwned;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

pub(super) struct OpenConnection {
    address: String,
    stream: TcpStream,
    read: Vec<u8>,
}

pub(super) struct ConnectionAnswer {
    pub(super) status: u16,
    body: Vec<u8>,
}

/// A request; headers end with a line break each.
pub(super) struct ConnectionRequest<'a> {
    pub(super) method: &'a str,
    pub(super) path: &'a str,
    pub(super) headers: &'a str,
    pub(super) kind: &'a str,
    pub(super) body: &'a [u8],
}

impl ConnectionAnswer {
    pub(super) fn json<T: DeserializeOwned>(&self) -> Result<T> {
        serde_json::from_slice(&self.body).context("an answer that is no JSON")
    }

    /// Fails unless it is a success.
    pub(super) fn good(self, what: &str) -> Result<Self> {
        if !(200..300).contains(&self.status) {
            let text = String::from_utf8_lossy(&self.body);
            bail!("{what}: {} {text}", self.status);
        }
        Ok(self)
    }
}

impl OpenConnection {
    /// Connects to `host:port`.
    pub(super) async fn open(address: &str) -> Result<Self> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        Ok(Self {
            address: address.to_owned(),
            stream,
            read: Vec::new(),
        })
    }

    pub(super) async fn ask(
        &mut self,
        request: &ConnectionRequest<'_>,
    ) -> Result<ConnectionAnswer> {
        let head = format!(
            "{} {} HTTP/1.1\r\nhost: {}\r\ncontent-type: {}\r\ncontent-length: {}\r\n{}\r\n",
            request.method,
            request.path,
            self.address,
            request.kind,
            request.body.len(),
            request.headers,
        );
        let whole = [head.as_bytes(), request.body].concat();
        self.stream.write_all(&whole).await?;
        loop {
            if let Some(answer) = self.taken()? {
                return Ok(answer);
            }
            let more = self.stream.read_buf(&mut self.read).await?;
            ensure!(more > 0, "the server closed the connection");
        }
    }

    /// The answer, if all of it is here.
    fn taken(&mut self) -> Result<Option<ConnectionAnswer>> {
        let Some(head) = memmem::find(&self.read, b"\r\n\r\n") else {
            return Ok(None);
        };
        let text = String::from_utf8_lossy(&self.read[..head]).to_ascii_lowercase();
        let status = text.split(' ').nth(1).and_then(|it| it.parse().ok());
        let status: u16 = status.context("no status")?;
        let begin = head + 4;
        let rest = &self.read[begin..];
        let header = |name: &str| text.lines().find_map(|line| line.strip_prefix(name));
        let (body, length) = if let Some(length) = header("content-length:") {
            let length = length.trim().parse()?;
            let Some(body) = rest.get(..length) else {
                return Ok(None);
            };
            (body.to_vec(), length)
        } else if header("transfer-encoding:").is_some() {
            let Some(whole) = chunks(rest)? else {
                return Ok(None);
            };
            whole
        } else {
            ensure!(status == 204, "an answer without its length: {text}");
            (Vec::new(), 0)
        };
        self.read.drain(..begin + length);
        Ok(Some(ConnectionAnswer { status, body }))
    }
}

/// The bytes in chunks, and the length of all of it; none if the last chunk has not come.
fn chunks(from: &[u8]) -> Result<Option<(Vec<u8>, usize)>> {
    let (mut body, mut at) = (Vec::new(), 0);
    loop {
        let Some(end) = memmem::find(&from[at..], b"\r\n") else {
            return Ok(None);
        };
        let size = str::from_utf8(&from[at..at + end])?;
        let size = usize::from_str_radix(size.trim(), 16)?;
        let begin = at + end + 2;
        // A line break follows each chunk, the empty one too.
        if from.len() < begin + size + 2 {
            return Ok(None);
        }
        body.extend_from_slice(&from[begin..begin + size]);
        at = begin + size + 2;
        if size == 0 {
            return Ok(Some((body, at)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_are_put_together_once_all_have_come() {
        let whole = b"3\r\nabc\r\n2\r\nde\r\n0\r\n\r\nHTTP";
        let (body, length) = chunks(whole).unwrap().unwrap();
        assert_eq!((body.as_slice(), length), (b"abcde".as_slice(), 20));
        for end in 0..length {
            assert!(chunks(&whole[..end]).unwrap().is_none(), "{end}");
        }
        assert!(chunks(b"x\r\n").is_err());
    }
}
