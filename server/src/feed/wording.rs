//! The wording of an audit row in the feed: tool, target, tier, person and outcome, never the text
//! of messages, inputs or results. Those belong to their conversation.

mod made;
mod refusals;

use agent::ports::Happening;
use protocol::{
    CallId, EventBody, FeedEntry, FeedKind, FeedTone, NoticeId, Resolution, ToolOutcome, UserId,
    Verdict,
};
use serde_json::{Map, Value, json};
use store::{AuditFact, AuditedEvent, SettingsKind, SystemEvent};

use refusals::{why, with_token};

/// The feed entry of a row; none if it has none of its own.
pub(super) fn happening(told: &AuditFact<'_>) -> Option<Happening> {
    match &told.event {
        AuditedEvent::Conversation(event) => {
            of_conversation(told, event).map(|happening| traced(told, event, happening))
        }
        AuditedEvent::System(event) => of_system(told, event).or_else(|| Some(other(told))),
        AuditedEvent::Unknown => Some(other(told)),
    }
}

/// Adds the id of the request behind it, as logs have it. That of a decision has its own name: a card has both.
fn traced(told: &AuditFact<'_>, event: &EventBody, happening: Happening) -> Happening {
    let Some(id) = &told.correlation else {
        return happening;
    };
    let [request, decision] = FeedEntry::TRACES;
    let name = match event {
        EventBody::ConfirmationDecided { .. } | EventBody::OutcomeResolved { .. } => decision,
        _ => request,
    };
    let mut details = match happening.details {
        Value::Object(details) => details,
        _ => Map::new(),
    };
    details.insert(name.to_owned(), id.as_str().into());
    Happening {
        details: Value::Object(details),
        ..happening
    }
}

/// An entry with a key that no other row shares.
fn alone(told: &AuditFact<'_>, kind: FeedKind, line: impl Into<String>) -> Happening {
    Happening {
        person: told.person.map(str::to_owned),
        ..Happening::new(format!("audit/{}", told.seq), told.at, kind, line)
    }
}

/// The fallback for rows without better words: those of the type.
fn other(told: &AuditFact<'_>) -> Happening {
    let mut line = told.kind.replace('_', " ");
    if let Some(first) = line.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    alone(told, FeedKind::Configuration, line)
}

