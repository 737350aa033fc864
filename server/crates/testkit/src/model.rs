//! A model that answers as a test wants.

use std::sync::Mutex;

use agent::ports::{Model, ModelError, ModelEvent, ModelRequest, RequestRole};
use futures::{
    StreamExt,
    stream::{self, BoxStream},
};
use protocol::{Cost, Usage};

use crate::{Act, Script};

type Answer = dyn Fn(&ModelRequest) -> Script + Send + Sync;

/// A model that answers by a function of the request, and remembers its requests.
pub struct ScriptedModel {
    answer: Box<Answer>,
    requests: Mutex<Vec<ModelRequest>>,
}

impl ScriptedModel {
    /// Answers by a function of the request.
    pub fn by(answer: impl Fn(&ModelRequest) -> Script + Send + Sync + 'static) -> Self {
        Self {
            answer: Box::new(answer),
            requests: Mutex::default(),
        }
    }

    /// Gives these answers one after the other, one for each request.
    pub fn in_order(scripts: Vec<Script>) -> Self {
        let left = Mutex::new(scripts.into_iter());
        Self::by(move |_| {
            let next = left.lock().unwrap().next();
            next.expect("the model was asked more often than its script has answers")
        })
    }

    /// Gives the answer whose number is the number of the model's own messages in the request, so
    /// that a step that is asked again gets the same answer.
    pub fn by_position(scripts: Vec<Script>) -> Self {
        Self::by(move |request| {
            let position = request
                .messages
                .iter()
                .filter(|message| message.role == RequestRole::Assistant)
                .count();
            let script = scripts.get(position).cloned();
            script.expect("the conversation is longer than its script")
        })
    }

    /// Its requests, in order.
    pub fn requests(&self) -> Vec<ModelRequest> {
        self.requests.lock().unwrap().clone()
    }
}

impl Model for ScriptedModel {
    fn ask(&self, request: ModelRequest) -> BoxStream<'static, Result<ModelEvent, ModelError>> {
        let acts = (self.answer)(&request).into_acts();
        self.requests.lock().unwrap().push(request);
        stream::iter(acts)
            .filter_map(async |act| match act {
                Act::Event(event) => Some(Ok(event)),
                Act::Fail(error) => Some(Err(error)),
                Act::Hold(hold) => {
                    hold.pass().await;
                    None
                }
                Act::Panic => panic!("scripted panic"),
            })
            .boxed()
    }

    /// The model `blind` reads none.
    fn reads_images(&self, model: &str) -> Option<bool> {
        Some(model != "blind")
    }

    /// One millionth of a dollar a token.
    fn cost(&self, _model: &str, usage: &Usage) -> Option<Cost> {
        Some(Cost(usage.total_input() + usage.output))
    }
}
