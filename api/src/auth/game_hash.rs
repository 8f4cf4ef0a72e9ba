//! Hashes of passwords that come from a game. The site stores them hashed again with argon2id, until their owners log in.

use std::{fmt, ops::RangeInclusive, str::FromStr};

use argon2::{Algorithm, Argon2, Params, Version};
use base64::{
    Engine, alphabet,
    engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig},
};
use sha1::{Digest, Sha1};

/// Base64 as Canary reads it, with or without padding (`src/security/argon.cpp`).
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// The largest costs of argon2id that are accepted, because each log-in takes them: memory in KiB, iterations, lanes.
const MAX_COSTS: [u32; 3] = [128 * 1024, 8, 16];

/// The accepted lengths of hashes and salts in bytes.
const LENGTHS: RangeInclusive<usize> = 8..=64;

/// How a game hashes passwords. As a text, it stands before the hash in the database of the site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum GameScheme {
    /// SHA-1 without a salt: TFS, and Canary for older accounts.
    Sha1,
    /// Argon2id with costs that are a setting of the game: Canary.
    Argon2id { memory: u32, iterations: u32, lanes: u32, length: usize, salt: Vec<u8> },
}

/// The costs of argon2id in the settings of a game.
#[derive(Debug, Clone, Copy)]
pub(crate) struct GameCosts {
    /// In KiB.
    pub(crate) memory: u32,
    pub(crate) iterations: u32,
    pub(crate) lanes: u32,
}

/// The hash of a password in the database of a game. Never logged.
pub(crate) struct GameHash {
    pub(super) scheme: GameScheme,
    pub(super) hash: Vec<u8>,
}

impl GameHash {
    /// Reads 40 hexadecimal digits (SHA-1), or `$salt$hash` in Base64 (argon2id). None: it is neither, or its costs are too large.
    pub(crate) fn parse(text: &str, costs: GameCosts) -> Option<Self> {
        if let Ok(hash) = hex::decode(text) {
            return (hash.len() == 20).then_some(Self { scheme: GameScheme::Sha1, hash });
        }
        let (salt, hash) = text.strip_prefix('$')?.split_once('$')?;
        let (salt, hash) = (BASE64.decode(salt).ok()?, BASE64.decode(hash).ok()?);
        let GameCosts { memory, iterations, lanes } = costs;
        let scheme = GameScheme::Argon2id { memory, iterations, lanes, length: hash.len(), salt };
        scheme.is_accepted().then_some(Self { scheme, hash })
    }
}

impl GameScheme {
    /// The hash that the game makes of these bytes.
    pub(super) fn hash(&self, password: &[u8]) -> Result<Vec<u8>, argon2::Error> {
        match self {
            Self::Sha1 => Ok(Sha1::digest(password).to_vec()),
            Self::Argon2id { memory, iterations, lanes, length, salt } => {
                let params = Params::new(*memory, *iterations, *lanes, Some(*length))?;
                let mut hash = vec![0; *length];
                let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
                argon2.hash_password_into(password, salt, &mut hash)?;
                Ok(hash)
            }
        }
    }

    fn is_accepted(&self) -> bool {
        let Self::Argon2id { memory, iterations, lanes, length, salt } = self else { return true };
        let costs = [*memory, *iterations, *lanes];
        costs.iter().zip(MAX_COSTS).all(|(cost, limit)| *cost <= limit)
            && LENGTHS.contains(length)
            && LENGTHS.contains(&salt.len())
            && Params::new(*memory, *iterations, *lanes, Some(*length)).is_ok()
    }
}

/// The bytes that a game may have hashed. Its clients send Latin-1 or UTF-8.
pub(super) fn encodings(password: &str) -> Vec<Vec<u8>> {
    let latin_1: Option<Vec<u8>> = password.chars().map(|char| u8::try_from(char).ok()).collect();
    let mut encodings = vec![password.as_bytes().to_vec()];
    encodings.extend(latin_1.filter(|_| !password.is_ascii()));
    encodings
}

