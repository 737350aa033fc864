//! `/etc/resolv.conf`.

use super::{ReadError, text::lines};
use crate::fields::{StepFields, TypedField};

pub(crate) fn read(output: &str) -> Result<StepFields, ReadError> {
    let mut fields = StepFields::default();
    let mut servers = 0;
    for line in lines(output)? {
        let mut words = line.split_whitespace();
        match (words.next(), words.next()) {
            (Some("nameserver"), Some(server)) => {
                servers += 1;
                // The C library asks the first three.
                fields.record(vec![
                    TypedField::text("server", server),
                    TypedField::flag("used", servers <= 3),
                ]);
            }
            (Some("search" | "domain"), Some(first)) => {
                let names: Vec<_> = std::iter::once(first).chain(words).collect();
                fields.push(TypedField::text("search", &names.join(" ")));
            }
            (Some("options"), Some(first)) => {
                let options: Vec<_> = std::iter::once(first).chain(words).collect();
                fields.push(TypedField::text("options", &options.join(" ")));
            }
            _ => {}
        }
    }
    fields.push(TypedField::whole("servers", servers));
    Ok(fields)
}
