//! Tasks: the lists of a cluster and of a node, one task's state and log, and the event log.

use serde_json::{Value, json};

use super::known;
use crate::access::SimCaller;
use crate::inventory::NODES;
use crate::reply::{Fail, Reply, ReplyResult};
use crate::route::{AccessCheck, ApiCall, ApiRoute, Takes, get, optional};
use crate::world::{SimTask, SimWorld};

pub(super) const ROUTES: &[ApiRoute] = &[
    get("/cluster/tasks", AccessCheck::Any, &[], cluster),
    get(
        "/cluster/log",
        AccessCheck::Any,
        &[optional("max", Takes::Integer(1))],
        events,
    ),
    get(
        "/nodes/{node}/tasks",
        AccessCheck::Any,
        &[
            optional("errors", Takes::Flag),
            optional("limit", Takes::Integer(0)),
            optional("since", Takes::Integer(i64::MIN)),
            optional("source", Takes::Choice(&["archive", "active", "all"])),
            optional("start", Takes::Integer(0)),
            optional("statusfilter", Takes::Text),
            optional("typefilter", Takes::Text),
            optional("until", Takes::Integer(i64::MIN)),
            optional("userfilter", Takes::Text),
            optional("vmid", Takes::Integer(100)),
        ],
        node,
    ),
    get(
        "/nodes/{node}/tasks/{upid}/status",
        AccessCheck::Any,
        &[],
        status,
    ),
    get(
        "/nodes/{node}/tasks/{upid}/log",
        AccessCheck::Any,
        &[
            optional("start", Takes::Integer(0)),
            optional("limit", Takes::Integer(0)),
        ],
        log,
    ),
    ApiRoute {
        method: "DELETE",
        path: "/nodes/{node}/tasks/{upid}",
        check: AccessCheck::Any,
        params: &[],
        run: stop,
        here: false,
    },
];

/// Finished tasks that each node reports to the cluster.
const SHARED: usize = 25;

fn cluster(world: &mut SimWorld, call: &ApiCall) -> ReplyResult {
    let now = world.now;
    let mut tasks: Vec<&SimTask> = Vec::new();
    for node in NODES {
        let on_node = || begun(world).filter(|task| task.upid.node == node.name);
        tasks.extend(on_node().filter(|task| task.running(now)));
        let mut ended: Vec<&SimTask> = on_node().filter(|task| task.ended(now)).collect();
        ended.sort_by(|left, right| right.end.total_cmp(&left.end));
        tasks.extend(ended.into_iter().take(SHARED));
    }
    tasks.retain(|task| may_see(world, &call.caller, task));
    newest_first(&mut tasks);
    let rows = tasks
        .iter()
        .map(|task| row(task, task.ended(now).then(|| task.exit.clone()), now));
    Ok(rows.collect::<Value>().into())
}

fn node(world: &mut SimWorld, call: &ApiCall) -> ReplyResult {
    let now = world.now;
    let source = call.given("source").unwrap_or("archive");
    let filter = |task: &&SimTask| {
        let upid = &task.upid;
        let running = task.running(now);
        let class = if running { "unknown" } else { task.class() };
        upid.node == call.text("node")
            && match source {
                "active" => running,
                "all" => true,
                _ => !running,
            }
            && (!call.flag("errors") || (!running && task.failed()))
            && call
                .integer("since")
                .is_none_or(|since| upid.start >= since)
            && call
                .integer("until")
                .is_none_or(|until| upid.start <= until)
            && call
                .given("typefilter")
                .is_none_or(|kind| upid.kind == kind)
            && call
                .given("userfilter")
                .is_none_or(|user| upid.user.id().contains(user))
            && call
                .given("statusfilter")
                .is_none_or(|classes| classes.split(',').any(|wanted| wanted.trim() == class))
            && call.given("vmid").is_none_or(|vmid| upid.id == vmid)
    };
    let mut tasks: Vec<&SimTask> = begun(world)
        .filter(filter)
        .filter(|task| may_see(world, &call.caller, task))
        .collect();
    newest_first(&mut tasks);
    let total = tasks.len();
    let (start, limit) = page(call);
    let rows = tasks.into_iter().skip(start).take(limit).map(|task| {
        let status = if task.running(now) {
            "RUNNING"
        } else {
            &task.exit
        };
        row(task, Some(status.to_owned()), now)
    });
    Ok(Reply {
        data: rows.collect(),
        total: Some(total),
    })
}

fn status(world: &mut SimWorld, call: &ApiCall) -> ReplyResult {
    let task = find(world, call, "Sys.Audit")?;
    let ended = task.ended(world.now);
    let mut row = row(
        task,
        Some(if ended { "stopped" } else { "running" }.to_owned()),
        world.now,
    );
    if let Some(members) = row.as_object_mut() {
        members.remove("endtime");
        if ended {
            members.insert("exitstatus".to_owned(), task.exit.clone().into());
        }
    }
    Ok(row.into())
}

