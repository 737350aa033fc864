//! The outbox of a tab and the engine, with an unreliable network between them.

use std::{
    collections::{BTreeMap, VecDeque},
    sync::Arc,
    time::Duration,
};

use ::outbox::{Accepted, Outbox};
use agent::{Engine, Subscription};
use futures::{FutureExt, StreamExt};
use proptest::{prelude::*, sample::Index};
use protocol::{
    Command, CommandId, ConversationId, EventBody, Seq, ServerFrame, Timestamp, UserId,
};
use testkit::{FreezePoint, Lasting, Script, ScriptedModel, ScriptedTools};
use tokio::sync::mpsc;

use crate::world::World;

/// Few, so that the same words are said twice.
const TEXTS: [&str; 2] = ["Go", "And then?"];

/// The faults of a network.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Network {
    /// Frames on a broken connection come late or never; each connection keeps its order.
    Broken,
    /// Frames of either side are lost, repeated and reordered one by one.
    Wild,
}

#[derive(Debug, Clone)]
enum Step {
    /// The person writes a message.
    Write(usize),
    /// A command comes to the server.
    Arrive(Index),
    /// It comes, and will once more.
    ArriveTwice(Index),
    /// It never comes; nor does what is behind it on a connection that keeps its order.
    Lose(Index),
    /// The tab reads what the server says: an answer, or else news.
    Read(bool),
    ReadTwice,
    Unread,
    Cut,
    Connect,
    /// The page is loaded again.
    Reload,
    /// The server is killed, before or after the commit of one of its next writes.
    Die(bool, usize),
    /// The server does what is due.
    Rest,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        4 => (0..TEXTS.len()).prop_map(Step::Write),
        6 => any::<Index>().prop_map(Step::Arrive),
        2 => any::<Index>().prop_map(Step::ArriveTwice),
        2 => any::<Index>().prop_map(Step::Lose),
        6 => any::<bool>().prop_map(Step::Read),
        1 => Just(Step::ReadTwice),
        1 => Just(Step::Unread),
        2 => Just(Step::Cut),
        4 => Just(Step::Connect),
        1 => Just(Step::Reload),
        1 => (any::<bool>(), 1..4usize).prop_map(|(after, n)| Step::Die(after, n)),
        4 => Just(Step::Rest),
    ];
    prop::collection::vec(step, 1..60)
}

fn conversation() -> ConversationId {
    ConversationId::new(Timestamp(1), 1)
}

/// A tab, as `app::channel` has it.
#[derive(Default)]
struct Tab {
    outbox: Outbox,
    head: Seq,
    catching_up: bool,
    /// The texts that the person wrote, in order.
    written: Vec<&'static str>,
}

/// The tab's reaction to a frame.
#[derive(Debug, PartialEq, Eq)]
enum Then {
    Nothing,
    Subscribe,
}

impl Tab {
    /// Gives a message to the outbox.
    fn write(&mut self, text: &'static str) -> (CommandId, Command) {
        let id = CommandId::new(Timestamp(1), self.written.len() as u128);
        let command = if self.written.is_empty() {
            Command::start(conversation(), text)
        } else {
            Command::Send {
                conversation: conversation(),
                text: text.to_owned(),
                withdraw: false,
                references: Vec::new(),
            }
        };
        self.written.push(text);
        self.outbox.add(id, command.clone());
        (id, command)
    }

    /// Takes a frame in.
    fn receive(&mut self, frame: ServerFrame) -> Then {
        match frame {
            ServerFrame::Accepted { id } => match self.outbox.accept(id) {
                Some(Accepted {
                    command: Command::Start { .. },
                    ..
                }) => return Then::Subscribe,
                Some(Accepted { is_unseen, .. }) if is_unseen && !self.catching_up => {
                    return Then::Subscribe;
                }
                _ => {}
            },
            ServerFrame::Rejected { id, error } => {
                self.outbox.refuse(id, error);
            }
            ServerFrame::Events { events, .. } => {
                for event in events {
                    if let EventBody::TurnStarted { text, .. }
                    | EventBody::MessageQueued { text, .. } = &event.body
                    {
                        self.outbox.see(conversation(), text);
                    }
                    if event.seq == self.head.next() {
                        self.head = event.seq;
                    } else if event.seq > self.head && !self.catching_up {
                        return Then::Subscribe;
                    }
                }
            }
            ServerFrame::Subscribed { .. } => {
                self.catching_up = false;
                self.outbox.caught_up(conversation());
            }
            _ => {}
        }
        Then::Nothing
    }

    /// The page is loaded again, with what the journal has.
    fn reload(&mut self, lasting: &Lasting) {
        self.outbox = Outbox::restore(Some(&self.outbox.kept()));
        self.catching_up = false;
        let events = lasting.journal.events(conversation());
        self.head = events.last().map_or(Seq(0), |event| event.seq);
    }
}

