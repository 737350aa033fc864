//! The site: sign-in, routes of both versions, transactions, faults, and the ledger of effects.

mod route;
mod sign_in;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use crate::books::{SimBooks, put_new};
use crate::cell::{Decimal, SimCell, SimDoc};
use crate::clock::{SimErpClock, SiteTime};
use crate::docs;
use crate::faults::{SimErpFault, SimErpTrigger};
use crate::form::BodyForm;
use crate::price;
use crate::refusal::{SimRefusal, SimResult, unsuitable};
use crate::status;
use crate::wire::{self, ApiVersion, ErpAnswer, ErpRequest};

/// Limit on remembered requests.
const KEPT: usize = 20_000;

/// A request that reached the API.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SimErpSeen {
    pub method: String,
    /// The path, decoded, with `/api` in front.
    pub path: String,
    /// The user, or `Guest`.
    pub user: String,
    /// Status of the answer, even if the answer was lost.
    pub status: u16,
}

/// A document that a request changed for good.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SimErpEffect {
    pub user: String,
    pub doctype: String,
    pub name: String,
    pub docstatus: i64,
    /// True if the request removed it.
    pub is_deleted: bool,
}

/// Headers that count.
#[derive(Debug, Default)]
pub(crate) struct SignInHeaders {
    pub authorization: String,
    pub cookie: String,
    pub csrf: String,
}

/// Method and decoded path of a request, as the record of requests has them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RequestLine<'a> {
    pub method: &'a str,
    pub path: &'a str,
}

