//! Panics of the tasks of a drill, as errors that name the task, the location and the message. Without this, a panic of a task
//! without a join would be lost.

use std::{
    any::Any,
    cell::{Cell, RefCell},
    fmt,
    panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind, set_hook, take_hook},
    pin::pin,
    sync::Once,
    task::Poll,
    time::Duration,
};

use anyhow::ensure;
use parking_lot::Mutex;
use tokio::time::sleep;

/// The panics of tasks that do not use [`catch_panic`].
static UNCAUGHT: Mutex<Vec<String>> = Mutex::new(Vec::new());

thread_local! {
    /// Whether this thread polls a future of [`catch_panic`].
    static IS_CATCHING: Cell<bool> = const { Cell::new(false) };
    /// The location and message of the last panic of such a future.
    static LAST: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// A task of a drill has panicked.
#[derive(Debug)]
pub struct TaskPanicked {
    task: String,
    /// `src/file.rs:12:5: the message`.
    cause: String,
}

impl fmt::Display for TaskPanicked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "died: {} panicked at {}", self.task, self.cause)
    }
}

impl std::error::Error for TaskPanicked {}

/// Runs a future. Its panic is an error of the type [`TaskPanicked`] with the name of the task.
///
/// # Errors
/// The error of the future, or its panic.
pub async fn catch_panic<T>(
    task: &str,
    future: impl Future<Output = anyhow::Result<T>>,
) -> anyhow::Result<T> {
    install_hook();
    let mut future = pin!(future);
    let polled = std::future::poll_fn(|context| {
        let was_catching = IS_CATCHING.replace(true);
        let polled = catch_unwind(AssertUnwindSafe(|| future.as_mut().poll(context)));
        IS_CATCHING.set(was_catching);
        match polled {
            Ok(Poll::Pending) => Poll::Pending,
            Ok(Poll::Ready(result)) => Poll::Ready(Ok(result)),
            Err(payload) => Poll::Ready(Err(cause(&*payload))),
        }
    });
    match polled.await {
        Ok(result) => result,
        Err(cause) => Err(TaskPanicked { task: task.to_owned(), cause }.into()),
    }
}

fn cause(payload: &(dyn Any + Send)) -> String {
    // The hook has run on this thread.
    LAST.take().unwrap_or_else(|| format!("an unknown location: {:?}", payload.type_id()))
}

/// Waits until a task has panicked that does not use [`catch_panic`].
pub(crate) async fn wait_for_uncaught() {
    while UNCAUGHT.lock().is_empty() {
        sleep(Duration::from_millis(500)).await;
    }
}

/// The panics of tasks that do not use [`catch_panic`], since the last call.
pub(crate) fn take_uncaught() -> Vec<String> {
    std::mem::take(&mut *UNCAUGHT.lock())
}

/// Runs a drill that fails when any of its tasks panics.
///
/// # Errors
/// The error of the drill, or the panics of its tasks.
pub async fn fail_on_panics(drill: impl Future<Output = anyhow::Result<()>>) -> anyhow::Result<()> {
    let result = catch_panic("the drill", drill).await;
    let panics = take_uncaught();
    for panic in &panics {
        println!("{panic}");
    }
    result?;
    ensure!(panics.is_empty(), "{} tasks panicked", panics.len());
    Ok(())
}

/// Records each panic, and prints it as before.
fn install_hook() {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        let print = take_hook();
        set_hook(Box::new(move |info| {
            record(info);
            print(info);
        }));
    });
}

fn record(info: &PanicHookInfo<'_>) {
    let location = info.location().map(ToString::to_string).unwrap_or_default();
    let cause = format!("{location}: {}", info.payload_as_str().unwrap_or("no message"));
    if IS_CATCHING.get() {
        LAST.replace(Some(cause));
    } else {
        UNCAUGHT.lock().push(format!("died: a task panicked at {cause}"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(flavor = "multi_thread")]
    async fn panic_of_an_awaited_task_names_task_location_and_message() {
        let error = catch_panic("cell Bc", async {
            tokio::task::yield_now().await;
            anyhow::Ok([1, 2].iter().position(|it| *it == 3).expect("there is no 3"))
        });
        let error = error.await.unwrap_err();
        assert!(error.is::<TaskPanicked>());
        let text = error.to_string();
        assert!(text.starts_with("died: cell Bc panicked at tests/drills/src/panics.rs:"), "{text}");
        assert!(text.ends_with(": there is no 3"), "{text}");
    }

    #[tokio::test]
    async fn panic_of_a_forgotten_task_fails_the_drill() {
        let drill = async {
            // Its handle is dropped, as those of the proxies are.
            drop(tokio::spawn(async { panic!("a proxy broke") }));
            wait_for_uncaught().await;
            anyhow::Ok(())
        };
        let error = fail_on_panics(drill).await.unwrap_err();
        assert!(error.to_string().ends_with(" tasks panicked"), "{error}");
    }
}
