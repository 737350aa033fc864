//! `dig` of BIND with answers, comments and statistics.

use std::fmt::Write as _;
use std::net::Ipv4Addr;

use super::{OfficeRun, ProgramOutput, day_and_time};
use crate::office::names::{self, NameAnswer};
use crate::step::OfficeStep;

/// Milliseconds that a server is waited for.
const PATIENCE: f64 = 2000.0;
/// Exit code when no server has answered.
const NO_REPLY: i32 = 9;

pub(super) fn run(run: &mut OfficeRun, step: &OfficeStep) -> ProgramOutput {
    let name = step.name.as_deref().unwrap_or_default();
    let kind = step.record.as_deref().unwrap_or("A");
    let at_server = step
        .server
        .as_deref()
        .map(|it| format!("@{it}"))
        .unwrap_or_default();
    let output =
        ProgramOutput::of("/usr/bin/dig -r +time=2 +tries=1 +noall +answer +comments +stats")
            .words(&[&at_server, "-t", kind, "-q", name]);
    let servers = match step.server.as_deref().map(str::parse) {
        None => run.device.servers(),
        Some(Ok(server)) => vec![server],
        Some(Err(_)) => {
            let message = "dig: couldn't get address for the server: not found\n";
            return output.failed(10, message);
        }
    };
    let mut text = String::new();
    let mut waited = 0.0;
    for server in servers {
        let at_ms = run.at_ms + waited as u64;
        match run
            .answer_time(server, name, at_ms)
            .filter(|it| *it < PATIENCE)
        {
            Some(time) => {
                let question = DigQuestion { name, kind, server };
                let at_ms = at_ms + time as u64;
                text.push_str(&question.answered(run, time, at_ms));
                run.asked.insert(name.to_owned());
                return output.printed(text).took(waited + time + 8.0);
            }
            None => {
                waited += PATIENCE;
                _ = writeln!(text, ";; communications error to {server}#53: timed out");
            }
        }
    }
    text.push_str(";; no servers could be reached\n");
    output.printed(text).failed(NO_REPLY, "").took(waited + 8.0)
}

struct DigQuestion<'a> {
    name: &'a str,
    kind: &'a str,
    server: Ipv4Addr,
}

impl DigQuestion<'_> {
    fn answered(&self, run: &OfficeRun, time: f64, at_ms: u64) -> String {
        let answer = names::records(run, self.name, self.kind);
        let (status, records) = match answer {
            NameAnswer::Records(records) => ("NOERROR", records),
            NameAnswer::NoData => ("NOERROR", Vec::new()),
            NameAnswer::NoName => ("NXDOMAIN", Vec::new()),
        };
        let id = run.noise.named(self.name).whole(at_ms) % 65_536;
        let authority = u32::from(records.is_empty());
        let mut text = format!(
            ";; Got answer:\n;; ->>HEADER<<- opcode: QUERY, status: {status}, id: {id}\n\
             ;; flags: qr rd ra; QUERY: 1, ANSWER: {}, AUTHORITY: {authority}, ADDITIONAL: 1\n\n\
             ;; OPT PSEUDOSECTION:\n; EDNS: version: 0, flags:; udp: 1232\n",
            records.len(),
        );
        let mut size = 12 + 11 + self.name.len() + 6;
        if !records.is_empty() {
            text.push_str(";; ANSWER SECTION:\n");
        }
        let dot = if self.name.ends_with('.') { "" } else { "." };
        for record in &records {
            size += 12 + record.len();
            _ = writeln!(
                text,
                "{}{dot}\t\t300\tIN\t{}\t{record}",
                self.name, self.kind
            );
        }
        let (server, whole) = (self.server, time.round());
        _ = write!(
            text,
            "\n;; Query time: {whole} msec\n;; SERVER: {server}#53({server}) (UDP)\n\
             ;; WHEN: {}\n;; MSG SIZE  rcvd: {size}\n\n",
            day_and_time(at_ms),
        );
        text
    }
}
