//! The parts of a card that have a form. All text in them is plain, and everything in it that the
//! eye would miss is written out.

use kit::{code_lines, dated, format::exposed};
use leptos::prelude::*;
use protocol::{
    CardLink, CardSection, Confirmation, DiffLine, Fact, LineChange, RiskWeight, TableColumn,
};

use crate::texts::confirm as texts;

/// Draws a part of a card under its name.
pub(super) fn section(name: String, content: AnyView) -> AnyView {
    view! {
        <section class="confirm__section">
            <h4 class="confirm__label">{name}</h4>
            {content}
        </section>
    }
    .into_any()
}

/// Draws the sections, in their order.
pub(super) fn sections(asked: &Confirmation) -> Vec<AnyView> {
    let sections = asked.sections.iter().enumerate();
    sections
        .map(|(place, section)| draw(section, &marked(asked, place)))
        .collect()
}

/// The lines of a section that a reason is about, each with the weight of the gravest.
fn marked(asked: &Confirmation, place: usize) -> Vec<(u32, RiskWeight)> {
    let reasons = asked.risk.iter().flat_map(|risk| &risk.reasons);
    reasons
        .filter_map(|reason| {
            let span = reason.span.filter(|span| span.section as usize == place)?;
            Some((span.line, reason.weight))
        })
        .collect()
}

fn draw(content: &CardSection, marked: &[(u32, RiskWeight)]) -> AnyView {
    match content {
        CardSection::Fields { title, fields } => section(exposed(title), self::fields(fields)),
        CardSection::Diff { title, lines } => {
            section(exposed(title), self::lines("", lines, marked))
        }
        CardSection::Text {
            title,
            language,
            lines,
        } => {
            let name = match language.as_str() {
                "" => exposed(title),
                language => format!("{} ({})", exposed(title), exposed(language)),
            };
            section(name, self::lines(language, lines, marked))
        }
        CardSection::Table {
            title,
            columns,
            rows,
            sums,
        } => section(exposed(title), table(columns, rows, sums)),
        CardSection::Links { title, links } => section(exposed(title), self::links(links)),
        CardSection::Unknown => view! {
            <p class="confirm__changed">{texts::PART_CANNOT_BE_SHOWN}</p>
        }
        .into_any(),
    }
}

/// Draws labels with their values.
pub(super) fn fields(fields: &[Fact]) -> AnyView {
    let fields: Vec<_> = fields
        .iter()
        .map(|field| {
            view! {
                <div class="confirm__fact">
                    <dt>{exposed(&field.label)}</dt>
                    <dd>{dated(&exposed(&field.value))}</dd>
                </div>
            }
            .into_any()
        })
        .collect();
    view! { <dl class="confirm__facts">{fields}</dl> }.into_any()
}

/// Draws lines, highlighted if they have a language; removed ones stay plain, because they are no part
/// of the text.
fn lines(language: &str, lines: &[DiffLine], marked: &[(u32, RiskWeight)]) -> AnyView {
    let stays = |line: &&DiffLine| line.change != LineChange::Removed;
    let text = lines.iter().filter(stays).map(|line| exposed(&line.text));
    let mut highlighted = code_lines(language, text.collect()).into_iter();

    // A removed line has the number that it had; the others are counted as they will be.
    let (mut before, mut after) = (0u32, 0u32);
    let rows: Vec<_> = lines
        .iter()
        .map(|line| {
            let (class, sign, said, number) = match line.change {
                LineChange::Removed => {
                    before += 1;
                    ("line line--removed", "−", texts::REMOVED, before)
                }
                LineChange::Added => {
                    after += 1;
                    ("line line--added", "+", texts::ADDED, after)
                }
                LineChange::Kept | LineChange::Unknown => {
                    before += 1;
                    after += 1;
                    ("line", " ", "", after)
                }
            };
            let gravest = marked.iter().filter(|(of, _)| *of == number);
            let text = match gravest.map(|(_, weight)| *weight).max() {
                Some(RiskWeight::Grave) => "line__text line__text--grave",
                Some(_) => "line__text line__text--warning",
                None => "line__text",
            };
            let shown = stays(&line).then(|| highlighted.next()).flatten();
            let shown = shown.unwrap_or_else(|| exposed(&line.text).into_any());
            view! {
                <span class=class>
                    <span class="line__number" aria-hidden="true">{number.to_string()}</span>
                    <span class="line__sign" aria-hidden="true">{sign}</span>
                    <span class="visually-hidden">{said}</span>
                    <span class=text>{shown}</span>
                </span>
            }
            .into_any()
        })
        .collect();
    view! { <pre class="lines" tabindex="0"><code>{rows}</code></pre> }.into_any()
}

fn table(columns: &[TableColumn], rows: &[Vec<String>], sums: &[String]) -> AnyView {
    let class = |place: usize| {
        let numeric = columns.get(place).is_some_and(|column| column.numeric);
        numeric.then_some("number")
    };
    let head: Vec<_> = columns
        .iter()
        .enumerate()
        .map(|(place, column)| {
            view! { <th scope="col" class=class(place)>{exposed(&column.name)}</th> }.into_any()
        })
        .collect();
    let cells = |row: &[String]| {
        let cells = row.iter().enumerate();
        let cells: Vec<_> = cells
            .map(|(place, cell)| view! { <td class=class(place)>{exposed(cell)}</td> }.into_any())
            .collect();
        view! { <tr>{cells}</tr> }.into_any()
    };
    let body: Vec<_> = rows.iter().map(|row| cells(row)).collect();
    let foot = (!sums.is_empty()).then(|| view! { <tfoot>{cells(sums)}</tfoot> }.into_any());
    view! {
        <div class="confirm__table" tabindex="0">
            <table>
                <thead>
                    <tr>{head}</tr>
                </thead>
                <tbody>{body}</tbody>
                {foot}
            </table>
        </div>
    }
    .into_any()
}

/// Draws links with their addresses: a text alone may promise another place.
fn links(links: &[CardLink]) -> AnyView {
    let links: Vec<_> = links
        .iter()
        .map(|link| {
            let own = link.href.starts_with('/');
            view! {
                <li>
                    <a href=link.href.clone() target=(!own).then_some("_blank") rel="noopener noreferrer">
                        {exposed(&link.text)}
                    </a>
                    " "
                    <code>{exposed(&link.href)}</code>
                </li>
            }
            .into_any()
        })
        .collect();
    view! { <ul class="confirm__links">{links}</ul> }.into_any()
}
