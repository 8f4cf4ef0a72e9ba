//! Players use a site while faults kill, freeze and disconnect its parts. All responses are compared with the state of
//! the site, immediately and at the end.

mod cache_check;
mod clock_monitor;
mod deaths;
mod drill;
mod evidence;
mod fault;
mod game_changes;
mod game_server;
mod injected_fault;
mod injector;
mod limited_offer;
mod load;
mod lost_sessions;
mod monitors;
mod newcomers;
mod players;
mod public_lists;
mod recovery;
mod report;
mod resource_monitor;
mod server_figures;
mod server_monitor;
mod settings;
mod site;

pub use drill::run;
pub use settings::ChaosSettings;
