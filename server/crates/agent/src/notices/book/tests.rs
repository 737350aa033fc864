//! Notices are raised in time, resolved in time, and raised once.

use std::time::Duration;

use protocol::Acknowledged;

use super::*;

/// Raised after 60 s, resolved after 120 s.
const TIMES: NoticeTimes = NoticeTimes {
    hold: Duration::from_secs(60),
    clear: Duration::from_secs(120),
};

fn at(seconds: i64) -> Timestamp {
    Timestamp(seconds * 1000)
}

fn condition(key: &str, grave: bool, text: &str) -> Condition {
    Condition {
        key: key.to_owned(),
        kind: "kind",
        grave,
        about: "it".to_owned(),
        text: text.to_owned(),
        happened: None,
    }
}

/// The findings of one survey about the one condition of these tests.
#[derive(Clone, Copy)]
enum Look {
    /// The condition is there.
    Bad,
    /// It is there and grave.
    Worse,
    /// It is gone.
    Good,
    /// Nobody can say.
    Unknown,
}

use Look::{Bad, Good, Unknown, Worse};

fn survey(look: Look) -> Survey {
    let holds = |grave, text| Survey {
        holds: vec![condition("a", grave, text)],
        ..Survey::default()
    };
    match look {
        Bad => holds(false, "bad"),
        Worse => holds(true, "worse"),
        Good => Survey::default(),
        Unknown => Survey {
            unknown: BTreeSet::from(["a".to_owned()]),
            ..Survey::default()
        },
    }
}

/// Surveys at these seconds; returns the changes with their times.
fn told(book: &mut NoticeBook, looks: &[(i64, Look)]) -> Vec<String> {
    let mut lines = Vec::new();
    let mut id = 0;
    for (second, look) in looks {
        let mut new_id = || {
            id += 1;
            NoticeId::new(at(*second), id)
        };
        for change in book.look(survey(*look), at(*second), &mut new_id) {
            lines.push(match change {
                NoticeChange::Raised(notice) => {
                    format!(
                        "{second}: raised {} since {}",
                        notice.text,
                        notice.since.0 / 1000
                    )
                }
                NoticeChange::Changed(notice) => format!("{second}: now {}", notice.text),
                NoticeChange::Ended(notice) => format!(
                    "{second}: ended {}, gone since {}",
                    notice.text,
                    notice.ended.map_or(0, |at| at.0 / 1000)
                ),
            });
        }
    }
    lines
}

#[test]
fn each_is_told_once_and_what_flaps_is_damped() {
    for (what, looks, expect) in [
        (
            "a short one is not told",
            vec![(0, Bad), (30, Bad), (40, Good), (200, Good)],
            vec![],
        ),
        (
            "one that lasts is told once, and ends when it was gone for a while",
            vec![
                (0, Bad),
                (30, Bad),
                (60, Bad),
                (90, Bad),
                (100, Good),
                (219, Good),
                (220, Good),
                (300, Good),
            ],
            vec!["60: raised bad since 0", "220: ended bad, gone since 100"],
        ),
        (
            "one that flaps is told once, when it has held for long enough in all",
            vec![
                (0, Bad),
                (30, Bad),
                (40, Good),
                (60, Bad),
                (90, Bad),
                (100, Good),
                (130, Bad),
                (140, Good),
                (250, Bad),
            ],
            vec!["90: raised bad since 0"],
        ),
        (
            "blips that lie far apart are never told",
            vec![
                (0, Bad),
                (50, Bad),
                (60, Good),
                (180, Good),
                (190, Bad),
                (240, Bad),
            ],
            vec![],
        ),
        (
            "no time passes while nobody knows",
            vec![
                (0, Bad),
                (10, Unknown),
                (500, Unknown),
                (510, Bad),
                (560, Bad),
                (570, Bad),
                (580, Good),
                (600, Unknown),
                (800, Good),
                (900, Good),
                (920, Good),
            ],
            vec!["570: raised bad since 0", "920: ended bad, gone since 800"],
        ),
        (
            "what comes back later is told again",
            vec![
                (0, Bad),
                (60, Bad),
                (70, Good),
                (190, Good),
                (200, Bad),
                (260, Bad),
            ],
            vec![
                "60: raised bad since 0",
                "190: ended bad, gone since 70",
                "260: raised bad since 200",
            ],
        ),
        (
            "what becomes grave is told once more, and only once",
            vec![(0, Bad), (60, Bad), (70, Worse), (80, Bad), (90, Worse)],
            vec![
                "60: raised bad since 0",
                "70: ended bad, gone since 70",
                "70: raised worse since 70",
                "80: now bad",
                "90: now worse",
            ],
        ),
        (
            "one that goes on is noted now and then",
            vec![(0, Bad), (60, Bad), (300, Bad), (660, Bad), (700, Bad)],
            vec!["60: raised bad since 0", "660: now bad"],
        ),
        (
            "a clock that is set back ends nothing and tells nothing",
            vec![(100, Bad), (40, Bad), (90, Bad), (101, Bad)],
            vec!["101: raised bad since 100"],
        ),
    ] {
        let mut book = NoticeBook::new("s", TIMES, Vec::new());
        assert_eq!(told(&mut book, &looks), expect, "{what}");
    }
}

