//! A world on the console: reads the disc's only scene, or of several the one called `demo`, plays
//! it, and after the counted frames goes on playing.
#![cfg_attr(target_arch = "mips", no_std, no_main)]

overworld_psx::program!(run);

/// Frames that are counted before the end mark.
#[cfg(target_arch = "mips")]
const FRAMES: u32 = 300;

#[cfg(target_arch = "mips")]
mod console {
    use super::FRAMES;
    use core::fmt::{self, Write};
    use overworld_psx::budget::Budget;
    use overworld_psx::console::{Colour, Console};
    use overworld_psx::gpu::{DRAW_LIMIT, Display, Error, Port};
    use overworld_psx::gte::Cop2;
    use overworld_psx::machine::{Once, Psx};
    use overworld_psx::timer::{FRAME_CYCLES, Timer};
    use overworld_psx::tty::{self, Verdict};
    use overworld_psx::{interrupt, println};
    use overworld_runtime::gpu::DisplayList;
    use overworld_runtime::model::pose::{self, Transform};
    use overworld_runtime::platform::{Screen, Sector};
    use overworld_runtime::scene::{self, Memory, Scene, Which};

    /// Sectors for the archive's table, and for what is read of a bundle but not yet unpacked.
    const STAGING: usize = 16;
    /// Bytes for the unpacked members of a bundle.
    const ASSETS: usize = 512 * 1024;
    /// Words of one frame's list: the ordering table and the packets.
    const LIST: usize = 32 * 1024;
    /// Entries of the ordering table.
    const BUCKETS: usize = 1024;

    /// Memory at an address that DMA likes.
    #[repr(C, align(16))]
    struct Aligned<T>(T);

    static SECTORS: Once<Aligned<[Sector; STAGING]>> = Once::new(Aligned([[0; 2048]; STAGING]));
    static UNPACKED: Once<Aligned<[u8; ASSETS]>> = Once::new(Aligned([0; ASSETS]));
    static WORDS: Once<Aligned<[u32; LIST]>> = Once::new(Aligned([0; LIST]));

    /// A failure that the player has been told of.
    pub struct Told;

    /// Say what went wrong, on the screen too. The GPU is taken from whoever had it.
    fn failed(what: fmt::Arguments<'_>) -> Told {
        println!("@@ {what}");
        let mut screen = Console::take(Colour::new(31, 31, 31), Colour::new(12, 4, 2));
        // The console never fails, it only runs out of lines.
        let _ = write!(screen, "OVERWORLD CANNOT GO ON\n\n{what}");
        screen.hold();
        Told
    }

    /// What the counted frames cost.
    struct Counted {
        vblanks: u32,
        budget: Budget,
    }

    /// The cycles of one part of a frame.
    fn cycles<T>(timer: &mut Timer, work: impl FnOnce() -> T) -> (u32, T) {
        timer.start();
        let done = work();
        (timer.cycles(), done)
    }

    /// Poses and matrices of the picture that [`Scene::compose`] has just made, without its packets.
    /// What the actor's own matrix holds costs nothing.
    fn poses(scene: &Scene<'_>, gte: &mut Cop2) {
        let (cursor, end) = scene.moment();
        if let Ok(clip) = scene.bank().clip(scene.playback().number) {
            for pose in clip.sample(cursor, end).poses() {
                core::hint::black_box(pose::load(gte, &Transform::default(), &pose));
            }
        }
    }

