//! RabbitMQ: supervised connections, confirmed publishing, replies and events.

pub mod connection;
pub mod events;
pub mod publish;
pub mod reply;
mod scoped_value;
pub mod supervisor;
pub mod topology;

pub use connection::{Broker, with_timeout};
pub use events::Events;
pub use publish::{Message, PublishError, Publisher};
pub use reply::Replies;
pub use scoped_value::ScopedValue;
pub use supervisor::{SwitchNode, supervise};
pub use topology::{Topology, partitions, waiting_messages};