/// One connection's way to the server.
struct Wire {
    on_the_way: VecDeque<(CommandId, Command)>,
    /// Carries commands out one after the other, as a session does.
    session: mpsc::UnboundedSender<(CommandId, Command)>,
}

/// One life of the server, and the tab's connections to it.
struct Life<'a> {
    engine: Engine,
    user: UserId,
    network: Network,
    lasting: &'a Lasting,
    tab: &'a mut Tab,
    wires: Vec<Wire>,
    /// Of the last wire, while it is connected.
    answers: Option<mpsc::UnboundedReceiver<ServerFrame>>,
    news: Option<Subscription>,
}

impl Life<'_> {
    async fn step(&mut self, step: Step) {
        match step {
            Step::Write(text) => {
                let letter = self.tab.write(TEXTS[text]);
                if self.answers.is_some() {
                    self.send(letter);
                }
            }
            Step::Arrive(index) => {
                if let Some((wire, at)) = self.choose(index) {
                    self.arrive(wire, at);
                }
            }
            Step::ArriveTwice(index) => {
                if let Some((wire, at)) = self.choose(index) {
                    let letter = self.wires[wire].on_the_way[at].clone();
                    self.wires[wire].on_the_way.insert(at, letter);
                    self.arrive(wire, at);
                }
            }
            Step::Lose(index) => {
                let Some((wire, at)) = self.choose(index) else {
                    return;
                };
                if self.network == Network::Wild {
                    self.wires[wire].on_the_way.remove(at);
                } else {
                    if wire + 1 == self.wires.len() {
                        self.cut();
                    }
                    self.wires[wire].on_the_way.truncate(at);
                }
            }
            Step::Read(answer_first) => {
                if let Some(frame) = self.next(answer_first) {
                    self.receive(frame).await;
                }
            }
            Step::ReadTwice => {
                if let Some(frame) = self.next(true) {
                    self.receive(frame.clone()).await;
                    if self.network == Network::Wild {
                        self.receive(frame).await;
                    }
                }
            }
            Step::Unread => {
                if self.network == Network::Wild {
                    self.next(true);
                }
            }
            Step::Cut => self.cut(),
            Step::Connect => self.connect().await,
            Step::Reload => {
                self.cut();
                self.tab.reload(self.lasting);
            }
            Step::Die(after, n) => {
                let n = self.lasting.journal.writes() + n;
                let point = if after {
                    FreezePoint::After(n)
                } else {
                    FreezePoint::Before(n)
                };
                self.lasting.journal.freeze_at(point);
            }
            Step::Rest => rest().await,
        }
    }

    /// A frame on its way that can come next: the wire and its place there.
    fn choose(&self, index: Index) -> Option<(usize, usize)> {
        let places = self.wires.iter().enumerate().flat_map(|(wire, it)| {
            let count = match self.network {
                Network::Wild => it.on_the_way.len(),
                Network::Broken => it.on_the_way.len().min(1),
            };
            (0..count).map(move |at| (wire, at))
        });
        let places: Vec<_> = places.collect();
        (!places.is_empty()).then(|| *index.get(&places))
    }

    fn arrive(&mut self, wire: usize, at: usize) {
        let wire = &mut self.wires[wire];
        if let Some(letter) = wire.on_the_way.remove(at) {
            wire.session.send(letter).unwrap();
        }
    }

    fn send(&mut self, letter: (CommandId, Command)) {
        if let Some(wire) = self.wires.last_mut() {
            wire.on_the_way.push_back(letter);
        }
    }

    /// The server's next word, if any.
    fn next(&mut self, answer_first: bool) -> Option<ServerFrame> {
        let answer = |life: &mut Self| life.answers.as_mut()?.try_recv().ok();
        let news = |life: &mut Self| {
            let frame = life.news.as_mut()?.next().now_or_never()??.unwrap();
            Some(serde_json::from_slice(frame.as_bytes()).unwrap())
        };
        if answer_first {
            answer(self).or_else(|| news(self))
        } else {
            news(self).or_else(|| answer(self))
        }
    }

    async fn receive(&mut self, frame: ServerFrame) {
        if self.tab.receive(frame) == Then::Subscribe {
            self.subscribe().await;
        }
    }

    fn cut(&mut self) {
        self.answers = None;
        self.news = None;
        self.tab.catching_up = false;
    }

    async fn connect(&mut self) {
        if self.answers.is_some() {
            return;
        }
        let (session, mut commands) = mpsc::unbounded_channel();
        let (answer, answers) = mpsc::unbounded_channel();
        let (engine, user) = (self.engine.clone(), self.user);
        tokio::spawn(async move {
            while let Some((id, command)) = commands.recv().await {
                let frame = match engine.command(user, id, command).await {
                    Ok(()) => ServerFrame::Accepted { id },
                    Err(error) => ServerFrame::Rejected { id, error },
                };
                // The tab may be gone.
                answer.send(frame).ok();
            }
        });
        self.answers = Some(answers);
        self.wires.push(Wire {
            on_the_way: VecDeque::new(),
            session,
        });
        for letter in self.tab.outbox.repeat() {
            self.send(letter);
        }
        self.subscribe().await;
    }

    async fn subscribe(&mut self) {
        let is_there = !self.tab.written.is_empty() && !self.tab.outbox.is_starting(conversation());
        if self.answers.is_none() || !is_there {
            return;
        }
        self.tab.catching_up = true;
        let subscribed = self
            .engine
            .subscribe(self.user, conversation(), self.tab.head);
        self.news = Some(Box::pin(subscribed).await.unwrap());
    }

    /// A good network, until nothing is left to say. Answers and news come in either order.
    async fn settle(&mut self, answers_first: bool) {
        self.cut();
        self.wires.clear();
        self.connect().await;
        for _ in 0..4 {
            rest().await;
            while self.wires.iter().any(|wire| !wire.on_the_way.is_empty()) {
                let last = self.wires.len() - 1;
                self.arrive(last, 0);
            }
            rest().await;
            while let Some(frame) = self.next(answers_first) {
                self.receive(frame).await;
                rest().await;
            }
        }
    }
}

