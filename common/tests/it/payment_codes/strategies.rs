//! Generators of valid fields of every scheme.

use guildhall_common::{
    money::Money,
    payment_codes::{
        Amount, InitiationMethod, MerchantCity, MerchantName, Scheme, epc, fps, paynow, pix, promptpay,
        vietqr,
    },
};
use proptest::{option, prelude::*, strategy::Union};

use super::AnyFields;

pub(super) fn any_fields() -> impl Strategy<Value = AnyFields> {
    prop_oneof![
        4 => pix().prop_map(AnyFields::Pix),
        2 => promptpay().prop_map(AnyFields::Promptpay),
        2 => paynow().prop_map(AnyFields::Paynow),
        1 => vietqr().prop_map(AnyFields::Vietqr),
        2 => fps().prop_map(AnyFields::Fps),
        2 => sepa().prop_map(AnyFields::Sepa),
    ]
}

/// A field with a text that matches a regular expression.
fn field<T>(pattern: &'static str) -> BoxedStrategy<T>
where
    T: std::str::FromStr<Err: std::fmt::Debug> + std::fmt::Debug + 'static,
{
    proptest::string::string_regex(pattern).unwrap().prop_map(|text| text.parse().unwrap()).boxed()
}

fn optional<T>(pattern: &'static str) -> impl Strategy<Value = Option<T>>
where
    T: std::str::FromStr<Err: std::fmt::Debug> + std::fmt::Debug + 'static,
{
    option::of(field(pattern))
}

/// No amount, a small amount or the largest amount.
fn amount(scheme: Scheme, largest: i64) -> impl Strategy<Value = Option<Amount>> {
    let minor = prop_oneof![1..=200_i64, Just(5000), 1..=largest, Just(largest)];
    option::of(minor.prop_map(move |minor| Amount::new(Money::new(minor, scheme.currency())).unwrap()))
}

/// The largest amount in minor units with 13 characters: ten digits, a point, two digits.
const LARGEST: i64 = 999_999_999_999;

fn initiation() -> impl Strategy<Value = InitiationMethod> {
    prop_oneof![Just(InitiationMethod::Reusable), Just(InitiationMethod::Once)]
}

fn name() -> impl Strategy<Value = MerchantName> {
    Union::new([field("[^\\pC]{1,25}"), field("[ -~]{1,25}"), field("[ร้านกาแฟé最佳]{25}")])
}

fn city() -> impl Strategy<Value = MerchantCity> {
    Union::new([field("[^\\pC]{1,15}"), field("[ -~]{1,15}")])
}

/// Names with at least one character that has an ASCII form.
fn folded_name() -> impl Strategy<Value = MerchantName> {
    "[^\\pC]{0,10}[a-zA-ZéãÇ][^\\pC]{0,30}".prop_map(|text| MerchantName::folded(&text).unwrap())
}

fn folded_city() -> impl Strategy<Value = MerchantCity> {
    "[^\\pC]{0,5}[a-zA-ZéãÇ][^\\pC]{0,30}".prop_map(|text| MerchantCity::folded(&text).unwrap())
}

fn pix_key() -> impl Strategy<Value = pix::PixKey> {
    Union::new([
        field("52998224725|12345678909"),
        field("00038166000105|12ABC34501DE35"),
        field("\\+55[0-9]{10,11}"),
        field("[a-z0-9._+-]{1,40}@[a-z0-9.-]{1,36}"),
        field("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"),
    ])
}

/// A static code whose key and description have at most 73 characters.
fn pix_static() -> impl Strategy<Value = pix::StaticCode> {
    let fields = (pix_key(), folded_name(), folded_city(), amount(Scheme::Pix, LARGEST));
    (fields, optional("[a-zA-Z0-9]{1,25}"), option::of("[^\\pC]{1,72}")).prop_map(
        |((key, name, city, amount), reference, description)| {
            let max = 73_usize.saturating_sub(key.as_str().len());
            let description = description.map(|text| text.chars().take(max).collect::<String>());
            let description = description.filter(|text| !text.is_empty()).map(|text| text.parse().unwrap());
            pix::StaticCode { key, name, city, amount, reference, description }
        },
    )
}

fn pix() -> impl Strategy<Value = pix::Pix> {
    const LOCATION: &str = "[a-z.]{1,20}/[a-zA-Z0-9/]{0,56}";
    let merchant = || (folded_name(), folded_city());
    prop_oneof![
        pix_static().prop_map(pix::Pix::Static),
        (field(LOCATION), merchant(), amount(Scheme::Pix, LARGEST), optional(LOCATION)).prop_map(
            |(location, (name, city), amount, recurrence)| {
                pix::Pix::Dynamic(pix::DynamicCode { location, name, city, amount, recurrence })
            }
        ),
        (field(LOCATION), merchant()).prop_map(|(location, (name, city))| {
            pix::Pix::Recurrence(pix::RecurrenceCode { location, name, city })
        }),
    ]
}

fn promptpay() -> impl Strategy<Value = promptpay::Promptpay> {
    let bill = (field("[0-9]{13,15}"), field("[A-Za-z0-9]{1,20}"), optional("[A-Za-z0-9]{1,20}")).prop_map(
        |(biller, first_reference, second_reference)| promptpay::PromptpayPayee::Bill {
            biller,
            first_reference,
            second_reference,
        },
    );
    let payee = prop_oneof![
        field("(0|\\+66|0066)[0-9]{9}").prop_map(promptpay::PromptpayPayee::Mobile),
        field("[0-9]{13}").prop_map(promptpay::PromptpayPayee::TaxId),
        field("[0-9]{15}").prop_map(promptpay::PromptpayPayee::Ewallet),
        bill,
    ];
    (payee, amount(Scheme::Promptpay, LARGEST), optional("[^\\pC]{1,25}"))
        .prop_map(|(payee, amount, terminal)| promptpay::Promptpay { payee, amount, terminal })
}

fn paynow() -> impl Strategy<Value = paynow::Paynow> {
    let payee = prop_oneof![
        field("\\+[0-9]{8,15}").prop_map(paynow::PaynowPayee::Mobile),
        field("[0-9A-Z]{8,13}").prop_map(paynow::PaynowPayee::Uen),
    ];
    let expiry =
        optional("20[0-9]{2}(0[1-9]|1[0-2])(0[1-9]|1[0-9]|2[0-8])(([01][0-9]|2[0-3])([0-5][0-9]){2})?");
    let texts = (name(), optional("[^\\pC]{1,25}"));
    (payee, texts, amount(Scheme::Paynow, LARGEST), any::<bool>(), expiry, initiation()).prop_map(
        |(payee, (name, bill_number), amount, editable, expiry, initiation)| paynow::Paynow {
            payee,
            name,
            amount,
            editable,
            expiry,
            initiation,
            bill_number,
        },
    )
}

fn vietqr() -> impl Strategy<Value = vietqr::Vietqr> {
    let service = prop_oneof![Just(vietqr::TransferService::Account), Just(vietqr::TransferService::Card)];
    let texts = (optional("[^\\pC]{1,25}"), optional("[^\\pC]{1,25}"));
    (service, field("[0-9]{6}"), field("[A-Z0-9]{1,19}"), amount(Scheme::Vietqr, 9_999_999_999_999), texts)
        .prop_map(|(service, bank, number, amount, (bill_number, purpose))| vietqr::Vietqr {
            service,
            bank,
            number,
            amount,
            bill_number,
            purpose,
        })
}

fn fps() -> impl Strategy<Value = fps::Fps> {
    let payee = prop_oneof![
        field("[0-9]{7,12}").prop_map(fps::FpsPayee::FpsId),
        field("\\+852-[0-9]{8}").prop_map(fps::FpsPayee::Mobile),
        field("[A-Za-z0-9._]{1,38}@[A-Za-z0-9.-]{1,40}").prop_map(fps::FpsPayee::Email),
    ];
    (payee, name(), city(), amount(Scheme::Fps, LARGEST), initiation(), optional("[^\\pC]{1,25}")).prop_map(
        |(payee, name, city, amount, initiation, reference)| fps::Fps {
            payee,
            name,
            city,
            amount,
            initiation,
            reference,
        },
    )
}

/// Credit transfers of at most 331 bytes. A character has up to four bytes.
fn sepa() -> impl Strategy<Value = epc::CreditTransfer> {
    const BIC: &str = "[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?";
    let bank = prop_oneof![
        field(BIC).prop_map(epc::BeneficiaryBank::Version1),
        optional(BIC).prop_map(epc::BeneficiaryBank::Version2),
    ];
    let remittance = prop_oneof![
        field("RF18539007547034|[!-~]{1,35}").prop_map(epc::Remittance::Reference),
        field("[^\\pC]{1,35}").prop_map(epc::Remittance::Text),
        field("[ -~]{140}").prop_map(epc::Remittance::Text),
    ];
    let iban = field("DE89370400440532013000|MT84MALT011000012345MTLCAST001S");
    let texts = (field("[^\\pC]{1,20}"), optional("[^\\pC]{1,6}"), optional("[A-Z0-9]{1,4}"));
    (bank, iban, texts, amount(Scheme::Sepa, 99_999_999_999), option::of(remittance)).prop_map(
        |(bank, iban, (name, information, purpose), amount, remittance)| epc::CreditTransfer {
            bank,
            name,
            iban,
            amount,
            purpose,
            remittance,
            information,
            character_set: epc::CharacterSet::UTF_8,
        },
    )
}
