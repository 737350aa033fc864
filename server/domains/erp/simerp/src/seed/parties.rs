//! Customers, suppliers, their banks, employees and projects.

use super::{Filled, MAKER, Seed, TRADER};
use crate::cell::{SimDoc, cents};

/// Name, group, territory, currency, credit limit in whole units (0: none), terms.
pub(super) const CUSTOMERS: [(&str, &str, &str, &str, i64, &str); 26] = [
    (
        "Kestrel Cycles",
        "Dealers",
        "North",
        "EUR",
        20_000,
        "Net 30",
    ),
    (
        "Kestrel Cycles GmbH",
        "Dealers",
        "South",
        "EUR",
        0,
        "Net 30",
    ),
    ("Merlin Bikes", "Dealers", "North", "EUR", 0, "Net 30"),
    ("Harbour Wheels", "Shops", "North", "EUR", 0, "Net 14"),
    ("Fjord Outfitters", "Shops", "North", "EUR", 0, "Net 14"),
    ("Lindgren Rad", "Shops", "North", "EUR", 0, "Net 14"),
    ("Radhaus Süd", "Dealers", "South", "EUR", 0, "Net 30"),
    ("Alpenrad Keller", "Shops", "South", "EUR", 0, "Net 14"),
    ("Pedal & Pinion", "Shops", "South", "EUR", 0, "Net 14"),
    ("Isar Velo", "Dealers", "South", "EUR", 0, "Net 30"),
    ("Donau Zweirad", "Shops", "South", "EUR", 0, "Half now"),
    ("Ostwind Räder", "Dealers", "East", "EUR", 0, "Net 30"),
    ("Elbe Cycle Works", "Shops", "East", "EUR", 0, "Net 14"),
    (
        "Lausitz Touring Club",
        "Private",
        "East",
        "EUR",
        0,
        "Net 14",
    ),
    ("Saale Sport", "Shops", "East", "EUR", 0, "Net 14"),
    ("Rheinrad", "Dealers", "West", "EUR", 0, "Net 30"),
    ("Ruhr Commuters", "Shops", "West", "EUR", 0, "Net 14"),
    ("Eifel Adventure", "Private", "West", "EUR", 0, "Net 14"),
    ("City of Brackwede", "Private", "West", "EUR", 0, "Net 30"),
    ("Velo Helvetia", "Dealers", "Export", "CHF", 0, "Net 30"),
    ("Danube Imports", "Dealers", "Export", "USD", 0, "Net 30"),
    ("Prairie Cyclery", "Dealers", "Export", "USD", 0, "Net 30"),
    ("Bluff City Bikes", "Shops", "Export", "USD", 0, "Net 30"),
    ("Cascade Spokes", "Shops", "Export", "USD", 0, "Net 30"),
    ("Old Mill Rentals", "Private", "Export", "USD", 0, "Net 14"),
    ("Walk-in Customer", "Private", "North", "EUR", 0, ""),
];

/// Name and group.
pub(super) const SUPPLIERS: [(&str, &str); 11] = [
    ("Tubal Metals", "Parts"),
    ("Rimfire Wheels", "Parts"),
    ("Sprocket & Daughters", "Parts"),
    ("Northern Saddlery", "Parts"),
    ("Brightside Lights", "Parts"),
    ("Ironbark Locks", "Parts"),
    ("Helm & Visor", "Parts"),
    ("Greywater Paints", "Parts"),
    ("Parcel Post", "Services"),
    ("Quiet Power", "Services"),
    ("Lark Software", "Services"),
];

pub(super) fn fill(seed: &mut Seed<'_>) -> Filled<()> {
    for (name, group, territory, currency, limit, terms) in CUSTOMERS {
        let mut doc = SimDoc::new("Customer")
            .with("customer_name", name)
            .with(
                "customer_type",
                if group == "Private" {
                    "Individual"
                } else {
                    "Company"
                },
            )
            .with("customer_group", group)
            .with("territory", territory)
            .with("default_currency", currency)
            .with("payment_terms", terms)
            .with("email_id", mail(name));
        if limit > 0 {
            let row = SimDoc::new("Customer Credit Limit").with("company", MAKER);
            doc.push(
                "credit_limits",
                row.with("credit_limit", cents(limit * 100)),
            );
        }
        seed.add(doc)?;
    }
    let gone = SimDoc::new("Customer")
        .with("customer_name", "Closed Circle")
        .with("customer_group", "Shops")
        .with("territory", "East");
    seed.add(gone.with("disabled", 1))?;
    for (at, (name, group)) in SUPPLIERS.iter().enumerate() {
        let doc = SimDoc::new("Supplier")
            .with("supplier_name", *name)
            .with("supplier_group", *group)
            .with("country", "Germany")
            .with("default_currency", "EUR")
            .with("payment_terms", "Net 30")
            .with("email_id", mail(name));
        seed.add(doc)?;
        let doc = SimDoc::new("Bank Account")
            .with("account_name", format!("{name} - Union Bank"))
            .with("bank", "Union Bank")
            .with("party_type", "Supplier")
            .with("party", *name)
            .with("is_default", 1);
        seed.add(doc.with("iban", format!("DE02{:018}", 1_000 + at * 37)))?;
    }
    for company in [MAKER, TRADER] {
        let abbr = if company == MAKER { "AC" } else { "AT" };
        let doc = SimDoc::new("Bank Account")
            .with("account_name", format!("{company} - House Bank"))
            .with("bank", "House Bank")
            .with("is_company_account", 1)
            .with("company", company);
        seed.add(doc.with("account", super::masters::account("1120", abbr)))?;
    }
    for name in [
        "Ada Wren",
        "Bruno Kestner",
        "Carla Voss",
        "Dmitri Hale",
        "Edda Lund",
        "Farid Noor",
    ] {
        let doc = SimDoc::new("Employee")
            .with("employee_name", name)
            .with("company", MAKER);
        seed.add(doc.with("designation", "Mechanic"))?;
    }
    for (name, customer) in [
        ("Rental Fleet", "City of Brackwede"),
        ("Club Jerseys", "Lausitz Touring Club"),
        ("Cargo Trial", "Ruhr Commuters"),
        ("Shop Refit", "Harbour Wheels"),
        ("Gravel Launch", "Rheinrad"),
    ] {
        let doc = SimDoc::new("Project")
            .with("project_name", name)
            .with("customer", customer);
        seed.add(doc.with("company", MAKER))?;
    }
    Ok(())
}

fn mail(name: &str) -> String {
    let host: String = name
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .collect::<String>()
        .to_lowercase();
    format!("office@{host}.example")
}
