//! The person's word: a table of who said what, in which form, through which channel, and the
//! verdict.

mod imported;
mod play;

use play::play;

/// `verdict[=source] tool value <- channel: text | channel: text …`; `⏎` is a line's end.
const CASES: &str = include_str!("word/cases.txt");

/// One line of the table.
#[derive(Debug)]
struct Case<'a> {
    line: &'a str,
    /// `act`, `ask`, or `closed` where no call comes about.
    verdict: &'a str,
    /// The source of the value on the card.
    source: Option<&'a str>,
    tool: &'a str,
    value: String,
    steps: Vec<(&'a str, String)>,
}

impl<'a> Case<'a> {
    fn read(line: &'a str) -> Self {
        let (head, steps) = line.split_once(" <- ").expect(line);
        let mut head = head.split_whitespace();
        let verdict = head.next().expect(line);
        let (verdict, source) = match verdict.split_once('=') {
            Some((verdict, source)) => (verdict, Some(source)),
            None => (verdict, None),
        };
        let lines = |text: &str| text.replace('⏎', "\n");
        let step = |step: &'a str| {
            let (channel, text) = step.split_once(':').expect(line);
            (channel.trim(), lines(text.trim()))
        };
        Self {
            line,
            verdict,
            source,
            tool: head.next().expect(line),
            value: lines(&head.collect::<Vec<_>>().join(" ")),
            steps: steps.split(" | ").map(step).collect(),
        }
    }
}

#[tokio::test(start_paused = true)]
async fn whose_word_it_is() {
    let lines = CASES
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'));
    let cases: Vec<_> = lines.map(Case::read).collect();
    assert!(cases.len() >= 200, "{}", cases.len());
    let mut wrong = Vec::new();
    for case in &cases {
        let (verdict, source) = play(case).await;
        let as_said = case.source.is_none() || case.source == source.as_deref();
        if verdict != case.verdict || !as_said {
            wrong.push(format!("{verdict} {source:?}: {}", case.line));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {}:\n{}",
        wrong.len(),
        cases.len(),
        wrong.join("\n")
    );
}
