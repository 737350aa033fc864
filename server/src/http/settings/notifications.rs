//! The page of the notifications of this browser.

use app::plain_pages::settings::NotificationsPage;
use axum::response::Response;

use super::Visit;

pub(super) async fn page(visit: Visit) -> Response {
    visit.page(visit.note(), NotificationsPage)
}
