//! An object store in memory, with the part of the protocol of S3 that a site uses. It checks the signature of each request.

use std::{
    collections::BTreeMap,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use guildhall_common::platform::config::ObjectStoreSettings;
use jiff::{Timestamp, civil::DateTime, tz::TimeZone};
use parking_lot::Mutex;
use poem::{
    EndpointExt, Response, Server, handler,
    http::{Method, StatusCode, Uri},
    listener::{Acceptor, Listener, TcpListener},
    web::Data,
};
use reqwest::Url;
use rusty_s3::{
    Bucket, Credentials, S3Action, UrlStyle,
    actions::{DeleteObject, GetObject, PutObject},
};

const BUCKET: &str = "logos";
const REGION: &str = "eu-central-1";
const ACCESS_KEY: &str = "access";
const SECRET_KEY: &str = "secret";

/// The media types and the bytes of the objects by their keys.
type Objects = BTreeMap<String, (String, Vec<u8>)>;

#[derive(Clone)]
pub(crate) struct FakeObjectStore {
    url: String,
    objects: Arc<Mutex<Objects>>,
    is_down: Arc<AtomicBool>,
}

impl FakeObjectStore {
    pub(crate) async fn start() -> Self {
        let acceptor = TcpListener::bind("127.0.0.1:0").into_acceptor().await.unwrap();
        let address = acceptor.local_addr()[0].as_socket_addr().copied().unwrap();
        let store =
            Self { url: format!("http://{address}"), objects: Arc::default(), is_down: Arc::default() };
        tokio::spawn(Server::new_with_acceptor(acceptor).run(respond.data(store.clone())));
        store
    }

    pub(crate) fn settings(&self) -> ObjectStoreSettings {
        ObjectStoreSettings {
            s3_url: Some(self.url.clone()),
            s3_bucket: Some(BUCKET.to_owned()),
            s3_region: REGION.to_owned(),
            s3_access_key: Some(ACCESS_KEY.to_owned()),
            s3_secret_key: Some(SECRET_KEY.into()),
        }
    }

    /// The number of objects, and their media types.
    pub(crate) fn media_types(&self) -> Vec<String> {
        self.objects.lock().values().map(|(media_type, _)| media_type.clone()).collect()
    }

    pub(crate) fn set_down(&self, is_down: bool) {
        self.is_down.store(is_down, Ordering::Relaxed);
    }

    /// The key of the object, if the address has the signature that this method, media type and time require.
    fn key(&self, method: &Method, uri: &Uri, media_type: &str) -> Option<String> {
        let key = uri.path().strip_prefix(&format!("/{BUCKET}/"))?.to_owned();
        let requested: Url = format!("{}{uri}", self.url).parse().ok()?;
        let query: BTreeMap<_, _> = requested.query_pairs().into_owned().collect();
        let time = DateTime::strptime("%Y%m%dT%H%M%SZ", query.get("X-Amz-Date")?).ok()?;
        let time = time.to_zoned(TimeZone::UTC).ok()?.timestamp();
        let lifetime = Duration::from_secs(query.get("X-Amz-Expires")?.parse().ok()?);
        if Timestamp::now().duration_since(time).unsigned_abs() > lifetime {
            return None;
        }
        let bucket = Bucket::new(self.url.parse().ok()?, UrlStyle::Path, BUCKET, REGION).ok()?;
        let credentials = Credentials::new(ACCESS_KEY, SECRET_KEY);
        let signed = match *method {
            Method::GET => GetObject::new(&bucket, Some(&credentials), &key).sign_with_time(lifetime, &time),
            Method::DELETE => {
                DeleteObject::new(&bucket, Some(&credentials), &key).sign_with_time(lifetime, &time)
            }
            _ => {
                let mut action = PutObject::new(&bucket, Some(&credentials), &key);
                action.headers_mut().insert("content-type", media_type);
                action.sign_with_time(lifetime, &time)
            }
        };
        (signed == requested).then_some(key)
    }
}

#[handler]
fn respond(
    method: Method,
    uri: &Uri,
    headers: &poem::http::HeaderMap,
    body: Vec<u8>,
    store: Data<&FakeObjectStore>,
) -> Response {
    let media_type = headers.get("content-type").map_or("", |value| value.to_str().unwrap()).to_owned();
    if store.is_down.load(Ordering::Relaxed) {
        return StatusCode::SERVICE_UNAVAILABLE.into();
    }
    let Some(key) = store.key(&method, uri, &media_type) else { return StatusCode::FORBIDDEN.into() };
    let mut objects = store.objects.lock();
    match method {
        Method::GET => match objects.get(&key) {
            Some((media_type, bytes)) => Response::builder().content_type(media_type).body(bytes.clone()),
            None => StatusCode::NOT_FOUND.into(),
        },
        Method::DELETE => {
            objects.remove(&key);
            StatusCode::NO_CONTENT.into()
        }
        _ => {
            objects.insert(key, (media_type, body));
            StatusCode::OK.into()
        }
    }
}
