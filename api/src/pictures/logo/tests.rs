//! The files are those of the fuzz target.

use std::{fs, path::Path};

use image::load_from_memory;

use super::*;

fn file(name: &str) -> Vec<u8> {
    fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/fuzz/corpus/logo").join(name)).unwrap()
}

fn draw(name: &str) -> LogoPictures {
    draw_logo(&file(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn pixels(logo: &LogoPictures, size: LogoSize) -> RgbaImage {
    load_from_memory(logo.get(size).data.bytes()).unwrap().into_rgba8()
}

fn is_near(color: Rgba<u8>, expected: [u8; 3]) -> bool {
    color.0.iter().zip(expected).all(|(color, expected)| color.abs_diff(expected) < 30)
}

fn encoded(picture: &RgbaImage, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(vec![]);
    picture.write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

/// A picture that no encoder can compress.
fn noise(side: u32, alpha: u8) -> RgbaImage {
    let mut state = 1_u32;
    let mut random = move || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    };
    RgbaImage::from_fn(side, side, |_, _| Rgba([random(), random(), random(), random() | alpha]))
}

#[test]
fn each_format_becomes_three_squares() {
    for name in [
        "16-bit.png",
        "alpha.png",
        "baseline.jpg",
        "bits.png",
        "cmyk.jpg",
        "gray.jpg",
        "lossless.webp",
        "lossy.webp",
        "palette.png",
        "pixel.png",
        "progressive.jpg",
    ] {
        let logo = draw(name);
        for size in LogoSize::ALL {
            assert_eq!(pixels(&logo, size).dimensions(), (size.pixels(), size.pixels()), "{name}");
        }
    }
    assert!(is_near(pixels(&draw("pixel.png"), LogoSize::Large)[(256, 256)], [184, 134, 43]));
}

#[test]
fn transparent_parts_stay_transparent_and_colour_nothing() {
    let logo = draw("alpha.png");
    assert_eq!(logo.large.picture_type, PictureType::WebP);
    let large = pixels(&logo, LogoSize::Large);
    assert_eq!(large[(500, 10)][3], 0);
    assert!(is_near(large[(256, 256)], [124, 37, 50]));
    // The edge is half transparent. It has the colour of the picture, and not that of the transparent pixels beside it.
    let mut middle = (0..256).map(|x| large[(x, 256)]);
    let edge = middle.find(|pixel| (100..150).contains(&pixel[3])).unwrap();
    assert!(is_near(Rgba([edge[0], edge[1], edge[2], 255]), [124, 37, 50]), "{edge:?}");
}

#[test]
fn only_the_square_in_the_middle_is_used() {
    let sides = RgbaImage::from_fn(300, 100, |x, _| match x {
        100..200 => Rgba([0, 0, 255, 255]),
        _ => Rgba([255, 0, 0, 255]),
    });
    let logo = draw_logo(&encoded(&sides, ImageFormat::Png)).unwrap();
    assert!(pixels(&logo, LogoSize::Small).pixels().all(|pixel| *pixel == Rgba([0, 0, 255, 255])));
}

#[test]
fn metadata_and_hidden_files_are_removed() {
    for (name, secrets) in
        [("turned-by-exif.jpg", ["Exif", "Mira"]), ("html-in-comment.png", ["<script", "xmpmeta"])]
    {
        let upload = file(name);
        let logo = draw(name);
        for secret in secrets {
            let contains = |bytes: &[u8]| bytes.windows(secret.len()).any(|part| part == secret.as_bytes());
            assert!(contains(&upload));
            for size in LogoSize::ALL {
                assert!(!contains(logo.get(size).data.bytes()), "{name}: {secret}");
            }
        }
    }
    // The left half is red, until the EXIF orientation turns it to the top.
    let turned = pixels(&draw("turned-by-exif.jpg"), LogoSize::Medium);
    assert!(is_near(turned[(64, 10)], [255, 0, 0]) && is_near(turned[(64, 118)], [0, 0, 255]));
}

#[test]
fn moving_pictures_become_their_first_frame() {
    for name in ["moving.png", "moving.webp"] {
        assert!(is_near(pixels(&draw(name), LogoSize::Medium)[(64, 120)], [22, 48, 43]), "{name}");
    }
}

#[test]
fn other_files_and_damaged_pictures_are_refused() {
    for name in ["drawing.svg", "picture.gif"] {
        assert_eq!(draw_logo(&file(name)), Err(InvalidPicture::UnknownFormat), "{name}");
    }
    for text in ["", "<html>", "\u{89}PNG"] {
        assert_eq!(draw_logo(text.as_bytes()), Err(InvalidPicture::UnknownFormat));
    }
    for name in ["long-metadata.webp", "no-pixels.webp", "truncated.png", "truncated.webp"] {
        assert_eq!(draw_logo(&file(name)), Err(InvalidPicture::Damaged), "{name}");
    }
    // Each beginning of a picture is refused or drawn, and never a panic.
    for name in ["alpha.png", "baseline.jpg", "progressive.jpg", "lossy.webp", "moving.webp"] {
        let upload = file(name);
        for length in (0..upload.len()).step_by(7) {
            let _ = draw_logo(&upload[..length]);
        }
    }
}

#[test]
fn decompression_bombs_are_refused_before_they_are_decoded() {
    for name in [
        "bomb.png",
        "bomb.jpg",
        "bomb.webp",
        "bomb-in-animation.webp",
        "bomb-in-frame.webp",
        "too-many-pixels.png",
    ] {
        assert_eq!(draw_logo(&file(name)), Err(InvalidPicture::TooManyPixels), "{name}");
    }
    // A text that would have 20 MB. The picture itself is one pixel.
    draw("bomb-in-text.png");
}

#[test]
fn each_picture_is_small() {
    for (alpha, background) in [(255, None), (0, Some(BACKGROUND))] {
        let logo = draw_logo(&encoded(&noise(512, alpha), ImageFormat::Png)).unwrap();
        for size in LogoSize::ALL {
            assert!(logo.get(size).data.bytes().len() <= PictureData::MAX_BYTES);
        }
        assert_eq!(logo.large.picture_type, PictureType::Jpeg, "{background:?}");
        assert_eq!(logo.small.picture_type, PictureType::WebP);
    }
    let clear = on_background(&RgbaImage::new(1, 1));
    assert_eq!(clear[(0, 0)], BACKGROUND);
}

#[test]
fn hash_depends_on_the_picture_alone() {
    assert_eq!(draw("alpha.png").hash(), draw("html-in-comment.png").hash());
    assert_ne!(draw("alpha.png").hash(), draw("lossy.webp").hash());
}