/// Time passes only when nothing else can.
async fn rest() {
    tokio::time::sleep(Duration::from_millis(1)).await;
}

/// The messages in the journal, in their order.
fn said(lasting: &Lasting) -> Vec<String> {
    let mut said = BTreeMap::new();
    for event in lasting.journal.events(conversation()) {
        if let EventBody::TurnStarted { message, text, .. }
        | EventBody::MessageQueued { message, text, .. } = event.body
        {
            said.entry(message).or_insert((event.seq, text));
        }
    }
    let mut said: Vec<_> = said.into_values().collect();
    said.sort();
    said.into_iter().map(|(_, text)| text).collect()
}

/// Each written text is in the journal or will be sent.
fn nothing_is_lost(lasting: &Lasting, tab: &Tab) {
    let open = Outbox::restore(Some(&tab.outbox.kept()));
    for text in TEXTS {
        let written = tab.written.iter().filter(|it| **it == text).count();
        let there = said(lasting).iter().filter(|it| *it == text).count();
        let kept = open.pending().iter().filter_map(|it| it.command.message());
        let kept = kept.filter(|sent| sent.text == text).count();
        assert!(there + kept >= written, "{text} is lost");
        assert!(there <= written, "{text} came twice");
    }
}

fn check(network: Network, steps: Vec<Step>, answers_first: bool) {
    let lasting = Lasting::default();
    let mut tab = Tab::default();
    if network == Network::Wild {
        // A message before the conversation exists is refused, and it is up to the person to send
        // it again.
        tab.write(TEXTS[0]);
    }
    let mut begun = network == Network::Broken;
    let mut steps = VecDeque::from(steps);
    loop {
        let world = World::on(
            lasting.journal.clone(),
            lasting.env.clone(),
            Arc::new(ScriptedModel::by(|_| Script::say("Sir."))),
            ScriptedTools::new(),
            |config| {
                config.linger = Duration::from_secs(7200);
                // A full queue would be up to the person.
                config.queue_limit = 100;
            },
        );
        let is_last = steps.is_empty();
        let settled = lasting.live(async {
            world.engine.recover().await.unwrap();
            let mut life = Life {
                engine: world.engine.clone(),
                user: world.user,
                network,
                lasting: &lasting,
                tab: &mut tab,
                wires: Vec::new(),
                answers: None,
                news: None,
            };
            if !begun {
                life.settle(answers_first).await;
                begun = true;
            }
            while let Some(step) = steps.pop_front() {
                life.step(step).await;
                nothing_is_lost(&lasting, life.tab);
                if lasting.journal.is_frozen() {
                    break;
                }
            }
            life.cut();
            if is_last {
                life.settle(answers_first).await;
            }
        });
        tab.catching_up = false;
        nothing_is_lost(&lasting, &tab);
        if is_last && settled {
            break;
        }
    }
    let (mut there, mut written) = (said(&lasting), tab.written);
    if network == Network::Wild {
        there.sort_unstable();
        written.sort_unstable();
    }
    assert_eq!(there, written);
    assert_eq!(tab.outbox.pending(), [], "nothing is shown as being sent");
    assert_eq!(tab.outbox.kept(), "");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 192, failure_persistence: None, ..ProptestConfig::default() })]

    /// Connections break at any point, frames come late or never, the page is reloaded and the
    /// server killed: each message is there once, in the order of the person.
    #[test]
    fn each_message_is_there_once_and_in_order_over_broken_connections(steps in steps(), answers_first: bool) {
        check(Network::Broken, steps, answers_first);
    }

    /// Any frame of either side is lost, repeated or reordered: each message is there once.
    #[test]
    fn each_message_is_there_once_whatever_is_lost_repeated_and_reordered(steps in steps(), answers_first: bool) {
        check(Network::Wild, steps, answers_first);
    }
}
