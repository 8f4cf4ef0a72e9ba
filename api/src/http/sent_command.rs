//! The command that an operation sends, as a type of its response names it.

use guildhall_common::contract::command::Declaration;
use poem_openapi::registry::{MetaHeader, MetaSchema, MetaSchemaRef};

/// The header that names the command in the description of a response. The published document has the refusals of the command instead.
pub(crate) const COMMAND_HEADER: &str = "Command";

/// The command that an operation sends before it responds.
pub(crate) trait SentCommand: Send + Sync {
    /// Its name. None if the operation sends no command.
    const COMMAND: Option<&'static str>;

    /// The header with the name.
    fn header() -> Option<MetaHeader> {
        Self::COMMAND.map(|name| MetaHeader {
            name: COMMAND_HEADER.to_owned(),
            description: Some(name.to_owned()),
            required: false,
            deprecated: false,
            schema: MetaSchemaRef::Inline(Box::new(MetaSchema::new("string"))),
        })
    }
}

/// The operation sends no command.
pub(crate) struct NoCommand;

impl SentCommand for NoCommand {
    const COMMAND: Option<&'static str> = None;
}

impl<C: Declaration> SentCommand for C {
    const COMMAND: Option<&'static str> = Some(C::NAME);
}
