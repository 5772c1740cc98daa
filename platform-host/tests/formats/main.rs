//! The calls that look into single files, with the sheets' worked examples.

mod anm;
mod bundle;
#[path = "../common/mod.rs"]
mod common;
mod ff8;
mod ff8_bare;
mod ff8_kept;
mod ff8_limits;
mod files;
mod gltf;
mod lzs;
mod man;
mod map;
mod models;
mod sources;
#[path = "../common/vectors.rs"]
mod vectors;

use common::Place;
use overworld_host::sample;

/// A folder with the sheets' examples and the sample world's files.
fn place() -> Place {
    let place = Place::new();
    place.write("two.bank", &vectors::bank());
    place.write("test.man", &vectors::man());
    place.write("two.bundle", &vectors::bundle());
    place.write("one.PCH", &vectors::patch());
    place.write("test.MAP", &vectors::map());
    let world = sample::world().unwrap();
    for (name, data) in world.members() {
        place.write(name, data);
    }
    place
}
