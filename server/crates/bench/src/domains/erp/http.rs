//! Plain requests over a few connections that stay open, as cheap for this side as can be.

use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};
use futures::future::try_join_all;
use memchr::memmem;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use super::CompanyProcess;

/// Connections at once, as the toolset has them.
const CONNECTIONS: usize = 3;

/// Stands for the path of a document, which is looked up first.
pub(super) const ANY_ORDER: &str = "";

/// Seconds of so many reads of a path.
pub(super) async fn reads(company: &CompanyProcess, path: &str, count: usize) -> Result<f64> {
    let mut first = KeptConnection::open(company).await?;
    let path = match path {
        ANY_ORDER => {
            let list = first
                .get("/api/resource/Sales%20Order?limit_page_length=1")
                .await?;
            let list: serde_json::Value = serde_json::from_slice(&list)?;
            let name = list["data"][0]["name"].as_str().context("no order")?;
            format!("/api/resource/Sales%20Order/{name}")
        }
        path => path.to_owned(),
    };
    ensure!(!first.get(&path).await?.is_empty(), "an empty answer");
    let mut connections = Vec::new();
    for _ in 0..CONNECTIONS {
        connections.push(KeptConnection::open(company).await?);
    }
    let began = Instant::now();
    let path = path.as_str();
    let all = connections.into_iter().map(|mut connection| async move {
        for _ in 0..count / CONNECTIONS {
            connection.get(path).await?;
        }
        anyhow::Ok(())
    });
    try_join_all(all).await?;
    Ok(began.elapsed().as_secs_f64())
}

struct KeptConnection {
    stream: TcpStream,
    host: String,
    token: String,
    read: Vec<u8>,
}

impl KeptConnection {
    async fn open(company: &CompanyProcess) -> Result<Self> {
        let host = company.url.strip_prefix("http://").context("no address")?;
        let stream = TcpStream::connect(host).await?;
        stream.set_nodelay(true)?;
        Ok(Self {
            stream,
            host: host.to_owned(),
            token: format!("{}:{}", company.key, company.secret),
            read: Vec::new(),
        })
    }

    /// The body of an answer.
    async fn get(&mut self, path: &str) -> Result<Vec<u8>> {
        let request = format!(
            "GET {path} HTTP/1.1\r\nHost: {}\r\nAuthorization: token {}\r\nAccept: application/json\r\n\r\n",
            self.host, self.token
        );
        self.stream.write_all(request.as_bytes()).await?;
        loop {
            if let Some(head) = memmem::find(&self.read, b"\r\n\r\n") {
                let end = head + 4;
                let text = String::from_utf8_lossy(&self.read[..head]).to_lowercase();
                ensure!(text.starts_with("http/1.1 200"), "refused: {text}");
                let length = text
                    .lines()
                    .find_map(|line| line.strip_prefix("content-length:"))
                    .context("no length")?;
                let length: usize = length.trim().parse()?;
                if self.read.len() >= end + length {
                    let body = self.read[end..end + length].to_vec();
                    self.read.drain(..end + length);
                    return Ok(body);
                }
            }
            if self.stream.read_buf(&mut self.read).await? == 0 {
                bail!("the company closed the connection");
            }
        }
    }
}
