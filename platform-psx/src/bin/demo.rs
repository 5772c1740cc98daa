//! A world on the console: reads the disc's only scene, or of several the one called `demo`, plays
//! it, and after the counted frames goes on playing.
#![cfg_attr(target_arch = "mips", no_std, no_main)]

overworld_psx::program!(run);

#[cfg(target_arch = "mips")]
fn run() {
    use overworld_psx::stage::{self, Stage};
    use overworld_runtime::scene::Which;

    stage::run(|| {
        let (mut stage, assets) = Stage::take()?;
        let mut scene = stage.load(Which::OnlyOr("demo"), assets)?;
        stage.play(
            &mut scene,
            |_, _| 0,
            Some(|scene, gte| stage::poses(scene, gte)),
        )
    });
}
