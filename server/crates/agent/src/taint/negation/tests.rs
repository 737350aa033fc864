//! Messages that say to leave something alone, as tables: English and German.

use std::sync::Arc;

use super::super::{
    attitude::{Attitude, attitude},
    words::{Mention, WordSet},
};

use super::{Clauses, Force};
use crate::ports::Case;

/// Says of each value how the message speaks of it: `+` named, `-` excluded, `0` not at all.
fn check(text: &str, expect: &[(&str, char)]) {
    let words = WordSet::new(text.to_owned(), std::iter::empty());
    for (value, expect) in expect {
        let got = match words.mention(value, Case::Ignored) {
            Mention::Named(Force::Asks) => '?',
            Mention::Named(_) => '+',
            Mention::Excluded => '-',
            Mention::None => '0',
        };
        assert_eq!(got, *expect, "{value} in {text:?}");
    }
}

#[test]
fn orders_in_english_name_what_they_are_about() {
    for text in [
        "Restart smbd",
        "Please restart smbd on nas.",
        "restart smbd!",
        "Can you restart smbd?",
        "smbd is not running, restart it",
        "smbd isn't running. Restart it.",
        "smbd is not responding",
        "smbd doesn't answer; please restart it",
        "smbd doesn't start, try a restart",
        "smbd does not send anything. Restart it.",
        "smbd doesn't deliver any more, restart it",
        "smbd isn't receiving. Restart it.",
        "smbd won't start",
        "smbd has not started since noon, restart it",
        "smbd does not seem to be running",
        "I can't reach smbd, restart it please",
        "I cannot connect to smbd",
        "There is no answer from smbd, restart it",
        "smbd no longer answers, restart it",
        "smbd and nmbd don't respond, restart smbd",
        "Nothing works since smbd hangs, restart it",
        "Don't worry, just restart smbd",
        "Don't forget to restart smbd",
        "Don't hesitate to restart smbd",
        "Never mind the log, restart smbd",
        "Why not restart smbd?",
        "No, restart smbd",
        "I'm not sure, restart smbd and see",
        "Wait for the backup to end, then restart smbd",
        "Keep me posted and restart smbd",
        "Keep an eye on smbd after you restart it",
        "smbd keeps crashing, restart it",
        "The restart did not help, restart smbd again",
        "smbd stays down, restart it",
        "Restart smbd, it isn't working properly",
        "restart smbd; it is stuck",
        "I don't know what is wrong, restart smbd",
        "smbd’s shares aren’t reachable. Restart smbd.",
    ] {
        check(text, &[("smbd", '+')]);
    }
}

#[test]
fn prohibitions_in_english_exclude_what_they_are_about() {
    for text in [
        "Never restart smbd",
        "never ever restart smbd",
        "Don't restart smbd",
        "Don’t restart smbd",
        "dont restart smbd",
        "Do not restart smbd",
        "Please do not touch smbd.",
        "Do not start smbd",
        "Do not send smbd a restart",
        "smbd should not deliver that now",
        "You must not restart smbd",
        "You mustn't restart smbd",
        "smbd must not be restarted",
        "smbd should not be touched",
        "smbd shouldn't be restarted now",
        "smbd may not be restarted",
        "smbd can't be restarted now",
        "smbd cannot be restarted during the day",
        "smbd is not to be restarted",
        "smbd: never restart",
        "smbd, don't touch!",
        "smbd - hands off",
        "Hands off smbd",
        "Leave smbd alone",
        "leave smbd as it is",
        "Leave smbd running",
        "Keep smbd running",
        "Keep smbd up whatever happens",
        "Let smbd be",
        "Let smbd alone",
        "Stay away from smbd",
        "smbd must stay up",
        "smbd stays as it is",
        "Avoid restarting smbd",
        "Refrain from restarting smbd",
        "Stop restarting smbd",
        "Hold off on smbd",
        "Ignore smbd",
        "Skip smbd",
        "Spare smbd",
        "Forget smbd",
        "Cancel the restart of smbd",
        "Wait with smbd",
        "No restart of smbd today",
        "There is no need to restart smbd",
        "You needn't restart smbd",
        "smbd is off limits",
        "smbd is forbidden",
        "Restart everything except smbd",
        "Restart everything but smbd",
        "Restart all services, but not smbd",
        "Restart all of them other than smbd",
        "Restart all services apart from smbd",
        "Restart nothing but smbd",
        "Restart the services without smbd",
        "Restart nginx instead of smbd",
        "Restart nginx rather than smbd",
        "Restart neither nginx nor smbd",
        "Unless I say so, smbd keeps running",
        "Tell me why smbd is slow without restarting it",
        "Look at smbd, but don't restart it",
        "Look at smbd but leave it alone",
        "Check smbd and do not restart it",
        "Check smbd. Don't restart it.",
        "smbd serves the whole family. Never restart it!",
        "Never restart these:\n- nginx\n- smbd",
        "Do not touch: nginx, smbd, postfix",
        "Don't restart nginx, smbd or postfix",
        "Is smbd well? Do not restart anything.\nsmbd must not go down.",
        "What happens if I don't restart smbd?",
        "smbd isn't running, but don't start it",
    ] {
        check(text, &[("smbd", '-')]);
    }
}

