//! Authentication by bearer token: an access token of a player, or a service token of a game server.

use poem::{Request, http::header};

use crate::{
    auth::{caller::Identity, service_token, session},
    http::problem::Problem,
    state::State,
};

/// Attaches the [`Identity`] to a request with a token.
pub(super) async fn attach_caller(request: &mut Request, state: &State) -> Result<(), Problem> {
    let identity = match bearer_token(request) {
        Token::Present(token) => caller_of(state, token).await?,
        Token::Invalid => Identity::InvalidToken,
        Token::Absent => return Ok(()),
    };
    request.set_data(identity);
    Ok(())
}

/// The token in the header `Authorization`.
enum Token<'a> {
    Absent,
    Present(&'a str),
    Invalid,
}

/// Two headers are invalid: a proxy could have checked the other one.
fn bearer_token(request: &Request) -> Token<'_> {
    let mut values = request.headers().get_all(header::AUTHORIZATION).iter();
    match (values.next(), values.next()) {
        (None, _) => Token::Absent,
        (Some(value), None) => {
            value.to_str().ok().and_then(without_scheme).map_or(Token::Invalid, Token::Present)
        }
        (Some(_), Some(_)) => Token::Invalid,
    }
}

fn without_scheme(value: &str) -> Option<&str> {
    let (scheme, token) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

async fn caller_of(state: &State, token: &str) -> Result<Identity, Problem> {
    let caller = if service_token::is_service_token(token) {
        service_token::find_caller(&state.database, &state.cache, token).await?
    } else if let Some((account_id, session_id)) = state.tokens.verify(token) {
        let required = state.second_factor_required;
        session::find_caller(&state.database, &state.cache, account_id, session_id, required).await?
    } else {
        None
    };
    Ok(caller.map_or(Identity::InvalidToken, Identity::Authenticated))
}
