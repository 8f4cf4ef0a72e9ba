//! A browser: it keeps cookies, and adds the headers that tell where a request comes from.

use std::collections::BTreeMap;

use guildhall_testkit::http::Request;
use http::Method;
use serde_json::{Value, json};

use super::{
    client::{Client, Response, send},
    community::PASSWORD,
    site::Site,
};

pub(crate) const SESSION_COOKIE: &str = "__Host-guildhall-session";
pub(crate) const DEVICE_COOKIE: &str = "__Host-guildhall-device";

/// A browser that shows a page of the site. A clone is a second tab whose requests begin with the same cookies.
#[derive(Clone)]
pub(crate) struct Browser {
    visitor: Client,
    pub(crate) cookies: BTreeMap<String, String>,
}

impl Browser {
    pub(crate) fn open(site: &Site) -> Self {
        Self { visitor: site.visitor(), cookies: BTreeMap::new() }
    }

    /// The cookies as a browser sends them.
    pub(crate) fn cookie_header(&self) -> String {
        let cookies = self.cookies.iter().map(|(name, value)| format!("{name}={value}"));
        cookies.collect::<Vec<_>>().join("; ")
    }

    /// A request with the cookies, and without the headers about its page.
    pub(crate) fn request(&self, method: Method, path: &str) -> Request {
        self.visitor.request(method, path).header("Cookie", self.cookie_header())
    }

    /// Sends the request of a page of the site, and keeps the cookies of the response.
    pub(crate) async fn send(&mut self, method: Method, path: &str, body: Option<Value>) -> Response {
        let request = self.request(method, path);
        let request = request.header("Origin", self.visitor.url()).header("Sec-Fetch-Site", "same-origin");
        let response = send(match &body {
            Some(body) => request.json(body),
            None => request,
        })
        .await;
        self.keep_cookies(&response);
        response
    }

    pub(crate) async fn log_in(&mut self, login: &str) -> Response {
        let body = json!({ "login": login, "password": PASSWORD });
        self.send(Method::POST, "/auth/cookie", Some(body)).await
    }

    pub(crate) async fn refresh(&mut self) -> Response {
        self.send(Method::POST, "/auth/cookie/refresh", None).await
    }

    pub(crate) async fn log_out(&mut self) -> Response {
        self.send(Method::DELETE, "/auth/cookie", None).await
    }

    /// The page that has the access token of a response.
    pub(crate) fn page(&self, session: &Value) -> Client {
        self.visitor.with_token(session["access_token"].as_str().unwrap())
    }

    fn keep_cookies(&mut self, response: &Response) {
        for cookie in response.headers.get_all("set-cookie") {
            let cookie = cookie.to_str().unwrap();
            let (pair, attributes) = cookie.split_once("; ").unwrap();
            let (name, value) = pair.split_once('=').unwrap();
            if attributes.contains("Max-Age=0;") {
                self.cookies.remove(name);
            } else {
                self.cookies.insert(name.to_owned(), value.to_owned());
            }
        }
    }
}