fn of_conversation(told: &AuditFact<'_>, event: &EventBody) -> Option<Happening> {
    let owner = told.owner;
    let asked_by = owner.and_then(|owner| told.users.get(&owner).cloned());
    let tool = || told.tool.clone().unwrap_or_else(|| "Tool call".to_owned());
    let call = |id: &CallId| Happening {
        person: asked_by.clone(),
        owner,
        conversation: told.conversation,
        call: Some(*id),
        ..Happening::new(format!("call/{id}"), told.at, FeedKind::Call, tool())
    };
    let over = Some(told.at);
    let words = |words: &str| Some(words.to_owned());
    Some(match event {
        EventBody::ToolQueued {
            call: id,
            tier,
            target,
            ..
        } => Happening {
            tone: FeedTone::Running,
            outcome: words("queued behind earlier calls"),
            tier: Some(*tier),
            target: target.clone(),
            ..call(id)
        },
        EventBody::ToolStarted {
            call: id,
            tier,
            target,
            grant,
            ..
        } => Happening {
            tone: FeedTone::Running,
            outcome: words("running"),
            tier: Some(*tier),
            target: target.clone(),
            details: grant.map_or(Value::Null, |grant| json!({ "grant": grant })),
            ..call(id)
        },
        EventBody::ToolFinished {
            call: id,
            outcome,
            elapsed_ms,
            ..
        } => {
            let (tone, said) = match outcome {
                ToolOutcome::Succeeded { .. } => (FeedTone::Good, "done"),
                ToolOutcome::Failed { .. } => (FeedTone::Bad, "failed"),
                ToolOutcome::Cancelled => (FeedTone::Plain, "stopped by a person"),
                ToolOutcome::OutcomeUnknown { .. } | ToolOutcome::Unknown => {
                    (FeedTone::Unknown, "outcome unknown")
                }
            };
            Happening {
                tone,
                outcome: words(said),
                ended: over,
                details: made::details(told.tool.as_deref(), outcome, *elapsed_ms),
                ..call(id)
            }
        }
        EventBody::ToolBlocked {
            call: id,
            tier,
            reason,
            ..
        } => Happening {
            tone: FeedTone::Warning,
            outcome: Some(format!("not run: {}", why(*reason))),
            ended: over,
            tier: *tier,
            ..call(id)
        },
        EventBody::OutcomeResolved {
            call: id,
            resolution,
            by,
            via,
            ..
        } => {
            let (tone, what) = match resolution {
                Resolution::Done => (FeedTone::Good, "took effect"),
                Resolution::NotDone => (FeedTone::Plain, "did not take effect"),
                Resolution::Unknown => (FeedTone::Unknown, "outcome unknown"),
            };
            let how = match by {
                Some(by) => format!("{what}, says {by}{}", with_token(via.as_ref())),
                None => format!("{what}, as the system shows"),
            };
            Happening {
                tone,
                outcome: Some(how),
                ended: over,
                ..call(id)
            }
        }
        EventBody::ConfirmationRequested {
            call: id,
            confirmation,
            ..
        } => Happening {
            key: format!("ask/{id}"),
            kind: FeedKind::Confirmation,
            tone: FeedTone::Waiting,
            line: confirmation.sentence.clone(),
            outcome: words("needs approval"),
            tier: Some(confirmation.tier),
            target: Some(confirmation.target.clone()),
            details: json!({ "tool": tool() }),
            ..call(id)
        },
        EventBody::ConfirmationDecided {
            call: id,
            verdict,
            by,
            via,
            ..
        } => {
            let by_whom = by
                .as_ref()
                .map(|by| format!(" by {by}{}", with_token(via.as_ref())))
                .unwrap_or_default();
            let (tone, said) = match verdict {
                Verdict::Approved => (FeedTone::Good, "approved"),
                Verdict::Denied { .. } => (FeedTone::Warning, "denied"),
                Verdict::Expired => (FeedTone::Plain, "expired"),
                Verdict::Withdrawn => (FeedTone::Plain, "withdrawn"),
                Verdict::Unknown => (FeedTone::Unknown, "decided"),
            };
            Happening {
                key: format!("ask/{id}"),
                kind: FeedKind::Confirmation,
                tone,
                // The question stays unchanged.
                line: String::new(),
                ended: over,
                outcome: Some(format!("{said}{by_whom}")),
                person: by.clone().or_else(|| asked_by.clone()),
                ..call(id)
            }
        }
        EventBody::GrantGiven { grant, by, via } => Happening {
            key: format!("grant/{}", grant.id),
            outcome: Some(format!(
                "can run {} more times without asking{}",
                grant.terms.uses,
                match with_token(via.as_ref()) {
                    token if token.is_empty() => token,
                    token => format!(", given{token}"),
                }
            )),
            target: Some(grant.target.clone()),
            person: Some(by.clone()),
            owner,
            conversation: told.conversation,
            details: json!({ "tool": grant.tool, "until": grant.terms.until }),
            ..alone(told, FeedKind::Grant, grant.sentence.clone())
        },
        EventBody::Branched {
            by, effects, more, ..
        } => {
            let calls = effects.len() + more.map_or(0, |more| more as usize);
            Happening {
                outcome: match calls {
                    0 => None,
                    1 => words("1 earlier action is not undone"),
                    _ => Some(format!("{calls} earlier actions are not undone")),
                },
                person: Some(by.clone()),
                owner,
                conversation: told.conversation,
                ..alone(told, FeedKind::Server, "Conversation branched")
            }
        }
        EventBody::GrantRevoked { by, via, .. } => Happening {
            outcome: Some(format!("revoked{}", with_token(via.as_ref()))),
            person: Some(by.clone()),
            owner,
            conversation: told.conversation,
            ..alone(told, FeedKind::Grant, "Grant revoked")
        },
        _ => return None,
    })
}

/// A notice is one entry from the time it is raised until it is resolved.
fn of_notice(told: &AuditFact<'_>, id: NoticeId, about: &str, text: &str) -> Happening {
    Happening {
        key: format!("notice/{id}"),
        target: (!about.is_empty()).then(|| about.to_owned()),
        ..alone(told, FeedKind::Notice, text)
    }
}

