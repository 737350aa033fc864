//! Conditions worth a notice in a picture: approvals that wait, money overdue, stock below zero, a
//! failed queue, a site that cannot be read.
//!
//! Pure: from the parts of a board to conditions. A condition that cannot be checked now is
//! reported as unknown, so that it neither raises nor resolves a notice.

use std::collections::BTreeSet;

use agent::ports::{Condition, Picture, Survey};
use erp_wire::{DocumentsPart, ErpHealthPart, ShortagesPart};
use protocol::{Known, Timestamp};
use rust_decimal::Decimal;
use serde::Deserialize;

use crate::{
    config::{ErpNoticeKind, ErpNotices},
    decimal::decimal,
    shown,
    texts::conditions as say,
};

/// Limit for names in a sentence, which come from the site.
const MAX_CHARS: usize = 300;
const MILLISECONDS_PER_HOUR: i64 = 3_600_000;

/// One survey in progress: a picture, the conditions that held before, and those found.
struct ErpSurvey<'a> {
    notices: &'a ErpNotices,
    picture: &'a Picture,
    known: &'a BTreeSet<String>,
    now: Timestamp,
    survey: Survey,
}

pub(super) fn survey(
    notices: &ErpNotices,
    picture: &Picture,
    known: &BTreeSet<String>,
    now: Timestamp,
) -> Survey {
    let mut look = ErpSurvey {
        notices,
        picture,
        known,
        now,
        survey: Survey::default(),
    };
    if look.reaches() {
        look.approvals();
        look.overdue("receivables", say::RECEIVABLES, say::receivables);
        look.overdue("payables", say::PAYABLES, say::payables);
        look.stock();
    }
    look.survey
}

/// True if the site could be read when this picture was made; none if nobody has tried.
pub(super) fn answers(picture: &Picture) -> Option<bool> {
    let health = ErpHealthPart::deserialize(picture.get("health")?).ok()?;
    Some(health.trouble.is_none())
}

