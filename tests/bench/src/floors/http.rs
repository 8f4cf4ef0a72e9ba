//! The floors (a) and (b): a JSON body of fixed bytes, from memory and from Redis.

use std::{net::SocketAddr, path::PathBuf};

use anyhow::Context;
use clap::Args;
use poem::{EndpointExt, Response, Route, endpoint::make, get, http::StatusCode, listener::TcpListener};
use redis::{AsyncCommands, Client};

pub(crate) const FIXED: &str = "/fixed";
pub(crate) const FROM_REDIS: &str = "/redis";

/// The key of the body in Redis.
const KEY: &str = "guildhall-bench:floor";

#[derive(Args)]
pub(crate) struct HttpFloor {
    /// The address and port to listen on
    #[arg(long)]
    listen: SocketAddr,

    /// The file with the body
    #[arg(long)]
    body: PathBuf,

    /// Redis: redis://user:password@host:port
    #[arg(long, env = "GUILDHALL_REDIS_URL", hide_env_values = true)]
    redis_url: String,
}

/// Serves both floors.
///
/// # Errors
/// When Redis does not respond or the address is in use.
pub(crate) async fn serve(settings: &HttpFloor) -> anyhow::Result<()> {
    let body = std::fs::read(&settings.body).with_context(|| settings.body.display().to_string())?;
    // One connection for all requests, as the api has.
    let redis = Client::open(&*settings.redis_url)?.get_multiplexed_async_connection().await?;
    redis.clone().set::<_, _, ()>(KEY, &body).await?;
    let fixed = make(move |_| {
        let body = body.clone();
        async move { json(body) }
    });
    let from_redis = make(move |_| {
        let mut redis = redis.clone();
        async move {
            match redis.get::<_, Vec<u8>>(KEY).await {
                Ok(body) => json(body),
                Err(_) => Response::builder().status(StatusCode::SERVICE_UNAVAILABLE).finish(),
            }
        }
    });
    let routes = Route::new().at(FIXED, get(fixed)).at(FROM_REDIS, get(from_redis));
    poem::Server::new(TcpListener::bind(settings.listen)).run(routes.map_to_response()).await?;
    Ok(())
}

fn json(body: Vec<u8>) -> Response {
    Response::builder().content_type("application/json").body(body)
}
