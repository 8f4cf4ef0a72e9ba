//! The share card of a guild: the picture that other sites show beside a link to it (Open Graph).

use std::fmt::Write;

use bytes::Bytes;
use image::{
    ExtendedColorType, ImageEncoder, RgbImage, RgbaImage,
    codecs::png::{CompressionType, FilterType, PngEncoder},
    imageops,
};
use resvg::{
    tiny_skia::{Pixmap, Transform},
    usvg::{Options, Tree},
};

use super::{
    arms,
    typesetting::{FAMILY, FONTS, Weight, escaped},
};

const WIDTH: u32 = 1200;
const HEIGHT: u32 = 630;

/// The side of the logo, and its left upper corner.
const LOGO: u32 = 340;
const LOGO_AT: (u32, u32) = (84, 145);

/// The left end and the width of the texts.
const TEXT_X: f32 = 484.0;
const TEXT_WIDTH: f32 = 632.0;

const FOREST: &str = "#16302b";
const PARCHMENT: &str = "#f4ecd8";
const BRASS: &str = "#b8862b";
const IVORY: &str = "#fbf6e9";

/// A crown and a person, each in a box of 24 × 24. Pictures need no translation.
const CROWN: &str = "M2 20 4 6l6 6 2-9 2 9 6-6 2 14Z";
const PERSON: &str = "M12 12a5 5 0 1 0 0-10 5 5 0 0 0 0 10ZM3 22a9 9 0 0 1 18 0Z";

/// What the card shows.
#[derive(Debug)]
pub(crate) struct Card {
    pub(crate) name: String,
    pub(crate) leader_name: String,
    pub(crate) members: i64,
    /// The message of the day or the description.
    pub(crate) text: String,
    /// The largest picture of the logo. Without one, the card shows the coat of arms.
    pub(crate) logo: Option<Bytes>,
    pub(crate) site_name: String,
}

impl Card {
    /// Draws the card as a PNG of 1200 × 630 pixels.
    ///
    /// # Errors
    /// The SVG is not valid, or the logo cannot be decoded.
    pub(crate) fn draw(&self) -> anyhow::Result<Vec<u8>> {
        let options = Options { fontdb: FONTS.clone(), font_family: FAMILY.to_owned(), ..Options::default() };
        let tree = Tree::from_str(&self.svg(), &options)?;
        let mut pixmap = Pixmap::new(WIDTH, HEIGHT).ok_or_else(|| anyhow::anyhow!("no pixels"))?;
        resvg::render(&tree, Transform::identity(), &mut pixmap.as_mut());
        // The background is opaque.
        let mut card = RgbImage::from_fn(WIDTH, HEIGHT, |x, y| {
            let color = pixmap.pixel(x, y).map(|pixel| [pixel.red(), pixel.green(), pixel.blue()]);
            color.unwrap_or_default().into()
        });
        if let Some(logo) = &self.logo {
            overlay(&mut card, &image::load_from_memory(logo)?.into_rgba8());
        }
        let mut png = vec![];
        PngEncoder::new_with_quality(&mut png, CompressionType::Fast, FilterType::Adaptive).write_image(
            &card,
            WIDTH,
            HEIGHT,
            ExtendedColorType::Rgb8,
        )?;
        Ok(png)
    }

    fn svg(&self) -> String {
        let mut svg = format!(
            r##"<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}">
<rect width="{WIDTH}" height="{HEIGHT}" fill="{FOREST}"/>
<rect x="26" y="26" width="1148" height="578" fill="none" stroke="{BRASS}" stroke-width="3"/>"##
        );
        if self.logo.is_none() {
            let arms = arms::elements(&self.name);
            let _ = write!(
                svg,
                r#"<svg x="104" y="135" width="300" height="360" viewBox="0 0 40 48">{arms}</svg>"#
            );
        }
        self.write_texts(&mut svg);
        svg.push_str("</svg>");
        svg
    }

    fn write_texts(&self, svg: &mut String) {
        let name = Weight::Bold.drawable(&self.name);
        let size = Weight::Bold.fitting_size(&name, 92.0, TEXT_WIDTH);
        write_text(svg, &name, Weight::Bold, size, (TEXT_X, 210.0), PARCHMENT);
        let leader = Weight::Regular.drawable(&self.leader_name);
        let size = Weight::Regular.fitting_size(&leader, 38.0, TEXT_WIDTH - 230.0);
        write_symbol(svg, CROWN, (TEXT_X, 246.0));
        write_text(svg, &leader, Weight::Regular, size, (TEXT_X + 50.0, 278.0), IVORY);
        let members = TEXT_X + 50.0 + Weight::Regular.width(&leader, size) + 36.0;
        write_symbol(svg, PERSON, (members, 246.0));
        let count = self.members.to_string();
        write_text(svg, &count, Weight::Regular, 38.0, (members + 46.0, 278.0), IVORY);
        let text = Weight::Regular.drawable(&self.text);
        let lines = Weight::Regular.lines(&text, 38.0, TEXT_WIDTH, 4);
        for (line, y) in lines.iter().zip([352.0, 400.0, 448.0, 496.0]) {
            write_text(svg, line, Weight::Regular, 38.0, (TEXT_X, y), PARCHMENT);
        }
        let site = Weight::Bold.drawable(&self.site_name);
        let size = Weight::Bold.fitting_size(&site, 32.0, TEXT_WIDTH);
        let x = TEXT_X + TEXT_WIDTH - Weight::Bold.width(&site, size);
        write_text(svg, &site, Weight::Bold, size, (x, 568.0), BRASS);
    }
}

