//! The import of a conversation from a file.

use agent::ports::StoredConversation;
use app::{
    conversation_path,
    plain_pages::settings::{ImportPage, Note},
};
use axum::{
    extract::{Multipart, multipart::MultipartRejection},
    response::Response,
};
use protocol::{ConversationId, ErrorBody, ErrorCode};
use tokio::sync::Semaphore;

use super::{Visit, done};
use crate::{
    texts,
    transfer::{Foreign, MAX_FILE, read, refused},
};

/// The most that is read of a file that is too large, only to be discarded: a browser shows the
/// answer only after it has sent everything.
const MAX_SENT: usize = 4 * MAX_FILE;

/// The most files that are checked and written at once: each takes memory, and the journal has one
/// writer.
static AT_ONCE: Semaphore = Semaphore::const_new(1);

pub(super) async fn page(visit: Visit) -> Response {
    visit.page(Note::None, ImportPage)
}

/// Imports the conversation of a file, and shows it.
pub(super) async fn keep(visit: Visit, form: Result<Multipart, MultipartRejection>) -> Response {
    let kept = match form {
        Ok(form) => Box::pin(take(&visit, form)).await,
        Err(_) => Err(refused(texts::settings::FORM_CANNOT_BE_READ)),
    };
    match kept {
        Ok(id) => done(&conversation_path(id)),
        Err(error) => visit.page(Note::Problem(told(&error)), ImportPage),
    }
}

async fn take(visit: &Visit, form: Multipart) -> Result<ConversationId, ErrorBody> {
    let Visit {
        http, signed_in, ..
    } = visit;
    let user = &signed_in.user;
    // Acquired before the first byte is read: a file takes up to 16 MiB during the upload.
    let _reading = http.allowances.import(user.id).await?;
    let file = file(form).await?;
    http.allowances.keep(user.id, file.len())?;
    let internal = || ErrorBody::new(ErrorCode::Internal, texts::FILE_COULD_NOT_BE_READ);
    let _permit = AT_ONCE.acquire().await.map_err(|_| internal())?;
    let looked = tokio::task::spawn_blocking(move || read(&file)).await;
    let foreign = looked.map_err(|_| internal())??;
    let Foreign {
        mode,
        model,
        toolsets,
        events,
    } = foreign;
    let now = http.now();
    let conversation = StoredConversation {
        id: ConversationId::new(now, http.env.random()),
        owner: user.id,
        mode,
        model,
    };
    let kept = http.store.import(&conversation, &user.name, now, &events);
    let summary = kept.await.map_err(|error| {
        tracing::error!(%error, "a conversation could not be imported");
        let message = match error {
            store::Error::Full => texts::SERVER_DISK_IS_FULL,
            _ => texts::settings::SERVER_COULD_NOT_SAVE_THIS,
        };
        ErrorBody::new(ErrorCode::StorageFailed, message)
            .with_help(texts::settings::NOTHING_WAS_CHANGED)
    })?;
    http.engine.appeared(user.id, &summary, &toolsets);
    Ok(conversation.id)
}

/// Reads the only file of the form.
async fn file(mut form: Multipart) -> Result<Vec<u8>, ErrorBody> {
    let unreadable = |_| refused(texts::settings::FORM_CANNOT_BE_READ);
    while let Some(mut field) = form.next_field().await.map_err(unreadable)? {
        if field.name() != Some("file") {
            continue;
        }
        let mut file = Vec::new();
        let mut sent = 0_usize;
        while let Some(piece) = field.chunk().await.map_err(unreadable)? {
            sent = sent.saturating_add(piece.len());
            if sent > MAX_SENT {
                break;
            }
            if sent <= MAX_FILE {
                file.extend_from_slice(&piece);
            }
        }
        return match sent {
            0 => Err(refused(texts::settings::NO_FILE_WAS_CHOSEN)),
            sent if sent > MAX_FILE => Err(refused(texts::settings::FILE_IS_LARGER_THAN_16_MIB)),
            _ => Ok(file),
        };
    }
    Err(refused(texts::settings::NO_FILE_WAS_CHOSEN))
}

/// Formats an error for a page without script: what happened, what helps, and its code.
fn told(error: &ErrorBody) -> String {
    let code = serde_json::to_value(error.code).unwrap_or_default();
    let help = error.help.as_deref().unwrap_or_default();
    format!(
        "{} {help} ({})",
        error.message,
        code.as_str().unwrap_or_default()
    )
}
