//! Ordinary requests, which cost hardly more cards than before.

use agent::ports::Toolset;
use protocol::{Command, EventBody, Mode, Reference, Seq, Tier};
use serde_json::{Value, json};
use testkit::Script;

use super::{lines, world::World};
use crate::lab::Lab;

const ORDINARY: &str = include_str!("ordinary.txt");
/// Cards for the ordinary requests under the previous rule and under the current one.
const CARDS: (usize, usize) = (42, 22);

/// A message of a person.
#[derive(Debug)]
struct Message {
    text: String,
    points_at: Vec<Reference>,
    /// Result of a reading call between it and the next message.
    brings: Option<String>,
}

/// A line of the list.
#[derive(Debug)]
struct Request {
    messages: Vec<Message>,
    tool: String,
    input: Value,
}

impl Request {
    fn read(line: &str) -> Self {
        let mut fields = line.split(" | ");
        let (said, tool) = (fields.next().unwrap(), fields.next().unwrap());
        let messages = said.split(" >> ").map(|said| {
            let (said, brings) = match said.split_once(" => ") {
                Some((said, brings)) => (said, Some(brings.to_owned())),
                None => (said, None),
            };
            let mut parts = said.split(" @");
            let text = parts.next().unwrap().to_owned();
            let points_at = parts.map(|thing| {
                let (kind, id) = thing.split_once(':').unwrap();
                Reference::new(kind, id)
            });
            Message {
                text,
                points_at: points_at.collect(),
                brings,
            }
        });
        Self {
            messages: messages.collect(),
            tool: tool.to_owned(),
            input: serde_json::from_str(fields.next().unwrap()).unwrap(),
        }
    }
}

impl World {
    /// Returns whether a person is asked about the call of a request.
    async fn is_asked(&self, request: &Request) -> bool {
        let mut conversation = None;
        let mut after = Seq(0);
        let mut asked = false;
        let last = request.messages.last().unwrap();
        for message in &request.messages {
            if let Some(text) = &message.brings {
                self.tools
                    .brings
                    .lock()
                    .unwrap()
                    .push_back(Ok(text.clone()));
                self.script(Script::new().call("look", "get_recent_tasks", json!({})));
            }
            self.script(if std::ptr::eq(message, last) {
                Script::new().call("x", &request.tool, request.input.clone())
            } else {
                Script::say("Sir.")
            });
            let references = message.points_at.clone();
            let id = match conversation {
                None => {
                    self.start(&message.text, None, references, Mode::Default)
                        .await
                }
                Some(conversation) => {
                    self.command(Command::Send {
                        conversation,
                        text: message.text.clone(),
                        withdraw: false,
                        references,
                    })
                    .await;
                    conversation
                }
            };
            conversation = Some(id);
            asked = self.question(id, &mut after).await.is_some();
        }
        for event in self.journal.events(conversation.unwrap()) {
            let blocked = matches!(event.body, EventBody::ToolBlocked { .. });
            assert!(!blocked, "{request:?}: {:?}", event.body);
        }
        self.scripts.lock().unwrap().clear();
        asked
    }

    /// Returns whether a person was asked about it under the rule of commit d32d504: for YELLOW
    /// calls, values that the toolset did not vouch for, that came up in the summary or in a
    /// result, and that were in no words of the person. The node to wake was always vouched for.
    async fn was_asked(&self, request: &Request) -> bool {
        let tools = &self.tools;
        let all = tools.tools();
        let tool = all.iter().find(|tool| tool.spec().name == request.tool);
        let tool = tool.unwrap_or_else(|| panic!("{request:?}"));
        let spec = tool.spec();
        match spec.tier {
            Tier::Green => return false,
            Tier::Yellow => {}
            _ => return true,
        }
        if spec.name == "wake_node" {
            return false;
        }
        let mut outside: Vec<_> = tools
            .summary
            .iter()
            .map(|it| format!("{:?}", it.data))
            .collect();
        for message in &request.messages {
            outside.extend(message.brings.clone());
            for thing in &message.points_at {
                outside.push(tools.real.describe(thing).await.unwrap().to_string());
            }
        }
        let values = tool.assess(&request.input).values.into_iter();
        let mut values = values.filter(|value| value.source.is_none());
        values.any(|value| {
            let said = |message: &Message| {
                mentions(&message.text, &value.text)
                    || message
                        .points_at
                        .iter()
                        .any(|thing| thing.id.to_lowercase() == value.text.to_lowercase())
            };
            !request.messages.iter().any(said)
                && outside.iter().any(|text| mentions(text, &value.text))
        })
    }
}

fn mentions(text: &str, value: &str) -> bool {
    let (text, value) = (text.to_lowercase(), value.to_lowercase());
    let is_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    text.match_indices(&value).any(|(at, found)| {
        !is_word(text[..at].chars().next_back())
            && !is_word(text[at + found.len()..].chars().next())
    })
}

#[tokio::test]
async fn two_hundred_ordinary_requests_cost_hardly_more_cards() {
    let lab = Lab::start().await;
    let world = World::new(&lab).await;
    let lines = lines(ORDINARY);
    assert_eq!(lines.len(), 200);
    let different: std::collections::HashSet<_> = lines.iter().collect();
    assert_eq!(different.len(), 200);
    let (mut before, mut now, mut more) = (0, 0, Vec::new());
    for line in &lines {
        let request = Request::read(line);
        let was = world.was_asked(&request).await;
        let is = world.is_asked(&request).await;
        before += usize::from(was);
        now += usize::from(is);
        if is && !was {
            more.push(line);
        }
    }
    println!("{before} cards before, {now} now; new: {more:#?}");
    // The new ones only describe the target, or a list of words mistakes them for a prohibition.
    assert!(more.len() <= lines.len() * 2 / 100, "{more:#?}");
    assert_eq!((before, now), CARDS);
}