fn write_text(svg: &mut String, text: &str, weight: Weight, size: f32, (x, y): (f32, f32), color: &str) {
    let weight = match weight {
        Weight::Regular => 400,
        Weight::Bold => 700,
    };
    let text = escaped(text);
    let _ = write!(
        svg,
        r#"<text x="{x}" y="{y}" font-family="{FAMILY}" font-size="{size}" font-weight="{weight}" fill="{color}">{text}</text>"#
    );
}

fn write_symbol(svg: &mut String, path: &str, (x, y): (f32, f32)) {
    let _ = write!(svg, r#"<path transform="translate({x} {y}) scale(1.5)" d="{path}" fill="{BRASS}"/>"#);
}

/// Draws the logo on the card.
fn overlay(card: &mut RgbImage, logo: &RgbaImage) {
    let logo = imageops::thumbnail(logo, LOGO, LOGO);
    let (left, top) = LOGO_AT;
    for (x, y, color) in logo.enumerate_pixels() {
        let below = card.get_pixel_mut(left + x, top + y);
        let alpha = u16::from(color[3]);
        for channel in 0..3 {
            let mixed = u16::from(color[channel]) * alpha + u16::from(below[channel]) * (255 - alpha);
            below[channel] = ((mixed + 127) / 255) as u8;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pictures::logo::draw_logo;

    fn card() -> Card {
        Card {
            name: "Night Watch".to_owned(),
            leader_name: "Mira Stormborn".to_owned(),
            members: 12,
            text: "We guard the northern wall.".to_owned(),
            logo: None,
            site_name: "Guildhall".to_owned(),
        }
    }

    fn pixels(card: &Card) -> RgbImage {
        let card = image::load_from_memory(&card.draw().unwrap()).unwrap().into_rgb8();
        assert_eq!(card.dimensions(), (WIDTH, HEIGHT));
        card
    }

    /// The number of pixels that differ in a column of the cards.
    fn difference(one: &RgbImage, other: &RgbImage, columns: std::ops::Range<u32>) -> usize {
        let differs = |x: u32, y: u32| one.get_pixel(x, y) != other.get_pixel(x, y);
        columns.map(|x| (0..HEIGHT).filter(|y| differs(x, *y)).count()).sum()
    }

    #[test]
    fn each_part_of_the_card_shows() {
        let plain = pixels(&card());
        let without = |change: fn(&mut Card)| {
            let mut card = card();
            change(&mut card);
            pixels(&card)
        };
        for change in [
            (|card| card.name = "Day".to_owned()) as fn(&mut Card),
            |card| card.leader_name = "Tom".to_owned(),
            |card| card.members = 13,
            |card| card.text.clear(),
            |card| card.site_name.clear(),
        ] {
            assert!(difference(&plain, &without(change), 484..1116) > 50);
        }
        let other_arms = without(|card| card.name = "Day Watch".to_owned());
        assert!(difference(&plain, &other_arms, 84..424) > 1000);
        let logo = draw_logo(include_bytes!("../../../tests/fuzz/corpus/logo/pixel.png")).unwrap();
        let with_logo =
            pixels(&Card { logo: Some(Bytes::copy_from_slice(logo.large.data.bytes())), ..card() });
        assert_eq!(with_logo.get_pixel(254, 315).0, [184, 134, 43]);
    }

    #[test]
    fn unusual_texts_stay_on_the_card() {
        let empty = pixels(&Card {
            name: String::new(),
            leader_name: String::new(),
            text: String::new(),
            site_name: String::new(),
            ..card()
        });
        for text in ["W".repeat(2000), "🐉 漢字 \u{202e}abc".to_owned(), "</text><script>&\u{0}".to_owned()]
        {
            let full = pixels(&Card {
                name: text.clone(),
                leader_name: text.clone(),
                text: text.clone(),
                site_name: text,
                members: 99_999,
                ..card()
            });
            assert_eq!(difference(&empty, &full, 1150..WIDTH), 0);
        }
    }
}
