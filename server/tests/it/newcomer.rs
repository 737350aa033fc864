//! Questions of a newcomer, in their own words: the rehearsal model over the real toolsets and the
//! simulated systems calls the right tools and answers in its first sentence.

mod charts;
mod owners;
mod talks;

use futures::{StreamExt, stream};
use protocol::{BlockedReason, CallId, Command, Decision, EventBody, Mode, Reference, Seq};

use self::{
    charts::CHART_TALKS,
    owners::OWNERS,
    talks::{TALKS, Turn, ask},
};
use crate::{
    client::{Browser, new_conversation},
    harness::{Folder, Server},
    socket::Socket,
    suggestions::{first_sentence, tools, unreadable},
};

/// Conversations that go on at once; none changes what another reads.
const AT_ONCE: usize = 6;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_newcomers_questions_are_answered() {
    let folder = Folder::new();
    let server = Server::start(&folder).await;
    let browser = &server.sign_in().await;
    let tools = server.areas().iter().flat_map(|area| &area.tools);
    let examples = tools.flat_map(|(_, examples)| examples);
    let examples: Vec<&String> = examples.map(|example| &example.question).collect();
    let plain = || TALKS.iter().chain(OWNERS);
    let all = || plain().chain(CHART_TALKS).copied().flatten();
    for turn in all() {
        let is_own = !examples
            .iter()
            .any(|known| known.eq_ignore_ascii_case(turn.question));
        assert!(is_own, "an example: {}", turn.question);
    }
    assert!(all().count() >= 40);

    let chart = || vec![Reference::new("chart", "EURUSD/H1")];
    let talks = plain().map(|talk| (*talk, Vec::new()));
    let talks = talks.chain(CHART_TALKS.iter().map(|talk| (*talk, chart())));
    let wrong = stream::iter(talks).map(async |(talk, about)| hold(browser, talk, about).await);
    let mut wrong: Vec<String> = wrong
        .buffered(AT_ONCE)
        .filter_map(async |it| it)
        .collect()
        .await;
    wrong.extend(about_a_task(browser).await);
    wrong.extend(counts_of_a_day(browser).await);
    server.stop().await;
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// The button beside a failed task asks about that task.
async fn about_a_task(browser: &Browser) -> Option<String> {
    let mut tab = browser.socket().await;
    tab.start(new_conversation(), "what failed on pve in the last day?")
        .await;
    tab.see(|view| view.finished() == 1).await;
    let told = tab.view.said().join("\n");
    let Some(at) = told.find("UPID:pve:") else {
        return Some(format!("no failed task in {told}"));
    };
    let upid = told[at..]
        .split([' ', '\n', ','])
        .next()
        .unwrap_or_default();
    let turn = ask(
        "what went wrong here?",
        &["get_recent_tasks"],
        &["Backup on pve failed at ", "nextcloud", "exit code 255"],
    );
    hold(browser, &[turn], vec![Reference::new("task", upid)]).await
}

/// How everything is and what failed are told of the same tasks.
async fn counts_of_a_day(browser: &Browser) -> Option<String> {
    let mut told = Vec::new();
    for question in ["how is the cluster?", "what failed today?"] {
        let mut tab = browser.socket().await;
        tab.start(new_conversation(), question).await;
        tab.see(|view| view.finished() == 1).await;
        told.push(tab.view.said().join("\n"));
    }
    // "12 tasks in the last day: 11 ok, 1 failed." and "1 task failed in the last day, sir: …"
    let number = |text: &str, behind: &str| -> Option<usize> {
        let (before, _) = text.split_once(behind)?;
        before.rsplit([' ', '\n']).next()?.parse().ok()
    };
    let day = told[0].split_once(" tasks in the last day: ");
    let counted = day.and_then(|(_, states)| number(states, " failed"));
    let one = number(&told[1], " task failed in the last day, sir: ");
    let failed = one.or_else(|| number(&told[1], " tasks failed in the last day, sir: "));
    let agrees = counted.is_some() && counted == failed;
    (!agrees).then(|| told.join("\n\n"))
}

/// Holds a conversation, and returns the first fault in it, if any.
async fn hold(browser: &Browser, talk: &[Turn], about: Vec<Reference>) -> Option<String> {
    let mut tab = browser.socket().await;
    let conversation = new_conversation();
    let mut about = Some(about);
    let mut ended = 0;
    for turn in talk {
        let (events, said) = (tab.view.events.len(), tab.view.said().len());
        let text = turn.question.to_owned();
        let command = match about.take() {
            Some(references) => Command::Start {
                conversation,
                mode: Mode::Default,
                text,
                from: None,
                plan: None,
                choice: None,
                references,
                packs: None,
            },
            None => Command::Send {
                conversation,
                text,
                withdraw: false,
                references: Vec::new(),
            },
        };
        let is_first = matches!(command, Command::Start { .. });
        tab.command(command).await.unwrap();
        if is_first {
            tab.subscribe(conversation, Seq(0)).await.unwrap();
        }
        ended += 1;
        let cards = decided(&mut tab, conversation, events, ended, turn.is_open).await;
        let called = tools(&tab.view);
        let answer = tab
            .view
            .said()
            .split_off(said)
            .pop()
            .unwrap_or_default()
            .to_owned();
        let first = first_sentence(&answer);
        let misfit = tab.view.count(|body| {
            matches!(
                body,
                EventBody::ToolBlocked {
                    reason: BlockedReason::InvalidInput,
                    ..
                }
            )
        });
        let fits = turn.tools.iter().all(|tool| called.contains(tool))
            && turn.says.iter().all(|part| first.contains(part))
            && turn
                .cards
                .iter()
                .all(|part| cards.iter().any(|card| card.contains(part)))
            && cards.len() == turn.cards.len()
            && misfit == 0
            && answer.matches(", sir").count() <= 1
            && unreadable(&answer).is_none();
        if !fits {
            return Some(format!(
                "{}\n{called:?}\n{cards:?}\n{answer}",
                turn.question
            ));
        }
    }
    None
}

/// Denies the cards of a turn until it has ended; returns their sentences.
async fn decided(
    tab: &mut Socket,
    conversation: protocol::ConversationId,
    from: usize,
    ended: usize,
    is_open: bool,
) -> Vec<String> {
    let mut told: Vec<(CallId, String)> = Vec::new();
    loop {
        let (before, known) = (from, told.len());
        tab.see(|view| {
            let events = view.events.get(before..).unwrap_or_default();
            let asked = events.iter().filter(|event| asks(&event.body)).count();
            view.finished() >= ended || asked > known
        })
        .await;
        let events = tab.view.events.get(from..).unwrap_or_default();
        let cards = events.iter().filter_map(|event| match &event.body {
            EventBody::ConfirmationRequested {
                call, confirmation, ..
            } => Some((*call, (**confirmation).clone())),
            _ => None,
        });
        let cards: Vec<_> = cards.skip(told.len()).collect();
        for (call, card) in cards {
            told.push((call, card.sentence.clone()));
            if !is_open {
                let decision = Decision::Deny { comment: None };
                tab.command(Command::Decide {
                    conversation,
                    call,
                    digest: card.digest.clone(),
                    decision,
                })
                .await
                .unwrap();
            }
        }
        if is_open || tab.view.finished() >= ended {
            return told.into_iter().map(|(_, sentence)| sentence).collect();
        }
    }
}

fn asks(body: &EventBody) -> bool {
    matches!(body, EventBody::ConfirmationRequested { .. })
}
