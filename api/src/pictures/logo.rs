//! Turns an uploaded picture into the pictures of a logo.
//!
//! Only the pixels of the upload are used. Its metadata, its other frames and anything hidden in it are lost.

use std::io::Cursor;

use guildhall_common::{
    contract::guild::{LogoPicture, LogoPictures, LogoSize, PictureData, PictureType},
    invalid_value::{FieldErrorCode, FieldErrorParameters, InvalidValue, ValueFormat},
};
use image::{
    DynamicImage, ImageDecoder, ImageFormat, ImageReader, Limits, Rgb, RgbImage, Rgba, RgbaImage,
    codecs::{jpeg::JpegEncoder, webp::WebPEncoder},
    imageops::{self, FilterType},
};

use super::webp::largest_lossy_frame;

/// The maximum width and height of an upload in pixels.
const MAX_SIDE: u32 = 4096;

/// The maximum number of pixels of an upload. It is checked before the pixels are decoded.
const MAX_PIXELS: u64 = 2048 * 2048;

/// The maximum number of bytes that a decoder may allocate: twice the largest pixels, which have 8 bytes each.
const MAX_ALLOCATION: u64 = 2 * 8 * MAX_PIXELS;

/// The qualities of JPEG to try until the picture is small enough.
const QUALITIES: [u8; 8] = [90, 80, 70, 55, 40, 25, 10, 1];

/// The background of a transparent picture that becomes a JPEG: parchment.
const BACKGROUND: Rgb<u8> = Rgb([0xf4, 0xec, 0xd8]);

/// Why an upload is no logo.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InvalidPicture {
    #[error("must be a picture in the format PNG, JPEG or WebP")]
    UnknownFormat,
    #[error("must have at most {MAX_SIDE} pixels on each side, and at most {MAX_PIXELS} in total")]
    TooManyPixels,
    #[error("must be a complete picture: this one is damaged")]
    Damaged,
}

impl From<InvalidPicture> for InvalidValue {
    fn from(error: InvalidPicture) -> Self {
        match error {
            InvalidPicture::UnknownFormat | InvalidPicture::Damaged => {
                Self::format(ValueFormat::Picture, error.to_string())
            }
            InvalidPicture::TooManyPixels => Self::new(FieldErrorCode::TooManyPixels, error.to_string())
                .with(FieldErrorParameters::up_to(MAX_PIXELS)),
        }
    }
}

/// Draws the pictures of a logo: the square in the middle of the upload, in each size.
///
/// # Errors
/// The upload is no picture, or it has too many pixels.
pub fn draw_logo(upload: &[u8]) -> Result<LogoPictures, InvalidPicture> {
    let square = middle_square(decode(upload)?);
    let large = scale(&square, LogoSize::Large);
    let picture = |size| encode(&with_alpha_apart(scale(&large, size)));
    Ok(LogoPictures {
        small: picture(LogoSize::Small)?,
        medium: picture(LogoSize::Medium)?,
        large: picture(LogoSize::Large)?,
    })
}

/// Decodes the first frame, and turns it as its EXIF orientation says.
fn decode(upload: &[u8]) -> Result<DynamicImage, InvalidPicture> {
    let reader = ImageReader::new(Cursor::new(upload)).with_guessed_format();
    let mut reader = reader.map_err(|_| InvalidPicture::Damaged)?;
    if !matches!(reader.format(), Some(ImageFormat::Png | ImageFormat::Jpeg | ImageFormat::WebP)) {
        return Err(InvalidPicture::UnknownFormat);
    }
    if reader.format() == Some(ImageFormat::WebP) {
        let pixels = largest_lossy_frame(upload).ok_or(InvalidPicture::Damaged)?;
        if pixels > MAX_PIXELS {
            return Err(InvalidPicture::TooManyPixels);
        }
    }
    let mut limits = Limits::no_limits();
    limits.max_image_width = Some(MAX_SIDE);
    limits.max_image_height = Some(MAX_SIDE);
    limits.max_alloc = Some(MAX_ALLOCATION);
    reader.limits(limits);
    let mut decoder = reader.into_decoder().map_err(invalid)?;
    let (width, height) = decoder.dimensions();
    if width == 0 || height == 0 {
        return Err(InvalidPicture::Damaged);
    }
    if u64::from(width) * u64::from(height) > MAX_PIXELS {
        return Err(InvalidPicture::TooManyPixels);
    }
    let orientation = decoder.orientation().map_err(invalid)?;
    let mut picture = DynamicImage::from_decoder(decoder).map_err(invalid)?;
    picture.apply_orientation(orientation);
    Ok(picture)
}

