//! The frames of a WebP file (RFC 9649).
//!
//! The decoder of `image` allocates a lossy frame (VP8) as large as the frame's own header says, and compares it with the size of the
//! picture only afterwards. Of metadata, it allocates as much as the file declares.

use super::logo::InvalidPicture;

/// The bytes of a frame of an animation before its chunks: its place, its size and its duration.
const ANIMATION_FRAME_HEADER: usize = 16;

/// The bytes in each lossy frame before its width and height.
const START_CODE: [u8; 3] = [0x9d, 0x01, 0x2a];

/// Refuses a file with a lossy frame of more than `max_pixels`, and one with a chunk that ends after the file.
///
/// # Errors
/// [`InvalidPicture::TooManyPixels`], [`InvalidPicture::Damaged`].
pub(super) fn check_frames(file: &[u8], max_pixels: u64) -> Result<(), InvalidPicture> {
    // RIFF, the length of the file, WEBP.
    check_chunks(file.get(12..).unwrap_or_default(), max_pixels)
}

/// The chunk of a lossy frame has the type `VP8 `, but in an animation the decoder accepts any type after a chunk of transparency.
fn check_chunks(mut chunks: &[u8], max_pixels: u64) -> Result<(), InvalidPicture> {
    while let Some((header, rest)) = chunks.split_first_chunk::<8>() {
        let [chunk_type @ .., a, b, c, d] = *header;
        let length = u32::from_le_bytes([a, b, c, d]) as usize;
        let data = rest.get(..length).ok_or(InvalidPicture::Damaged)?;
        if chunk_type == *b"ANMF" {
            check_chunks(data.get(ANIMATION_FRAME_HEADER..).unwrap_or_default(), max_pixels)?;
        } else if lossy_pixels(data).is_some_and(|pixels| pixels > max_pixels) {
            return Err(InvalidPicture::TooManyPixels);
        }
        // A chunk with an odd length has another byte.
        chunks = rest.get(length + length % 2..).unwrap_or_default();
    }
    Ok(())
}

/// The number of pixels if the data can be a lossy frame.
fn lossy_pixels(data: &[u8]) -> Option<u64> {
    let size = data.get(3..)?.strip_prefix(&START_CODE)?.first_chunk::<4>()?;
    let [width, height] =
        [[size[0], size[1]], [size[2], size[3]]].map(|side| u16::from_le_bytes(side) & 0x3fff);
    Some(u64::from(width) * u64::from(height))
}
