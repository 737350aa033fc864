//! Headlines of 2017, entirely made up.

use super::chance::Chance;
use crate::{Headline, session};

const TEXTS: [(&str, &[&str]); 8] = [
    (
        "Dollar steadies as traders wait for the next data",
        &["USD"],
    ),
    (
        "Euro drifts in quiet trading ahead of the weekend",
        &["EUR"],
    ),
    (
        "Survey points to a calmer mood among manufacturers",
        &["EUR"],
    ),
    ("Yields edge higher, the dollar follows", &["USD"]),
    (
        "Central bank speaker asks for patience on rates",
        &["EUR", "USD"],
    ),
    (
        "Retail demand surprises on the upside, a survey says",
        &["USD"],
    ),
    ("Euro slips after softer figures on confidence", &["EUR"]),
    (
        "Traders see a range ahead for the euro against the dollar",
        &["EUR", "USD"],
    ),
];

/// Two headlines per weekday, oldest first.
pub fn headlines() -> Vec<Headline> {
    let mut chance = Chance::new(31);
    let mut out = Vec::new();
    let days = (0..365).filter_map(|day| Some(session::date(2017, 1, 1)? + day));
    for date in days.filter(|date| session::weekday(*date) < 5) {
        for (part, hour) in [("a", 4), ("b", 10)] {
            let minute = chance.within(0, 59);
            let at = session::new_york(date, hour + chance.within(0, 4), minute);
            let Some((text, currencies)) = chance.one(&TEXTS) else {
                continue;
            };
            out.push(Headline {
                id: format!("made-up-{}-{part}", at.day()),
                published_at: at,
                source: "made up".to_owned(),
                text: (*text).to_owned(),
                currencies: currencies.iter().map(|name| (*name).to_owned()).collect(),
                synthetic: true,
            });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_say_that_they_are_made_up() {
        let all = headlines();
        assert_eq!(all.len(), 520);
        assert!(
            all.iter()
                .all(|headline| headline.synthetic && headline.source == "made up")
        );
        assert!(all.is_sorted_by(|a, b| a.published_at < b.published_at));
        let ids: std::collections::HashSet<_> = all.iter().map(|headline| &headline.id).collect();
        assert_eq!(ids.len(), all.len());
    }
}
