//! RabbitMQ: supervised connections, confirmed publishing, replies and events.

mod confirmed_channel;
pub mod connection;
pub mod events;
pub mod message;
pub mod publish;
mod queue_publisher;
pub mod reply;
mod scoped_value;
pub mod supervisor;
pub mod topology;

pub use connection::{Broker, with_timeout};
pub use events::{EventListener, Events};
pub use message::{EventMessage, Message, PublishError};
pub use publish::Publisher;
pub use reply::{Replies, Waiter};
pub use scoped_value::ScopedValue;
pub use supervisor::{GOOD_AFTER, SwitchNode, supervise};
pub use topology::{Topology, partitions, waiting_messages};
