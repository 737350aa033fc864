//! Releases of the runner, handed out to devices: the signed release, then its program in pieces.

use std::io;

use field_package::ids::Sha256Hex;
use tokio::fs::File;
use tokio::io::{AsyncReadExt as _, AsyncSeekExt as _};

use crate::dispatch::Dispatch;
use crate::error::{DispatchRefusal, RefusalClass};
use crate::keys::release_file;
use crate::texts::devices as texts;

/// Bytes of a piece at most.
const PIECE: u64 = 256 * 1024;

impl Dispatch {
    /// The envelope of the newest release for an architecture, as it was signed.
    ///
    /// # Errors
    /// There is none, or it cannot be read.
    pub async fn release(&self, architecture: &str) -> Result<Vec<u8>, DispatchRefusal> {
        let file = release_file(&self.0.releases, architecture).ok_or_else(no_update)?;
        tokio::fs::read(file).await.map_err(|error| refused(&error))
    }

    /// A piece of a program from this offset on, empty behind its end.
    ///
    /// # Errors
    /// There is no such program, or it cannot be read.
    pub async fn program_piece(
        &self,
        sha256: &str,
        offset: u64,
    ) -> Result<Vec<u8>, DispatchRefusal> {
        let sha256 = Sha256Hex::new(sha256).map_err(|_| no_update())?;
        let path = self.0.releases.join(sha256.as_str());
        let piece = async {
            let mut file = File::open(path).await?;
            file.seek(io::SeekFrom::Start(offset)).await?;
            let mut piece = Vec::new();
            file.take(PIECE).read_to_end(&mut piece).await?;
            Ok::<_, io::Error>(piece)
        };
        piece.await.map_err(|error| refused(&error))
    }
}

fn refused(error: &io::Error) -> DispatchRefusal {
    match error.kind() {
        io::ErrorKind::NotFound => no_update(),
        // An offset that no file has.
        io::ErrorKind::InvalidInput => DispatchRefusal::member("offset"),
        _ => DispatchRefusal::failed(error),
    }
}

fn no_update() -> DispatchRefusal {
    DispatchRefusal::new(
        RefusalClass::NotFound,
        "no_update",
        texts::NO_UPDATE,
        texts::GO_ON_WITHOUT,
    )
}
