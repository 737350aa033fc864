//! `arp-scan -q -x`: an address and a hardware address on each line.

use std::collections::{BTreeMap, BTreeSet};

use super::{ReadError, text::lines};
use crate::fields::{StepFields, TypedField};

pub(crate) fn read(output: &str) -> Result<StepFields, ReadError> {
    let mut fields = StepFields::default();
    let mut hosts: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for line in lines(output)? {
        let mut columns = line.split('\t');
        let (Some(address), Some(mac)) = (columns.next(), columns.next()) else {
            continue;
        };
        // A mark such as `(DUP: 2)` may follow.
        let mac = mac.split(' ').next().unwrap_or(mac);
        hosts.entry(address).or_default().insert(mac);
    }
    fields.push(TypedField::whole("hosts", hosts.len() as u64));
    let doubled = hosts.values().filter(|macs| macs.len() > 1).count();
    fields.push(TypedField::whole("doubled_addresses", doubled as u64));
    for (address, macs) in hosts {
        for mac in &macs {
            fields.record(vec![
                TypedField::text("address", address),
                TypedField::text("mac", mac),
                TypedField::flag("doubled", macs.len() > 1),
            ]);
        }
    }
    Ok(fields)
}
