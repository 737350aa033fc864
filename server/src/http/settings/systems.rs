//! The page of the systems, for admins: how each is configured.

use app::plain_pages::settings::{SystemKey, SystemSettings, SystemsPage};
use axum::response::Response;

use super::{Visit, configured};

pub(super) async fn page(visit: Visit) -> Response {
    let http = &visit.http;
    let systems = http.configured.iter().map(|(status, keys)| {
        let keys = keys.iter().map(|key| SystemKey {
            name: key.name,
            help: key.help.clone(),
            is_secret: key.is_secret,
            configured: configured(&http.tuning, key.name),
        });
        SystemSettings {
            name: status.name.clone(),
            is_simulated: status.simulated,
            keys: keys.collect(),
        }
    });
    let systems = systems.collect();
    visit.page(visit.note(), SystemsPage { systems })
}
