//! Values that are encrypted before they are stored, with a key in a file beside the database.
//!
//! Our own secrets are kept as hashes. The secret of another system must be sent to it, so it has to
//! be read again: without the file, a copy of the database opens none of them.
//!
//! A sealed value is the byte 1, a random nonce of 12 bytes, and ChaCha20-Poly1305 over the secret
//! with its tag of 16 bytes. The tag also covers the place of the value, so that one that was moved
//! to another row does not open.

use std::{
    fmt::Write as _,
    fs::{self, File},
    io::{self, Write as _},
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

use ring::{
    aead::{Aad, CHACHA20_POLY1305, LessSafeKey, NONCE_LEN, Nonce, UnboundKey},
    rand::{SecureRandom, SystemRandom},
};

use crate::{
    Store, Tables,
    permissions::{SECRETS_KEY, SECRETS_KEY_NEW},
};

/// Length of the key, in bytes.
const KEY: usize = 32;
/// The form of a sealed value.
const FORM: u8 = 1;
/// Begins what the tag covers, so that no other data of ours has the same.
const DOMAIN: &[u8; 15] = b"jarvis-sealed-1";

/// Held while the file is made: two values that are sealed at once share one key.
static MAKING: Mutex<()> = Mutex::new(());

/// The reason why a value cannot be sealed or opened.
#[derive(Debug, thiserror::Error)]
pub enum SealError {
    /// The file is gone, or has another key than the one that sealed the value. Nothing brings the
    /// secret back but the file, or whoever knows the secret.
    #[error("the key file {0} is missing or is not the one that sealed this")]
    Lost(PathBuf),
    /// The file cannot be read or made.
    #[error("the key file {path} cannot be used: {source}")]
    File { path: PathBuf, source: io::Error },
    /// There are no random numbers, or the server stops.
    #[error("it cannot be encrypted or decrypted now")]
    Failed,
}

/// Seals values with the key in the data folder's file. The file is read anew each time, so one that
/// was restored counts at once.
#[derive(Debug, Clone)]
pub struct Sealing(PathBuf);

impl Store {
    /// The sealing of values that are stored in this database.
    pub fn sealing(&self) -> Sealing {
        Sealing(self.folder().to_owned())
    }
}

impl Tables {
    /// The sealing of values that are stored in these tables.
    pub fn sealing(&self) -> Sealing {
        self.store().sealing()
    }
}

impl Sealing {
    /// Encrypts a secret. Makes the file if there is none. `place`: what the value belongs to, which
    /// [`Self::open`] must name again.
    ///
    /// # Errors
    /// The file cannot be used.
    pub async fn seal(&self, place: &[&str], secret: &[u8]) -> Result<Vec<u8>, SealError> {
        let folder = self.0.clone();
        let key = blocking(move || key_to_seal(&folder)).await?;
        let mut nonce = [0; NONCE_LEN];
        let random = SystemRandom::new();
        random.fill(&mut nonce).map_err(|_| SealError::Failed)?;
        let mut sealed = secret.to_vec();
        key.seal_in_place_append_tag(
            Nonce::assume_unique_for_key(nonce),
            Aad::from(covered(place)),
            &mut sealed,
        )
        .map_err(|_| SealError::Failed)?;
        let head = [FORM].into_iter().chain(nonce);
        Ok(head.chain(sealed).collect())
    }

    /// Decrypts a value.
    ///
    /// # Errors
    /// The file is not there or cannot be used, or does not open this value at this place.
    pub async fn open(&self, place: &[&str], sealed: &[u8]) -> Result<Vec<u8>, SealError> {
        let folder = self.0.clone();
        let key = blocking(move || key_to_open(&folder)).await?;
        let lost = || SealError::Lost(self.0.join(SECRETS_KEY));
        let (head, secret) = sealed.split_at_checked(1 + NONCE_LEN).ok_or_else(lost)?;
        let (form, nonce) = head.split_at(1);
        let nonce = Nonce::try_assume_unique_for_key(nonce).map_err(|_| lost())?;
        if form != [FORM] {
            return Err(lost());
        }
        let mut secret = secret.to_vec();
        let opened = key.open_in_place(nonce, Aad::from(covered(place)), &mut secret);
        let length = opened.map_err(|_| lost())?.len();
        secret.truncate(length);
        Ok(secret)
    }
}

/// The associated data of a secret, which its tag covers too: each part with its length, so that no two places are the
/// same bytes.
fn covered(place: &[&str]) -> Vec<u8> {
    let mut covered = DOMAIN.to_vec();
    for part in place {
        covered.extend((part.len() as u64).to_be_bytes());
        covered.extend(part.as_bytes());
    }
    covered
}

async fn blocking(
    work: impl FnOnce() -> Result<[u8; KEY], SealError> + Send + 'static,
) -> Result<LessSafeKey, SealError> {
    let done = tokio::task::spawn_blocking(work).await;
    let key = done.map_err(|_| SealError::Failed)??;
    let key = UnboundKey::new(&CHACHA20_POLY1305, &key).map_err(|_| SealError::Failed)?;
    Ok(LessSafeKey::new(key))
}

fn key_to_open(folder: &Path) -> Result<[u8; KEY], SealError> {
    let path = folder.join(SECRETS_KEY);
    match fs::read_to_string(&path) {
        Ok(text) => key(text.trim()).ok_or(SealError::Lost(path)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err(SealError::Lost(path)),
        Err(source) => Err(SealError::File { path, source }),
    }
}

fn key_to_seal(folder: &Path) -> Result<[u8; KEY], SealError> {
    let _one = MAKING.lock().unwrap_or_else(PoisonError::into_inner);
    let path = folder.join(SECRETS_KEY);
    let failed = |source| SealError::File {
        path: path.clone(),
        source,
    };
    // A damaged file is not replaced: it may be all that opens what is sealed.
    if path.try_exists().map_err(failed)? {
        return key_to_open(folder);
    }
    let mut key = [0; KEY];
    let random = SystemRandom::new();
    random.fill(&mut key).map_err(|_| SealError::Failed)?;
    make(folder, &key).map_err(failed)?;
    tracing::info!(
        file = %path.display(),
        "key file made; back it up with the database, without it nothing that it seals can be read"
    );
    Ok(key)
}

/// Writes the file whole, on the disk before anything is sealed with it, and for its owner alone.
fn make(folder: &Path, key: &[u8; KEY]) -> io::Result<()> {
    let mut text = String::new();
    for byte in key {
        // Writing to a string cannot fail.
        write!(text, "{byte:02x}").unwrap_or_default();
    }
    text.push('\n');
    let new = folder.join(SECRETS_KEY_NEW);
    let mut options = File::options();
    options.create(true).truncate(true).write(true).mode(0o600);
    let mut file = options.open(&new)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    fs::rename(&new, folder.join(SECRETS_KEY))?;
    File::open(folder)?.sync_all()
}

fn key(text: &str) -> Option<[u8; KEY]> {
    if text.len() != 2 * KEY || !text.is_ascii() {
        return None;
    }
    let mut key = [0; KEY];
    for (byte, at) in key.iter_mut().zip((0..2 * KEY).step_by(2)) {
        *byte = u8::from_str_radix(text.get(at..at + 2)?, 16).ok()?;
    }
    Some(key)
}
