//! The names and the texts of the demo community.

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
/// What kills characters.
pub(super) const CREATURES: [&str; 8] = [
    "a dragon lord",
    "a giant spider",
    "a warlock",
    "a cave troll",
    "a bog wraith",
    "a wyvern",
    "a stone golem",
    "fire",
];
pub(super) const VOCATIONS: [&str; 4] = ["Knight", "Paladin", "Sorcerer", "Druid"];

/// A guild: its name, its message of the day and its description.
pub(super) const GUILDS: [(&str, &str, &str); 20] = [
    (
        "Amber Circle",
        "Meeting on Sunday at eight.",
        "The Amber Circle look for companions of every vocation.",
    ),
    ("Black Lanterns", "The lanterns are lit at nine.", "We explore what others avoid, and draw the maps."),
    (
        "Crown Guard",
        "Training in the yard, every evening.",
        "Knights first. We hold the line, so that others can cast.",
    ),
    (
        "Dawn Riders",
        "The bears need food. Bring some.",
        "We ride early and we ride far. You need a mount and patience.",
    ),
    (
        "Eastern Light",
        "New members: ask Elva for a bed.",
        "A quiet guild for players who have jobs and children.",
    ),
    (
        "Forest Wardens",
        "The wolves moved west. Be careful.",
        "Druids and their friends. We plant more than we cut.",
    ),
    ("Golden Anchor", "The ship leaves on Friday.", "Traders and sailors. Fair prices, no questions."),
    ("Hill Smiths", "Iron is scarce, sell none.", "We make, repair and improve weapons for all guilds."),
    ("Iron Oath", "Eight against eight on Saturday.", "One rule: we do not leave anybody behind."),
    ("Jade Serpents", "Potions are in the chest.", "Sorcerers who share their notes."),
    ("Knights of Ash", "We rebuild the southern gate.", "Our hall burned down twice. We are still here."),
    ("Lost Compass", "Who has the map?", "We have no plan, and a good time."),
    ("Moon Court", "The court meets at full moon.", "Role-play at any hour. In character, please."),
    ("Night Watch", "Third watch: Nils and Runa.", "We guard the northern wall."),
    (
        "Old Ravens",
        "Remember: no phones at the fire.",
        "We have played since the first server. New friends are welcome.",
    ),
    ("Pale Wolves", "Hunt on Thursday, level 100 and above.", "Small groups, hard hunts."),
    ("Quiet Blades", "Silence.", "If you see us, it is too late."),
    ("River Kings", "The bridge is ours again.", "We collect no toll from friends."),
    ("Silver Tide", "Healers, we need two more.", "Nobody dies while we are near. That is the idea."),
    ("Thunder Choir", "Rehearsal before the battle.", "We sing while we fight. Badly, but loudly."),
];

/// A post: its title, its summary, its text in Markdown, its age in days, and whether it is pinned.
pub(super) const POSTS: [(&str, &str, &str, i32, bool); 4] = [
    (
        "Welcome to the demo community",
        "Twenty guilds, four hundred characters, and a shop to look at.",
        "Everything here is an example: log in as *mira*, found a guild, buy coins at the fake bank, and see how a purchase is delivered.\n\n\
         ## Where to start\n\n1. Look at the guilds, and at who is online.\n2. Buy a handful of coins. The fake bank pays.\n3. Buy a potion, and follow its delivery.",
        9,
        true,
    ),
    (
        "The northern wall stands",
        "The Night Watch held the gate until dawn. What happened, and who was there.",
        "We **held** it until dawn.\n\n- no gate was lost\n- the wolves are back in their hills\n- the Hill Smiths repaired forty shields in one night\n\n\
         > If you see us running, follow us.\n\nThank you to everybody who came.",
        3,
        false,
    ),
    (
        "New in the shop",
        "Mounts for the patient and for the rich: a bear, and twenty horses.",
        "Mounts! The *War bear* is slow to anger. Of the *Founder's horse* there are only twenty, one for each account.",
        1,
        false,
    ),
    (
        "Double experience on Saturday",
        "From noon until midnight. Groups of four get a little more.",
        "From noon until midnight, server time. Groups of four or more get ten percent on top.",
        0,
        false,
    ),
];
