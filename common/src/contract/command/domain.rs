//! Domains: commands that share queues.

use std::any::Any;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::DeserializeOwned};
use serde_json::value::RawValue;

use super::{AnyCommand, Declaration, DeclaredCommand, Locks};
use crate::contract::{actor::Actor, partition_key::PartitionKey};

/// All commands of one domain: an enum with one variant per command. [`domain!`](crate::domain) declares it.
pub trait Domain: Serialize + DeserializeOwned + Send + Sync + Unpin + 'static {
    /// The name of the domain, with which the names of its queues begin after the namespace.
    const NAME: &'static str;

    /// Whether its commands are spread over several partitions.
    const IS_PARTITIONED: bool;

    /// The declarations of all its commands.
    const COMMANDS: &'static [DeclaredCommand];

    /// The command of this variant.
    fn command(&self) -> &dyn AnyCommand;

    /// The wire name of this command, e.g. `guild.invite`.
    fn name(&self) -> &'static str {
        self.command().declaration().name
    }

    /// As [`Declaration::partition_key`].
    fn partition_key(&self, sender: Actor) -> Option<PartitionKey> {
        self.command().partition_key(sender)
    }

    /// As [`Declaration::locks`].
    fn locks(&self, sender: Actor, locks: &mut Locks) {
        self.command().locks(sender, locks);
    }

    /// The command, if it is one of this type.
    fn find<C: Declaration>(&self) -> Option<&C> {
        (self.command() as &dyn Any).downcast_ref()
    }
}

/// Code that needs the type of a command or of a domain, such as the rule of a command in the workers.
pub trait Visitor {
    type Output;
}

/// A [`Visitor`] for one type of commands or domains.
pub trait Visit<T>: Visitor {
    fn visit(self) -> Self::Output;
}

/// Calls a visitor with the type of the command. A domain accepts a visitor that visits all its commands.
pub trait Dispatch<V: Visitor> {
    fn dispatch(&self, visitor: V) -> V::Output;
}

#[derive(Serialize)]
struct Tagged<'a, C> {
    name: &'static str,
    body: &'a C,
}

#[derive(Deserialize)]
struct ReadTagged {
    name: String,
    body: Box<RawValue>,
}

/// Writes a command as it is queued: `{"name": …, "body": …}`.
///
/// # Errors
/// Those of the serializer.
pub fn write_tagged<C: Declaration, S: Serializer>(command: &C, serializer: S) -> Result<S::Ok, S::Error> {
    Tagged { name: C::NAME, body: command }.serialize(serializer)
}

/// Reads the name and the fields of a queued command.
///
/// # Errors
/// Those of the deserializer.
pub fn read_tagged<'de, D: Deserializer<'de>>(deserializer: D) -> Result<(String, Box<RawValue>), D::Error> {
    let ReadTagged { name, body } = ReadTagged::deserialize(deserializer)?;
    Ok((name, body))
}

/// Declares a domain: the enum of its commands. docs/ARCHITECTURE.md shows what it expands to.
#[macro_export]
macro_rules! domain {
    ($(#[$meta:meta])* $domain:ident($name:literal $(, $not:ident partitioned)?) {
        $($module:ident::$command:ident,)+
    }) => {
        $(pub use self::$module::*;)+

        $(#[$meta])*
        #[derive(Debug)]
        pub enum $domain {
            $($command($command),)+
        }

        impl $crate::contract::command::Domain for $domain {
            const NAME: &'static str = $name;
            const IS_PARTITIONED: bool = stringify!($($not)?).is_empty();
            const COMMANDS: &'static [$crate::contract::command::DeclaredCommand] =
                &[$($crate::contract::command::DeclaredCommand::of::<$command>()),+];

            fn command(&self) -> &dyn $crate::contract::command::AnyCommand {
                match self {
                    $(Self::$command(command) => command,)+
                }
            }
        }

        impl<V> $crate::contract::command::Dispatch<V> for $domain
        where
            V: $crate::contract::command::Visitor $(+ $crate::contract::command::Visit<$command>)+,
        {
            fn dispatch(&self, visitor: V) -> V::Output {
                match self {
                    $(Self::$command(_) => $crate::contract::command::Visit::<$command>::visit(visitor),)+
                }
            }
        }

        impl serde::Serialize for $domain {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                match self {
                    $(Self::$command(command) => $crate::contract::command::write_tagged(command, serializer),)+
                }
            }
        }

        impl<'de> serde::Deserialize<'de> for $domain {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let (name, body) = $crate::contract::command::read_tagged(deserializer)?;
                let command = match &*name {
                    $(<$command as $crate::contract::command::Declaration>::NAME => {
                        serde_json::from_str(body.get()).map(Self::$command)
                    })+
                    _ => return Err(serde::de::Error::custom(format_args!("unknown command `{name}`"))),
                };
                command.map_err(serde::de::Error::custom)
            }
        }

        $(
            impl From<$command> for $domain {
                fn from(command: $command) -> Self {
                    Self::$command(command)
                }
            }

            impl $crate::contract::command::Command for $command {
                type Domain = $domain;
            }
        )+
    };
}

/// Declares the list of all domains.
#[macro_export]
macro_rules! domains {
    ($($domain:ident,)+) => {
        /// The names of all domains, and whether their commands are spread over several queues.
        pub const DOMAINS: &[(&str, bool)] = &[$((
            <$domain as $crate::contract::command::Domain>::NAME,
            <$domain as $crate::contract::command::Domain>::IS_PARTITIONED,
        )),+];

        /// The declarations of all commands.
        pub fn commands() -> impl Iterator<Item = &'static $crate::contract::command::DeclaredCommand> {
            [$(<$domain as $crate::contract::command::Domain>::COMMANDS),+].into_iter().flatten()
        }

        /// Calls a visitor with the type of each domain. It must visit all domains.
        pub fn visit_domains<V>(visitor: V) -> Vec<V::Output>
        where
            V: Clone + $crate::contract::command::Visitor $(+ $crate::contract::command::Visit<$domain>)+,
        {
            vec![$($crate::contract::command::Visit::<$domain>::visit(visitor.clone())),+]
        }
    };
}
