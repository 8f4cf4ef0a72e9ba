//! The coat of arms of a guild without a logo. It follows from the guild's name alone. The website draws the same one.
//!
//! 1. `hash` is FNV-1a with 32 bits over the UTF-8 bytes of the name in lower case.
//! 2. `hash % 8` is the index of the division, `(hash >> 8) % 8` of the two colours, and `(hash >> 16) % 8` of the charge.
//! 3. The shield is filled with the first colour, and the part of the division with the second one. The charge has the second colour and an
//!    outline of the first one. The shield has an outline of brass.
//!
//! A change of a table or of the order changes the arms of existing guilds, and must be made on the website too.

/// The outline of the shield, in a box of 40 × 48.
const OUTLINE: &str = "M2 2h36v20c0 12-8 19-18 24C10 41 2 34 2 22Z";

const BRASS: &str = "#b8862b";

/// The divisions of the field: the part in the second colour.
const DIVISIONS: [&str; 8] = [
    "",                                   // plain
    "M20 0h20v48H20Z",                    // per pale
    "M0 22h40v26H0Z",                     // per fess
    "M0 0 40 40V0Z",                      // per bend
    "M0 0 20 22 0 46ZM40 0 20 22 40 46Z", // per saltire
    "M20 0h20v22H20ZM0 22h20v26H0Z",      // quarterly
    "M0 34 20 16 40 34v10L20 26 0 44Z",   // chevron
    "M0 0h40v13H0Z",                      // chief
];

/// The colours of the field and of its part.
const COLORS: [[&str; 2]; 8] = [
    ["#16302b", "#b8862b"],
    ["#7c2532", "#f4ecd8"],
    ["#2f4a6d", "#f4ecd8"],
    ["#b8862b", "#7c2532"],
    ["#f4ecd8", "#2f4a6d"],
    ["#16302b", "#f4ecd8"],
    ["#b8862b", "#2f4a6d"],
    ["#7c2532", "#b8862b"],
];

/// The charges, drawn around the middle of the field (20, 21).
const CHARGES: [&str; 8] = [
    "M20 10l2.7 7.6h8l-6.4 4.9 2.4 7.7L20 25.6l-6.7 4.6 2.4-7.7-6.4-4.9h8Z", // star
    "M20 9l9 12-9 12-9-12Z",                                                 // lozenge
    "M20 30a9 9 0 1 0 0-18 9 9 0 0 0 0 18Z",                                 // roundel
    "M17 10h6v8h8v6h-8v8h-6v-8H9v-6h8Z",                                     // cross
    "M10 30V16h4v4h3v-4h6v4h3v-4h4v14Z",                                     // tower
    "M25 10a11 11 0 1 0 0 22 9 9 0 1 1 0-22Z",                               // crescent
    "M18.5 9h3v14h5v3h-5v6h-3v-6h-5v-3h5Z",                                  // sword
    "M9 28l2-12 5 5 4-8 4 8 5-5 2 12Z",                                      // crown
];

fn hash(name: &str) -> usize {
    let step = |hash: u32, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
    name.to_lowercase().bytes().fold(0x811c_9dc5, step) as usize
}

/// The arms as elements of an SVG, in a box of 40 × 48.
pub(super) fn elements(name: &str) -> String {
    let hash = hash(name);
    let division = DIVISIONS[hash % DIVISIONS.len()];
    let [field, part] = COLORS[(hash >> 8) % COLORS.len()];
    let charge = CHARGES[(hash >> 16) % CHARGES.len()];
    format!(
        r##"<clipPath id="shield"><path d="{OUTLINE}"/></clipPath>
<g clip-path="url(#shield)">
<path d="M0 0h40v48H0Z" fill="{field}"/>
<path d="{division}" fill="{part}"/>
<path d="{charge}" fill="{part}" stroke="{field}" stroke-width="1.5" paint-order="stroke"/>
</g>
<path d="{OUTLINE}" fill="none" stroke="{BRASS}" stroke-width="2"/>"##
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The website has the same values. The first two are test vectors of FNV.
    #[test]
    fn arms_follow_from_the_name() {
        assert_eq!(hash(""), 0x811c_9dc5);
        assert_eq!(hash("foobar"), 0xbf9c_f968);
        assert_eq!(hash("Night Watch"), hash("night watch"));
        let arms = elements("Night Watch");
        assert_eq!(arms, elements("NIGHT WATCH"));
        assert_ne!(arms, elements("Day Watch"));
    }
}
