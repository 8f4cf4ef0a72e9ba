//! A bank account of the community's own. The QR code is made here; that it was paid, a bridge of the
//! operator's tells by signed notifications. Nobody can be asked, and nothing can be sent back.

use anyhow::{Context, anyhow};
use guildhall_common::payment_codes::{
    Amount, BillNumber, FieldError, Initiation, MerchantCity, MerchantName, Payload, PayloadError, Purpose,
    ReferenceLabel, Scheme, TerminalLabel, epc, fps, paynow,
    pix::{self, PixKey},
    promptpay, vietqr,
};
use uuid::Uuid;

use crate::providers::{Asked, Charge, PaymentSettings, ProviderError};

/// Digits of a reference: 36^25 is more than there are UUIDs.
const DIGITS: &[u8; 36] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const LENGTH: usize = 25;

pub(super) struct Manual {
    accounts: Vec<Account>,
    name: String,
    city: String,
}

/// Where the money goes.
enum Account {
    Pix(PixKey),
    Promptpay(promptpay::Payee),
    Paynow(paynow::Payee),
    Vietqr(vietqr::Bank, vietqr::AccountNumber),
    Fps(fps::Payee),
    Sepa(epc::Iban),
}

/// A payment's id in 25 digits and capital letters, which every scheme has room for.
pub(super) fn reference(payment_id: Uuid) -> String {
    let mut rest = payment_id.as_u128();
    let mut digits = [b'0'; LENGTH];
    for digit in digits.iter_mut().rev() {
        *digit = DIGITS[(rest % 36) as usize];
        rest /= 36;
    }
    digits.iter().map(|digit| char::from(*digit)).collect()
}

impl Manual {
    /// # Errors
    /// When a setting cannot be used.
    pub(super) fn new(settings: &PaymentSettings) -> anyhow::Result<Self> {
        let mut accounts = Vec::new();
        let mut add =
            |variable: &str, text: &Option<String>, account: fn(&str) -> anyhow::Result<Account>| {
                if let Some(text) = text {
                    accounts.push(account(text).with_context(|| format!("{variable} cannot be used"))?);
                }
                anyhow::Ok(())
            };
        add("GUILDHALL_PIX_KEY", &settings.pix_key, |text| Ok(Account::Pix(text.parse().map_err(wrong)?)))?;
        add("GUILDHALL_PROMPTPAY_ID", &settings.promptpay_id, promptpay_account)?;
        add("GUILDHALL_PAYNOW_ID", &settings.paynow_id, paynow_account)?;
        add("GUILDHALL_VIETQR_ACCOUNT", &settings.vietqr_account, vietqr_account)?;
        add("GUILDHALL_FPS_ID", &settings.fps_id, fps_account)?;
        add("GUILDHALL_SEPA_IBAN", &settings.sepa_iban, |text| {
            Ok(Account::Sepa(text.parse().map_err(wrong)?))
        })?;
        Ok(Self { accounts, name: settings.merchant_name.clone(), city: settings.merchant_city.clone() })
    }

    pub(super) fn schemes(&self) -> impl Iterator<Item = Scheme> {
        self.accounts.iter().map(Account::scheme)
    }

    /// What the QR code says.
    pub(super) fn payload(&self, charge: &Charge) -> Asked<String> {
        let account = self.accounts.iter().find(|account| account.scheme() == charge.scheme);
        let account = account.ok_or(ProviderError::Unsupported)?;
        let payload = self.write(account, charge).and_then(|payload| payload.encode());
        payload.map_err(|error| ProviderError::Refused(error.to_string()))
    }