fn log(world: &mut SimWorld, call: &ApiCall) -> ReplyResult {
    let lines = find(world, call, "Sys.Audit")?.lines(world.now);
    let total = lines.len();
    let (start, limit) = page(call);
    let rows = lines
        .into_iter()
        .enumerate()
        .skip(start)
        .take(limit)
        .map(|(position, text)| json!({ "n": position + 1, "t": text }));
    Ok(Reply {
        data: rows.collect(),
        total: Some(total),
    })
}

fn stop(world: &mut SimWorld, call: &ApiCall) -> ReplyResult {
    let upid = find(world, call, "Sys.Modify")?.upid.to_string();
    world.stop_task(&upid);
    Ok(Value::Null.into())
}

/// The cluster log: syslog lines on its tasks, newest first.
fn events(world: &mut SimWorld, call: &ApiCall) -> ReplyResult {
    let now = world.now;
    let all = world.access.allowed(&call.caller, "/", "Sys.Syslog");
    let mut events: Vec<(f64, u8, String, &SimTask)> = Vec::new();
    for task in begun(world).filter(|task| all || owns(&call.caller, task)) {
        events.push((task.begin, 6, format!("starting task {}", task.upid), task));
        if task.ended(now) {
            let priority = if task.failed() { 3 } else { 6 };
            events.push((
                task.end,
                priority,
                format!("end task {} {}", task.upid, task.exit),
                task,
            ));
        }
    }
    events.sort_by(|left, right| right.0.total_cmp(&left.0));
    let max = call
        .integer("max")
        .and_then(|max| usize::try_from(max).ok())
        .unwrap_or(50);
    let count = events.len();
    let rows = events
        .iter()
        .take(max)
        .enumerate()
        .map(|(position, (at, priority, text, task))| {
            json!({
                "uid": count - position,
                "time": *at as i64,
                "pri": priority,
                "tag": "pvedaemon",
                "pid": task.upid.pid,
                "node": task.upid.node,
                "user": task.upid.user.id(),
                "msg": text,
            })
        });
    Ok(rows.collect::<Value>().into())
}

fn begun(world: &SimWorld) -> impl Iterator<Item = &SimTask> {
    world.tasks.iter().filter(|task| task.begun(world.now))
}

fn newest_first(tasks: &mut [&SimTask]) {
    tasks.sort_by(|left, right| right.begin.total_cmp(&left.begin));
}

fn page(call: &ApiCall) -> (usize, usize) {
    let number = |name| {
        call.integer(name)
            .and_then(|value| usize::try_from(value).ok())
    };
    let limit = number("limit").unwrap_or(50);
    (
        number("start").unwrap_or(0),
        if limit == 0 { usize::MAX } else { limit },
    )
}

/// Returns whether a caller owns a task. A user also owns the tasks of their tokens.
fn owns(caller: &SimCaller, task: &SimTask) -> bool {
    let owner = &task.upid.user;
    owner == caller || (caller.token.is_none() && owner.user == caller.user)
}

fn may_see(world: &SimWorld, caller: &SimCaller, task: &SimTask) -> bool {
    let path = format!("/nodes/{}", task.upid.node);
    owns(caller, task) || world.access.allowed(caller, &path, "Sys.Audit")
}

/// The task in the path, if the caller owns it or has the privilege on its node.
fn find<'a>(world: &'a SimWorld, call: &ApiCall, privilege: &str) -> Result<&'a SimTask, Fail> {
    let upid = call.text("upid");
    let node = call.text("node");
    if upid.split(':').count() != 9 || !upid.starts_with("UPID:") {
        return Err(Fail::parameter(
            "upid",
            format!("unable to parse worker upid '{upid}'"),
        ));
    }
    let task = begun(world)
        .find(|task| task.upid.node == node && task.upid.to_string() == upid)
        .ok_or_else(|| Fail::internal("no such task"))?;
    let path = format!("/nodes/{node}");
    if owns(&call.caller, task) || world.access.allowed(&call.caller, &path, privilege) {
        Ok(task)
    } else {
        Err(Fail::forbidden(&format!("{path}, {privilege}")))
    }
}

fn row(task: &SimTask, status: Option<String>, now: f64) -> Value {
    let upid = &task.upid;
    known(json!({
        "upid": upid.to_string(),
        "node": upid.node,
        "pid": upid.pid,
        "pstart": upid.pstart,
        "starttime": upid.start,
        "type": upid.kind,
        "id": upid.id,
        "user": upid.user.user,
        "tokenid": upid.user.token,
        "endtime": task.ended(now).then_some(task.end as i64),
        "status": status,
    }))
}
