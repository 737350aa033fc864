//! Descriptions of the tools in these tests, close to real ones.

/// The tools' words about themselves. No examples are handed in besides: conversations that began
/// without them get on by names and descriptions.
pub(super) fn description(name: &str) -> String {
    const TOLD: &[(&str, &str)] = &[
        (
            "get_cluster_status",
            "Reads the health of the whole cluster: quorum, and for every node its state, role, CPU load \
             and memory. Use it first for questions such as \"How is the cluster doing?\" or \"Which node \
             is the busiest?\". It does not list guests, storages or tasks.",
        ),
        (
            "get_node_status",
            "Reads one node in detail: CPU load, memory, kernel, uptime. Use it when the question is about \
             one node, such as \"Why is pve slow?\" or \"How much memory does pve use?\".",
        ),
        (
            "get_vms",
            "Lists the virtual machines (QEMU; not containers) with VM id, name, node, state (running, \
             stopped, paused, template), CPU load and memory. Use it for questions such as \"Which VMs are \
             stopped?\" or to find the id or the node of a VM by its name.",
        ),
        (
            "get_containers",
            "Lists the containers (LXC; not virtual machines) with id, name, node and state (running, \
             stopped, template), CPU load and memory. Use it for questions such as \"Is pihole running?\" or to find the id or \
             the node of a container by its name.",
        ),
        (
            "get_storage",
            "Lists the storages with type, the nodes that see them, state and used, free and total bytes. \
             Use it for questions about space, such as \"Is any disk nearly full?\".",
        ),
        (
            "get_cluster_resources",
            "Reads a brief inventory in one request: nodes, guests and storages. Use it for an overview of \
             everything or to find out where something is, as in \"What is running where?\".",
        ),
        (
            "get_node_temperature",
            "Reads the temperatures of a node in degrees Celsius.",
        ),
        (
            "get_recent_tasks",
            "Lists the tasks of the cluster, newest first, with their outcome (running, ok, failed). Use it for questions such as \
             \"What happened last night?\" or \"Did the backups work?\".",
        ),
        (
            "get_backups",
            "Lists the backups: for each guest its newest one, with `vmid` every one of that guest. Use it \
             for questions such as \"When was 100 last backed up?\".",
        ),
        (
            "get_history",
            "Reads the past of one node or guest as series. Use it for questions such as \"How busy was pve \
             last night?\".",
        ),
        (
            "execute_ssh",
            "Runs one command that only looks on a node over SSH, in these forms (UNIT is the full name of \
             a service, such as pveproxy.service; DISK is such as /dev/sda):\n\
             df -i: inodes of file systems\n\
             lsblk: disks and partitions\n\
             ps -eo pid,user,pcpu,pmem,rss,etime,comm --sort -pcpu: processes by processor time\n\
             ps -eo pid,user,pcpu,pmem,rss,etime,comm --sort -rss: processes by memory\n\
             systemctl is-active UNIT: whether a service runs\n\
             systemctl show UNIT: state of a service as fields\n\
             systemctl list-units --failed: units that failed\n\
             journalctl -u UNIT -n N: last log lines of a service\n\
             journalctl -u UNIT -p err|warning|info -n N: the same, of this priority and above\n\
             journalctl -p err|warning|info -n N: last log lines of this priority and above\n\
             journalctl -k -n N: last log lines of the kernel\n\
             dmesg -T -l err|warn|info: messages of the kernel of one level\n\
             ss -tln: listening TCP ports\n\
             zpool status: health of ZFS pools\n\
             zpool list: space in ZFS pools\n\
             smartctl -H DISK: whether a disk says that it is healthy\n\
             The result has the exit code and the output.",
        ),
    ];
    let told = TOLD.iter().find(|(known, _)| *known == name);
    told.map_or_else(
        || format!("{}.", name.replace('_', " ")),
        |(_, told)| (*told).to_owned(),
    )
}
