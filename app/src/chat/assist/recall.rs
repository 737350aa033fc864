//! Recall of the person's own earlier messages, one by one.

/// The position in the person's earlier messages.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Recall {
    /// The recalled message, counted from the newest, with its text.
    shown: Option<(usize, String)>,
    /// The text of the field before the recall.
    draft: String,
}

impl Recall {
    /// Returns the message before the one on display. Only an empty or unchanged field is replaced.
    pub(super) fn back(
        &mut self,
        field: &str,
        earlier: impl Fn(usize) -> Option<String>,
    ) -> Option<String> {
        let next = match &self.shown {
            Some((at, text)) if text == field => at + 1,
            _ if field.trim().is_empty() => {
                field.clone_into(&mut self.draft);
                0
            }
            _ => return None,
        };
        let text = earlier(next)?;
        self.shown = Some((next, text.clone()));
        Some(text)
    }

    /// Returns the message after the one on display; after the newest, the original text of the
    /// field.
    pub(super) fn forth(
        &mut self,
        field: &str,
        earlier: impl Fn(usize) -> Option<String>,
    ) -> Option<String> {
        let (at, text) = self.shown.take()?;
        if text != field {
            return None;
        }
        let newer = at.checked_sub(1).and_then(|at| Some((at, earlier(at)?)));
        self.shown.clone_from(&newer);
        Some(newer.map_or_else(|| std::mem::take(&mut self.draft), |(_, text)| text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_come_back_one_by_one_and_the_draft_after_them() {
        let said = ["newest", "older"];
        let earlier = |n: usize| said.get(n).map(|text| (*text).to_owned());
        let mut recall = Recall::default();
        assert_eq!(recall.forth("", earlier), None);
        assert_eq!(recall.back("written", earlier), None);
        assert_eq!(recall.back(" ", earlier).as_deref(), Some("newest"));
        assert_eq!(recall.back("newest", earlier).as_deref(), Some("older"));
        assert_eq!(recall.back("older", earlier), None);
        assert_eq!(recall.forth("older", earlier).as_deref(), Some("newest"));
        assert_eq!(recall.forth("newest", earlier).as_deref(), Some(" "));
        assert_eq!(recall.forth(" ", earlier), None);
        // A text that was changed is the person's own again.
        recall.back("", earlier);
        assert_eq!(recall.back("newest!", earlier), None);
        assert_eq!(recall.forth("newest!", earlier), None);
        assert_eq!(Recall::default().back("", |_| None), None);
    }
}
