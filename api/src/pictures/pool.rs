//! The pool that reads and draws pictures: a few at the same time, on threads of its own.

use std::{
    net::IpAddr,
    sync::Arc,
    time::{Duration, Instant},
};

use rayon::{ThreadPool, ThreadPoolBuilder};
use tokio::{
    sync::{Semaphore, oneshot},
    time::timeout,
};

use crate::http::{problem::Problem, slots::Slots};

/// The pictures that are processed at the same time. Each one may use a processor and 64 MiB of memory.
const THREADS: usize = 2;

/// The maximum number of pictures that wait or are processed, in total and of one network. Further ones are refused immediately.
const PLACES: usize = 32;
const PLACES_PER_NETWORK: usize = 8;

/// The longest time that a request waits for its picture, with the time in which it is processed.
const TIMEOUT: Duration = Duration::from_secs(7);

/// What a picture is for. Metrics have it as a label.
#[derive(Debug, Clone, Copy)]
pub(crate) enum PictureKind {
    Logo,
    Card,
}

impl PictureKind {
    fn label(self) -> &'static str {
        match self {
            Self::Logo => "logo",
            Self::Card => "card",
        }
    }
}

#[derive(Clone)]
pub(crate) struct PicturePool {
    places: Slots<IpAddr>,
    permits: Arc<Semaphore>,
    /// A thread pool of its own: the allocator keeps the memory of each thread, and tokio has many threads.
    threads: Arc<ThreadPool>,
}

impl PicturePool {
    /// Starts the threads.
    ///
    /// # Errors
    /// A thread cannot be started.
    pub(crate) fn new() -> anyhow::Result<Self> {
        let threads = ThreadPoolBuilder::new().num_threads(THREADS).thread_name(|_| "pictures".to_owned());
        let threads = threads.panic_handler(|_| tracing::error!("picture thread panicked")).build()?;
        Ok(Self {
            places: Slots::new(PLACES, PLACES_PER_NETWORK),
            permits: Arc::new(Semaphore::new(THREADS)),
            threads: Arc::new(threads),
        })
    }

    /// Runs the work on a thread of the pool when one is free.
    ///
    /// The work keeps its place and its thread until its end, also if the request has ended. So the limits hold for the memory.
    ///
    /// # Errors
    /// 503 if too many pictures wait, or this one takes too long.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        kind: PictureKind,
        network: IpAddr,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Problem> {
        let drawn = timeout(TIMEOUT, self.run_when_free(kind, network, work)).await.ok().flatten();
        let result = if drawn.is_some() { "done" } else { "busy" };
        metrics::counter!("guildhall_pictures_total", "kind" => kind.label(), "result" => result)
            .increment(1);
        let busy = "The server processes too many pictures at the moment. Try again.";
        drawn.ok_or_else(|| Problem::unavailable("busy", busy))
    }

    async fn run_when_free<T: Send + 'static>(
        &self,
        kind: PictureKind,
        network: IpAddr,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Option<T> {
        let place = self.places.acquire(network).ok()?;
        let permit = self.permits.clone().acquire_owned().await.ok()?;
        let (sender, receiver) = oneshot::channel();
        self.threads.spawn(move || {
            let (_place, _permit) = (place, permit);
            let started = Instant::now();
            // The request may have ended.
            let _ = sender.send(work());
            metrics::histogram!("guildhall_picture_seconds", "kind" => kind.label())
                .record(started.elapsed());
        });
        receiver.await.ok()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    const NETWORK: IpAddr = IpAddr::V4(std::net::Ipv4Addr::LOCALHOST);

    #[tokio::test]
    async fn pictures_of_a_network_and_in_total_are_limited() {
        let pool = PicturePool::new().unwrap();
        let (release, blocked) = mpsc::channel::<()>();
        let blocked = Arc::new(parking_lot::Mutex::new(blocked));
        let run = |network: u8| {
            let (pool, blocked) = (pool.clone(), blocked.clone());
            let work = move || blocked.lock().recv().is_ok();
            async move { pool.run(PictureKind::Logo, [127, 0, 0, network].into(), work).await }
        };
        let mut running = vec![];
        for place in 0..PLACES {
            running.push(tokio::spawn(run((place / PLACES_PER_NETWORK) as u8)));
            tokio::task::yield_now().await;
        }
        assert_eq!(run(0).await.unwrap_err().code, "busy");
        assert_eq!(run(100).await.unwrap_err().code, "busy");
        running.iter().for_each(|_| release.send(()).unwrap());
        for picture in running {
            assert!(picture.await.unwrap().unwrap());
        }
    }

    #[tokio::test]
    async fn panic_frees_its_place() {
        let pool = PicturePool::new().unwrap();
        for _ in 0..=PLACES {
            let work = || panic!("a picture that breaks the decoder");
            let problem = pool.run::<()>(PictureKind::Logo, NETWORK, work).await.unwrap_err();
            assert_eq!(problem.code, "busy");
        }
        assert!(pool.run(PictureKind::Logo, NETWORK, || true).await.unwrap());
    }
}