impl ErpSurvey<'_> {
    /// True if the site can be read. If it cannot, every other condition is unknown.
    fn reaches(&mut self) -> bool {
        const AWAY: &str = "erp/connection";
        const RIGHTS: &str = "erp/rights";
        const QUEUE: &str = "queue/failed";
        let Some(health) = self.read::<ErpHealthPart>("health") else {
            self.survey.unknown = self.known.clone();
            return false;
        };
        if let Some(reason) = &health.trouble {
            self.survey.unknown = self.known.clone();
            self.survey.unknown.remove(AWAY);
            let text = say::does_not_answer(reason);
            self.add(AWAY, ErpNoticeKind::Erp, true, say::THE_ERP, text);
            return false;
        }
        if !health.missing.is_empty() {
            let text = say::rights_missing(&health.missing.join(", "));
            self.add(RIGHTS, ErpNoticeKind::Erp, false, say::THE_ERP, text);
        }
        match health.queue_failed {
            Known::Value(0) => {}
            Known::Value(count) => {
                let text = say::failed_in_queue(count);
                self.add(QUEUE, ErpNoticeKind::Queue, true, say::QUEUE, text);
            }
            Known::Unknown { .. } => self.unsure_of_all(QUEUE),
        }
        true
    }

    fn approvals(&mut self) {
        let Some(rows) = self
            .documents("approvals")
            .and_then(|part| listed(part.rows))
        else {
            return self.unsure_of_all("approval/");
        };
        for row in rows {
            let Some(since) = row.since else { continue };
            let hours = (self.now.0 - since.0) / MILLISECONDS_PER_HOUR;
            if hours < i64::from(self.notices.approval_hours) {
                continue;
            }
            let key = format!("approval/{}/{}", row.doctype, row.name);
            let about = format!("{} {}", row.doctype, row.name);
            let text = say::waits(&row.doctype, &row.name, hours);
            self.add(&key, ErpNoticeKind::Approval, false, &about, text);
        }
    }

    fn overdue(&mut self, part: &str, about: &str, text: fn(&str, u32) -> String) {
        let prefix = format!("overdue/{part}/");
        // More than were read is unknown too: the sum is that of some.
        let Some(DocumentsPart {
            rows: Known::Value(_),
            count: Some(_),
            sums,
            ..
        }) = self.documents(part)
        else {
            return self.unsure_of_all(&prefix);
        };
        let limit = self.notices.overdue_amount;
        for sum in sums {
            let amount = decimal(&sum.text.as_str().into());
            if amount.is_some_and(|amount| amount > Decimal::from(limit)) {
                let text = text(&shown::in_words(&sum), limit);
                let currency = sum.unit.unwrap_or_default();
                let key = format!("{prefix}{currency}");
                self.add(&key, ErpNoticeKind::Overdue, false, about, text);
            }
        }
    }

    fn stock(&mut self) {
        let part = self.read::<ShortagesPart>("shortages");
        let current = part.filter(|part| part.trouble.is_none());
        let Some(rows) = current.and_then(|part| listed(part.rows)) else {
            return self.unsure_of_all("stock/");
        };
        for row in rows.into_iter().filter(|row| row.is_negative) {
            let unit = row.stock.unit.unwrap_or_default();
            let stock = format!("{} {unit}", row.stock.text);
            let text = say::negative_stock(&row.item, &row.warehouse, stock.trim_end());
            let key = format!("stock/{}/{}", row.item, row.warehouse);
            self.add(&key, ErpNoticeKind::Stock, true, &row.item, text);
        }
    }

    fn add(&mut self, key: &str, kind: ErpNoticeKind, grave: bool, about: &str, text: String) {
        if self.notices.off.contains(&kind) {
            return;
        }
        self.survey.holds.push(Condition {
            key: key.to_owned(),
            kind: kind.word(),
            grave,
            about: about.chars().take(MAX_CHARS).collect(),
            text: text.chars().take(MAX_CHARS).collect(),
            happened: None,
        });
    }

    /// Marks all known conditions with this prefix as unknown.
    fn unsure_of_all(&mut self, prefix: &str) {
        let known = self.known.iter().filter(|key| key.starts_with(prefix));
        self.survey.unknown.extend(known.cloned());
    }

    /// A list that is current.
    fn documents(&self, key: &str) -> Option<DocumentsPart> {
        let part = self.read::<DocumentsPart>(key)?;
        part.trouble.is_none().then_some(part)
    }

    fn read<'b, T: Deserialize<'b>>(&'b self, key: &str) -> Option<T> {
        T::deserialize(self.picture.get(key)?).ok()
    }
}

