//! The image of a payload.
//!
//! Source: EMVCo MPM v1.1, 4.12: byte mode alone; EPC069-12: error correction level M, version at most 13.

use std::io::Cursor;

use base64::{Engine, prelude::BASE64_STANDARD};
use image::{ImageFormat, Luma};
use qrcode::{EcLevel, QrCode, Version, bits::Bits, render::svg, types::QrResult};

/// The register of ECI assignments numbers UTF-8 so.
const ECI_UTF_8: u32 = 26;

/// The light border that readers need, in modules, on each side.
const QUIET_ZONE: usize = 4;

/// What an image should measure where nobody says, in pixels: large enough to be scanned from a screen.
const WIDTH: u32 = 400;

/// A larger module would fill memory and serve no scanner.
const MAX_MODULE_PIXELS: u32 = 64;

/// A QR code, to be drawn as PNG or SVG.
pub struct Qr(QrCode);

#[derive(Debug, thiserror::Error)]
pub enum QrError {
    #[error("the payload does not fit into a QR code of version {0}")]
    TooLong(i16),
    #[error("a module must measure 1 to {MAX_MODULE_PIXELS} pixels")]
    ModulePixels,
    #[error(transparent)]
    Png(#[from] image::ImageError),
}

impl Qr {
    /// Takes the smallest version that fits at error correction level M.
    ///
    /// # Errors
    /// The payload is too long.
    pub fn new(payload: &str) -> Result<Self, QrError> {
        // The third line of an EPC payload names its character set; besides, 331 bytes fill version 13 to the
        // last bit.
        let epc = payload.starts_with("BCD");
        let (largest, utf_8) = if epc { (13, false) } else { (40, !payload.is_ascii()) };
        (1..=largest)
            .find_map(|version| bits(payload, Version::Normal(version), utf_8).ok())
            .and_then(|bits| QrCode::with_bits(bits, EcLevel::M).ok())
            .map(Self)
            .ok_or(QrError::TooLong(largest))
    }

    /// A PNG of 8-bit grey, black on white, where a module measures this many pixels.
    ///
    /// # Errors
    /// A module must measure 1 to 64 pixels.
    pub fn png(&self, module_pixels: u32) -> Result<Vec<u8>, QrError> {
        if !(1..=MAX_MODULE_PIXELS).contains(&module_pixels) {
            return Err(QrError::ModulePixels);
        }
        let image = self.0.render::<Luma<u8>>().module_dimensions(module_pixels, module_pixels).build();
        let mut png = Cursor::new(Vec::new());
        image.write_to(&mut png, ImageFormat::Png)?;
        Ok(png.into_inner())
    }

    /// An SVG document, black on white, that keeps its edges at any size.
    #[must_use]
    pub fn svg(&self) -> String {
        let pixels = self.module_pixels();
        self.0.render::<svg::Color<'_>>().module_dimensions(pixels, pixels).build()
    }

    /// The PNG, about 400 pixels wide, as `data:image/png;base64,…`.
    ///
    /// # Errors
    /// None that is known.
    pub fn data_url(&self) -> Result<String, QrError> {
        let png = self.png(self.module_pixels())?;
        Ok(format!("data:image/png;base64,{}", BASE64_STANDARD.encode(png)))
    }

    /// The size of a module that makes the image about as wide as [`WIDTH`].
    fn module_pixels(&self) -> u32 {
        let modules = u32::try_from(self.0.width() + 2 * QUIET_ZONE).unwrap_or(WIDTH);
        ((WIDTH + modules / 2) / modules).max(1)
    }
}

/// The payload as bytes, whatever shorter modes its digits would allow.
fn bits(payload: &str, version: Version, utf_8: bool) -> QrResult<Bits> {
    let mut bits = Bits::new(version);
    if utf_8 {
        bits.push_eci_designator(ECI_UTF_8)?;
    }
    bits.push_byte_data(payload.as_bytes())?;
    bits.push_terminator(EcLevel::M)?;
    Ok(bits)
}

#[cfg(test)]
mod tests {
    use super::{Qr, QrError, Version, bits};

    #[test]
    fn the_smallest_version_is_taken() {
        // Capacities of ISO/IEC 18004 at level M: 14 bytes in version 1, 331 in version 13, 2,331 in version 40.
        for (payload, modules) in
            [("x".repeat(14), 21), ("x".repeat(15), 25), ("x".repeat(331), 69), ("x".repeat(2331), 177)]
        {
            assert_eq!(Qr::new(&payload).unwrap().0.width(), modules);
        }
        assert!(matches!(Qr::new(&"x".repeat(2332)), Err(QrError::TooLong(40))));
    }

    #[test]
    fn an_epc_payload_stays_within_version_13() {
        let payload = format!("BCD\n{}", "x".repeat(327));
        assert_eq!(Qr::new(&payload).unwrap().0.width(), 69);
        assert!(matches!(Qr::new(&(payload + "x")), Err(QrError::TooLong(13))));
    }

    #[test]
    fn bytes_are_the_only_mode_and_named_utf_8_where_they_are_not_ascii() {
        let bits = |payload, utf_8| bits(payload, Version::Normal(1), utf_8).unwrap().into_bytes();
        // The mode has 4 bits, 0100 for bytes; the length follows in 8.
        assert_eq!(bits("0123", false)[..3], [0x40, 0x43, 0x03]);
        // 0111 for an ECI, its number in 8 bits, then bytes.
        assert_eq!(bits("é", true)[..4], [0x71, 0xA4, 0x02, 0xC3]);
    }

    #[test]
    fn images_are_of_a_handy_size() {
        for length in [10, 100, 200, 331, 512] {
            let qr = Qr::new(&"x".repeat(length)).unwrap();
            let width = qr.module_pixels() * u32::try_from(qr.0.width() + 8).unwrap();
            assert!((300..=500).contains(&width), "{width}");
        }
        let qr = Qr::new("x").unwrap();
        assert!(qr.data_url().unwrap().starts_with("data:image/png;base64,iVBOR"));
        assert!(matches!(qr.png(0), Err(QrError::ModulePixels)));
        assert!(matches!(qr.png(65), Err(QrError::ModulePixels)));
    }
}
