//! Texts of the packs.

pub(crate) mod billing;
pub(crate) mod till;

pub(crate) fn lacks(label: &str, types: &str) -> String {
    format!(
        "This ERP lacks the types of the pack {label} ({types}), so its tools are refused. Say so; an \
         administrator of the ERP can install what brings them."
    )
}

pub(crate) const ABOUT_MANUFACTURING: &str =
    "Questions and drafts for bills of materials, missing materials and work orders.";
pub(crate) const ABOUT_RETAIL: &str =
    "Questions and drafts for prices, a day at the till and the closing of tills.";
pub(crate) const ABOUT_DISTRIBUTION: &str =
    "Questions and drafts for projected stock, orders to deliver, transfers and reordering.";
pub(crate) const ABOUT_SERVICES: &str =
    "Questions and drafts for projects, timesheets and hours that are not billed.";
pub(crate) const ABOUT_HOSPITALITY: &str =
    "Questions and drafts for free rooms, occupancy and bookings.";

/// The same as [`lacks`] for people who choose packs.
pub(crate) fn cannot_answer(label: &str, types: &str) -> String {
    format!("{label} cannot be used here: this ERP has no {types}.")
}

pub(crate) fn too_many(most: usize, doctype: &str) -> String {
    format!(
        "There are more than {most} {doctype} documents; a figure of a part of them would be wrong. \
         Narrow the question, or use a report."
    )
}

pub(crate) fn no_table(doctype: &str, table: &str) -> String {
    format!("The type {doctype:?} of this ERP has no table {table:?}.")
}

pub(crate) const QUANTITY_IS_NOT_POSITIVE: &str =
    "\"qty\" must be a number above zero, and none that is absurdly large.";
pub(crate) const LAST_DAY_BEFORE_FIRST: &str = "The last day is before the first.";

pub(crate) fn is_no_day(field: &str) -> String {
    format!("{field:?} must be a day as YYYY-MM-DD.")
}

pub(crate) fn too_many_days(most: i32) -> String {
    format!("At most {most} days can be looked at in one call.")
}

pub(crate) fn no_warehouse(name: &str) -> String {
    format!("There is no warehouse {name:?} here that is within reach and holds stock.")
}

pub(crate) fn no_item(code: &str) -> String {
    format!("There is no item {code:?}; find_link finds the exact code.")
}

pub(crate) fn no_bill(item: &str) -> String {
    format!("The item {item:?} has no such active, submitted bill of materials in this company.")
}

pub(crate) fn no_work_order(name: &str) -> String {
    format!("There is no submitted work order {name:?} in this company.")
}

pub(crate) const STOCK_OF_MATERIALS: &str = "needed over all levels, made parts taken apart; in_stock is what the warehouses named have \
     now, also if it is reserved";
pub(crate) const DUE_DAY: &str =
    "due: the expected delivery day, else the planned end, else the planned start";
pub(crate) const SHORTAGE: &str = "needed: what open work orders have not taken yet; missing: needed less what the warehouse \
     that they take from has now; receipts_due: open purchase orders, in the unit of the stock";
pub(crate) const TO_DELIVER: &str = "open quantities in the unit of the stock; stock of a row's own warehouse goes to the earliest \
     delivery day first, over all orders of the company; reservations for production are not kept back";
pub(crate) const PROJECTED: &str = "warehouses: the ERP's own figures of now; to_come: open purchase and sales orders by day, \
     without production and requests; stock_after adds over the warehouses named";

pub(crate) fn materials(item: &str, count: usize, missing: usize) -> String {
    let materials = match count {
        1 => "1 material".to_owned(),
        _ => format!("{count} materials"),
    };
    match missing {
        0 => format!("{item}: {materials}, all in stock"),
        _ => format!("{item}: {materials}, {missing} of them not enough in stock"),
    }
}

pub(crate) fn work_orders(count: usize, late: usize) -> String {
    match count {
        0 => "No work order is due".to_owned(),
        1 => format!("1 work order, {late} late"),
        _ => format!("{count} work orders, {late} late"),
    }
}