fn listed<T>(rows: Known<Vec<T>>) -> Option<Vec<T>> {
    match rows {
        Known::Value(rows) => Some(rows),
        Known::Unknown { .. } => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    const NOW: Timestamp = Timestamp(1_795_275_004_000);

    fn health() -> Value {
        json!({
            "site": "erp.lan", "user": "agent", "clock_offset": 0, "last_posting": {"unknown": "-"},
            "balanced": true, "balance_days": 30, "queue_failed": 0, "missing": [], "companies": [],
        })
    }

    fn picture(parts: &[(&str, Value)]) -> Picture {
        let given = parts.iter().cloned();
        let mut picture = Picture::from([("health".to_owned(), health())]);
        picture.extend(given.map(|(key, part)| (key.to_owned(), part)));
        picture
    }

    fn keys(notices: &ErpNotices, parts: &[(&str, Value)], known: &[&str]) -> [Vec<String>; 2] {
        let known = known.iter().map(|&key| key.to_owned()).collect();
        let found = survey(notices, &picture(parts), &known, NOW);
        let holds = found.holds.into_iter().map(|it| it.key).collect();
        [holds, found.unknown.into_iter().collect()]
    }

    #[test]
    fn each_kind_is_raised_resolved_unknown_and_off() {
        let waiting = |hours: i64| {
            let since = NOW.0 - hours * MILLISECONDS_PER_HOUR;
            json!({"rows": [{"doctype": "Purchase Order", "name": "P/1", "since": since}], "count": 1})
        };
        let owed =
            |sum: &str| json!({"rows": [], "count": 1, "sums": [{"text": sum, "unit": "EUR"}]});
        let short = |stock: &str, is_negative: bool| {
            json!({"rows": [{
                "item": "FRAME", "warehouse": "Raw", "stock": {"text": stock},
                "projected": {"text": "-9"}, "is_negative": is_negative,
            }]})
        };
        let queue = |count: Value| {
            let mut health = health();
            health["queue_failed"] = count;
            health
        };
        let missing = || {
            let mut health = health();
            health["missing"] = json!(["GL Entry"]);
            health
        };
        let unknown = || json!({"rows": {"unknown": "not permitted"}});
        let stale = || {
            let mut part = waiting(30);
            part["trouble"] = json!("no answer");
            part
        };
        let cut = || json!({"rows": [], "sums": []});
        for (part, raised, resolved, unsure, key, kind) in [
            (
                "approvals",
                waiting(25),
                waiting(23),
                stale(),
                "approval/Purchase Order/P/1",
                ErpNoticeKind::Approval,
            ),
            (
                "receivables",
                owed("10000.01"),
                owed("10000.00"),
                cut(),
                "overdue/receivables/EUR",
                ErpNoticeKind::Overdue,
            ),
            (
                "payables",
                owed("20000"),
                json!({"rows": [], "count": 0}),
                unknown(),
                "overdue/payables/EUR",
                ErpNoticeKind::Overdue,
            ),
            (
                "shortages",
                short("-1", true),
                short("1", false),
                unknown(),
                "stock/FRAME/Raw",
                ErpNoticeKind::Stock,
            ),
            (
                "health",
                queue(json!(2)),
                health(),
                queue(json!({"unknown": "not permitted"})),
                "queue/failed",
                ErpNoticeKind::Queue,
            ),
            (
                "health",
                missing(),
                health(),
                json!("?"),
                "erp/rights",
                ErpNoticeKind::Erp,
            ),
        ] {
            let on = ErpNotices::default();
            let off = ErpNotices {
                off: vec![kind],
                ..on.clone()
            };
            let others = [
                ("approvals", json!({"rows": []})),
                ("shortages", json!({"rows": []})),
            ];
            let with = |value: &Value| {
                let mut parts = others.to_vec();
                parts.push((part, value.clone()));
                parts
            };
            let hold = [vec![key.to_owned()], Vec::new()];
            let nothing: [Vec<String>; 2] = [Vec::new(), Vec::new()];
            assert_eq!(keys(&on, &with(&raised), &[key]), hold, "{key}");
            assert_eq!(keys(&on, &with(&resolved), &[key]), nothing, "{key}");
            assert_eq!(keys(&off, &with(&raised), &[key]), nothing, "{key}");
            let unsure_of = [Vec::new(), vec![key.to_owned()]];
            assert_eq!(keys(&on, &with(&unsure), &[key]), unsure_of, "{key}");
        }
    }

    #[test]
    fn a_site_that_is_away_says_nothing_about_the_rest() {
        let mut health = health();
        health["trouble"] = json!("no answer");
        let on = ErpNotices::default();
        let known = ["stock/a/b", "erp/connection"];
        let found = keys(&on, &[("health", health)], &known);
        let expect = [
            vec!["erp/connection".to_owned()],
            vec!["stock/a/b".to_owned()],
        ];
        assert_eq!(found, expect);
        let found = survey(
            &on,
            &Picture::new(),
            &BTreeSet::from(["stock/a/b".to_owned()]),
            NOW,
        );
        assert!(found.holds.is_empty() && found.unknown.len() == 1);
    }
}
