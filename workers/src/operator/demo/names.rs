//! The names of the demo community.

/// The first names of characters.
pub(super) const FIRST: [&str; 20] = [
    "Alda", "Bram", "Cira", "Doran", "Elva", "Falk", "Gerda", "Hale", "Isa", "Joris", "Kaia", "Lorn", "Mira",
    "Nils", "Orla", "Perrin", "Runa", "Sten", "Tova", "Ulf",
];
/// The last names of characters. Each belongs to one account.
pub(super) const LAST: [&str; 20] = [
    "Ashwood",
    "Blackwater",
    "Coldspring",
    "Duskwalker",
    "Emberhand",
    "Frostmane",
    "Greycloak",
    "Hollowhill",
    "Ironwood",
    "Kestrel",
    "Longstride",
    "Moonfall",
    "Nightbreeze",
    "Oakshield",
    "Ravenlock",
    "Stormborn",
    "Thornfield",
    "Underhill",
    "Winterborn",
    "Yarrow",
];
pub(super) const GUILDS: [&str; 20] = [
    "Amber Circle",
    "Black Lanterns",
    "Crown Guard",
    "Dawn Riders",
    "Eastern Light",
    "Forest Wardens",
    "Golden Anchor",
    "Hill Smiths",
    "Iron Oath",
    "Jade Serpents",
    "Knights of Ash",
    "Lost Compass",
    "Moon Court",
    "Night Watch",
    "Old Ravens",
    "Pale Wolves",
    "Quiet Blades",
    "River Kings",
    "Silver Tide",
    "Thunder Choir",
];
pub(super) const VOCATIONS: [&str; 4] = ["Knight", "Paladin", "Sorcerer", "Druid"];
