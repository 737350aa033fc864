//! The reader's filter on the feed, and its form in an address.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

use super::{FeedEntry, FeedKind};
use crate::{Tier, Timestamp};

/// Words of a search that count; the rest is ignored.
const MAX_WORDS: usize = 16;
/// Characters of a word that count.
const MAX_WORD: usize = 64;

/// The conditions on an entry. Empty lists and texts match everything.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FeedFilter {
    pub kinds: Vec<FeedKind>,
    pub tiers: Vec<Tier>,
    /// Prefixes of words in the target; in quotes, all of it.
    pub target: String,
    /// Prefixes of words in the person's name.
    pub person: String,
    /// Prefixes of words anywhere.
    pub text: String,
    /// From this time on.
    pub from: Option<Timestamp>,
    /// Before this time.
    pub to: Option<Timestamp>,
}

impl FeedFilter {
    /// Returns whether it matches everything.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Returns the query of an address, without the question mark.
    pub fn to_query(&self) -> String {
        let kinds: Vec<_> = self.kinds.iter().map(|kind| kind.word()).collect();
        let tiers: Vec<_> = self.tiers.iter().map(|tier| tier_word(*tier)).collect();
        let time = |at: Option<Timestamp>| at.map(|at| at.0.to_string()).unwrap_or_default();
        let fields = [
            ("kind", kinds.join(",")),
            ("tier", tiers.join(",")),
            ("target", self.target.clone()),
            ("person", self.person.clone()),
            ("q", self.text.clone()),
            ("from", time(self.from)),
            ("to", time(self.to)),
        ];
        let mut query = String::new();
        for (name, value) in fields {
            if !value.is_empty() {
                if !query.is_empty() {
                    query.push('&');
                }
                query.push_str(name);
                query.push('=');
                encode(&value, &mut query);
            }
        }
        query
    }

    /// Reads the query of an address; unknown fields and values are ignored.
    pub fn from_query(query: &str) -> Self {
        let mut filter = Self::default();
        for field in query.trim_start_matches('?').split('&') {
            let (name, value) = field.split_once('=').unwrap_or((field, ""));
            let value = decode(value);
            let time = || value.parse().ok().map(Timestamp);
            match name {
                "kind" => {
                    let kinds = value.split(',').map(FeedKind::from_word);
                    filter.kinds = kinds.filter(|kind| *kind != FeedKind::Unknown).collect();
                    filter.kinds.dedup();
                }
                "tier" => filter.tiers = value.split(',').filter_map(tier).collect(),
                "target" => filter.target = value,
                "person" => filter.person = value,
                "q" => filter.text = value,
                "from" => filter.from = time(),
                "to" => filter.to = time(),
                _ => {}
            }
        }
        filter
    }

    /// Returns whether an entry matches. Agrees with the server's index except on accents, which
    /// the index ignores.
    pub fn matches(&self, entry: &FeedEntry) -> bool {
        let none = String::new;
        let target = entry.target.clone().unwrap_or_else(none);
        let person = entry.person.clone().unwrap_or_else(none);
        let outcome = entry.outcome.clone().unwrap_or_else(none);
        let more = entry.more();
        let all = [&*entry.line, &*outcome, &*target, &*person, &*more];
        let has_target = match self.exact_target() {
            Some(exact) => target == exact || entry.made() == Some(exact),
            None => holds(&[&*target], &self.target),
        };
        (self.kinds.is_empty() || self.kinds.contains(&entry.kind))
            && (self.tiers.is_empty() || entry.tier.is_some_and(|tier| self.tiers.contains(&tier)))
            && self.from.is_none_or(|from| entry.at >= from)
            && self.to.is_none_or(|to| entry.at < to)
            && has_target
            && holds(&[&*person], &self.person)
            && holds(&all, &self.text)
    }

    /// Returns what [`target`](Self::target) says for this target and no other. Calls that made
    /// the thing are found too.
    pub fn whole_target(target: &str) -> String {
        format!("\"{target}\"")
    }

    /// Returns the whole target that is looked for; none if only words of it are.
    pub fn exact_target(&self) -> Option<&str> {
        let exact = self.target.strip_prefix('"')?.strip_suffix('"')?;
        (!exact.is_empty()).then_some(exact)
    }

    /// Splits a search text into words, each as its runs of letters and digits. Empty if the text
    /// is blank; a word without any letter or digit is an empty list.
    pub fn words(text: &str) -> Vec<Vec<String>> {
        let words = text.split_whitespace().take(MAX_WORDS);
        words
            .map(|word| tokens(&word.chars().take(MAX_WORD).collect::<String>()))
            .collect()
    }

    /// Returns whether the last token of a word may be a prefix of a longer one. A single letter or
    /// digit would match too much.
    pub fn is_beginning(word: &[String]) -> bool {
        match word {
            [only] => only.chars().count() > 1,
            _ => true,
        }
    }
}

impl FeedEntry {
    /// The details with the id of a request, and with that of the decision on its card: those of other
    /// people's are for operators.
    pub const TRACES: [&str; 2] = ["request", "decision"];
    /// The detail with the thing that a call made, and the field of a tool's result with it.
    pub const MADE: &str = "made";

    /// Returns the thing that a call made, named as targets are.
    pub fn made(&self) -> Option<&str> {
        self.details.get(Self::MADE)?.as_str()
    }

