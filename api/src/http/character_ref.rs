//! Characters in the bodies of requests.

use guildhall_common::{
    contract::character::{CharacterId, CharacterName, CharacterRef},
    invalid_value::InvalidValue,
};

use crate::http::problem::{FieldError, Problem};

/// The character that a body identifies by exactly one of two fields: `character_id` and `character_name`.
///
/// # Errors
/// 400 when both fields or none of them are set.
pub(crate) fn character_ref(
    id: Option<CharacterId>,
    name: Option<CharacterName>,
) -> Result<CharacterRef, Problem> {
    match (id, name) {
        (Some(id), None) => Ok(CharacterRef::Id(id)),
        (None, Some(name)) => Ok(CharacterRef::Name(name)),
        (None, None) | (Some(_), Some(_)) => {
            let detail = "give one of character_id and character_name";
            let error = InvalidValue::exactly_one_of(&["character_id", "character_name"], detail);
            let mut problem = Problem::invalid("/character_id", error.clone());
            problem.errors.push(FieldError::new("/character_name", error));
            Err(problem)
        }
    }
}
