//! A scene that is walked, on the console: reads the disc's only scene, or of several the one called `town`, plays the
//! tour in the counted frames, and then listens to the pads.
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
    use overworld_psx::gpu::{DRAW_LIMIT, Display, Error, Hardware};
    use overworld_psx::gte::Cop2;
    use overworld_psx::machine::{Once, Psx};
    use overworld_psx::timer::{FRAME_CYCLES, Timer};
    use overworld_psx::tty::{self, Verdict};
    use overworld_psx::{interrupt, println};
    use overworld_runtime::field::map;
    use overworld_runtime::gpu::DisplayList;
    use overworld_runtime::platform::{SECTOR, Screen, Sector};
    use overworld_runtime::scene::walk::{Play, Walk, tour};
    use overworld_runtime::scene::{self, MapRead, Memory, Which};

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

    static SECTORS: Once<Aligned<[Sector; STAGING]>> = Once::new(Aligned([[0; SECTOR]; STAGING]));
    static UNPACKED: Once<Aligned<[u8; ASSETS]>> = Once::new(Aligned([0; ASSETS]));
    static WORDS: Once<Aligned<[u32; LIST]>> = Once::new(Aligned([0; LIST]));
    /// The map as it lies on the disc, and the one that scripts paint.
    static MAP: Once<Aligned<MapRead>> = Once::new(Aligned([[0; SECTOR]; _]));
    static PAINTED: Once<[u8; map::SIZE]> = Once::new([0; _]);

    /// A failure that the player has been told of.
    pub struct Told;

    /// Say what went wrong, on the screen too.
    fn failed(what: impl fmt::Display) -> Told {
        println!("@@ {what}");
        let mut screen = Console::take(Colour::new(31, 31, 31), Colour::new(12, 4, 2));
        // The console never fails, it only runs out of lines.
        let _ = write!(screen, "OVERWORLD CANNOT GO ON\n\n{what}");
        screen.hold();
        Told
    }

    /// What frames are made with.
    struct Stage<'w> {
        gte: Cop2,
        screen: Display<Hardware>,
        list: DisplayList<'w>,
        timer: Timer,
        budget: Budget,
    }

    impl Stage<'_> {
        /// The cycles of one part of a frame.
        fn cycles<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> (u32, T) {
            self.timer.start();
            let done = work(self);
            (self.timer.cycles(), done)
        }

        /// One frame.
        fn play(&mut self, walk: &mut Walk<'_>, held: u16) -> Result<(), scene::DrawError<Error>> {
            let (spent, ()) = self.cycles(|_| walk.tick(held));
            self.budget.tick.add(spent);
            let (spent, composed) = self.cycles(|it| {
                it.list.begin(&mut it.screen);
                walk.compose(&mut it.gte, &mut it.list)
            });
            composed.map_err(scene::DrawError::Model)?;
            self.budget.compose.add(spent);
            // The two halves of `Screen::draw`.
            let (spent, checked) =
                self.cycles(|it| it.screen.check(it.list.words(), it.list.head()));
            checked.map_err(scene::DrawError::Screen)?;
            self.budget.check.add(spent);
            let (spent, drawn) = self.cycles(|it| {
                let (words, head) = (it.list.words(), it.list.head());
                it.screen.execute(words, head, DRAW_LIMIT)
            });
            drawn.map_err(scene::DrawError::Screen)?;
            self.budget.draw.add(spent);
            let (spent, shown) = self.cycles(|it| it.screen.present());
            shown.map_err(scene::DrawError::Screen)?;
            self.budget.wait.add(spent);
            Ok(())
        }
    }

    /// The program.
    pub fn run() -> Result<(), Told> {
        let Psx {
            mut screen,
            mut drive,
            gte,
            timer,
            mut pads,
            ..
        } = match Psx::take() {
            Some(Ok(machine)) => machine,
            Some(Err(error)) => return Err(failed(error)),
            None => return Err(failed("the machine is taken")),
        };
        let memory = (SECTORS.take(), UNPACKED.take(), WORDS.take());
        let maps = (MAP.take(), PAINTED.take());
        let ((Some(sectors), Some(assets), Some(words)), (Some(read), Some(painted))) =
            (memory, maps)
        else {
            return Err(failed("the memory is taken"));
        };
        let memory = Memory {
            sectors: &mut sectors.0,
            assets: &mut assets.0,
        };
        let [red, green, blue] = scene::BACKGROUND;
        screen.set_background(red, green, blue);
        let start = interrupt::vblanks();
        let scene =
            scene::load(&mut drive, &mut screen, Which::OnlyOr("town"), memory).map_err(failed)?;
        let (name, place) = (scene.name(), &mut sectors.0);
        scene::read_map::<_, Display<Hardware>>(&mut drive, name.as_str(), place, &mut read.0)
            .map_err(failed)?;
        println!(
            "@@ scene {name} loaded in {} vblanks",
            interrupt::vblanks().wrapping_sub(start)
        );
        for asset in scene.assets() {
            println!("@@ {asset}");
        }
        let mut walk = match Walk::new(&scene, &read.0, painted) {
            Ok(Some(walk)) => walk,
            Ok(None) => return Err(failed("the scene has no program to be walked by")),
            Err(error) => return Err(failed(error)),
        };

        let mut stage = Stage {
            gte,
            screen,
            list: DisplayList::new(&mut words.0, BUCKETS),
            timer,
            budget: Budget::default(),
        };
        // The count begins with a picture, not somewhere between two.
        stage.screen.present().map_err(failed)?;
        let start = interrupt::vblanks();
        for frame in 0..FRAMES {
            stage.play(&mut walk, tour(frame)).map_err(failed)?;
        }
        println!(
            "@@FRAMES {FRAMES} vblanks {} cycles {} hash {:08X}",
            interrupt::vblanks().wrapping_sub(start),
            stage.budget.work(),
            walk.state_hash()
        );
        println!("@@ budget of a frame, in cycles; a picture lasts {FRAME_CYCLES} on a console");
        for (phase, cost) in stage.budget.phases() {
            // Poses are not measured by themselves here.
            if cost.mean() != 0 {
                println!("@@ budget {phase:<14} {cost}");
            }
        }
        tty::end(Verdict::Pass);

        loop {
            let held = pads.held();
            if let Err(error) = stage.play(&mut walk, held) {
                // The end mark is out already.
                failed(error);
                return Ok(());
            }
        }
    }
}

#[cfg(target_arch = "mips")]
fn run() {
    if console::run().is_err() {
        overworld_psx::tty::end(overworld_psx::tty::Verdict::Fail);
    }
}
