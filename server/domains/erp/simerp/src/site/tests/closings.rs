//! Two closings of the same sales, of which one is posted.

use std::time::Duration;

use serde_json::json;

use super::{PROFILES, World};
use crate::invariants;

impl World {
    /// The closings of a state, and the sales that an invoice has.
    fn closed(&self, status: &str) -> (Vec<String>, usize) {
        let books = &self.site.books;
        let closings = books
            .all("POS Closing Entry")
            .filter(|it| it.text("status") == status);
        let sales = books.all("POS Invoice");
        let posted = sales.filter(|it| !it.text("consolidated_invoice").is_empty());
        (closings.map(|it| it.name.clone()).collect(), posted.count())
    }

    fn cancel_closing(&mut self, closing: &str) {
        let body = json!({"doctype": "POS Closing Entry", "name": closing});
        let (status, answer) = self.post("/api/method/frappe.client.cancel", &body);
        assert_eq!(status, 200, "{answer}");
        assert_eq!(invariants::broken(&self.site.books), Vec::<String>::new());
    }
}

#[test]
fn a_closing_whose_sales_another_has_posted_fails_and_is_taken_back_alone() {
    for profile in PROFILES {
        let mut world = World::new(profile, 1);
        for _ in 0..20 {
            world.sell();
        }
        let before = world.closed("Submitted").1;
        // The first waits for the background when the second comes.
        world.close_the_till();
        world.close_the_till();
        assert_eq!(world.closed("Queued").0.len(), 2);
        world.clock.advance(Duration::from_secs(60));
        world.site.settle();
        assert_eq!(invariants::broken(&world.site.books), Vec::<String>::new());
        let (posted, sales) = world.closed("Submitted");
        let (failed, _) = world.closed("Failed");
        assert_eq!([posted.len(), failed.len()], [1, 1]);
        assert!(sales >= before + 10, "{before} sales, then {sales}");
        world.cancel_closing(&failed[0]);
        assert_eq!(world.closed("Submitted"), (posted.clone(), sales));
        world.cancel_closing(&posted[0]);
        assert_eq!(world.closed("Cancelled").1, before);
    }
}
