use std::{
    fmt::Debug,
    str::{FromStr, Split},
};

use guildhall_common::payment_codes::{
    Amount, Fields, Initiation, MerchantCity, MerchantName, Payload, Reading, Scheme,
    epc::{self, Transfer},
    fps::{self, Fps},
    paynow::{self, Paynow},
    pix::{self, Pix},
    promptpay::{self, Promptpay},
    vietqr::{self, Vietqr},
};

/// A payment code to be written: the scheme, then its fields, one on each line. An empty line is a field left out.
/// Fields that make a payload are what is read of it.
pub fn payment_fields(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else { return };
    let mut lines = Lines(text.split('\n'));
    let Some(scheme) = lines.field::<Scheme>() else { return };
    match scheme {
        Scheme::Pix => lines.pix().map_or((), made),
        Scheme::Promptpay => lines.promptpay().map_or((), made),
        Scheme::Paynow => lines.paynow().map_or((), made),
        Scheme::Vietqr => lines.vietqr().map_or((), made),
        Scheme::Fps => lines.fps().map_or((), made),
        Scheme::Sepa => {
            let Some(transfer) = lines.sepa() else { return };
            let Ok(encoded) = transfer.encode() else { return };
            assert_eq!(Transfer::parse(&encoded), Ok(transfer));
        }
    }
}

fn made<F: Fields + Clone + Debug + PartialEq>(fields: F) {
    let Ok(reading) = Reading::new(fields.clone()) else { return };
    let encoded = reading.objects().encode();
    let payload = Payload::parse(&encoded).expect("what is written can be read");
    assert_eq!(payload.encode().as_ref(), Ok(&encoded));
    assert!(F::SCHEME == Scheme::Pix || *reading.fields() == fields, "it says {:?}", reading.fields());
}

/// What is left of the lines.
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

    fn initiation(&mut self) -> Initiation {
        if self.flag() { Initiation::Reusable } else { Initiation::Once }
    }

    fn pix(&mut self) -> Option<Pix> {
        let (key, location) = (self.field(), self.field());
        let name = MerchantName::folded(self.0.next()?).ok()?;
        let city = MerchantCity::folded(self.0.next()?).ok()?;
        let amount = self.amount(Scheme::Pix);
        Some(match (key, location) {
            (Some(key), _) => {
                let (reference, description) = (self.field(), self.field());
                Pix::Static(pix::Static { key, name, city, amount, reference, description })
            }
            (None, Some(location)) => {
                let recurrence = self.field();
                Pix::Dynamic(pix::Dynamic { location, name, city, amount, recurrence })
            }
            (None, None) => Pix::Recurrence(pix::Recurrence { location: self.field()?, name, city }),
        })
    }

    fn promptpay(&mut self) -> Option<Promptpay> {
        let payee = match self.0.next()? {
            "mobile" => promptpay::Payee::Mobile(self.field()?),
            "tax id" => promptpay::Payee::TaxId(self.field()?),
            "e-wallet" => promptpay::Payee::Ewallet(self.field()?),
            _ => promptpay::Payee::Bill {
                biller: self.field()?,
                first_reference: self.field()?,
                second_reference: self.field(),
            },
        };
        Some(Promptpay { payee, amount: self.amount(Scheme::Promptpay), terminal: self.field() })
    }

    fn paynow(&mut self) -> Option<Paynow> {
        let payee = match self.0.next()? {
            "mobile" => paynow::Payee::Mobile(self.field()?),
            _ => paynow::Payee::Uen(self.field()?),
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
            service: if self.flag() { vietqr::Service::Card } else { vietqr::Service::Account },
            bank: self.field()?,
            number: self.field()?,
            amount: self.amount(Scheme::Vietqr),
            bill_number: self.field(),
            purpose: self.field(),
        })
    }

    fn fps(&mut self) -> Option<Fps> {
        let payee = match self.0.next()? {
            "fps id" => fps::Payee::FpsId(self.field()?),
            "mobile" => fps::Payee::Mobile(self.field()?),
            _ => fps::Payee::Email(self.field()?),
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

    fn sepa(&mut self) -> Option<Transfer> {
        Some(Transfer {
            bank: if self.flag() {
                epc::Bank::Version1(self.field()?)
            } else {
                epc::Bank::Version2(self.field())
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
