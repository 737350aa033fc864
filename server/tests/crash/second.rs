//! The person who approves another's calls.

use std::collections::HashSet;

use anyhow::bail;
use protocol::{CallId, ClientFrame, Command, Decision, ServerFrame, Timestamp, Topic};

use crate::{
    browser::{Browser, Lost, Outcome},
    letter::{Letter, Outbox},
};

/// A second person, over as many lives of the server as it takes.
pub(crate) struct Second {
    pub(crate) browser: Browser,
    letters: Outbox,
    /// Cards that were approved, by call and digest.
    seen: HashSet<(CallId, String)>,
}

impl Second {
    pub(crate) fn new(browser: Browser) -> Self {
        Self {
            browser,
            letters: Outbox::new(),
            seen: HashSet::new(),
        }
    }

    /// Approves every card that waits for a second person, each once, until the server is lost.
    pub(crate) async fn follow(&mut self) -> Outcome<()> {
        let Ok(mut socket) = self.browser.socket().await? else {
            return Ok(Err(Lost));
        };
        let since = Timestamp(0);
        let topic = Topic::Conversations { since };
        if socket
            .send(&ClientFrame::Subscribe { topic })
            .await
            .is_err()
        {
            return Ok(Err(Lost));
        }
        if let Some(letter) = self.letters.front()
            && socket.letter(letter).await.is_err()
        {
            return Ok(Err(Lost));
        }
        loop {
            let Ok(frame) = socket.next().await? else {
                return Ok(Err(Lost));
            };
            let before = self.letters.front().map(|letter| letter.id);
            match frame {
                ServerFrame::Seconds { calls } => {
                    for asked in calls {
                        let digest = asked.confirmation.digest;
                        if self.seen.insert((asked.call, digest.clone())) {
                            self.letters.push_back(Letter::new(Command::Decide {
                                conversation: asked.conversation,
                                call: asked.call,
                                digest,
                                decision: Decision::Approve {
                                    grant: None,
                                    word: None,
                                },
                            }));
                        }
                    }
                }
                ServerFrame::Accepted { id } if before == Some(id) => {
                    self.letters.pop_front();
                }
                ServerFrame::Rejected { id, error } if before == Some(id) => {
                    bail!("the second person was refused: {error}")
                }
                _ => {}
            }
            let next = self.letters.front();
            if let Some(letter) = next.filter(|letter| before != Some(letter.id))
                && socket.letter(letter).await.is_err()
            {
                return Ok(Err(Lost));
            }
        }
    }
}
