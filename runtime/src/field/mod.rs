//! The field: where actors stand and walk, as the files of a scene say it (field sheet).
//!
//! | Module | Content |
//! |---|---|
//! | [`map`] | the `.MAP` file, its trigger block and the `.PCH` patch (field sheet, section 3) |
//! | [`stager`] | the stager table that follows them on the disc (disc sheet, section 6) |
//! | [`units`] | units, directions, headings (section 1) |
//! | [`wall`] | walls and the three points of a step (sections 4.1, 5.1) |
//! | [`actor`] | actors and their pool (section 1) |
//! | [`contact`] | probes against actors (sections 5.2, 11.3) |
//! | [`pad`] | camera remap, directions, headings (section 6) |
//! | [`slide`] | the wall-slide resolver (section 6.4) |
//! | [`walk`] | base step, travel budget, step loop (section 7) |
//! | [`ground`] | the height of the floor (section 9) |
//! | [`hop`] | ledges and the arc of a hop (section 9.4) |
//! | [`bearing`] | the bearing from one point to another (section 11.3) |
//! | [`precise`] | precise movement and camera distance, which the game does not have (section 16) |
//! | [`touch`] | links, events, the touch mailbox (section 11) |
//! | [`crossing`] | trigger dispatch, doorways, regions (sections 10.2 to 10.6) |
//! | [`spawn`] | seats, arrivals, the two sweeps that place objects (sections 10.5, 10.7, 12) |
//! | [`cold`] | where to stand in a scene that is not made for a cold start (section 10.7) |
//! | [`encounter`] | the encounter roll, and the life of a fight (section 10.9) |
//! | [`animate`] | gaits, and the animation clock of the actors (sections 7.5, 13) |
//! | [`glide`] | how people walk and turn by script (sections 14, 15) |
//! | [`compat`] | the readings where the sources disagree (section 20) |
//!
//! [`Field`] holds the state and plays a frame of it.

pub mod actor;
pub mod animate;
pub mod bearing;
pub mod cold;
pub mod compat;
pub mod contact;
pub mod crossing;
pub mod encounter;
mod engage;
pub mod glide;
pub mod ground;
mod hash;
pub mod hop;
mod input;
mod locomotion;
pub mod map;
pub mod pad;
pub mod precise;
pub mod slide;
pub mod spawn;
pub mod stager;
mod state;
pub mod touch;
pub mod units;
mod vertical;
pub mod walk;
pub mod wall;
mod way;

pub use actor::{Actor, ActorId, Partner, Pool};
pub use compat::Compat;
pub use ground::Ground;
pub use input::{Control, Events, Input, Settings, cue};
pub use state::Field;
