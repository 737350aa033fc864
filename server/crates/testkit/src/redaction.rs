//! A redaction whose values a test lists.

use std::sync::{Arc, Mutex};

use agent::ports::{LeakedValue, NotCovered, Redaction, RedactionScope, TokenRule};
use async_trait::async_trait;

/// Hides the values of a list. A token that is escaped has `~` in place of `-`. Clones are the same
/// list.
#[derive(Debug, Clone, Default)]
pub struct ListedValues(Arc<Mutex<HiddenList>>);

#[derive(Debug, Default)]
struct HiddenList {
    /// Values and their tokens.
    covered: Vec<(String, String)>,
    watched: Vec<(String, String)>,
    fails: bool,
    scopes: Vec<RedactionScope>,
    fixed: String,
}

impl ListedValues {
    /// Values, each with its token.
    pub fn new(values: &[(&str, &str)]) -> Self {
        let listed = Self::default();
        let values = values.iter().map(|(value, token)| owned(value, token));
        listed.0.lock().unwrap().covered = values.collect();
        listed
    }

    /// From now on this value is known, and is covered in texts.
    pub fn learn(&self, value: &str, token: &str) {
        self.0.lock().unwrap().covered.push(owned(value, token));
    }

    /// The text of the server itself in requests, as the engine told it.
    pub fn fixed(&self) -> String {
        self.0.lock().unwrap().fixed.clone()
    }

    /// From now on a request with this value is a leak, and yet no text is covered.
    pub fn watch(&self, value: &str, token: &str) {
        self.0.lock().unwrap().watched.push(owned(value, token));
    }

    /// From now on nothing can be covered or checked, or everything can again.
    pub fn fail(&self, fails: bool) {
        self.0.lock().unwrap().fails = fails;
    }

    /// The scope of each text or request, in order.
    pub fn scopes(&self) -> Vec<RedactionScope> {
        self.0.lock().unwrap().scopes.clone()
    }
}

fn owned(value: &str, token: &str) -> (String, String) {
    (value.to_owned(), token.to_owned())
}

impl HiddenList {
    fn asked(&mut self, scope: &RedactionScope) -> Result<(), NotCovered> {
        self.scopes.push(scope.clone());
        if self.fails {
            Err(NotCovered("scripted".to_owned()))
        } else {
            Ok(())
        }
    }
}

#[async_trait]
impl Redaction for ListedValues {
    async fn cover(
        &self,
        scope: &RedactionScope,
        texts: Vec<String>,
        tokens: TokenRule,
    ) -> Result<Vec<String>, NotCovered> {
        let mut listed = self.0.lock().unwrap();
        listed.asked(scope)?;
        let cover = |mut text: String| {
            for (_, token) in &listed.covered {
                if tokens == TokenRule::Escape {
                    text = text.replace(token, &token.replace('-', "~"));
                }
            }
            for (value, token) in &listed.covered {
                text = text.replace(value, token);
            }
            text
        };
        Ok(texts.into_iter().map(cover).collect())
    }

    fn fixed_text(&self, text: &str) {
        text.clone_into(&mut self.0.lock().unwrap().fixed);
    }

    async fn leaks(
        &self,
        scope: &RedactionScope,
        request: &[u8],
    ) -> Result<Option<LeakedValue>, NotCovered> {
        let mut listed = self.0.lock().unwrap();
        listed.asked(scope)?;
        let request = String::from_utf8_lossy(request);
        let mut values = listed.covered.iter().chain(&listed.watched);
        let leak = values.find(|(value, _)| request.contains(value));
        Ok(leak.map(|(_, token)| LeakedValue {
            class: "listed value".to_owned(),
            token: token.clone(),
        }))
    }
}