#[test]
fn german_has_both_too() {
    for text in [
        "Starte smbd neu",
        "Bitte smbd neu starten",
        "Kannst du smbd neu starten?",
        "smbd läuft nicht, starte ihn neu",
        "smbd antwortet nicht mehr",
        "smbd reagiert nicht. Neu starten bitte.",
        "smbd ist nicht erreichbar, bitte neu starten",
        "smbd startet nicht",
        "Ich kann smbd nicht erreichen",
        "smbd meldet sich nicht",
        "Von smbd kommt keine Antwort, starte ihn neu",
        "Ich weiß nicht, was los ist, starte smbd neu",
        "Warum nicht smbd neu starten?",
        "Lass uns smbd neu starten",
        "Der smbd-Dienst hängt, starte ihn neu",
        "Es hilft nichts, starte smbd neu",
    ] {
        check(text, &[("smbd", '+')]);
    }
    for text in [
        "Starte smbd nicht neu",
        "smbd nicht neu starten",
        "smbd bitte nicht anfassen",
        "smbd darf nicht neu gestartet werden",
        "smbd soll nicht neu gestartet werden",
        "Starte niemals smbd neu",
        "smbd nie neu starten",
        "Auf keinen Fall smbd neu starten",
        "Kein Neustart von smbd",
        "Lass smbd in Ruhe",
        "Lass smbd laufen",
        "Lasse smbd so, wie er ist",
        "Finger weg von smbd",
        "Starte alles außer smbd neu",
        "Starte alles neu, ausser smbd",
        "Starte alle Dienste ohne smbd neu",
        "Alles bis auf smbd neu starten",
        "Alles mit Ausnahme von smbd neu starten",
        "Starte nginx statt smbd neu",
        "Starte nginx neu, nicht smbd",
        "Starte nginx neu, aber nicht smbd",
        "Verzichte auf einen Neustart von smbd",
        "Vermeide einen Neustart von smbd",
        "smbd ist tabu",
        "smbd bleibt an",
        "Weder nginx noch smbd neu starten",
        "Schau dir smbd an, aber starte ihn nicht neu",
        "Schau dir smbd an. Starte ihn nicht neu.",
        "Warte mit smbd",
        "Ignoriere smbd",
        "Auf smbd nichts machen",
        "Bloß nicht smbd anfassen!",
    ] {
        check(text, &[("smbd", '-')]);
    }
}

