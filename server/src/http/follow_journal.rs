//! A journal, followed until there is something to answer to a request that waits.

use std::time::Duration;

use agent::SubscriptionEnd;
use futures::StreamExt;
use protocol::{ConversationId, ErrorBody, ErrorCode, Event, Seq, ServerFrame};
use sign_in::SignedIn;
use tokio::time::{Instant, sleep_until};

use super::Http;
use crate::texts;

/// A fold over a journal that knows when there is enough for an answer.
pub(super) trait JournalFold {
    fn apply(&mut self, event: Event);

    /// True if the answer need not wait for more.
    fn is_enough(&self) -> bool;
}

/// Follows a journal of this sign-in from its beginning. When the time is over, or the server stops, the fold has
/// all that happened until then: whatever it is of goes on, whoever waits for it.
///
/// # Errors
/// There is no such journal for this sign-in, the sign-in ended, or it has too many requests that wait.
pub(super) async fn follow_journal(
    http: &Http,
    signed_in: &SignedIn,
    journal: ConversationId,
    fold: &mut (impl JournalFold + Send),
    patience: Duration,
) -> Result<(), ErrorBody> {
    // It takes a place like a socket of a tab, and as long.
    let _place = http.allowances.waiting_program(signed_in.user.id)?;
    let deadline = Instant::now() + patience;
    // The engine checks whose it is, and what the token covers.
    let subscription = http.engine.subscribe(signed_in.person(), journal, Seq(0));
    let mut subscription = Box::pin(subscription).await?;
    let mut signed_out = Box::pin(http.auth.ended(signed_in));
    let mut has_all = false;
    loop {
        if has_all && fold.is_enough() {
            return Ok(());
        }
        tokio::select! {
            biased;
            _ = &mut signed_out => {
                return Err(ErrorBody::new(ErrorCode::NotSignedIn, texts::mcp::TOKEN_ENDED));
            }
            frame = subscription.next() => match frame {
                Some(Ok(frame)) => match serde_json::from_slice(frame.as_bytes()) {
                    Ok(ServerFrame::Events { events, .. }) => {
                        events.into_iter().for_each(|event| fold.apply(event));
                    }
                    Ok(ServerFrame::Subscribed { .. }) => has_all = true,
                    Ok(_) => {}
                    Err(error) => tracing::error!(%error, "a frame cannot be read"),
                },
                Some(Err(SubscriptionEnd::TooSlow)) => {
                    let message = texts::mcp::READS_TOO_SLOWLY;
                    return Err(ErrorBody::new(ErrorCode::RateLimited, message));
                }
                None => return Ok(()),
            },
            () = http.stopping.cancelled() => return Ok(()),
            () = sleep_until(deadline), if has_all => return Ok(()),
        }
    }
}