    fn write(&self, account: &Account, charge: &Charge) -> Result<Payload, PayloadError> {
        let amount = Some(Amount::new(charge.amount).map_err(at(54))?);
        let name = || MerchantName::folded(&self.name).map_err(at(59));
        let city = || MerchantCity::folded(&self.city).map_err(at(60));
        let reference = &charge.reference;
        match account {
            Account::Pix(key) => pix::Pix::Static(pix::Static {
                key: key.clone(),
                name: name()?,
                city: city()?,
                amount,
                reference: Some(reference.parse().map_err(at(62))?),
                description: None,
            })
            .try_into(),
            Account::Promptpay(payee) => {
                let terminal: Option<TerminalLabel> = Some(reference.parse().map_err(at(62))?);
                promptpay::Promptpay { payee: payee.clone(), amount, terminal }.try_into()
            }
            Account::Paynow(payee) => {
                let bill_number: Option<BillNumber> = Some(reference.parse().map_err(at(62))?);
                paynow::Paynow {
                    payee: payee.clone(),
                    name: name()?,
                    amount,
                    editable: false,
                    expiry: None,
                    initiation: Initiation::Once,
                    bill_number,
                }
                .try_into()
            }
            Account::Vietqr(bank, number) => {
                let purpose: Option<Purpose> = Some(reference.parse().map_err(at(62))?);
                vietqr::Vietqr {
                    service: vietqr::Service::Account,
                    bank: bank.clone(),
                    number: number.clone(),
                    amount,
                    bill_number: None,
                    purpose,
                }
                .try_into()
            }
            Account::Fps(payee) => {
                let reference: Option<ReferenceLabel> = Some(reference.parse().map_err(at(62))?);
                fps::Fps {
                    payee: payee.clone(),
                    name: name()?,
                    city: city()?,
                    amount,
                    initiation: Initiation::Once,
                    reference,
                }
                .try_into()
            }
            Account::Sepa(iban) => Ok(Payload::Sepa(epc::Transfer {
                bank: epc::Bank::Version2(None),
                name: self.name.parse().map_err(at(59))?,
                iban: iban.clone(),
                amount,
                purpose: None,
                remittance: Some(epc::Remittance::Text(reference.parse().map_err(at(62))?)),
                information: None,
                character_set: epc::CharacterSet::UTF_8,
            })),
        }
    }
}

impl Account {
    fn scheme(&self) -> Scheme {
        match self {
            Self::Pix(_) => Scheme::Pix,
            Self::Promptpay(_) => Scheme::Promptpay,
            Self::Paynow(_) => Scheme::Paynow,
            Self::Vietqr(..) => Scheme::Vietqr,
            Self::Fps(_) => Scheme::Fps,
            Self::Sepa(_) => Scheme::Sepa,
        }
    }
}

fn wrong(error: FieldError) -> anyhow::Error {
    anyhow!("it {error}")
}

fn at(id: u8) -> impl Fn(FieldError) -> PayloadError {
    move |error| error.at(&[id])
}

fn promptpay_account(text: &str) -> anyhow::Result<Account> {
    let payee = match text.len() {
        13 if !text.starts_with("00") => promptpay::Payee::TaxId(text.parse().map_err(wrong)?),
        15 => promptpay::Payee::Ewallet(text.parse().map_err(wrong)?),
        _ => promptpay::Payee::Mobile(text.parse().map_err(wrong)?),
    };
    Ok(Account::Promptpay(payee))
}

fn paynow_account(text: &str) -> anyhow::Result<Account> {
    let payee = match text.strip_prefix('+') {
        Some(_) => paynow::Payee::Mobile(text.parse().map_err(wrong)?),
        None => paynow::Payee::Uen(text.parse().map_err(wrong)?),
    };
    Ok(Account::Paynow(payee))
}

fn vietqr_account(text: &str) -> anyhow::Result<Account> {
    let (bank, number) =
        text.split_once('/').context("it must be the bank's 6 digits, a slash, the account")?;
    Ok(Account::Vietqr(bank.parse().map_err(wrong)?, number.parse().map_err(wrong)?))
}

fn fps_account(text: &str) -> anyhow::Result<Account> {
    let payee = match text {
        mobile if mobile.starts_with('+') => fps::Payee::Mobile(mobile.parse().map_err(wrong)?),
        email if email.contains('@') => fps::Payee::Email(email.parse().map_err(wrong)?),
        id => fps::Payee::FpsId(id.parse().map_err(wrong)?),
    };
    Ok(Account::Fps(payee))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_distinct_and_fit_every_scheme() {
        assert_eq!(reference(Uuid::nil()), "0".repeat(25));
        assert_eq!(reference(Uuid::from_u128(37)), format!("{}11", "0".repeat(23)));
        assert_eq!(reference(Uuid::max()), "F5LXX1ZZ5PNORYNQGLHZMSP33");
    }
}
