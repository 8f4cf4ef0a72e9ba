//! The values of fields that a body may omit.

use guildhall_common::contract::shop::{PictureAddress, Position, ShopDescription};

pub(super) fn no_description() -> ShopDescription {
    String::new().try_into().expect("a description may be empty")
}

pub(super) fn no_picture() -> PictureAddress {
    String::new().try_into().expect("an address may be empty")
}

pub(super) fn first_position() -> Position {
    0.try_into().expect("positions start at 0")
}