#[test]
fn what_happened_is_told_at_once() {
    let mut book = NoticeBook::new("s", TIMES, Vec::new());
    let failed = Survey {
        holds: vec![Condition {
            happened: Some(at(5)),
            ..condition("task/1", false, "failed")
        }],
        ..Survey::default()
    };
    let id = || NoticeId::new(at(0), 1);
    let changes = book.look(failed.clone(), at(9), id);
    let [NoticeChange::Raised(notice)] = &changes[..] else {
        panic!("{changes:?}");
    };
    assert_eq!((notice.since, notice.seen), (at(5), at(9)));
    assert_eq!(book.look(failed, at(10), id), []);
}

#[test]
fn what_was_settled_ends_at_once_and_nothing_else_does() {
    let id = || NoticeId::new(at(0), 1);
    let both = Survey {
        holds: vec![condition("a", false, "a"), condition("b", false, "b")],
        ..Survey::default()
    };
    let settled = |holds: Vec<Condition>| Survey {
        holds,
        settled: BTreeSet::from(["a".to_owned()]),
        ..Survey::default()
    };
    let mut book = NoticeBook::new("s", TIMES, Vec::new());
    book.look(both.clone(), at(0), id);
    assert_eq!(book.look(both, at(60), id).len(), 2);
    // A condition that is there is there, whatever else the survey says.
    assert_eq!(
        book.look(settled(vec![condition("a", false, "a")]), at(70), id),
        []
    );
    let changes = book.look(settled(Vec::new()), at(80), id);
    let [NoticeChange::Ended(notice)] = &changes[..] else {
        panic!("{changes:?}");
    };
    assert_eq!((&*notice.key, notice.ended), ("a", Some(at(80))));
    assert_eq!(book.keys(), BTreeSet::from(["b".to_owned()]));
}

#[test]
fn a_restart_tells_nothing_twice() {
    let mut before = NoticeBook::new("s", TIMES, Vec::new());
    let id = || NoticeId::new(at(0), 1);
    before.look(survey(Bad), at(0), id);
    let raised = before.look(survey(Bad), at(60), id);
    let mut notice = raised[0].notice().clone();
    notice.acknowledged = Some(Acknowledged {
        by: "Ada".to_owned(),
        at: at(61),
    });
    let mut after = NoticeBook::new("s", TIMES, vec![notice.clone()]);
    assert_eq!(after.look(survey(Bad), at(70), id), []);
    assert_eq!(after.look(survey(Good), at(80), id), []);
    let ended = Notice {
        seen: at(70),
        ended: Some(at(80)),
        ..notice
    };
    let changes = after.look(survey(Good), at(200), id);
    assert_eq!(changes, [NoticeChange::Ended(ended)]);
    assert!(after.keys().is_empty());
}

#[test]
fn a_flood_is_bounded() {
    let mut book = NoticeBook::new("s", TIMES, Vec::new());
    let keys = (0..MOST + 50).map(|n| condition(&n.to_string(), false, "x"));
    let flood = Survey {
        holds: keys.collect(),
        ..Survey::default()
    };
    book.look(flood, at(0), || NoticeId::new(at(0), 1));
    assert_eq!(book.keys().len(), MOST);
}
