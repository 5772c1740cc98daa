//! Scenes that are played: field, map, scripts, tiles and fights together.

mod asked;
mod carry;
mod common;
mod doors;
mod drawn;
mod enter;
mod entries;
mod fights;
mod hash;
mod hostile;
mod led;
mod reads;
mod restore;
mod scripts;
mod seated;
mod tiles;
mod touch;
mod view;
