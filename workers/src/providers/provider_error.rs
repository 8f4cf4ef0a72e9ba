//! The errors of a payment provider.

/// Why a provider did not carry out a request.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ProviderError {
    /// The provider refused the request. A repeated request gets the same response.
    #[error("the provider refused: {0}")]
    Refused(String),
    /// The provider does not know the charge or the receipt. A gateway in front of it may send the same response during an
    /// outage, so it proves nothing at once.
    #[error("the provider does not know it")]
    NotFound,
    /// The provider cannot be reached or has an internal error. The request can be repeated, and may succeed then.
    #[error("the provider is unavailable: {0}")]
    Unavailable(String),
    /// The provider has no such operation.
    #[error("the provider does not support this")]
    Unsupported,
}

pub(crate) type ProviderResult<T> = Result<T, ProviderError>;