pub(crate) fn shortage(orders: usize, missing: usize) -> String {
    let lack = match orders {
        1 => "1 open work order lacks".to_owned(),
        _ => format!("{orders} open work orders lack"),
    };
    match missing {
        0 => format!("{lack} nothing"),
        1 => format!("{lack} 1 material"),
        _ => format!("{lack} {missing} materials"),
    }
}

pub(crate) fn to_deliver(count: usize, whole: usize) -> String {
    match count {
        0 => "No order waits to be delivered".to_owned(),
        1 => format!("1 order waits to be delivered, {whole} can go out whole"),
        _ => format!("{count} orders wait to be delivered, {whole} can go out whole"),
    }
}

pub(crate) fn projected(item: &str, there: &str, moves: usize) -> String {
    let moves = match moves {
        1 => "1 change".to_owned(),
        _ => format!("{moves} changes"),
    };
    format!("{item}: {there} there, {moves} to come")
}

pub(crate) const UNBILLED: &str = "billable rows of submitted timesheets that no invoice has billed, in the currency of the timesheet; \
     without a currency, in that of the company";
pub(crate) const LATE_TASKS: &str =
    "late: expected to end before today, and neither completed nor cancelled";
pub(crate) const PROJECT_TIME: &str =
    "rows of submitted timesheets for this project; unbilled: billable and in no invoice";
pub(crate) const PROJECT_INVOICES: &str = "submitted sales invoices of this project, net in company currency, outstanding in that of the customer's account, credit notes negative";
pub(crate) const GAPS: &str =
    "days from Monday to Friday that are no holidays of the company; leave is not considered";
pub(crate) const GAPS_WITHOUT_HOLIDAYS: &str =
    "days from Monday to Friday; holidays are not known, and leave is not considered";

pub(crate) fn unbilled(hours: &str) -> String {
    format!("{hours} hours not billed")
}

pub(crate) fn project(name: &str, status: &str, late: Option<u64>) -> String {
    match late {
        Some(1) => format!("{name}: {status}, 1 task late"),
        Some(late) => format!("{name}: {status}, {late} tasks late"),
        None => format!("{name}: {status}"),
    }
}

pub(crate) fn gaps(with: usize, of: usize) -> String {
    format!("{with} of {of} employees have days without hours")
}

pub(crate) fn no_price(item: &str, list: &str) -> String {
    format!("{list} has no price of {item} that is valid today and for this customer")
}

pub(crate) fn no_price_list(name: &str) -> String {
    format!("There is no enabled price list {name:?}.")
}

pub(crate) fn name_a_price_list(names: &str) -> String {
    format!(
        "Name a price list: not exactly one sells in the company's currency ({}).",
        if names.is_empty() { "none" } else { names }
    )
}

pub(crate) const PRICE_OF_LIST: &str = "the price of the list for everybody";
pub(crate) const PRICE_OF_CUSTOMER: &str = "the list has a price for this customer alone";
pub(crate) const TAXES_DEPEND: &str =
    "taxes follow from the tax template of the document, not from the item alone";
pub(crate) const PRICE: &str = "price: of the list, in the unit of the stock; rules: pricing rules that fit item, quantity and \
     customer, and that the ERP may apply when a document is saved";

pub(crate) fn price(item: &str, rate: Option<&str>, list: &str) -> String {
    match rate {
        Some(rate) => format!("{item}: {rate} in {list}"),
        None => format!("{item}: no price in {list}"),
    }
}

pub(crate) const POS_DAY: &str = "submitted invoices of the till on this day, taxes included, returns negative; payments before \
     change; not_consolidated: not yet in the books";

/// `net`: the sales less the returns of these invoices, for each currency.
pub(crate) fn pos_day(profile: &str, day: &str, count: usize, net: &str, open: usize) -> String {
    let sold = match count {
        0 => "nothing sold".to_owned(),
        1 => format!("{net} with taxes in 1 invoice"),
        _ => format!("{net} with taxes and less returns in {count} invoices"),
    };
    let open = match open {
        0 => "no session is open now".to_owned(),
        1 => "1 session is open now".to_owned(),
        _ => format!("{open} sessions are open now"),
    };
    format!("{profile} on {day}: {sold}; {open}")
}