/// An answer, and the fate of its connection.
#[derive(Debug)]
pub(crate) struct ErpOutcome {
    pub answer: ErpAnswer,
    pub headers: Vec<(&'static str, String)>,
    /// The connection ends without the answer, or in its middle.
    pub cut: Option<Cut>,
    pub form: BodyForm,
    pub delay: Duration,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cut {
    Whole,
    Middle,
}

/// The company's site.
pub(crate) struct SimSite {
    pub books: SimBooks,
    pub clock: Arc<dyn SimErpClock>,
    pub triggers: Vec<SimErpTrigger>,
    pub seen: Vec<SimErpSeen>,
    /// The number of connections that were accepted.
    pub connections: usize,
    pub effects: Vec<SimErpEffect>,
    pub delay: Duration,
    /// The queue does nothing.
    pub is_stuck: bool,
    /// Keys by `KEY:SECRET`.
    pub keys: BTreeMap<String, String>,
    pub passwords: BTreeMap<String, String>,
    /// Users and tokens of forms, by session.
    sessions: BTreeMap<String, (String, String)>,
    day: jiff::civil::Date,
}

impl SimSite {
    pub(crate) fn new(
        books: SimBooks,
        clock: Arc<dyn SimErpClock>,
        keys: BTreeMap<String, String>,
    ) -> Self {
        let day = books.today();
        let passwords = keys
            .values()
            .map(|user| (user.clone(), format!("{user}-password")));
        Self {
            passwords: passwords.collect(),
            books,
            clock,
            triggers: Vec::new(),
            seen: Vec::new(),
            connections: 0,
            effects: Vec::new(),
            delay: Duration::ZERO,
            is_stuck: false,
            keys,
            sessions: BTreeMap::new(),
            day,
        }
    }

    /// Updates the company to the clock: new days, and what the queue has done.
    pub(crate) fn settle(&mut self) {
        self.books.now = SiteTime::at(self.clock.now());
        if self.day != self.books.today() {
            self.day = self.books.today();
            self.books.begin();
            status::daily(&mut self.books);
            self.books.commit();
        }
        if self.is_stuck {
            return;
        }
        let now = self.books.now.unix();
        let due: Vec<_> = self
            .books
            .all("Submission Queue")
            .filter(|it| it.text("status") == "Queued" && it.int("due") <= now)
            .cloned()
            .collect();
        for job in due {
            self.run_job(&job);
        }
        for job in docs::due(&self.books) {
            job.text("owner").clone_into(&mut self.books.user);
            self.books.begin();
            docs::run(&mut self.books, &job);
            self.keep_effects();
        }
    }

    fn run_job(&mut self, job: &SimDoc) {
        let books = &mut self.books;
        job.text("owner").clone_into(&mut books.user);
        let mut done = job.clone();
        books.begin();
        done.set("status", "Finished");
        books.put(done.clone());
        let outcome = docs::submit_stored(books, job.text("ref_doctype"), job.text("ref_docname"));
        if let Err(refusal) = outcome {
            books.rollback();
            books.begin();
            done.set("status", "Failed");
            let words = refusal.messages.join("\n");
            if job.flag("is_action") {
                put_new(books, comment_of(job, &words));
            }
            done.set("exception", words);
        }
        let ended = books.stamp();
        done.set("ended_at", ended);
        books.put(done);
        self.keep_effects();
    }

    fn keep_effects(&mut self) {
        let user = self.books.user.clone();
        for (kind, name) in self.books.commit() {
            let doc = self.books.find(kind, &name);
            let effect = SimErpEffect {
                user: user.clone(),
                doctype: kind.to_owned(),
                docstatus: doc.map_or(0, |doc| doc.docstatus()),
                is_deleted: doc.is_none(),
                name,
            };
            if self.effects.len() < KEPT {
                self.effects.push(effect);
            }
        }
    }

    /// Answers a request. Everything but GET commits at success.
    pub(crate) fn answer(
        &mut self,
        request: Option<ErpRequest>,
        line: RequestLine<'_>,
        from: &SignInHeaders,
    ) -> ErpOutcome {
        self.settle();
        let RequestLine { method, path } = line;
        let faults = self.take_faults(method, path);
        let mut outcome = ErpOutcome {
            answer: wire::page(404, "Not Found"),
            headers: Vec::new(),
            cut: None,
            form: BodyForm::Plain,
            delay: self.delay,
        };
        for fault in &faults {
            match fault {
                SimErpFault::LostBefore => {
                    outcome.cut = Some(Cut::Whole);
                    return outcome;
                }
                SimErpFault::Page(status) => {
                    outcome.answer = wire::page(*status, "Bad Gateway");
                    self.record(method, path, "Guest", *status);
                    return outcome;
                }
                SimErpFault::Slow(by) => outcome.delay += *by,
                SimErpFault::Gzip => outcome.form = BodyForm::Gzip,
                SimErpFault::Chunked => outcome.form = BodyForm::Chunked,
                SimErpFault::TooMany(seconds) => {
                    outcome.headers.push(("Retry-After", seconds.to_string()));
                }
                _ => {}
            }
        }
        let Some(request) = request else {
            self.record(method, path, "Guest", 404);
            return outcome;
        };
        if faults.contains(&SimErpFault::EditBefore) {
            self.edit_named(&request);
        }
        outcome.answer = self.work(&request, from, &faults, &mut outcome.headers);
        if faults.contains(&SimErpFault::EditAfter) {
            self.edit_named(&request);
        }
        if faults.contains(&SimErpFault::LostAfter) {
            outcome.cut = Some(Cut::Whole);
        } else if faults.contains(&SimErpFault::CutBody) {
            outcome.cut = Some(Cut::Middle);
        }
        let user = self.books.user.clone();
        self.record(method, path, &user, outcome.answer.status);
        outcome
    }

    fn take_faults(&mut self, method: &str, path: &str) -> Vec<SimErpFault> {
        let mut found = Vec::new();
        for trigger in &mut self.triggers {
            if trigger.meets(method, path) {
                trigger.count -= 1;
                found.push(trigger.fault.clone());
            }
        }
        self.triggers.retain(|it| it.count > 0);
        found
    }

    fn record(&mut self, method: &str, path: &str, user: &str, status: u16) {
        if self.seen.len() < KEPT {
            self.seen.push(SimErpSeen {
                method: method.to_owned(),
                path: path.to_owned(),
                user: user.to_owned(),
                status,
            });
        }
    }

    fn work(
        &mut self,
        request: &ErpRequest,
        from: &SignInHeaders,
        faults: &[SimErpFault],
        headers: &mut Vec<(&'static str, String)>,
    ) -> ErpAnswer {
        let profile = self.books.profile;
        "Guest".clone_into(&mut self.books.user);
        let refuse = |refusal: &SimRefusal| {
            wire::failure(request.version, refusal, profile, request.wants_html)
        };
        if let Some(refusal) = self.user_of(request, from, faults) {
            return refuse(&refusal);
        }
        if let Some(refusal) = faults.iter().find_map(|it| refusal_of(it, &request.method)) {
            return refuse(&refusal);
        }
        if let Some(answer) = self.session_call(request, from, headers) {
            return answer;
        }
        self.books.begin();
        self.books
            .messages
            .extend(faults.iter().filter_map(warning));
        let done = route::answer(
            &mut self.books,
            request,
            faults.contains(&SimErpFault::RateHook),
        );
        let done = match done {
            Ok(_) if faults.contains(&SimErpFault::Deadlock) => Err(crate::refusal::crashed(
                "QueryDeadlockError",
                "(1213, 'Deadlock found')",
            )),
            done => done,
        };
        match done {
            Ok(answer) if request.method == "GET" => {
                self.books.rollback();
                answer
            }
            Ok(answer) => {
                self.keep_effects();
                answer
            }
            Err(refusal) => {
                self.books.rollback();
                // Some work is committed before its request ends.
                self.keep_effects();
                refuse(&refusal)
            }
        }
    }

    /// Another person saves a document: its `modified` changes.
    pub(crate) fn edit(&mut self, kind: &str, name: &str, field: Option<(&'static str, SimCell)>) {
        self.settle();
        let Some(doc) = self.books.find(kind, name).cloned() else {
            return;
        };
        self.books.begin();
        "clerk@aldergate.example".clone_into(&mut self.books.user);
        let mut doc = SimDoc::clone(&doc);
        if let Some((field, value)) = field {
            doc.set(field, value);
        }
        let stamp = self.books.stamp();
        doc.set("modified", stamp);
        doc.set("modified_by", self.books.user.clone());
        self.books.put(doc);
        self.books.commit();
    }

    /// Another person raises the rates of a document, which may be submitted: its totals follow.
    pub(crate) fn raise(&mut self, kind: &str, name: &str) -> SimResult<()> {
        self.settle();
        let Some(doc) = self.books.find(kind, name).cloned() else {
            return Ok(());
        };
        let mut doc = SimDoc::clone(&doc);
        raise_rates(&mut doc);
        price::calculate(&self.books, &mut doc)?;
        self.books.begin();
        doc.set("modified", self.books.stamp());
        self.books.put(doc);
        self.books.commit();
        Ok(())
    }

    fn edit_named(&mut self, request: &ErpRequest) {
        let named = match request.segments.as_slice() {
            [what, kind, name, ..] if matches!(what.as_str(), "resource" | "document") => {
                (kind.clone(), name.clone())
            }
            _ => {
                let of = |from: &crate::wire::Args| {
                    let kind = from.text("doctype");
                    let name = [from.text("name"), from.text("docname")].concat();
                    (kind, name)
                };
                match request.args.object("doc") {
                    Some(doc) => of(&crate::wire::Args(doc)),
                    None => of(&request.args),
                }
            }
        };
        let user = self.books.user.clone();
        self.edit(&named.0, &named.1, None);
        self.books.user = user;
    }
}

/// The comment about an action that has failed in the background.
fn comment_of(job: &SimDoc, words: &str) -> SimDoc {
    SimDoc::new("Comment")
        .with("comment_type", "Comment")
        .with("comment_email", job.text("owner"))
        .with("reference_doctype", job.text("ref_doctype"))
        .with("reference_name", job.text("ref_docname"))
        .with("content", format!("Action Failed<br><br>{words}"))
}

fn refusal_of(fault: &SimErpFault, method: &str) -> Option<SimRefusal> {
    let refusal = match fault {
        SimErpFault::Maintenance => SimRefusal::new(503, "SessionStopped", "Session Stopped"),
        SimErpFault::ReadOnly if method != "GET" => SimRefusal::new(
            503,
            "InReadOnlyMode",
            "Site is running in read only mode for maintenance or site update",
        ),
        SimErpFault::TooMany(_) => {
            SimRefusal::new(429, "TooManyRequestsError", "Too Many Requests")
        }
        SimErpFault::Message(text) => unsuitable(text.clone()),
        SimErpFault::Refused(status, kind) => {
            SimRefusal::new(*status, kind, format!("Raised as {kind}"))
        }
        _ => return None,
    };
    Some(refusal)
}

/// The text that a success has beside its data.
fn warning(fault: &SimErpFault) -> Option<String> {
    if let SimErpFault::Warning(text) = fault {
        Some(text.clone())
    } else {
        None
    }
}

/// A hook of the site that raises rates.
fn raise_rates(doc: &mut SimDoc) {
    for row in doc.tables.get_mut("items").into_iter().flatten() {
        let rate = row.num("rate");
        if !rate.is_zero() {
            row.set("rate", rate + Decimal::ONE);
        }
    }
}

/// The version that a path belongs to, for answers without a request.
pub(crate) fn version_of(path: &str) -> ApiVersion {
    if path.starts_with("/api/v2/") {
        ApiVersion::V2
    } else {
        ApiVersion::V1
    }
}

#[cfg(test)]
mod tests;
