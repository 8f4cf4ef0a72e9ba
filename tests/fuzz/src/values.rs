use std::{fmt::Debug, ops::Deref, str::FromStr};

use guildhall_common::{
    contract::{
        account::{AccountName, Email},
        character::{CharacterId, CharacterName, GameVocation, Level, Vocation},
        coins::{CoinChange, CoinCount, PackageName},
        game::{DeathId, DeliveryError, KillerName},
        guild::{GuildDescription, GuildName, LogoHash, Motd},
        news::{Markdown, Summary, Title},
        shop::{GrantId, Position, ShopDescription, ShopName},
        site::ServiceTokenName,
        values::{Limit, Page, Reason, Timestamp},
    },
    money::{Currency, Money},
};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Value, json};

/// A single value of a path or a JSON body.
pub fn values(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else { return };
    check_name::<AccountName>(text);
    check_name::<CharacterName>(text);
    check_name::<Email>(text);
    check_name::<GuildName>(text);
    check_name::<Vocation>(text);
    check_text::<DeathId>(text);
    check_text::<DeliveryError>(text);
    check_text::<GameVocation>(text);
    check_text::<GrantId>(text);
    check_text::<GuildDescription>(text);
    check_text::<KillerName>(text);
    check_text::<LogoHash>(text);
    check_text::<Markdown>(text);
    check_text::<Motd>(text);
    check_text::<PackageName>(text);
    check_text::<Reason>(text);
    check_text::<ServiceTokenName>(text);
    check_text::<ShopDescription>(text);
    check_text::<ShopName>(text);
    check_text::<Summary>(text);
    check_text::<Title>(text);
    check_value::<Timestamp>(text, text.into());
    check_number::<CharacterId>(text);
    check_number::<CoinChange>(text);
    check_number::<CoinCount>(text);
    check_number::<Level>(text);
    check_number::<Limit>(text);
    check_number::<Page>(text);
    check_number::<Position>(text);
    Currency::ALL.into_iter().for_each(|currency| check_money(text, currency));
}

/// A name is in ASCII, has no surrounding spaces, and is compared without regard to case.
fn check_name<T: FromStr + Deref<Target = str> + Serialize + DeserializeOwned + Debug + PartialEq>(
    text: &str,
) {
    if let Some(name) = check_text::<T>(text) {
        assert!(name.is_ascii() && name.trim() == &*name);
        let key = name.to_ascii_lowercase();
        assert_eq!(key.parse::<T>().ok().as_deref(), Some(&*key));
    }
}

/// A text has no null character, because Postgres refuses it.
fn check_text<T: FromStr + Deref<Target = str> + Serialize + DeserializeOwned + Debug + PartialEq>(
    text: &str,
) -> Option<T> {
    let value = check_value::<T>(text, text.into())?;
    assert!(!value.contains('\0') && text.contains(&*value));
    Some(value)
}

fn check_number<T: FromStr + Into<i64> + Serialize + DeserializeOwned + Debug + PartialEq>(text: &str) {
    let json = text.parse::<i64>().map_or(Value::Null, Value::from);
    check_value::<T>(text, json);
}

/// A parameter and a JSON field follow the same rule. A written value is read as the same value.
fn check_value<T: FromStr + Serialize + DeserializeOwned + Debug + PartialEq>(
    text: &str,
    json: Value,
) -> Option<T> {
    let value = text.parse::<T>().ok();
    assert_eq!(serde_json::from_value(json).ok(), value);
    let json = serde_json::to_value(value.as_ref()?).expect("a parsed value can be written");
    assert_eq!(serde_json::from_value(json).ok(), value);
    value
}

/// Money is never rounded. Only JSON accepts a sign.
fn check_money(text: &str, currency: Currency) {
    let json = json!({ "amount": text, "currency": currency });
    let from_json = serde_json::from_value::<Money>(json).ok();
    let Ok(money) = Money::parse(text, currency) else {
        assert!(from_json.is_none_or(|money| money.minor() <= 0));
        return;
    };
    assert_eq!(from_json, Some(money));
    assert_eq!(Money::parse(&money.amount(), currency), Ok(money));
    let negative = Money::new(-money.minor(), currency);
    let json = serde_json::to_value(negative).expect("money can be written");
    assert_eq!(serde_json::from_value(json).ok(), Some(negative));
}
