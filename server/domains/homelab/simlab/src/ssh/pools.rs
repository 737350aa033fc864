//! ZFS pools and file systems. Their sizes match those of the storages on them in the API.

use super::SshAnswer;
use super::disks::{DiskRole, on};
use super::table::{self, ColumnSide, columns, row};
use crate::calendar::{self, DAY, MINUTE};
use crate::inventory::{self, GIB, GuestKind, MIB, SimNode};
use crate::wave::mix;
use crate::world::SimWorld;

/// Total and used bytes of a storage on a node, if it exists there.
pub(super) fn storage(world: &SimWorld, node: &SimNode, name: &str) -> Option<(u64, u64)> {
    let (position, _) = inventory::node(node.name)?;
    let storage = inventory::storage(name).filter(|_| world.storage_known(node.name, name))?;
    Some(world.numbers.storage(storage, position, world.now))
}

struct Pool {
    name: &'static str,
    /// The disks; two form a mirror.
    disks: Vec<&'static str>,
    total: u64,
    used: u64,
}

impl Pool {
    /// The raw size, including ZFS's own reserve: a 32nd of small pools.
    fn size(&self) -> u64 {
        if self.total < 4_096 * GIB {
            self.total / 31 * 32
        } else {
            self.total
        }
    }
}

fn pools(world: &SimWorld, node: &SimNode) -> Vec<Pool> {
    [
        ("local-zfs", "local-zfs", DiskRole::Guests),
        ("tank", "nas", DiskRole::Nas),
    ]
    .into_iter()
    .filter_map(|(name, on_it, role)| {
        let disks: Vec<_> = on(node)
            .filter(|disk| disk.role == role)
            .map(|disk| disk.name)
            .collect();
        let (total, used) = storage(world, node, on_it).filter(|_| !disks.is_empty())?;
        Some(Pool {
            name,
            disks,
            total,
            used,
        })
    })
    .collect()
}

pub(super) fn zpool_list(world: &SimWorld, node: &SimNode) -> SshAnswer {
    let mut rows = vec![row([
        "NAME", "SIZE", "ALLOC", "FREE", "CKPOINT", "EXPANDSZ", "FRAG", "CAP", "DEDUP", "HEALTH",
        "ALTROOT",
    ])];
    for pool in pools(world, node) {
        let size = pool.size();
        let fragmented = 4 + mix(7, &format!("{}/{}", node.name, pool.name)) % 15;
        rows.push(row([
            pool.name,
            &table::zfs(size),
            &table::zfs(pool.used),
            &table::zfs(size - pool.used),
            "-",
            "-",
            &format!("{fragmented}%"),
            &format!("{}%", pool.used * 100 / size.max(1)),
            "1.00x",
            "ONLINE",
            "-",
        ]));
    }
    if rows.len() == 1 {
        return SshAnswer::ok("no pools available\n");
    }
    let mut sides = [ColumnSide::Right; 11];
    sides[0] = ColumnSide::Left;
    sides[10] = ColumnSide::Left;
    SshAnswer::ok(columns(&rows, &sides, 2))
}

pub(super) fn zpool_status(world: &SimWorld, node: &SimNode) -> SshAnswer {
    let pools = pools(world, node);
    if pools.is_empty() {
        return SshAnswer::ok("no pools available\n");
    }
    let text: Vec<String> = pools
        .iter()
        .map(|pool| {
            let took = 700 + (pool.used / GIB) as i64 * 4;
            let end = scrubbed(world.now as i64) + took;
            let mut members = vec![(0, pool.name.to_owned())];
            if pool.disks.len() > 1 {
                members.push((2, "mirror-0".to_owned()));
            }
            let depth = members.len() * 2;
            members.extend(pool.disks.iter().map(|disk| (depth, (*disk).to_owned())));
            let mut rows = vec![row(["NAME", "STATE", "READ", "WRITE", "CKSUM"])];
            rows.extend(members.iter().map(|(depth, name)| {
                row([&format!("{:depth$}{name}", ""), "ONLINE", "0", "0", "0"])
            }));
            use ColumnSide::{Left, Right};
            let table = columns(&rows, &[Left, Left, Right, Right, Right], 2);
            let config: String = table.lines().map(|line| format!("\t{line}\n")).collect();
            format!(
                "  pool: {}\n state: ONLINE\n  scan: scrub repaired 0B in {} with 0 errors on \
                 {}\nconfig:\n\n{config}\nerrors: No known data errors\n",
                pool.name,
                calendar::duration(took),
                calendar::ctime(end)
            )
        })
        .collect();
    SshAnswer::ok(text.join("\n"))
}

/// The start of Debian's last monthly scrub: on the second Sunday at 00:24.
fn scrubbed(now: i64) -> i64 {
    let midnight = now - now.rem_euclid(DAY);
    (0..60)
        .map(|back| midnight - back * DAY + 24 * MINUTE)
        .find(|at| {
            let day = calendar::day(*at);
            calendar::weekday(*at) == 0 && (8..15).contains(&day) && at + DAY < now
        })
        .unwrap_or(midnight)
}

pub(super) fn zfs_list(world: &SimWorld, node: &SimNode) -> SshAnswer {
    let mut rows = vec![row(["NAME", "USED", "AVAIL", "REFER", "MOUNTPOINT"])];
    let mut add = |name: &str, used: u64, free: u64, refer: u64, mount: &str| {
        rows.push(row([
            name,
            &table::zfs(used),
            &table::zfs(free),
            &table::zfs(refer),
            mount,
        ]));
    };
    for pool in pools(world, node) {
        let free = pool.total - pool.used;
        add(
            pool.name,
            pool.used,
            free,
            96 * 1024,
            &format!("/{}", pool.name),
        );
        if pool.name == "tank" {
            add(
                "tank/nas",
                pool.used - MIB,
                free,
                pool.used - MIB,
                "/tank/nas",
            );
            continue;
        }
        let mut rest = pool.used - MIB;
        let mut last = Vec::new();
        for guest in inventory::guests_on(node.name) {
            let size = guest.disk_gib * GIB;
            let (name, used, left, mount) = match guest.kind {
                GuestKind::Lxc => {
                    let used = (guest.disk_used_gib * GIB as f64) as u64;
                    let name = format!("{}/subvol-{}-disk-0", pool.name, guest.vmid);
                    let mount = format!("/{name}");
                    (name, used, size.saturating_sub(used), mount)
                }
                GuestKind::Qemu => {
                    let used = size / 100 * (40 + mix(8, guest.name) % 30);
                    let name = format!("{}/vm-{}-disk-0", pool.name, guest.vmid);
                    (name, used, free, "-".to_owned())
                }
            };
            rest = rest.saturating_sub(used);
            last.push((name, used, left.min(free), mount));
        }
        last.push((
            format!("{}/scratch", pool.name),
            rest,
            free,
            format!("/{}/scratch", pool.name),
        ));
        last.sort();
        for (name, used, left, mount) in last {
            add(&name, used, left, used, &mount);
        }
    }
    if rows.len() == 1 {
        return SshAnswer::ok("no datasets available\n");
    }
    use ColumnSide::{Left, Right};
    SshAnswer::ok(columns(&rows, &[Left, Right, Right, Right, Left], 2))
}
