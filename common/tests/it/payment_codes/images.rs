//! Images of QR codes, read by an independent decoder.

use base64::{Engine, prelude::BASE64_STANDARD};
use guildhall_common::payment_codes::Qr;
use image::GrayImage;
use resvg::{tiny_skia::Pixmap, usvg};

use super::vectors::{epc_vectors, valid_emv_vectors};

/// The payload of the only QR code in an image.
fn decode(image: GrayImage) -> String {
    let mut image = rqrr::PreparedImage::prepare(image);
    let [grid] = <[_; 1]>::try_from(image.detect_grids()).ok().expect("one QR code");
    grid.decode().unwrap().1
}

/// Renders an SVG at a scale with an independent renderer.
fn render(svg: &str, scale: f32) -> GrayImage {
    let tree = usvg::Tree::from_str(svg, &usvg::Options::default()).unwrap();
    let pixels = (tree.size().width() * scale) as u32;
    let mut pixmap = Pixmap::new(pixels, pixels).unwrap();
    resvg::render(&tree, usvg::Transform::from_scale(scale, scale), &mut pixmap.as_mut());
    let grey = pixmap.pixels().iter().map(|pixel| pixel.red()).collect();
    GrayImage::from_raw(pixels, pixels, grey).unwrap()
}

fn payloads() -> Vec<String> {
    valid_emv_vectors().into_iter().map(str::to_owned).chain(epc_vectors()).collect()
}

#[test]
fn a_png_contains_the_payload() {
    for payload in payloads() {
        let png = Qr::new(&payload).unwrap().png(2).unwrap();
        assert_eq!(decode(image::load_from_memory(&png).unwrap().into_luma8()), payload);
    }
}

#[test]
fn an_svg_and_a_png_show_the_same_image() {
    for payload in payloads().iter().step_by(3) {
        let qr_code = Qr::new(payload).unwrap();
        let url = qr_code.data_url().unwrap();
        let png = BASE64_STANDARD.decode(url.strip_prefix("data:image/png;base64,").unwrap()).unwrap();
        let png = image::load_from_memory(&png).unwrap().into_luma8();
        assert!(render(&qr_code.svg(), 1.0) == png, "{payload}");
    }
}

#[test]
fn an_svg_contains_the_payload_at_any_scale() {
    let payload = &payloads()[0];
    let svg = Qr::new(payload).unwrap().svg();
    for scale in [0.5, 1.1, 2.0] {
        assert_eq!(decode(render(&svg, scale)), *payload);
    }
}

#[test]
fn an_image_is_black_and_white_with_a_quiet_zone_of_four_modules() {
    let png = Qr::new("0002016304AAE6").unwrap().png(5).unwrap();
    let image = image::load_from_memory(&png).unwrap();
    assert_eq!(image.color(), image::ColorType::L8);
    let image = image.into_luma8();
    assert_eq!(image.dimensions(), ((21 + 8) * 5, (21 + 8) * 5));
    for (x, y, pixel) in image.enumerate_pixels() {
        let module = image.get_pixel(x / 5 * 5, y / 5 * 5);
        assert!(matches!(pixel.0, [0] | [255]) && pixel == module, "{x}, {y}");
        let in_quiet_zone = |at| !(20..(21 + 4) * 5).contains(&at);
        assert!(pixel.0 == [255] || !(in_quiet_zone(x) || in_quiet_zone(y)), "{x}, {y}");
    }
    assert_eq!(image.get_pixel(20, 20).0, [0]);
}