pub(crate) const DEPARTURE_BEFORE_NIGHT: &str =
    "\"to\" is the day of departure, so it comes after the first night.";
pub(crate) const NO_ROOMS: &str = "the house has no rooms";
pub(crate) const NO_ROOM_SOLD: &str = "no room is sold in these nights";
pub(crate) const FREE_ROOMS: &str = "rooms less those of submitted reservations; the night of a reservation's last day counts as taken, \
     as in the ERP";
pub(crate) const OCCUPANCY: &str = "submitted reservations, the night of their last day included; revenue: the amount of a reservation \
     spread over its nights, in its currency; average_rate: for a room sold; revenue_per_room: for each room and night";

pub(crate) fn no_room_type(name: &str) -> String {
    format!("The house has no room of type {name:?}.")
}

pub(crate) fn reservations_of_no_type(count: usize) -> String {
    format!("{count} rows of reservations are of no package, so of no room type")
}

pub(crate) fn free_rooms(types: &str) -> String {
    match types {
        "" => "No room is free in all nights".to_owned(),
        types => format!("Free in all nights: {types}"),
    }
}

pub(crate) fn occupancy(percent: &serde_json::Value) -> String {
    if percent.is_number() {
        format!("{percent} % occupied")
    } else {
        "Occupancy unknown".to_owned()
    }
}

pub(crate) const RATE_IS_NO_PRICE: &str = "\"rate\" must be a number that is not negative.";

pub(crate) fn day_is_full(day: &str) -> String {
    format!("The hours of {day}, counted from 08:00, go beyond midnight.")
}

pub(crate) fn has_hours(employee: &str, sheet: &str) -> String {
    format!(
        "{employee} has hours at that time already, in {sheet}: change that timesheet with update_doc, or give \
         another day."
    )
}

pub(crate) const OVERLAPS_DETAIL: &str =
    "The ERP takes no hours beside others unless its settings allow it, which it does not tell.";

pub(crate) fn too_few_rooms(kind: &str, night: &str, free: &str, wanted: &str) -> String {
    format!(
        "Rooms of type {kind:?} that are free in the night of {night}: {free}, and {wanted} are asked for. Give \
         fewer rooms, other days or another type; room_availability shows what is free."
    )
}

pub(crate) const ROOMS_NOT_COUNTED: &str = "It is unknown whether the rooms are free";
pub(crate) const ROOMS_PARTLY_COUNTED: &str = "It is unknown whether all of the rooms are free";
pub(crate) const SAME_WAREHOUSE: &str =
    "\"from\" and \"to\" are the same warehouse; the ERP moves nothing within one.";

pub(crate) fn has_price(item: &str, list: &str, day: &str, name: &str, rate: &str) -> String {
    format!(
        "{item:?} has a price from {day} in {list:?} already, {rate} ({name}), and the ERP takes no second one: \
         change that one with update_doc, or give another day."
    )
}

pub(crate) fn not_one_package(room_type: &str, packages: &str) -> String {
    match packages {
        "" => format!("The ERP has no package for rooms of type {room_type:?}."),
        packages => format!(
            "Rooms of type {room_type:?} have several packages ({packages}); make the reservation with \
             create_doc, which takes the item of one."
        ),
    }
}

pub(crate) const NOTHING_TO_REORDER: &str =
    "Nothing that this names is at or below its reorder level.";

pub(crate) fn too_many_to_reorder(most: usize) -> String {
    format!("More than {most} rows are below their level; name a warehouse or items.")
}

pub(crate) fn no_reorder_level(item: &str) -> String {
    format!("The item {item:?} is not there, is disabled, or has no reorder level.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_told_in_the_singular() {
        for (told, expect) in [
            (shortage(1, 0), "1 open work order lacks nothing"),
            (shortage(1, 1), "1 open work order lacks 1 material"),
            (shortage(3, 2), "3 open work orders lack 2 materials"),
            (projected("PUMP", "4", 1), "PUMP: 4 there, 1 change to come"),
            (materials("BELL", 1, 0), "BELL: 1 material, all in stock"),
            (project("P", "Open", Some(1)), "P: Open, 1 task late"),
        ] {
            assert_eq!(told, expect);
        }
    }
}
