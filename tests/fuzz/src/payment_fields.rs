use std::{
    fmt::Debug,
    str::{FromStr, Split},
};

use guildhall_common::payment_codes::{
    Amount, InitiationMethod, MerchantCity, MerchantName, PaymentCode, Scheme, SchemeFields, SchemePayload,
    epc::{self, CreditTransfer},
    fps::{Fps, FpsPayee},
    paynow::{Paynow, PaynowPayee},
    pix::{DynamicCode, Pix, RecurrenceCode, StaticCode},
    promptpay::{Promptpay, PromptpayPayee},
    vietqr::{TransferService, Vietqr},
};

/// The scheme of a payment code and its fields, one in each line. An empty line is an absent field. Fields that
/// make a payload are the same when the payload is read.
pub fn payment_fields(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else { return };
    let mut lines = Lines(text.split('\n'));
    let Some(scheme) = lines.field::<Scheme>() else { return };
    match scheme {
        Scheme::Pix => lines.pix().map_or((), check_fields),
        Scheme::Promptpay => lines.promptpay().map_or((), check_fields),
        Scheme::Paynow => lines.paynow().map_or((), check_fields),
        Scheme::Vietqr => lines.vietqr().map_or((), check_fields),
        Scheme::Fps => lines.fps().map_or((), check_fields),
        Scheme::Sepa => lines.sepa().map_or((), check_transfer),
    }
}

fn check_fields<F: SchemeFields + Clone + Debug + PartialEq>(fields: F) {
    let Ok(payload) = SchemePayload::new(fields.clone()) else { return };
    let encoded = payload.emv().encode();
    let code = PaymentCode::parse(&encoded).expect("a written payload can be read");
    assert_eq!(code.encode().as_ref(), Ok(&encoded));
    // Pix converts names to ASCII.
    let is_same = F::SCHEME == Scheme::Pix || *payload.fields() == fields;
    assert!(is_same, "the written fields are {:?}", payload.fields());
}

fn check_transfer(transfer: CreditTransfer) {
    let Ok(encoded) = transfer.encode() else { return };
    assert_eq!(CreditTransfer::parse(&encoded), Ok(transfer));
}

/// The remaining lines.
struct Lines<'a>(Split<'a, char>);

impl Lines<'_> {
    fn field<T: FromStr>(&mut self) -> Option<T> {
        self.0.next()?.parse().ok()
    }

    fn flag(&mut self) -> bool {
        self.0.next() == Some("yes")
    }

    fn amount(&mut self, scheme: Scheme) -> Option<Amount> {
        Amount::parse(self.0.next()?, scheme.currency()).ok()
    }

    fn initiation(&mut self) -> InitiationMethod {
        if self.flag() { InitiationMethod::Reusable } else { InitiationMethod::Once }
    }

    fn pix(&mut self) -> Option<Pix> {
        let (key, location) = (self.field(), self.field());
        let name = MerchantName::folded(self.0.next()?).ok()?;
        let city = MerchantCity::folded(self.0.next()?).ok()?;
        let amount = self.amount(Scheme::Pix);
        Some(match (key, location) {
            (Some(key), _) => {
                let (reference, description) = (self.field(), self.field());
                Pix::Static(StaticCode { key, name, city, amount, reference, description })
            }
            (None, Some(location)) => {
                let recurrence = self.field();
                Pix::Dynamic(DynamicCode { location, name, city, amount, recurrence })
            }
            (None, None) => Pix::Recurrence(RecurrenceCode { location: self.field()?, name, city }),
        })
    }

    fn promptpay(&mut self) -> Option<Promptpay> {
        let payee = match self.0.next()? {
            "mobile" => PromptpayPayee::Mobile(self.field()?),
            "tax id" => PromptpayPayee::TaxId(self.field()?),
            "e-wallet" => PromptpayPayee::Ewallet(self.field()?),
            _ => PromptpayPayee::Bill {
                biller: self.field()?,
                first_reference: self.field()?,
                second_reference: self.field(),
            },
        };
        Some(Promptpay { payee, amount: self.amount(Scheme::Promptpay), terminal: self.field() })
    }

    fn paynow(&mut self) -> Option<Paynow> {
        let payee = match self.0.next()? {
            "mobile" => PaynowPayee::Mobile(self.field()?),
            _ => PaynowPayee::Uen(self.field()?),
        };
        Some(Paynow {
            payee,
            name: self.field()?,
            amount: self.amount(Scheme::Paynow),
            editable: self.flag(),
            expiry: self.field(),
            initiation: self.initiation(),
            bill_number: self.field(),
        })
    }

    fn vietqr(&mut self) -> Option<Vietqr> {
        Some(Vietqr {
            service: if self.flag() { TransferService::Card } else { TransferService::Account },
            bank: self.field()?,
            number: self.field()?,
            amount: self.amount(Scheme::Vietqr),
            bill_number: self.field(),
            purpose: self.field(),
        })
    }

    fn fps(&mut self) -> Option<Fps> {
        let payee = match self.0.next()? {
            "fps id" => FpsPayee::FpsId(self.field()?),
            "mobile" => FpsPayee::Mobile(self.field()?),
            _ => FpsPayee::Email(self.field()?),
        };
        Some(Fps {
            payee,
            name: self.field()?,
            city: self.field()?,
            amount: self.amount(Scheme::Fps),
            initiation: self.initiation(),
            reference: self.field(),
        })
    }

    fn sepa(&mut self) -> Option<CreditTransfer> {
        Some(CreditTransfer {
            bank: if self.flag() {
                epc::BeneficiaryBank::Version1(self.field()?)
            } else {
                epc::BeneficiaryBank::Version2(self.field())
            },
            name: self.field()?,
            iban: self.field()?,
            amount: self.amount(Scheme::Sepa),
            purpose: self.field(),
            remittance: if self.flag() {
                Some(epc::Remittance::Reference(self.field()?))
            } else {
                self.field().map(epc::Remittance::Text)
            },
            information: self.field(),
            character_set: epc::CharacterSet::UTF_8,
        })
    }
}
