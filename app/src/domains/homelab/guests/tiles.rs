//! A guest as a tile.

use homelab_wire::GuestPart;
use kit::format::upright;
use leptos::prelude::*;

use super::row::{about, state_light};
use crate::domains::homelab::{
    ClusterObject,
    act::{Subject, menu_button},
    figure::{meter, share, whole},
    link::link,
    texts,
};

pub(in crate::domains::homelab) fn tile(guest: &GuestPart) -> AnyView {
    let name = guest
        .name
        .clone()
        .unwrap_or_else(|| texts::guests::WITHOUT_NAME.to_owned());
    let cpu = guest.cpu_percent.as_ref();
    let cpu = cpu.and_then(|it| it.value().copied());
    let used = guest.memory_used.as_ref();
    let memory = share(used.and_then(|it| it.value().copied()), guest.memory_total);
    let figure = |name: &'static str, percent: Option<f64>| {
        percent.map(|percent| {
            view! {
                <p class="tile__figure">
                    <span>{name}</span>
                    {meter(Some(percent))}
                    <span class="tile__value">{whole(percent)}</span>
                </p>
            }
        })
    };
    let full_name = upright(name.clone());
    let place = upright(format!("{} {} · {}", guest.kind, guest.vmid, guest.node));
    view! {
        <p class="tile__head" title=full_name>
            {state_light(guest)} {link(&ClusterObject::Guest(guest.vmid), name)}
            {menu_button(Subject::Guest(guest.vmid), about(guest))}
        </p>
        <p class="tile__place" title=place>{place.clone()}</p>
        {figure(texts::figures::CPU, cpu)}
        {figure(texts::figures::MEMORY, memory)}
    }
    .into_any()
}
