//! Two worlds side by side on the console: reads the disc's only scene, or of several the one called `creature`, and
//! the battle model of FF8 behind its bundle, and plays both.
#![cfg_attr(target_arch = "mips", no_std, no_main)]

overworld_psx::program!(run);

#[cfg(target_arch = "mips")]
mod console {
    use overworld_psx::gte::Cop2;
    use overworld_psx::machine::Once;
    use overworld_psx::println;
    use overworld_psx::stage::{self, Aligned, Stage, Told, failed};
    use overworld_runtime::platform::{SECTOR, Sector};
    use overworld_runtime::scene::Which;
    use overworld_runtime::scene::creatures::{Creature, Creatures, Room, SECTORS};

    static ENTRY: Once<Aligned<[Sector; SECTORS]>> = Once::new(Aligned([[0; SECTOR]; SECTORS]));
    static ROOM: Once<Room> = Once::new(Room::NEW);

    /// The program.
    pub fn run() -> Result<(), Told> {
        let (mut stage, assets) = Stage::take()?;
        let (Some(entry), Some(room)) = (ENTRY.take(), ROOM.take()) else {
            return Err(failed("the memory is taken"));
        };
        let scene = stage.load(Which::OnlyOr("creature"), assets)?;
        let Some(file) = stage.read_further(&scene, &mut entry.0)? else {
            return Err(failed(
                "there is no entry behind the scene's bundle, or it is too long for a creature",
            ));
        };
        let creature = Creature::new(file).map_err(failed)?;
        println!("@@ {}", creature.summary());
        let mut pair = Creatures::new(scene, creature, room, &mut stage.gte);
        stage.play(&mut pair, |_, _| 0, Some(poses))
    }

    /// Poses and matrices of both.
    fn poses(pair: &mut Creatures<'_>, gte: &mut Cop2) {
        core::hint::black_box(pair.bones(gte));
        stage::poses(pair.scene(), gte);
    }
}

#[cfg(target_arch = "mips")]
fn run() {
    overworld_psx::stage::run(console::run);
}