    /// Returns the text to search apart from the fields that have their own filter. Anything that
    /// not everybody may see is left out.
    pub fn more(&self) -> String {
        let mut more = String::new();
        for part in [&self.subject, &self.source].into_iter().flatten() {
            more.push_str(part);
            more.push(' ');
        }
        if self.kind != FeedKind::SignIn
            && let Some(details) = self.details.as_object()
        {
            let told = details.iter();
            let told = told.filter(|(name, _)| !Self::TRACES.contains(&name.as_str()));
            for text in told.filter_map(|(_, value)| value.as_str()) {
                more.push_str(text);
                more.push(' ');
            }
        }
        more
    }
}

fn holds(texts: &[&str], wanted: &str) -> bool {
    let words = FeedFilter::words(wanted);
    let texts: Vec<_> = if words.is_empty() {
        Vec::new()
    } else {
        texts.iter().map(|text| tokens(text)).collect()
    };
    words
        .iter()
        .all(|word| texts.iter().any(|text| has_word(text, word)))
}

fn has_word(text: &[String], word: &[String]) -> bool {
    let Some((last, first)) = word.split_last() else {
        return false;
    };
    text.windows(word.len()).any(|window| {
        window.split_last().is_some_and(|(end, begin)| {
            let ends = if FeedFilter::is_beginning(word) {
                end.starts_with(&**last)
            } else {
                end == last
            };
            begin == first && ends
        })
    })
}

fn tokens(text: &str) -> Vec<String> {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|token| !token.is_empty())
        .map(str::to_lowercase)
        .collect()
}

/// Returns the word of a tier on the wire.
fn tier_word(tier: Tier) -> &'static str {
    match tier {
        Tier::Green => "green",
        Tier::Yellow => "yellow",
        Tier::Red => "red",
        Tier::Black => "black",
    }
}

fn tier(word: &str) -> Option<Tier> {
    let all = [Tier::Green, Tier::Yellow, Tier::Red, Tier::Black];
    all.into_iter().find(|tier| tier_word(*tier) == word)
}

/// Characters that a query has to escape. A space becomes `+`.
const HIDDEN: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b' ')
    .remove(b',')
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

fn encode(value: &str, out: &mut String) {
    let hidden = utf8_percent_encode(value, HIDDEN);
    out.extend(
        hidden
            .flat_map(str::chars)
            .map(|c| if c == ' ' { '+' } else { c }),
    );
}

fn decode(value: &str) -> String {
    let spaced = value.replace('+', " ");
    percent_decode_str(&spaced).decode_utf8_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{FeedId, FeedTone};

    #[test]
    fn an_address_says_a_filter() {
        let filter = FeedFilter {
            kinds: vec![FeedKind::Call, FeedKind::KillSwitch],
            tiers: vec![Tier::Red, Tier::Black],
            target: "node pve".to_owned(),
            person: "Ada & Bob".to_owned(),
            text: "100% é+\"#".to_owned(),
            from: Some(Timestamp(-5)),
            to: Some(Timestamp(7)),
        };
        let query = filter.to_query();
        assert_eq!(
            query,
            "kind=call,kill_switch&tier=red,black&target=node+pve&person=Ada+%26+Bob\
             &q=100%25+%C3%A9%2B%22%23&from=-5&to=7"
        );
        assert_eq!(FeedFilter::from_query(&query), filter);
        assert_eq!(FeedFilter::from_query(&format!("?{query}")), filter);
        for nothing in ["", "?", "kind=&tier=x&from=&to=soon&%=%&a", "kind=other,,"] {
            assert!(FeedFilter::from_query(nothing).is_empty(), "{nothing}");
        }
        assert_eq!(FeedFilter::from_query("q=%f%ff%").text, "%f\u{fffd}%");
        assert_eq!(FeedFilter::default().to_query(), "");
    }

    #[test]
    fn words_are_looked_for_by_their_beginnings() {
        let entry = FeedEntry {
            id: FeedId::first_at(Timestamp(5)),
            rev: 1,
            at: Timestamp(5),
            kind: FeedKind::Call,
            tone: FeedTone::Good,
            line: "execute_ssh".to_owned(),
            outcome: Some("done".to_owned()),
            tier: Some(Tier::Red),
            target: Some("VM 101 (nextcloud) on node pve-2".to_owned()),
            person: Some("Ada Lovelace".to_owned()),
            source: Some("homelab".to_owned()),
            conversation: None,
            call: None,
            subject: None,
            ended: None,
            details: serde_json::json!({ "grant": "grt_X", "n": 5 }),
        };
        for (query, expect) in [
            ("", true),
            ("q=ssh+exe", true),
            ("q=execute_s", true),
            ("q=ecute", false),
            ("q=homel+next+grt_x", true),
            ("q=pve-2", true),
            ("q=pve-3", false),
            // A single letter or digit matches whole words only.
            ("q=2", true),
            ("q=1", false),
            ("q=ex+!!", false),
            ("target=nextcloud", true),
            ("target=ssh", false),
            ("target=vm+101+(next", true),
            ("target=%22VM+101+(nextcloud)+on+node+pve-2%22", true),
            ("target=%22VM+101+(nextcloud)+on+node+pve%22", false),
            ("target=%22vm+101+(nextcloud)+on+node+pve-2%22", false),
            ("target=%22%22", false),
            ("person=lovel", true),
            ("kind=task", false),
            ("kind=task,call&tier=red", true),
            ("tier=green", false),
            ("from=5&to=6", true),
            ("from=6", false),
            ("to=5", false),
        ] {
            let filter = FeedFilter::from_query(query);
            assert_eq!(filter.matches(&entry), expect, "{query}");
        }
    }
}
