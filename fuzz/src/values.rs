use std::{fmt::Debug, ops::Deref, str::FromStr};

use guildhall_common::{
    contract::{
        account::{AccountName, Email},
        character::{CharacterId, CharacterName, Level, Vocation},
        coins::{CoinChange, CoinCount},
        game::DeliveryError,
        guild::{GuildDescription, GuildName, Motd},
        news::{Markdown, Summary, Title},
        shop::{GrantId, Position, ShopDescription, ShopName},
        values::{Limit, Page, Reason, Timestamp},
    },
    money::{Currency, Money},
};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Value, json};

/// A single value of a path or a body.
pub fn values(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else { return };
    name::<AccountName>(text);
    name::<CharacterName>(text);
    name::<Email>(text);
    name::<GuildName>(text);
    name::<Vocation>(text);
    free::<DeliveryError>(text);
    free::<GrantId>(text);
    free::<GuildDescription>(text);
    free::<Markdown>(text);
    free::<Motd>(text);
    free::<Reason>(text);
    free::<ShopDescription>(text);
    free::<ShopName>(text);
    free::<Summary>(text);
    free::<Title>(text);
    read::<Timestamp>(text, text.into());
    number::<CharacterId>(text);
    number::<CoinChange>(text);
    number::<CoinCount>(text);
    number::<Level>(text);
    number::<Limit>(text);
    number::<Page>(text);
    number::<Position>(text);
    Currency::ALL.into_iter().for_each(|currency| money(text, currency));
}

/// ASCII alone, without surrounding spaces; compared without regard to case.
fn name<T: FromStr + Deref<Target = str> + Serialize + DeserializeOwned + Debug + PartialEq>(text: &str) {
    if let Some(name) = free::<T>(text) {
        assert!(name.is_ascii() && name.trim() == &*name);
        let key = name.to_ascii_lowercase();
        assert_eq!(key.parse::<T>().ok().as_deref(), Some(&*key));
    }
}

/// Without what Postgres takes in no text.
fn free<T: FromStr + Deref<Target = str> + Serialize + DeserializeOwned + Debug + PartialEq>(
    text: &str,
) -> Option<T> {
    let value = read::<T>(text, text.into())?;
    assert!(!value.contains('\0') && text.contains(&*value));
    Some(value)
}

fn number<T: FromStr + Into<i64> + Serialize + DeserializeOwned + Debug + PartialEq>(text: &str) {
    let json = text.parse::<i64>().map_or(Value::Null, Value::from);
    read::<T>(text, json);
}

/// A parameter and a field of JSON are read by one rule, and as the same again when they are written.
fn read<T: FromStr + Serialize + DeserializeOwned + Debug + PartialEq>(text: &str, json: Value) -> Option<T> {
    let value = text.parse::<T>().ok();
    assert_eq!(serde_json::from_value(json).ok(), value);
    let written = serde_json::to_value(value.as_ref()?).expect("what is read can be written");
    assert_eq!(serde_json::from_value(written).ok(), value);
    value
}

/// Exact to the last digit, with a sign in JSON alone.
fn money(text: &str, currency: Currency) {
    let json = json!({ "amount": text, "currency": currency });
    let from_json = serde_json::from_value::<Money>(json).ok();
    let Ok(money) = Money::parse(text, currency) else {
        assert!(from_json.is_none_or(|money| money.minor() <= 0));
        return;
    };
    assert_eq!(from_json, Some(money));
    assert_eq!(Money::parse(&money.amount(), currency), Ok(money));
    let negative = Money::new(-money.minor(), currency);
    let written = serde_json::to_value(negative).expect("money can be written");
    assert_eq!(serde_json::from_value(written).ok(), Some(negative));
}
