//! Seed company: masters as data, and fourteen months of history that run through the engine.

mod history;
mod industries;
mod items;
mod masters;
mod parties;
mod scenes;

use jiff::civil::Date;

use crate::books::SimBooks;
use crate::cell::SimDoc;
use crate::clock::{SiteTime, plus_days};
use crate::docs;
use crate::methods::DEFAULT_OF_ALL;

/// The company that makes and sells.
pub(crate) const MAKER: &str = "Aldergate Cycles";
/// The company that only sells, in dollars.
pub(crate) const TRADER: &str = "Aldergate Trading";

/// Days of history.
const DAYS: i64 = 425;

/// The reason that a document of the seed was refused.
type Filled<T> = Result<T, String>;

/// Fills empty books. What is posted is posted by the engine, so every balance is true.
pub(crate) fn fill(books: &mut SimBooks) -> Filled<()> {
    let now = books.now.clone();
    let mut seed = Seed {
        books,
        today: now.date,
    };
    seed.books.is_seeding = true;
    // As the setup of a site does with its first company.
    let default = (DEFAULT_OF_ALL.to_owned(), MAKER.to_owned());
    seed.books.company_defaults.extend([default]);
    seed.go_to(-DAYS);
    masters::fill(&mut seed)?;
    parties::fill(&mut seed)?;
    items::fill(&mut seed)?;
    history::post(&mut seed)?;
    seed.books.now = now;
    scenes::set(&mut seed)?;
    masters::close(&mut seed)?;
    crate::status::daily(seed.books);
    seed.books.is_seeding = false;
    seed.books.keep();
    Ok(())
}

/// The books while they are filled.
struct Seed<'a> {
    books: &'a mut SimBooks,
    today: Date,
}

impl Seed<'_> {
    /// A day relative to the last of the history.
    fn day(&self, offset: i64) -> Date {
        plus_days(self.today, offset)
    }

    fn go_to(&mut self, offset: i64) {
        self.books.now = SiteTime::noon(self.day(offset));
    }

    /// Inserts a document; one with docstatus 1 is submitted.
    fn add(&mut self, doc: SimDoc) -> Filled<SimDoc> {
        let shown = format!("{} {}", doc.kind, doc.name);
        let done = docs::insert(self.books, doc, None);
        self.books.keep();
        done.map_err(|refusal| {
            format!("{shown}: {}: {}", refusal.kind, refusal.messages.join("; "))
        })
    }

    fn submit(&mut self, doc: SimDoc) -> Filled<SimDoc> {
        self.add(doc.with("docstatus", 1))
    }

    /// Masters that are a name and one field.
    fn names(&mut self, kind: &'static str, field: &'static str, names: &[&str]) -> Filled<()> {
        for name in names {
            self.add(SimDoc::new(kind).with(field, *name))?;
        }
        Ok(())
    }

    /// Turns a mapping's refusal into a sentence.
    fn mapped(&self, from: &str, name: &str, to: &str) -> Filled<SimDoc> {
        let done = crate::mappers::map(self.books, from, name, to);
        done.map_err(|refusal| format!("{from} {name} to {to}: {}", refusal.messages.join("; ")))
    }
}
