//! The journal of a relayed call, followed until there is something to answer.

use std::time::Duration;

use ::mcp::{CallStanding, FollowedCall};
use agent::SubscriptionEnd;
use futures::StreamExt;
use protocol::{ConversationId, ErrorBody, ErrorCode, Seq, ServerFrame};
use sign_in::SignedIn;
use tokio::time::{Instant, sleep_until};

use crate::{http::Http, texts};

/// The event that ends a wait before its time is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FollowUntil {
    /// The end of the call, or a person who is asked.
    Card,
    /// The end of the call.
    End,
}

/// Follows a call of this sign-in. When the time is over, or the server stops, the answer is how the call
/// stands then: it goes on, whoever waits for it.
///
/// # Errors
/// There is no such call for this sign-in.
pub(super) async fn followed(
    http: &Http,
    signed_in: &SignedIn,
    call: ConversationId,
    until: FollowUntil,
    patience: Duration,
) -> Result<FollowedCall, ErrorBody> {
    // It takes a place like a socket of a tab, and as long.
    let _place = http.allowances.waiting_program(signed_in.user.id)?;
    let deadline = Instant::now() + patience;
    // The engine checks whose it is, and what the token covers.
    let subscription = http.engine.subscribe(signed_in.person(), call, Seq(0));
    let mut subscription = Box::pin(subscription).await?;
    let mut signed_out = Box::pin(http.auth.ended(signed_in));
    let mut followed: Option<FollowedCall> = None;
    let mut has_all = false;
    loop {
        match &followed {
            Some(followed) if has_all && is_enough(followed, until) => break,
            // Another journal, such as that of a conversation.
            None if has_all => break,
            _ => {}
        }
        tokio::select! {
            biased;
            _ = &mut signed_out => {
                return Err(ErrorBody::new(ErrorCode::NotSignedIn, texts::mcp::TOKEN_ENDED));
            }
            frame = subscription.next() => match frame {
                Some(Ok(frame)) => match serde_json::from_slice(frame.as_bytes()) {
                    Ok(ServerFrame::Events { events, .. }) => {
                        for event in &events {
                            match &mut followed {
                                Some(followed) => followed.apply(&event.body),
                                None => followed = FollowedCall::begun(&event.body),
                            }
                        }
                    }
                    Ok(ServerFrame::Subscribed { .. }) => has_all = true,
                    Ok(_) => {}
                    Err(error) => tracing::error!(%error, "a frame cannot be read"),
                },
                Some(Err(SubscriptionEnd::TooSlow)) => {
                    let message = texts::mcp::READS_TOO_SLOWLY;
                    return Err(ErrorBody::new(ErrorCode::RateLimited, message));
                }
                None => break,
            },
            () = http.stopping.cancelled() => break,
            () = sleep_until(deadline), if has_all => break,
        }
    }
    followed.ok_or_else(no_such_call)
}

fn is_enough(followed: &FollowedCall, until: FollowUntil) -> bool {
    match followed.standing() {
        CallStanding::Ended(_) => true,
        CallStanding::Waiting(_) => until == FollowUntil::Card,
        CallStanding::Running => false,
    }
}

pub(super) fn no_such_call() -> ErrorBody {
    ErrorBody::new(ErrorCode::ConversationNotFound, texts::mcp::NO_SUCH_CALL)
}