impl fmt::Display for GameScheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sha1 => f.write_str("sha1"),
            Self::Argon2id { memory, iterations, lanes, length, salt } => {
                write!(f, "argon2id,{memory},{iterations},{lanes},{length},{}", BASE64.encode(salt))
            }
        }
    }
}

/// A stored scheme is not readable: another program has written it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct UnknownScheme;

impl FromStr for GameScheme {
    type Err = UnknownScheme;

    fn from_str(text: &str) -> Result<Self, UnknownScheme> {
        if text == "sha1" {
            return Ok(Self::Sha1);
        }
        let fields: Vec<&str> = text.split(',').collect();
        let ["argon2id", memory, iterations, lanes, length, salt] = fields[..] else {
            return Err(UnknownScheme);
        };
        let number = |text: &str| text.parse::<u32>().map_err(|_| UnknownScheme);
        let scheme = Self::Argon2id {
            memory: number(memory)?,
            iterations: number(iterations)?,
            lanes: number(lanes)?,
            length: length.parse().map_err(|_| UnknownScheme)?,
            salt: BASE64.decode(salt).map_err(|_| UnknownScheme)?,
        };
        scheme.is_accepted().then_some(scheme).ok_or(UnknownScheme)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// The password `senha café`, whose client sends Latin-1.
    pub(in crate::auth) const PASSWORD: &str = "senha caf\u{e9}";
    pub(in crate::auth) const SHA1: &str = "9d5da45a302ea704fb69d346d49c4736b1dfb820";
    /// With 4 MiB, 2 iterations, 2 lanes; made with the reference implementation.
    pub(in crate::auth) const ARGON2ID: &str =
        "$MDEyMzQ1Njc4OWFiY2RlZg==$4fhGRsYO6g2ecBg97RcVSOtGmSYhhRyHqN78dy5HuVg=";
    pub(in crate::auth) const COSTS: GameCosts = GameCosts { memory: 4096, iterations: 2, lanes: 2 };

    #[test]
    fn hashes_of_games_are_read() {
        for text in [SHA1, &SHA1.to_uppercase(), ARGON2ID, &ARGON2ID.replace('=', "")] {
            let GameHash { scheme, hash } = GameHash::parse(text, COSTS).unwrap();
            let [utf_8, latin_1] = encodings(PASSWORD).try_into().unwrap();
            assert_ne!(scheme.hash(&utf_8).unwrap(), hash, "{text}");
            assert_eq!(scheme.hash(&latin_1).unwrap(), hash, "{text}");
            assert_eq!(scheme.to_string().parse(), Ok(scheme));
        }
        for text in [
            "",
            "9d5da45a",
            "$argon2id$v=19$m=4096,t=2,p=2$MDEyMzQ1Njc4$aGFzaGhhc2g",
            "plain",
            "$$",
            "$MDEy$MDEy",
        ] {
            assert!(GameHash::parse(text, COSTS).is_none(), "{text}");
        }
        for costs in [
            GameCosts { memory: 1 << 20, ..COSTS },
            GameCosts { iterations: 100, ..COSTS },
            GameCosts { iterations: 0, ..COSTS },
            GameCosts { lanes: 0, ..COSTS },
        ] {
            assert!(GameHash::parse(ARGON2ID, costs).is_none(), "{costs:?}");
        }
        for text in ["md5", "argon2id", "argon2id,1,1,1,1,!", "argon2id,4096,2,2,1000,MDEyMzQ1Njc4OQ=="] {
            assert_eq!(text.parse::<GameScheme>(), Err(UnknownScheme), "{text}");
        }
    }

    #[test]
    fn only_texts_beyond_ascii_have_two_encodings() {
        assert_eq!(encodings("abc"), [b"abc".to_vec()]);
        assert_eq!(encodings("\u{e9}"), [vec![0xc3, 0xa9], vec![0xe9]]);
        assert_eq!(encodings("\u{20ac}"), ["\u{20ac}".as_bytes().to_vec()]);
    }
}
