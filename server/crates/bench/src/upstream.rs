//! A fake model that costs next to nothing: the streaming Messages API on loopback.

mod reply;
mod request;
mod workload;

use std::net::{Ipv4Addr, SocketAddr};

use anyhow::Result;
use tokio::{
    io::AsyncWriteExt,
    net::{TcpListener, TcpStream},
    sync::oneshot,
};

use self::{request::RequestReader, workload::Workload};
use crate::clock;

/// The line that says it takes requests; the base URL follows.
pub(crate) const READY: &str = "Upstream at ";

/// Serves until standard input ends, and so ends with the process that started it.
pub(crate) async fn run(port: u16) -> Result<()> {
    let listener = TcpListener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, port))).await?;
    println!("{READY}http://{}", listener.local_addr()?);
    let (alive, mut ended) = oneshot::channel::<()>();
    std::thread::spawn(move || {
        // However it ends: nobody is there any longer.
        std::io::copy(&mut std::io::stdin(), &mut std::io::sink()).unwrap_or_default();
        drop(alive);
    });
    loop {
        tokio::select! {
            accepted = listener.accept() => {
                let (stream, _) = accepted?;
                stream.set_nodelay(true)?;
                tokio::spawn(async move {
                    // A server that goes away in mid-answer is part of the measurements.
                    serve(stream).await.unwrap_or_default();
                });
            }
            _ = &mut ended => return Ok(()),
        }
    }
}

async fn serve(mut stream: TcpStream) -> Result<()> {
    let mut reader = RequestReader::default();
    while let Some(request) = reader.next(&mut stream).await? {
        let arrived = clock::now();
        if request.path == "/v1/messages" {
            let workload = Workload::read(&request.body)?;
            reply::stream(&mut stream, &workload, arrived).await?;
        } else {
            let models = r#"{"data":[{"type":"model","id":"fake-1","display_name":"fake-1","created_at":"2025-01-01T00:00:00Z"}],"has_more":false,"first_id":"fake-1","last_id":"fake-1"}"#;
            let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ";
            let answer = format!("{head}{}\r\n\r\n{models}", models.len());
            stream.write_all(answer.as_bytes()).await?;
        }
    }
    Ok(())
}
