//! A scene that is walked, on the console: reads the disc's only scene, or of several the one called `town`, plays the
//! tour in the counted frames, and then listens to the pads.
#![cfg_attr(target_arch = "mips", no_std, no_main)]

overworld_psx::program!(run);

#[cfg(target_arch = "mips")]
mod console {
    use overworld_psx::machine::Once;
    use overworld_psx::stage::{Aligned, FRAMES, Stage, Told, failed};
    use overworld_runtime::field::map;
    use overworld_runtime::platform::SECTOR;
    use overworld_runtime::scene::walk::{Walk, tour};
    use overworld_runtime::scene::{MapRead, Which};

    /// The map as it lies on the disc, and the one that scripts paint.
    static MAP: Once<Aligned<MapRead>> = Once::new(Aligned([[0; SECTOR]; _]));
    static PAINTED: Once<[u8; map::SIZE]> = Once::new([0; _]);

    /// The program.
    pub fn run() -> Result<(), Told> {
        let (mut stage, assets) = Stage::take()?;
        let (Some(read), Some(painted)) = (MAP.take(), PAINTED.take()) else {
            return Err(failed("the memory is taken"));
        };
        let scene = stage.load(Which::OnlyOr("town"), assets)?;
        stage.read_map(&scene, &mut read.0)?;
        let mut walk = match Walk::new(&scene, &read.0, painted) {
            Ok(Some(walk)) => walk,
            Ok(None) => return Err(failed("the scene has no program to be walked by")),
            Err(error) => return Err(failed(error)),
        };
        let held = |frame, pads: &mut overworld_psx::pad::Pads| {
            if frame < FRAMES {
                tour(frame)
            } else {
                pads.held()
            }
        };
        stage.play(&mut walk, held, None)
    }
}

#[cfg(target_arch = "mips")]
fn run() {
    overworld_psx::stage::run(console::run);
}
