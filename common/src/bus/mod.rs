//! RabbitMQ: supervised connections, confirmed publishing, publish-and-wait.

pub mod connection;
pub mod events;
pub mod publish;
pub mod reply;
pub mod topology;

pub use connection::{Broker, Elsewhere, supervise, within};
pub use events::Events;
pub use publish::{Message, PublishError, Publisher};
pub use reply::Replies;
pub use topology::Topology;
