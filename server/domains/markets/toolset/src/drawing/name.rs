//! Names that the assistant made of a price: they follow it. A person's own words stay.

use super::{Actor, Change, Drawing, FieldChange, change_words::is_price};
use crate::{Symbol, Time};

/// Longest label, in characters.
pub(super) const LABEL: usize = 80;

/// A price that changes.
#[derive(Clone, Copy)]
struct PriceMove {
    from: f64,
    to: f64,
}

/// The label of a drawing after changes of its prices; none if it stays.
pub(super) fn after_move(drawing: &Drawing, changes: &[FieldChange]) -> Option<String> {
    let label = &drawing.content.label;
    let next = remade(label, &moves(changes), drawing.symbol);
    let is_other = next != *label && next.chars().count() <= LABEL;
    if !is_other || !is_assistants(drawing) {
        return None;
    }
    Some(before(drawing, changes).unwrap_or(next))
}

/// The label before the newest move, if the changes take that back: it may have been less exact.
fn before(drawing: &Drawing, changes: &[FieldChange]) -> Option<String> {
    let (change, label) = newest(drawing)?;
    let is_back = |it: &FieldChange| {
        let mut done = change.changes.iter();
        done.any(|done| done.field == it.field && done.from == it.to && done.to == it.from)
    };
    let mut prices = changes.iter().filter(|it| is_price(&it.field));
    let is_undone = prices.all(is_back) && is_remade(change, label, drawing.symbol);
    let label = label.from.as_str()?;
    is_undone.then(|| label.to_owned())
}

/// Returns whether the label is the assistant's own, also after moves by others.
fn is_assistants(drawing: &Drawing) -> bool {
    match newest(drawing) {
        Some((change, label)) => {
            change.actor == Actor::Model || is_remade(change, label, drawing.symbol)
        }
        // A person may have named it in a change that is no longer kept.
        None => drawing.actor == Actor::Model && drawing.dropped == 0,
    }
}

/// The newest change of the label.
fn newest(drawing: &Drawing) -> Option<(&Change<Time>, &FieldChange)> {
    let mut changes = drawing.changes.iter().rev();
    changes.find_map(|change| {
        let label = change.changes.iter().find(|it| it.field == "label")?;
        Some((change, label))
    })
}

/// Returns whether a label was made anew with a move, or is again what it was before one.
fn is_remade(change: &Change<Time>, label: &FieldChange, symbol: Symbol) -> bool {
    let (Some(from), Some(to)) = (label.from.as_str(), label.to.as_str()) else {
        return false;
    };
    let there = moves(&change.changes);
    let back: Vec<PriceMove> = there
        .iter()
        .map(|it| PriceMove {
            from: it.to,
            to: it.from,
        })
        .collect();
    remade(from, &there, symbol) == to || remade(to, &back, symbol) == from
}

fn moves(changes: &[FieldChange]) -> Vec<PriceMove> {
    let prices = changes.iter().filter(|it| is_price(&it.field));
    let moves = prices.filter_map(|it| {
        let (from, to) = (it.from.as_f64()?, it.to.as_f64()?);
        Some(PriceMove { from, to })
    });
    moves.collect()
}

/// A label whose prices are those after the moves.
fn remade(label: &str, moves: &[PriceMove], symbol: Symbol) -> String {
    let (mut made, mut rest) = (String::new(), label);
    while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
        let (before, from_number) = rest.split_at(start);
        let end = from_number.find(|c: char| !c.is_ascii_digit() && c != '.');
        let number = from_number.get(..end.unwrap_or(from_number.len()));
        // A full stop behind it is the sentence's.
        let number = number.unwrap_or_default().trim_end_matches('.');
        made.push_str(before);
        rest = from_number.get(number.len()..).unwrap_or_default();
        // The 1 of H1 is no price, and neither is that of 1st.
        let is_apart =
            !made.ends_with(char::is_alphanumeric) && !rest.starts_with(char::is_alphanumeric);
        let price = moves.iter().find_map(|it| moved(number, *it, symbol));
        match price.filter(|_| is_apart) {
            Some(price) => made.push_str(&price),
            None => made.push_str(number),
        }
    }
    made.push_str(rest);
    made
}

/// The number in a label for the price after a move, as exact as before; none if it is another price.
fn moved(number: &str, PriceMove { from, to }: PriceMove, symbol: Symbol) -> Option<String> {
    let decimals = number.split_once('.').map_or(0, |(_, rest)| rest.len());
    let before = symbol.round(from);
    let is_exact = number
        .parse::<f64>()
        .is_ok_and(|it| symbol.round(it) == before);
    // Without decimals only the very price: other numbers are years and counts.
    let is_it = is_exact || (decimals > 0 && format!("{from:.decimals$}") == number);
    if !is_it {
        return None;
    }
    if !is_exact {
        return Some(format!("{to:.decimals$}"));
    }
    let mut price = symbol.show(symbol.round(to));
    let has_more = |price: &str| {
        let after = price.split_once('.').map_or(0, |(_, rest)| rest.len());
        after > decimals && price.ends_with('0')
    };
    while has_more(&price) {
        price.pop();
    }
    Some(price.trim_end_matches('.').to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_price_in_a_name_is_as_exact_as_before() {
        for (label, from, to, expect) in [
            ("Resistance 1.0950", 1.095, 1.097, "Resistance 1.0970"),
            ("Resistance 1.09500", 1.095, 1.097, "Resistance 1.09700"),
            ("H1 high 1.095.", 1.095, 1.09703, "H1 high 1.09703."),
            (
                "Low near 1.0950 of 2017",
                1.09497,
                1.09703,
                "Low near 1.0970 of 2017",
            ),
            ("Parity: 1", 1.0, 1.002, "Parity: 1.002"),
            ("Parity: 1.002", 1.002, 1.0, "Parity: 1.000"),
            ("Two lows, 1.0870", 1.095, 1.097, "Two lows, 1.0870"),
            ("H1", 1.0, 1.002, "H1"),
            ("1st touch", 1.0, 1.002, "1st touch"),
        ] {
            let moves = [PriceMove { from, to }];
            assert_eq!(remade(label, &moves, Symbol::EurUsd), expect);
        }
    }
}
