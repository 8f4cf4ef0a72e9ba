use guildhall_api::draw_logo;
use guildhall_common::contract::guild::{LogoSize, PictureData};

use crate::round_trip::check_json_round_trip;

/// An uploaded picture. Its logo has three pictures that a decoder can read, of the right sizes and without metadata.
pub fn logo(data: &[u8]) {
    let Ok(logo) = draw_logo(data) else { return };
    check_json_round_trip(&logo);
    for size in LogoSize::ALL {
        let picture = logo.get(size);
        assert!(picture.data.bytes().len() <= PictureData::MAX_BYTES);
        let decoded = image::load_from_memory(picture.data.bytes()).expect("a picture that can be decoded");
        assert_eq!((decoded.width(), decoded.height()), (size.pixels(), size.pixels()));
    }
    assert!(draw_logo(logo.large.data.bytes()).is_ok());
}