/// Happenings of a link belong to its owner.
fn of_share(told: &AuditFact<'_>, owner: UserId, line: &str) -> Happening {
    Happening {
        owner: Some(owner),
        conversation: told.conversation,
        ..alone(told, FeedKind::Server, line)
    }
}

fn of_system(told: &AuditFact<'_>, event: &SystemEvent) -> Option<Happening> {
    let name = |user: &UserId| told.users.get(user).cloned();
    let entry = |kind, line: String| alone(told, kind, line);
    let sign_in = |user: Option<UserId>, line: &str, address: Option<&String>| Happening {
        person: user.and_then(|user| name(&user)),
        owner: user,
        details: address.map_or(Value::Null, |address| json!({ "address": address })),
        ..entry(FeedKind::SignIn, line.to_owned())
    };
    let set = |line: String| entry(FeedKind::Configuration, line);
    let by_link = |by: &Option<String>| by.as_ref().map(|by| format!("link created by {by}"));
    Some(match event {
        SystemEvent::Started { version } => {
            entry(FeedKind::Server, format!("Jarvis {version} started"))
        }
        SystemEvent::SignedIn {
            user,
            link_by,
            address,
            ..
        } => Happening {
            outcome: by_link(link_by),
            ..sign_in(Some(*user), "Signed in with a link", address.as_ref())
        },
        SystemEvent::LinkMade {
            name, by, address, ..
        } => Happening {
            person: Some(by.clone()),
            target: Some(format!("user {name}")),
            details: json!({ "address": address }),
            ..set("Sign-in link created".to_owned())
        },
        SystemEvent::SignedOut { user } => sign_in(Some(*user), "Signed out", None),
        SystemEvent::SignedInByPassword { user, address, .. } => {
            sign_in(Some(*user), "Signed in with a password", address.as_ref())
        }
        SystemEvent::SignInFailed { user, address } => Happening {
            tone: FeedTone::Warning,
            outcome: Some("refused".to_owned()),
            ..sign_in(*user, "Sign-in failed: wrong password", address.as_ref())
        },
        SystemEvent::SignInsFailed { count, .. } => Happening {
            tone: FeedTone::Warning,
            outcome: Some("refused".to_owned()),
            ..sign_in(
                None,
                &format!("{count} failed sign-ins within an hour"),
                None,
            )
        },
        SystemEvent::ActRefused {
            tool, unrecorded, ..
        } => Happening {
            tone: FeedTone::Warning,
            target: Some(format!("tool {tool}")),
            outcome: Some(match unrecorded {
                0 => "the role does not include it".to_owned(),
                n => format!("the role does not include it; {n} more like it before"),
            }),
            ..set("Action refused".to_owned())
        },
        SystemEvent::KillSwitchSet { on, via, .. } => {
            let (tone, line) = match on {
                true => (FeedTone::Bad, "The kill switch was turned on"),
                false => (FeedTone::Good, "The kill switch was lifted"),
            };
            let line = format!("{line}{}", with_token(via.as_ref()));
            let entry = entry(FeedKind::KillSwitch, line);
            Happening { tone, ..entry }
        }
        SystemEvent::ConversationDeleted { user, .. } => Happening {
            owner: Some(*user),
            ..entry(FeedKind::Server, "Conversation deleted".to_owned())
        },
        SystemEvent::ConversationRestored { user, .. } => Happening {
            owner: Some(*user),
            ..entry(FeedKind::Server, "Conversation restored".to_owned())
        },
        SystemEvent::ConversationImported { user, .. } => Happening {
            owner: Some(*user),
            ..entry(FeedKind::Server, "Conversation imported".to_owned())
        },
        SystemEvent::ConversationShared { user, .. } => of_share(told, *user, "Share link created"),
        SystemEvent::ShareOpened { owner, .. } => {
            of_share(told, *owner, "Shared conversation opened")
        }
        SystemEvent::ShareEnded { user, .. } => of_share(told, *user, "Share link ended"),
        SystemEvent::UserAdded { name, role, .. } => Happening {
            target: Some(format!("user {name}")),
            outcome: Some(format!("as {}", role.word())),
            ..set("User added".to_owned())
        },
        SystemEvent::RoleSet { name, role, .. } => Happening {
            target: Some(format!("user {name}")),
            outcome: Some(format!("now {}", role.word())),
            ..set("User role changed".to_owned())
        },
        SystemEvent::UserDisabled { name, disabled, .. } => Happening {
            target: Some(format!("user {name}")),
            ..set(match disabled {
                true => "User disabled".to_owned(),
                false => "User re-enabled".to_owned(),
            })
        },
        SystemEvent::ProxyLinked { name, linked, .. } => Happening {
            target: Some(format!("user {name}")),
            outcome: Some(match linked {
                true => "allowed".to_owned(),
                false => "no longer allowed".to_owned(),
            }),
            ..set("Sign-in through the reverse proxy".to_owned())
        },
        SystemEvent::PasswordSet { user, how, .. } => Happening {
            outcome: by_link(&how.link_by),
            target: name(user).map(|name| format!("user {name}")),
            ..set("Password set".to_owned())
        },
        SystemEvent::SessionsEnded { count, .. } => {
            let sessions = if *count == 1 { "session" } else { "sessions" };
            set(format!("{count} {sessions} ended remotely"))
        }
        SystemEvent::TokenAdded {
            name,
            role,
            decides,
            ..
        } => Happening {
            target: Some(format!("token {name}")),
            outcome: Some(match decides {
                true => format!("as {}, can approve", role.word()),
                false => format!("as {}", role.word()),
            }),
            ..set("API token created".to_owned())
        },
        SystemEvent::TokenRevoked { name, .. } => Happening {
            target: Some(format!("token {name}")),
            ..set("API token revoked".to_owned())
        },
        SystemEvent::OwnKeySet {
            system,
            account,
            how,
            ..
        } => Happening {
            target: Some(format!("{system}, as {account}")),
            outcome: by_link(&how.link_by),
            ..set("Own key set".to_owned())
        },
        SystemEvent::OwnKeyRemoved { system, how, .. } => Happening {
            target: Some(system.clone()),
            outcome: by_link(&how.link_by),
            ..set("Own key removed".to_owned())
        },
        SystemEvent::ToolReviewed {
            server,
            tool,
            accepted,
            ..
        } => {
            let decision = if *accepted { "accepted" } else { "rejected" };
            Happening {
                target: Some(format!("{tool} of {server}")),
                ..set(format!("Tool {decision}"))
            }
        }
        SystemEvent::NoticeRaised {
            notice,
            system,
            grave,
            about,
            text,
            ..
        } => Happening {
            tone: match grave {
                true => FeedTone::Bad,
                false => FeedTone::Warning,
            },
            source: Some(system.clone()),
            ..of_notice(told, *notice, about, text)
        },
        SystemEvent::NoticeAcknowledged {
            notice,
            about,
            text,
            by,
            ..
        } => Happening {
            tone: FeedTone::Warning,
            outcome: Some(format!("acknowledged by {by}")),
            person: Some(by.clone()),
            ..of_notice(told, *notice, about, text)
        },
        SystemEvent::NoticeEnded {
            notice,
            about,
            text,
        } => Happening {
            tone: FeedTone::Good,
            outcome: Some("resolved".to_owned()),
            ended: Some(told.at),
            ..of_notice(told, *notice, about, text)
        },
        SystemEvent::SettingsChanged {
            kind,
            version,
            user,
            ..
        } if SettingsKind::is_own(kind) => Happening {
            // The words are for nobody else.
            target: Some(format!("own persona, version {version}")),
            owner: Some(*user),
            ..set("Settings changed: own persona".to_owned())
        },
        SystemEvent::SettingsChanged {
            kind,
            version,
            before,
            after,
            ..
        } => Happening {
            target: Some(format!("{kind}, version {version}")),
            details: json!({ "before": before, "after": after }),
            ..set(format!("Settings changed: {kind}"))
        },
        // It has the words of its type.
        _ => return None,
    })
}

#[cfg(test)]
mod tests;
