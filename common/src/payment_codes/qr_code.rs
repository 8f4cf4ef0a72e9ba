//! The QR code of a payload, as a PNG or SVG image.
//!
//! Sources: EMVCo MPM v1.1, 4.12 (byte mode only); EPC069-12 (error correction level M, version 13 or lower);
//! ISO/IEC 18004.

use std::iter::repeat_n;

use base64::{Engine, prelude::BASE64_STANDARD};
use png::{BitDepth, ColorType, Compression, Encoder, EncodingError, Filter};
use qrcode::{Color, EcLevel, QrCode, Version, bits::Bits, render::svg, types::QrResult};

/// UTF-8 in the register of extended channel interpretations (ECI).
const ECI_UTF_8: u32 = 26;

/// The quiet zone on each side, in modules (ISO/IEC 18004).
const QUIET_ZONE: usize = 4;

/// Eight light pixels. A dark pixel is 0.
const LIGHT: u8 = 0xFF;

/// The first pixel of a byte.
const LEFT_PIXEL: u8 = 0x80;

/// The default width of an image in pixels. Scanners can read it from a screen.
const DEFAULT_WIDTH: u32 = 400;

/// The largest module in pixels. Larger modules only use more memory.
const MAX_MODULE_PIXELS: u32 = 64;

/// A QR code that can be rendered as PNG or SVG.
pub struct Qr(QrCode);

/// A QR code cannot be made or rendered.
#[derive(Debug, thiserror::Error)]
pub enum QrError {
    #[error("the payload is too long: it must fit into a QR code of version {0}")]
    TooLong(i16),
    #[error("a module must have 1 to {MAX_MODULE_PIXELS} pixels")]
    ModulePixels,
    #[error(transparent)]
    Png(#[from] EncodingError),
}

impl Qr {
    /// Makes a QR code of the smallest version that fits, at error correction level M.
    ///
    /// # Errors
    /// The payload is too long.
    pub fn new(payload: &str) -> Result<Self, QrError> {
        // An EPC payload names its character set itself, so it needs no ECI. There is also no room for one:
        // 331 bytes fill version 13 completely.
        let is_epc = payload.starts_with("BCD");
        let (largest, has_eci) = if is_epc { (13, false) } else { (40, !payload.is_ascii()) };
        (1..=largest)
            .find_map(|version| encode(payload, Version::Normal(version), has_eci).ok())
            .and_then(|bits| QrCode::with_bits(bits, EcLevel::M).ok())
            .map(Self)
            .ok_or(QrError::TooLong(largest))
    }

    /// A PNG image with one bit per pixel, black on white. A module has 1 to 64 pixels.
    ///
    /// # Errors
    /// The module size is not valid.
    pub fn png(&self, module_pixels: u32) -> Result<Vec<u8>, QrError> {
        if !(1..=MAX_MODULE_PIXELS).contains(&module_pixels) {
            return Err(QrError::ModulePixels);
        }
        let scale = module_pixels as usize;
        let (modules, colors) = (self.0.width(), self.0.to_colors());
        let width = (modules + 2 * QUIET_ZONE) * scale;
        let quiet_rows = QUIET_ZONE * scale;
        let mut image = vec![LIGHT; quiet_rows * width.div_ceil(8)];
        for row in colors.chunks(modules) {
            let mut line = vec![LIGHT; width.div_ceil(8)];
            for (x, _) in (QUIET_ZONE..).zip(row).filter(|(_, color)| **color == Color::Dark) {
                for pixel in x * scale..(x + 1) * scale {
                    line[pixel / 8] &= !(LEFT_PIXEL >> (pixel % 8));
                }
            }
            image.extend(repeat_n(line, scale).flatten());
        }
        image.extend(repeat_n(LIGHT, quiet_rows * width.div_ceil(8)));
        encode_png(&image, width)
    }

    /// An SVG document, black on white, about 400 pixels wide. It can be scaled to any size.
    #[must_use]
    pub fn svg(&self) -> String {
        let pixels = self.module_pixels();
        self.0.render::<svg::Color<'_>>().module_dimensions(pixels, pixels).build()
    }

    /// The PNG image, about 400 pixels wide, as a URL: `data:image/png;base64,…`.
    ///
    /// # Errors
    /// The PNG encoder fails.
    pub fn data_url(&self) -> Result<String, QrError> {
        let png = self.png(self.module_pixels())?;
        Ok(format!("data:image/png;base64,{}", BASE64_STANDARD.encode(png)))
    }

    /// The module size in pixels for an image of about [`DEFAULT_WIDTH`].
    fn module_pixels(&self) -> u32 {
        let modules = u32::try_from(self.0.width() + 2 * QUIET_ZONE).unwrap_or(DEFAULT_WIDTH);
        ((DEFAULT_WIDTH + modules / 2) / modules).max(1)
    }
}

/// A square image from its pixels, row by row. A byte has eight, and each row begins with a new byte.
fn encode_png(pixels: &[u8], width: usize) -> Result<Vec<u8>, QrError> {
    let mut png = Vec::new();
    let side = u32::try_from(width).map_err(|_| QrError::ModulePixels)?;
    let mut encoder = Encoder::new(&mut png, side, side);
    encoder.set_color(ColorType::Grayscale);
    encoder.set_depth(BitDepth::One);
    // Rows of a module are equal, so this filter makes most of them zeros. The usual compression takes 30 times as long for
    // half of the bytes.
    encoder.set_filter(Filter::Up);
    encoder.set_compression(Compression::Fast);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(pixels)?;
    writer.finish()?;
    Ok(png)
}

/// The bits of the payload in byte mode. Shorter modes for digits are not used.
fn encode(payload: &str, version: Version, has_eci: bool) -> QrResult<Bits> {
    let mut bits = Bits::new(version);
    if has_eci {
        bits.push_eci_designator(ECI_UTF_8)?;
    }
    bits.push_byte_data(payload.as_bytes())?;
    bits.push_terminator(EcLevel::M)?;
    Ok(bits)
}

#[cfg(test)]
mod tests {
    use super::{Qr, QrError, Version, encode};

    #[test]
    fn the_smallest_version_that_fits_is_used() {
        // Capacities of ISO/IEC 18004 at level M: 14 bytes in version 1, 331 in version 13, 2,331 in version 40.
        for (payload, modules) in
            [("x".repeat(14), 21), ("x".repeat(15), 25), ("x".repeat(331), 69), ("x".repeat(2331), 177)]
        {
            assert_eq!(Qr::new(&payload).unwrap().0.width(), modules);
        }
        assert!(matches!(Qr::new(&"x".repeat(2332)), Err(QrError::TooLong(40))));
    }

    #[test]
    fn an_epc_payload_has_version_13_or_lower() {
        let payload = format!("BCD\n{}", "x".repeat(327));
        assert_eq!(Qr::new(&payload).unwrap().0.width(), 69);
        assert!(matches!(Qr::new(&(payload + "x")), Err(QrError::TooLong(13))));
    }

    #[test]
    fn byte_mode_is_used_with_an_eci_for_text_that_is_not_ascii() {
        let bytes = |payload, has_eci| encode(payload, Version::Normal(1), has_eci).unwrap().into_bytes();
        // The mode has 4 bits, 0100 for bytes. The length follows in 8 bits.
        assert_eq!(bytes("0123", false)[..3], [0x40, 0x43, 0x03]);
        // The mode 0111 is an ECI. Its number follows in 8 bits, then byte mode.
        assert_eq!(bytes("é", true)[..4], [0x71, 0xA4, 0x02, 0xC3]);
    }

    #[test]
    fn images_are_300_to_500_pixels_wide() {
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