fn invalid(error: image::ImageError) -> InvalidPicture {
    match error {
        image::ImageError::Limits(_) => InvalidPicture::TooManyPixels,
        _ => InvalidPicture::Damaged,
    }
}

/// The square in the middle. Its colours are multiplied by their alpha, so that transparent pixels do not colour their neighbours when the
/// picture is scaled.
fn middle_square(picture: DynamicImage) -> RgbaImage {
    let (width, height) = (picture.width(), picture.height());
    let side = width.min(height);
    let mut square = picture.crop_imm((width - side) / 2, (height - side) / 2, side, side).into_rgba8();
    for Rgba([red, green, blue, alpha]) in square.pixels_mut() {
        for color in [red, green, blue] {
            *color = ((u16::from(*color) * u16::from(*alpha) + 127) / 255) as u8;
        }
    }
    square
}

fn scale(picture: &RgbaImage, size: LogoSize) -> RgbaImage {
    let side = size.pixels();
    if picture.width() >= side {
        imageops::thumbnail(picture, side, side)
    } else {
        imageops::resize(picture, side, side, FilterType::CatmullRom)
    }
}

/// Divides the colours by their alpha again.
fn with_alpha_apart(mut picture: RgbaImage) -> RgbaImage {
    for Rgba([red, green, blue, alpha]) in picture.pixels_mut() {
        let alpha = u16::from(*alpha).max(1);
        for color in [red, green, blue] {
            *color = ((u16::from(*color) * 255 + alpha / 2) / alpha).min(255) as u8;
        }
    }
    picture
}

/// WebP without loss if it is small enough, as for most drawings, or else JPEG.
fn encode(picture: &RgbaImage) -> Result<LogoPicture, InvalidPicture> {
    let mut webp = vec![];
    let (width, height) = picture.dimensions();
    WebPEncoder::new_lossless(&mut webp)
        .encode(picture, width, height, image::ExtendedColorType::Rgba8)
        .map_err(|_| InvalidPicture::Damaged)?;
    if let Some(data) = PictureData::new(webp) {
        return Ok(LogoPicture { picture_type: PictureType::WebP, data });
    }
    let opaque = on_background(picture);
    let data = QUALITIES.into_iter().find_map(|quality| {
        let mut jpeg = vec![];
        JpegEncoder::new_with_quality(&mut jpeg, quality).encode_image(&opaque).ok()?;
        PictureData::new(jpeg)
    });
    data.map(|data| LogoPicture { picture_type: PictureType::Jpeg, data }).ok_or(InvalidPicture::Damaged)
}

fn on_background(picture: &RgbaImage) -> RgbImage {
    RgbImage::from_fn(picture.width(), picture.height(), |x, y| {
        let Rgba([red, green, blue, alpha]) = *picture.get_pixel(x, y);
        let Rgb([red_below, green_below, blue_below]) = BACKGROUND;
        let mix = |color: u8, below: u8| {
            let alpha = u16::from(alpha);
            ((u16::from(color) * alpha + u16::from(below) * (255 - alpha) + 127) / 255) as u8
        };
        Rgb([mix(red, red_below), mix(green, green_below), mix(blue, blue_below)])
    })
}

#[cfg(test)]
mod tests;
