//! Routes: path, permission check and parameters of an endpoint.

use std::collections::BTreeMap;

use crate::access::SimCaller;
use crate::inventory::SERVICES;
use crate::reply::{Fail, ReplyResult};
use crate::world::SimWorld;

/// Permission check of a route.
#[derive(Clone, Copy, Debug)]
pub(crate) enum AccessCheck {
    /// Anyone, signed in or not.
    World,
    /// Anyone who is signed in. The handler filters the rows they see.
    Any,
    /// Anyone with one of the privileges on the path, which may contain path parameters.
    Needs(&'static str, &'static [&'static str]),
}

/// Type of a parameter.
#[derive(Debug)]
pub(crate) enum Takes {
    Text,
    Integer(i64),
    Flag,
    Choice(&'static [&'static str]),
}

/// A parameter of the query or body.
#[derive(Debug)]
pub(crate) struct Param {
    pub name: &'static str,
    pub takes: Takes,
    pub required: bool,
}

pub(crate) const fn optional(name: &'static str, takes: Takes) -> Param {
    Param {
        name,
        takes,
        required: false,
    }
}

pub(crate) const fn required(name: &'static str, takes: Takes) -> Param {
    Param {
        name,
        takes,
        required: true,
    }
}

pub(crate) type Handler = fn(&mut SimWorld, &ApiCall) -> ReplyResult;

/// An endpoint. `path` is written as in the API documentation, such as `/nodes/{node}/status`.
pub(crate) struct ApiRoute {
    pub method: &'static str,
    pub path: &'static str,
    pub check: AccessCheck,
    pub params: &'static [Param],
    pub run: Handler,
    /// True if it is answered by the contacted node instead of the one in the path.
    pub here: bool,
}

pub(crate) const fn get(
    path: &'static str,
    check: AccessCheck,
    params: &'static [Param],
    run: Handler,
) -> ApiRoute {
    ApiRoute {
        method: "GET",
        path,
        check,
        params,
        run,
        here: false,
    }
}

pub(crate) const fn post(
    path: &'static str,
    check: AccessCheck,
    params: &'static [Param],
    run: Handler,
) -> ApiRoute {
    ApiRoute {
        method: "POST",
        path,
        check,
        params,
        run,
        here: false,
    }
}

/// An authenticated request with its route.
pub(crate) struct ApiCall {
    pub caller: SimCaller,
    /// The node that answers.
    pub local: &'static str,
    args: BTreeMap<String, String>,
}

impl ApiCall {
    /// A parameter, from the path or given by the client. Empty if it is absent.
    pub(crate) fn text(&self, name: &str) -> &str {
        self.args.get(name).map(String::as_str).unwrap_or_default()
    }

    pub(crate) fn given(&self, name: &str) -> Option<&str> {
        self.args.get(name).map(String::as_str)
    }

    pub(crate) fn integer(&self, name: &str) -> Option<i64> {
        self.args.get(name)?.parse().ok()
    }

    pub(crate) fn vmid(&self) -> u32 {
        self.text("vmid").parse().unwrap_or(0)
    }

    pub(crate) fn flag(&self, name: &str) -> bool {
        self.given(name).and_then(flag).unwrap_or(false)
    }
}

impl ApiRoute {
    /// The path parameters, if the route matches this path.
    pub(crate) fn matches(&self, path: &[String]) -> Option<BTreeMap<String, String>> {
        let mut args = BTreeMap::new();
        let mut template = self.path.split('/').skip(1);
        for given in path {
            let expect = template.next()?;
            match expect
                .strip_prefix('{')
                .and_then(|name| name.strip_suffix('}'))
            {
                Some(name) => {
                    args.insert(name.to_owned(), given.clone());
                }
                None if expect == given => {}
                None => return None,
            }
        }
        template.next().is_none().then_some(args)
    }

    /// Returns whether it needs no credentials.
    pub(crate) fn open(&self) -> bool {
        matches!(self.check, AccessCheck::World)
    }

    /// Serves a call in pveproxy's order: permission, then the node, the parameters, the work.
    pub(crate) fn serve(
        &self,
        world: &mut SimWorld,
        caller: SimCaller,
        local: &'static str,
        path: BTreeMap<String, String>,
        given: Vec<(String, String)>,
    ) -> ReplyResult {
        if let AccessCheck::Needs(template, privileges) = self.check {
            let place = path
                .iter()
                .fold(template.to_owned(), |place, (name, value)| {
                    place.replace(&format!("{{{name}}}"), value)
                });
            let allowed = |privilege: &&str| world.access.allowed(&caller, &place, privilege);
            if !privileges.iter().any(allowed) {
                return Err(Fail::forbidden(&format!(
                    "{place}, {}",
                    privileges.join("|")
                )));
            }
        }
        if let Some(name) = path.get("node") {
            SimWorld::node(name)?;
            if name != local && !self.here && !world.online(name) {
                return Err(Fail::new(595, "No route to host"));
            }
        }
        let args = self.verify(path, given)?;
        (self.run)(
            world,
            &ApiCall {
                caller,
                local,
                args,
            },
        )
    }

    fn verify(
        &self,
        path: BTreeMap<String, String>,
        given: Vec<(String, String)>,
    ) -> Result<BTreeMap<String, String>, Fail> {
        let mut errors = BTreeMap::new();
        for (name, value) in &path {
            let text = match name.as_str() {
                "vmid" => wrong(&Takes::Integer(100), value),
                "service" if !SERVICES.iter().any(|service| service.name == value) => {
                    let names: Vec<&str> = SERVICES.iter().map(|service| service.name).collect();
                    Some(not_in(value, &names))
                }
                _ => None,
            };
            errors.extend(text.map(|text| (name.clone(), text)));
        }
        let mut args = path;
        for (name, value) in given {
            let text = match self.params.iter().find(|param| param.name == name) {
                None => Some(
                    "property is not defined in schema and the schema does not allow additional \
                     properties"
                        .to_owned(),
                ),
                Some(param) => wrong(&param.takes, &value),
            };
            errors.extend(text.map(|text| (name.clone(), text)));
            args.insert(name, value);
        }
        for param in self.params.iter().filter(|param| param.required) {
            if !args.contains_key(param.name) {
                let text = "property is missing and it is not optional";
                errors.insert(param.name.to_owned(), text.to_owned());
            }
        }
        if errors.is_empty() {
            Ok(args)
        } else {
            Err(Fail::parameters(errors))
        }
    }
}

/// The error of a value in Proxmox VE's words; `None` if it is valid.
fn wrong(takes: &Takes, value: &str) -> Option<String> {
    match takes {
        Takes::Text => None,
        Takes::Integer(minimum) => match value.parse::<i64>() {
            Err(_) => Some(format!("type check ('integer') failed - got '{value}'")),
            Ok(number) if number < *minimum => {
                Some(format!("value must have a minimum value of {minimum}"))
            }
            Ok(_) => None,
        },
        Takes::Flag if flag(value).is_none() => {
            Some(format!("type check ('boolean') failed - got '{value}'"))
        }
        Takes::Flag => None,
        Takes::Choice(choices) => (!choices.contains(&value)).then(|| not_in(value, choices)),
    }
}

fn not_in(value: &str, choices: &[&str]) -> String {
    format!(
        "value '{value}' does not have a value in the enumeration '{}'",
        choices.join(", ")
    )
}

fn flag(value: &str) -> Option<bool> {
    match value {
        "1" | "on" | "yes" | "true" => Some(true),
        "0" | "off" | "no" | "false" => Some(false),
        _ => None,
    }
}
