//! Landlock and a filter of system calls, for a step in sandbox B. Neither is the boundary, which is made of
//! namespaces: they close what a kernel offers to everybody.

use std::{collections::BTreeMap, io};

use landlock::{
    ABI, Access as _, AccessFs, CompatLevel, Compatible as _, Ruleset, RulesetAttr as _,
    RulesetCreatedAttr as _, RulesetStatus, Scope, path_beneath_rules,
};
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, apply_filter,
};

use super::STAGE;

/// Folders that a step writes to.
const WRITES: [&str; 2] = ["/job", "/tmp"];
/// Devices that a step writes to.
const DEVICES: [&str; 4] = ["/dev/null", "/dev/zero", "/dev/full", "/dev/tty"];
/// Folders that a step reads and executes.
const READS: [&str; 10] = [
    "/usr", "/bin", "/sbin", "/lib", "/lib64", "/lib32", "/etc", "/proc", "/dev",
    // A probe is the stage's own program once more.
    STAGE,
];
/// Socket families of a step: IPv4, IPv6, netlink.
const FAMILIES: [i32; 3] = [libc::AF_INET, libc::AF_INET6, libc::AF_NETLINK];
/// Number of a system call in the second table of x86-64, which has the same ones once more.
const X32: i64 = 0x4000_0000;

/// System calls that no step needs, and that reach far into the kernel.
const DENIED: &[i64] = &[
    libc::SYS_acct,
    libc::SYS_add_key,
    libc::SYS_bpf,
    libc::SYS_chroot,
    libc::SYS_clock_adjtime,
    libc::SYS_clock_settime,
    libc::SYS_delete_module,
    libc::SYS_fanotify_init,
    libc::SYS_finit_module,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fsopen,
    libc::SYS_fspick,
    libc::SYS_init_module,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    libc::SYS_io_uring_setup,
    libc::SYS_kcmp,
    libc::SYS_kexec_load,
    libc::SYS_keyctl,
    libc::SYS_lookup_dcookie,
    libc::SYS_mbind,
    libc::SYS_migrate_pages,
    libc::SYS_mount,
    libc::SYS_mount_setattr,
    libc::SYS_move_mount,
    libc::SYS_move_pages,
    libc::SYS_name_to_handle_at,
    libc::SYS_open_by_handle_at,
    libc::SYS_open_tree,
    libc::SYS_perf_event_open,
    libc::SYS_personality,
    libc::SYS_pidfd_getfd,
    libc::SYS_pivot_root,
    libc::SYS_process_madvise,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_ptrace,
    libc::SYS_quotactl,
    libc::SYS_reboot,
    libc::SYS_request_key,
    libc::SYS_set_mempolicy,
    libc::SYS_setdomainname,
    libc::SYS_sethostname,
    libc::SYS_setns,
    libc::SYS_settimeofday,
    libc::SYS_swapoff,
    libc::SYS_swapon,
    libc::SYS_syslog,
    libc::SYS_umount2,
    libc::SYS_unshare,
    libc::SYS_userfaultfd,
    libc::SYS_vhangup,
];

/// Restricts this process and all that come of it.
pub(super) fn restrict() -> io::Result<()> {
    landlock().map_err(io::Error::other)?;
    let clone3 = BTreeMap::from([(libc::SYS_clone3, Vec::new())]);
    for (rules, code) in [
        (denied().map_err(io::Error::other)?, libc::EPERM),
        // Its flags are in memory, where no filter looks; libraries know how to do without it.
        (clone3, libc::ENOSYS),
    ] {
        let filter = filter(rules, code).map_err(io::Error::other)?;
        apply_filter(&filter).map_err(io::Error::other)?;
    }
    Ok(())
}

/// True if this kernel enforces Landlock. Restricts the calling thread.
pub fn landlock_works() -> bool {
    rustix::thread::set_no_new_privs(true).is_ok()
        && landlock().is_ok_and(|status| status != RulesetStatus::NotEnforced)
}

fn landlock() -> Result<RulesetStatus, landlock::RulesetError> {
    let abi = ABI::V6;
    // A kernel without it has one layer less; `check` says so.
    let status = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(abi))?
        .scope(Scope::from_all(abi))?
        .create()?
        .add_rules(path_beneath_rules(READS, AccessFs::from_read(abi)))?
        .add_rules(path_beneath_rules(WRITES, AccessFs::from_all(abi)))?
        .add_rules(path_beneath_rules(
            DEVICES,
            AccessFs::from_file(abi) & !AccessFs::Execute,
        ))?
        .restrict_self()?;
    Ok(status.ruleset)
}

/// System calls that are refused, with what their arguments must be for that.
fn denied() -> Result<BTreeMap<i64, Vec<SeccompRule>>, seccompiler::BackendError> {
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> = BTreeMap::new();
    for call in DENIED {
        rules.insert(*call, Vec::new());
    }
    let compare = |argument, operator, value: u64| {
        SeccompCondition::new(argument, SeccompCmpArgLen::Dword, operator, value)
    };
    let others =
        FAMILIES.map(|family| compare(0, SeccompCmpOp::Ne, u64::from(family.unsigned_abs())));
    let others = others.into_iter().collect::<Result<Vec<_>, _>>()?;
    rules.insert(libc::SYS_socket, vec![SeccompRule::new(others)?]);
    // Packet sockets need a capability as well; this is the second bolt.
    let steal = compare(1, SeccompCmpOp::Eq, libc::TIOCSTI)?;
    let paste = compare(1, SeccompCmpOp::Eq, libc::TIOCLINUX)?;
    rules.insert(
        libc::SYS_ioctl,
        vec![
            SeccompRule::new(vec![steal])?,
            SeccompRule::new(vec![paste])?,
        ],
    );
    let namespaces = libc::CLONE_NEWUSER
        | libc::CLONE_NEWNS
        | libc::CLONE_NEWPID
        | libc::CLONE_NEWNET
        | libc::CLONE_NEWIPC
        | libc::CLONE_NEWUTS
        | libc::CLONE_NEWCGROUP;
    let mut clones = Vec::new();
    for bit in 0..32 {
        let flag = 1_u64 << bit;
        if u64::from(namespaces.cast_unsigned()) & flag != 0 {
            let masked = SeccompCmpOp::MaskedEq(flag);
            clones.push(SeccompRule::new(vec![compare(0, masked, flag)?])?);
        }
    }
    rules.insert(libc::SYS_clone, clones);
    if cfg!(target_arch = "x86_64") {
        for call in rules.keys().copied().collect::<Vec<_>>() {
            rules.insert(call | X32, Vec::new());
        }
    }
    Ok(rules)
}

fn filter(
    rules: BTreeMap<i64, Vec<SeccompRule>>,
    code: i32,
) -> Result<BpfProgram, seccompiler::BackendError> {
    let filter = SeccompFilter::new(
        rules,
        SeccompAction::Allow,
        SeccompAction::Errno(code.unsigned_abs()),
        std::env::consts::ARCH.try_into()?,
    )?;
    filter.try_into()
}