    /// Play `frames` frames.
    fn play<P: Port>(
        scene: &mut Scene<'_>,
        gte: &mut Cop2,
        screen: &mut Display<P>,
        list: &mut DisplayList<'_>,
        timer: &mut Timer,
        frames: u32,
    ) -> Result<Counted, scene::DrawError<Error>> {
        let start = interrupt::vblanks();
        let mut budget = Budget::default();
        for _ in 0..frames {
            let (spent, ()) = cycles(timer, || scene.tick());
            budget.tick.add(spent);
            let (spent, composed) = cycles(timer, || {
                list.begin(screen);
                scene.compose(gte, list)
            });
            composed.map_err(scene::DrawError::Model)?;
            budget.compose.add(spent);
            // The two halves of `Screen::draw`.
            let (words, head) = (list.words(), list.head());
            let (spent, checked) = cycles(timer, || screen.check(words, head));
            checked.map_err(scene::DrawError::Screen)?;
            budget.check.add(spent);
            let (spent, drawn) = cycles(timer, || screen.execute(words, head, DRAW_LIMIT));
            drawn.map_err(scene::DrawError::Screen)?;
            budget.draw.add(spent);
            let (spent, ()) = cycles(timer, || poses(scene, gte));
            budget.pose.add(spent);
            let (spent, shown) = cycles(timer, || screen.present());
            shown.map_err(scene::DrawError::Screen)?;
            budget.wait.add(spent);
        }
        Ok(Counted {
            vblanks: interrupt::vblanks().wrapping_sub(start),
            budget,
        })
    }

    /// The program.
    pub fn run() -> Result<(), Told> {
        let Psx {
            mut screen,
            mut drive,
            mut gte,
            mut timer,
            ..
        } = match Psx::take() {
            Some(Ok(machine)) => machine,
            Some(Err(error)) => return Err(failed(format_args!("{error}"))),
            None => return Err(failed(format_args!("the machine is taken"))),
        };
        let (Some(sectors), Some(assets), Some(words)) =
            (SECTORS.take(), UNPACKED.take(), WORDS.take())
        else {
            return Err(failed(format_args!("the memory is taken")));
        };
        let memory = Memory {
            sectors: &mut sectors.0,
            assets: &mut assets.0,
        };

        let [red, green, blue] = scene::BACKGROUND;
        screen.set_background(red, green, blue);
        let start = interrupt::vblanks();
        let mut scene = scene::load(&mut drive, &mut screen, Which::OnlyOr("demo"), memory)
            .map_err(|error| failed(format_args!("{error}")))?;
        println!(
            "@@ scene {} loaded in {} vblanks, {} sectors read again",
            scene.name(),
            interrupt::vblanks().wrapping_sub(start),
            drive.rereads()
        );
        for asset in scene.assets() {
            println!("@@ASSET {}", AssetLine(asset));
        }

        let mut list = DisplayList::new(&mut words.0, BUCKETS);
        let (scene, list) = (&mut scene, &mut list);
        // The count begins with a picture, not somewhere between two.
        screen
            .present()
            .map_err(|error| failed(format_args!("{error}")))?;
        let counted = play(scene, &mut gte, &mut screen, list, &mut timer, FRAMES)
            .map_err(|error| failed(format_args!("{error}")))?;
        println!(
            "@@FRAMES {FRAMES} vblanks {} cycles {} hash {:08X}",
            counted.vblanks,
            counted.budget.work(),
            scene.state_hash()
        );
        println!("@@ budget of a frame, in cycles; a picture lasts {FRAME_CYCLES} on a console");
        for (phase, cost) in counted.budget.phases() {
            println!("@@ budget {phase:<14} {cost}");
        }
        tty::end(Verdict::Pass);

        loop {
            if let Err(error) = play(scene, &mut gte, &mut screen, list, &mut timer, FRAMES) {
                // The end mark is out already.
                failed(format_args!("{error}"));
                return Ok(());
            }
        }
    }

    /// An asset as the line wants it: without its first word.
    struct AssetLine<'a>(&'a scene::Asset);

    impl fmt::Display for AssetLine<'_> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            let scene::Asset {
                index,
                ty,
                size,
                crc32,
            } = self.0;
            write!(
                f,
                "{index} type {:02X} size {size} crc {crc32:08X}",
                ty.byte()
            )
        }
    }
}

#[cfg(target_arch = "mips")]
fn run() {
    if console::run().is_err() {
        overworld_psx::tty::end(overworld_psx::tty::Verdict::Fail);
    }
}
