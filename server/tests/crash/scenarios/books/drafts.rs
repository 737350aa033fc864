//! Scenarios about the drafts that packs make, each kind once with its answer and once without.

use serde_json::{Value, json};
use simerp::SimErpControl;

use super::{LOST, of_company, text};
use crate::{
    company::{self, CompanyStart},
    scenario::{Act, End, Scenario},
};

/// The company that makes and sells.
const MAKER: &str = "Aldergate Cycles";

/// A kind of draft, as one call of a pack makes it.
struct DraftOfPack {
    name: &'static str,
    packs: &'static [&'static str],
    tool: &'static str,
    doctype: &'static str,
    says: String,
    input: Value,
}

/// Each kind of draft that has no other scenario.
pub(super) fn all(company: &SimErpControl) -> anyhow::Result<Vec<Scenario>> {
    let kinds = [
        plan(),
        transfer(),
        reorder(),
        bill(company)?,
        count(company)?,
        book(),
    ];
    Ok(kinds.into_iter().flat_map(DraftOfPack::scenarios).collect())
}

impl DraftOfPack {
    /// One in which the server is killed, and one in which the answer is lost as well.
    fn scenarios(self) -> [Scenario; 2] {
        // Scenarios are there until the program ends.
        let lost: &'static str = String::leak(format!("{}, answer lost", self.name));
        let effect: &'static str = String::leak(format!("saved {}", self.doctype));
        let order: &'static str = String::leak(format!("POST resource/{}", self.doctype));
        let follows: &'static [&'static str] = Vec::leak(vec![order]);
        let scenario = |name: &'static str, start: CompanyStart| {
            let act = Act::new(self.tool, self.input.clone(), effect, End::Authorised)
                .followed_by(follows);
            Scenario {
                packs: self.packs,
                ..of_company(name, self.says.clone(), vec![act], start)
            }
        };
        [
            scenario(self.name, CompanyStart::Plain).short(&["ordered, not followed"]),
            scenario(lost, CompanyStart::AnswerLost(order)).short(LOST),
        ]
    }
}

fn plan() -> DraftOfPack {
    DraftOfPack {
        name: "books: a plan, by a pack",
        packs: &["erp-manufacturing"],
        tool: "plan_work_order",
        doctype: "Work Order",
        says: format!(
            "Books: {MAKER} makes 3 BIKE-CITY from 2026-12-01, in WIP - AC and for Finished - AC."
        ),
        input: json!({
            "item": "BIKE-CITY", "qty": 3, "company": MAKER, "fg_warehouse": "Finished - AC",
            "wip_warehouse": "WIP - AC", "start": "2026-12-01",
        }),
    }
}

fn transfer() -> DraftOfPack {
    DraftOfPack {
        name: "books: a transfer, by a pack",
        packs: &["erp-distribution"],
        tool: "prepare_transfer",
        doctype: "Stock Entry",
        says: format!("Books: at {MAKER} move 4 PUMP from Stores - AC to Shop - AC."),
        input: json!({
            "company": MAKER, "from": "Stores - AC", "to": "Shop - AC",
            "items": [{ "item": "PUMP", "qty": 4 }],
        }),
    }
}

/// Its rows follow from the stock, not from the input.
fn reorder() -> DraftOfPack {
    DraftOfPack {
        name: "books: a reorder, by a pack",
        packs: &["erp-distribution"],
        tool: "prepare_reorder",
        doctype: "Material Request",
        says: format!("Books: reorder what {MAKER} lacks in Raw - AC, by 2026-12-10."),
        input: json!({ "company": MAKER, "needed_by": "2026-12-10", "warehouse": "Raw - AC" }),
    }
}

/// The hours of a project. A second draft would bill them twice.
fn bill(company: &SimErpControl) -> anyhow::Result<DraftOfPack> {
    let project = company::find(company, "Project", |it| {
        it["project_name"] == "Rental Fleet"
    })?;
    Ok(DraftOfPack {
        name: "books: hours billed, by a pack",
        packs: &["erp-services"],
        tool: "prepare_project_invoice",
        doctype: "Sales Invoice",
        says: format!("Books: bill {} as SRV-REPAIR.", text(&project, "name")),
        input: json!({ "project": project["name"], "item": "SRV-REPAIR" }),
    })
}

/// A till's session is counted, with ten cents too few. A second draft would take its sales twice.
fn count(company: &SimErpControl) -> anyhow::Result<DraftOfPack> {
    let session = company::find(company, "POS Opening Entry", |it| it["status"] == "Open")?;
    Ok(DraftOfPack {
        name: "books: a till counted, by a pack",
        packs: &["erp-retail"],
        tool: "prepare_pos_closing",
        doctype: "POS Closing Entry",
        says: format!(
            "Books: in {} are 187.50 Cash and 49.90 Credit Card.",
            text(&session, "name")
        ),
        input: json!({
            "opening_entry": session["name"],
            "counted": [
                { "mode_of_payment": "Cash", "amount": 187.5 },
                { "mode_of_payment": "Credit Card", "amount": 49.9 },
            ],
        }),
    })
}

/// Two of the three rooms of a type, for two nights.
fn book() -> DraftOfPack {
    DraftOfPack {
        name: "books: rooms, by a pack",
        packs: &["erp-hospitality"],
        tool: "book_room",
        doctype: "Hotel Room Reservation",
        says: "Books: 2 Double for Jonas Feld from 2026-11-28 to 2026-11-30.".to_owned(),
        input: json!({
            "guest": "Jonas Feld", "room_type": "Double", "from": "2026-11-28",
            "to": "2026-11-30", "rooms": 2,
        }),
    }
}
