//! The look of a site's mails.

use minijinja::{Value, context};

use super::values::one_line;

/// The look of a site's mails, from settings.
#[derive(Debug, Clone)]
pub(crate) struct Site {
    pub(crate) name: String,
    /// Without a slash at the end.
    pub(crate) url: String,
    /// `#rrggbb`
    pub(crate) color: String,
}

impl Site {
    pub(super) fn example() -> Self {
        Self {
            name: "Aldoria & Friends".to_owned(),
            url: "https://example.org".to_owned(),
            color: "#8a5a00".to_owned(),
        }
    }

    /// The site as templates see it.
    pub(super) fn values(&self) -> Value {
        context! {
            name => one_line(&self.name),
            url => self.url.clone(),
            color => self.color.clone(),
            text_color => text_color(&self.color),
        }
    }
}

/// White, or black if white would be hard to read on the color: WCAG 2.2 demands a contrast of at least 4.5.
fn text_color(background: &str) -> &'static str {
    let contrast_with_white = |luminance: f64| 1.05 / (luminance + 0.05);
    match luminance(background).map(contrast_with_white) {
        Some(contrast) if contrast < 4.5 => "#000000",
        _ => "#ffffff",
    }
}

/// The relative luminance of WCAG 2.2, from 0 to 1.
fn luminance(color: &str) -> Option<f64> {
    let rgb = hex::decode(color.strip_prefix('#')?).ok()?;
    let &[red, green, blue] = rgb.as_slice() else { return None };
    let linear = |channel: u8| {
        let channel = f64::from(channel) / 255.0;
        if channel <= 0.04045 { channel / 12.92 } else { ((channel + 0.055) / 1.055).powf(2.4) }
    };
    Some(0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue))
}

#[cfg(test)]
mod tests {
    use super::text_color;

    #[test]
    fn text_is_readable_on_the_color() {
        for dark in ["#000000", "#8a5a00", "#2f6feb", "#767676"] {
            assert_eq!(text_color(dark), "#ffffff", "{dark}");
        }
        for light in ["#ffffff", "#ffcc00", "#777777"] {
            assert_eq!(text_color(light), "#000000", "{light}");
        }
    }
}