#[test]
fn a_clause_says_no_for_what_it_names_alone() {
    for (text, expect) in [
        (
            "Restart smbd but not nginx",
            [("smbd", '+'), ("nginx", '-')],
        ),
        ("Restart smbd, not nginx", [("smbd", '+'), ("nginx", '-')]),
        (
            "Restart smbd and not nginx",
            [("smbd", '+'), ("nginx", '-')],
        ),
        (
            "Restart smbd, but leave nginx alone",
            [("smbd", '+'), ("nginx", '-')],
        ),
        (
            "Restart smbd and leave nginx alone",
            [("smbd", '+'), ("nginx", '-')],
        ),
        (
            "Restart smbd, don't touch nginx",
            [("smbd", '+'), ("nginx", '-')],
        ),
        (
            "Restart smbd instead of nginx",
            [("smbd", '+'), ("nginx", '-')],
        ),
        (
            "Instead of nginx, restart smbd",
            [("smbd", '+'), ("nginx", '-')],
        ),
        (
            "Restart smbd. Never restart nginx.",
            [("smbd", '+'), ("nginx", '-')],
        ),
        (
            "Don't restart nginx. Restart smbd.",
            [("smbd", '+'), ("nginx", '-')],
        ),
        (
            "Restart smbd. Don't touch nginx under any circumstances.",
            [("smbd", '+'), ("nginx", '-')],
        ),
        (
            "Starte smbd neu. nginx auf gar keinen Fall neu starten.",
            [("smbd", '+'), ("nginx", '-')],
        ),
        (
            "Starte smbd neu, aber nicht nginx",
            [("smbd", '+'), ("nginx", '-')],
        ),
        (
            "Starte smbd neu und lass nginx in Ruhe",
            [("smbd", '+'), ("nginx", '-')],
        ),
        (
            "Starte smbd neu statt nginx",
            [("smbd", '+'), ("nginx", '-')],
        ),
        (
            "nginx nicht, aber smbd neu starten",
            [("smbd", '+'), ("nginx", '-')],
        ),
        // In doubt it is left alone.
        (
            "Don't restart nginx, restart smbd",
            [("smbd", '-'), ("nginx", '-')],
        ),
        (
            "Restart smbd on nas. Don't restart smbd on pve.",
            [("smbd", '-'), ("nas", '+')],
        ),
        ("Restart smbd on nas", [("smbd", '+'), ("nginx", '0')]),
    ] {
        check(text, &expect);
    }
}

#[test]
fn a_message_may_take_back_what_was_said_before() {
    for (text, expect) in [
        ("No.", true),
        ("No, leave it", true),
        ("Don't.", true),
        ("Please don't do that", true),
        ("Wait, leave it alone", true),
        ("Stop", true),
        ("Nein", true),
        ("Nein, lass das", true),
        ("Lass es", true),
        ("Nicht neu starten", true),
        ("Yes", false),
        ("Go ahead", false),
        ("Thanks, go on", false),
        ("It isn't running", false),
        ("Don't touch nginx", false),
        ("Ja, mach das", false),
        ("Never mind, go on", false),
    ] {
        assert_eq!(Clauses::of(text).takes_back, expect, "{text}");
    }
}

const EXCLUDED: &str = include_str!("excluded.txt");
const NAMED: &str = include_str!("named.txt");
const ASKED: &str = include_str!("asked.txt");
const TAKEN_BACK: &str = include_str!("taken_back.txt");

fn message(text: &str) -> Arc<WordSet> {
    Arc::new(WordSet::new(text.to_owned(), std::iter::empty()))
}

fn lines(list: &str) -> impl Iterator<Item = &str> {
    list.lines().filter(|line| !line.starts_with('#'))
}

#[test]
fn the_tables_of_messages_about_smbd() {
    for (list, expect) in [(EXCLUDED, '-'), (NAMED, '+'), (ASKED, '?')] {
        for text in lines(list) {
            check(text, &[("smbd", expect)]);
        }
    }
    for text in lines(TAKEN_BACK) {
        let messages = ["Restart smbd", text].map(message);
        let found = attitude(&messages, "smbd", Case::Ignored);
        assert_eq!(found, Attitude::Excluded, "{text}");
    }
}

