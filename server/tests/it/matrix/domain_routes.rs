//! The rows of routes that domains add, from their declarations, and the doors for their devices.

use protocol::Role;
use reqwest::{
    Method, RequestBuilder, StatusCode,
    header::{AUTHORIZATION, CONTENT_TYPE, COOKIE},
};
use server::routes::RouteRight;

use super::{
    people_of,
    routes::{ROUTES, asked},
};
use crate::{
    client::{Browser, send},
    harness::QUIET,
};

const LAMPS: &str = "[lamps]\nenabled = true\n[field]\nsimulated = true\n";
const PUSHED: &str = "[markets]\nprice_push = true\n";
const SENSOR: &str = "Sensor of-the-cellar";
const READINGS: &str = "/api/v1/lamp-sensor/readings";

/// The request that a domain gives as an example.
fn example(browser: &Browser, right: &RouteRight) -> RequestBuilder {
    let method = Method::from_bytes(right.method.as_bytes()).unwrap();
    let request = browser.request(method, &right.example);
    request
        .header(CONTENT_TYPE, "application/json")
        .body(right.body)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_route_of_a_domain_by_role() {
    for more in [LAMPS, PUSHED] {
        Box::pin(every_route_with(more)).await;
    }
}

async fn every_route_with(more: &str) {
    let (_folder, server, people) = people_of(&format!("{QUIET}{more}")).await;
    let methods = |address: &str| {
        let same = server.rights().iter();
        let same = same.filter(move |right| right.example == address);
        same.map(|right| right.method).collect::<Vec<_>>()
    };
    assert!(!server.rights().is_empty());
    for right in server.rights() {
        let prefix = format!("/api/v1/{}/", right.toolset);
        assert!(right.address.starts_with(&prefix), "{right:?}");
        let of = |role| {
            if role >= right.least {
                right.status
            } else {
                403
            }
        };
        let [viewer, operator, admin] = [Role::Viewer, Role::Operator, Role::Admin].map(of);
        let reader = if right.method == "GET" { viewer } else { 403 };
        for (who, browser, expect) in people.with([401, viewer, operator, admin, reader]) {
            let status = send(example(browser, right)).await.status();
            assert_eq!(status.as_u16(), expect, "{right:?} for {who}");
        }
        let [.., (_, admin)] = &people.signed_in;
        for method in [Method::POST, Method::PUT, Method::PATCH, Method::DELETE] {
            if !methods(&right.example).contains(&method.as_str()) {
                let answer = send(admin.request(method, &right.example)).await;
                let status = answer.status();
                assert_eq!(status, StatusCode::METHOD_NOT_ALLOWED, "{right:?}");
            }
        }
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_device_has_its_own_door_and_no_other() {
    let (_folder, server, people) = people_of(&format!("{QUIET}{LAMPS}")).await;
    let device = |request: RequestBuilder| request.header(AUTHORIZATION, SENSOR);
    for (method, route, expect) in ROUTES {
        let status = send(device(asked(&people.nobody, method, route)))
            .await
            .status();
        assert_eq!(status.as_u16(), expect[0], "{method} {route} for a device");
    }
    for right in server.rights() {
        let status = send(device(example(&people.nobody, right))).await.status();
        assert_eq!(status, StatusCode::UNAUTHORIZED, "{right:?} for a device");
    }
    let reading = |browser: &Browser| {
        let request = browser.request(Method::POST, READINGS);
        request
            .header(CONTENT_TYPE, "application/json")
            .body(r#"{"at_ms": 5, "on": 1}"#)
    };
    for (who, browser, ()) in people.with([(); 5]) {
        let answer = send(reading(browser)).await;
        assert_eq!(answer.status(), StatusCode::UNAUTHORIZED, "{who}");
        assert_eq!(crate::api::code(answer).await, "device_unknown", "{who}");
        let hello = send(
            people
                .nobody
                .request(Method::GET, "/api/v1/lamp-sensor/hello"),
        )
        .await;
        assert_eq!(hello.status(), StatusCode::OK);
    }
    let come_in = send(device(reading(&people.nobody))).await;
    assert_eq!(come_in.status(), StatusCode::OK);
    // A cookie beside it neither helps nor harms.
    let [.., (_, admin)] = &people.signed_in;
    let both = device(reading(&people.nobody)).header(COOKIE, admin.cookie().unwrap());
    assert_eq!(send(both).await.status(), StatusCode::OK);
    // A domain's own word on one of its devices comes in the one shape.
    let gone = reading(&people.nobody).header(AUTHORIZATION, "Sensor of-the-attic");
    let gone = send(gone).await;
    assert_eq!(gone.status(), StatusCode::FORBIDDEN);
    assert_eq!(crate::api::code(gone).await, "sensor_taken_down");
    let large = device(reading(&people.nobody)).body("x".repeat(2048));
    let refused = send(large).await;
    assert_eq!(refused.status(), StatusCode::PAYLOAD_TOO_LARGE);
    assert_eq!(crate::api::code(refused).await, "body_too_large");
    let elsewhere = send(device(people.nobody.request(Method::GET, READINGS))).await;
    assert_eq!(elsewhere.status(), StatusCode::METHOD_NOT_ALLOWED);
    server.stop().await;
}