#[test]
fn a_newer_message_lifts_a_prohibition_only_by_an_order() {
    use Attitude::{Asked, Excluded, Named};
    for (messages, expect) in [
        ("Never restart smbd | Is smbd up?", Excluded),
        ("Never restart smbd | How is smbd doing", Excluded),
        ("Never restart smbd | smbd hangs", Excluded),
        ("Never restart smbd | What about smbd | Go on", Excluded),
        ("Restart smbd | Stop it!", Excluded),
        ("Restart smbd | No | Is smbd up?", Excluded),
        ("Never restart smbd | Can you restart smbd?", Excluded),
        (
            "Never restart smbd | smbd was restarted yesterday",
            Excluded,
        ),
        ("Never restart smbd | smbd won't start", Excluded),
        ("Never restart smbd | Why did smbd restart?", Excluded),
        ("Never restart smbd | smbd restarts all the time", Excluded),
        ("Don't touch anything | smbd hangs", Excluded),
        ("smbd hangs | Don't restart Samba", Excluded),
        ("Never restart smbd | Now restart smbd", Named),
        ("Is smbd on pve up?", Asked),
        ("Is smbd on pve up? | Thanks", Asked),
        ("Is smbd on pve up? | Restart nginx", Asked),
        ("Never restart smbd | OK restart smbd", Named),
        ("Never restart smbd | You may restart smbd now", Named),
        (
            "Never restart smbd | All right, smbd can be restarted now",
            Named,
        ),
        ("Don't restart smbd yet | Go, restart smbd now", Named),
        ("Restart smbd | No problem, go on", Named),
        ("Restart smbd | Thanks", Named),
        ("Restart smbd | Is smbd up again?", Named),
        ("Is smbd dead? | Yes, restart it", Named),
        ("Is smbd dead? | Do it", Named),
        ("Is smbd dead? | then give it a restart", Named),
        ("Läuft smbd? | Dann starte ihn neu", Named),
        ("Läuft smbd? | Bitte neu starten", Named),
        ("Check smbd | Restart it please", Named),
        ("Is smbd dead? | Yes please restart", Named),
        ("Is smbd dead? | yes, go ahead and restart it", Named),
        ("Is smbd dead? | ok restart", Named),
        ("Why is smbd not delivered?", Asked),
        ("Why is smbd not delivered? | Please deliver smbd", Named),
        ("Leave smbd alone | Please deliver smbd", Named),
        ("Never deliver smbd | Now deliver smbd", Named),
        ("Niemals smbd liefern | Liefere smbd", Named),
        ("Deliver smbd | Never touch nginx", Named),
        ("Never deliver smbd | They deliver smbd today", Excluded),
        ("Never deliver smbd | Deliver me the log of smbd", Excluded),
        ("Never deliver smbd | Deliver smbd?", Excluded),
        ("Never deliver smbd | Deliver nginx", Excluded),
        ("Deliver smbd | Stop it", Excluded),
        ("Deliver smbd | Don't deliver smbd", Excluded),
        ("Why isn't smbd started? | Start it", Named),
        ("Is smbd up? | Why doesn't it start?", Asked),
        ("Never restart smbd | Why is smbd not restarted?", Excluded),
        (
            "Leave smbd alone | Why is smbd not delivered? | smbd is late",
            Excluded,
        ),
        (
            "Why is smbd not delivered? | Leave smbd alone | Is smbd late?",
            Excluded,
        ),
        ("Why is smbd not restarted? | Don't restart it", Excluded),
        ("Why is smbd not restarted? | No, leave it", Excluded),
        ("Warum läuft smbd nicht? | Lass smbd in Ruhe", Excluded),
    ] {
        let messages: Vec<_> = messages.split(" | ").map(message).collect();
        let found = attitude(&messages, "smbd", Case::Ignored);
        assert_eq!(found, expect, "{messages:?}");
    }
}

#[test]
fn a_pasted_line_orders_nothing_and_is_read_at_once() {
    let pasted = "started restarted not sure smbd ".repeat(5_000);
    let text = format!("Restart nginx.\n{pasted}");
    check(&text, &[("smbd", '-'), ("nginx", '+')]);
}
