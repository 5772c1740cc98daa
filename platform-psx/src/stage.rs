//! What the programs share that play a scene: their memory, a frame and what its phases cost, and how they end.
//!
//! A program takes a [`Stage`], loads its scene with [`Stage::load`], and gives what is to be played to
//! [`Stage::play`], which counts [`FRAMES`] frames, prints what they cost and the state they end in, passes, and
//! plays on.

use core::fmt::{self, Write};

use overworld_runtime::gpu::DisplayList;
use overworld_runtime::model::draw;
use overworld_runtime::platform::{SECTOR, Screen, Sector};
use overworld_runtime::scene::walk::Play;
use overworld_runtime::scene::{self, CONSOLE_ASSETS, DrawError, MapRead, Memory, Scene, Which};

use crate::budget::Budget;
use crate::cd::{self, CdDrive};
use crate::console::{Colour, Console};
use crate::gpu::{self, DRAW_LIMIT, Display, Error};
use crate::gte::Cop2;
use crate::machine::{Once, Psx};
use crate::pad::Pads;
use crate::timer::{FRAME_CYCLES, Timer};
use crate::tty::{self, Verdict};
use crate::{interrupt, println};

/// Frames that are counted before the end mark.
pub const FRAMES: u32 = 300;

/// Sectors for the archive's table, and for what is read of a bundle but not yet unpacked.
const STAGING: usize = 16;
/// The most frames between two pictures: whatever is later than that makes the world slower.
const MOST_FRAMES: u32 = 4;
/// Words of one frame's list: the ordering table and the packets.
const LIST: usize = 32 * 1024;
/// Entries of the ordering table.
const BUCKETS: usize = 1024;

/// Memory at an address that DMA likes.
#[derive(Debug)]
#[repr(C, align(16))]
pub struct Aligned<T>(
    /// What lies there.
    pub T,
);

static SECTORS: Once<Aligned<[Sector; STAGING]>> = Once::new(Aligned([[0; SECTOR]; STAGING]));
static UNPACKED: Once<Aligned<[u8; CONSOLE_ASSETS]>> = Once::new(Aligned([0; CONSOLE_ASSETS]));
static WORDS: Once<Aligned<[[u32; LIST]; 2]>> = Once::new(Aligned([[0; LIST]; 2]));

/// A failure that the player has been told of.
#[derive(Debug)]
pub struct Told;

/// Say what went wrong, on the screen too. The GPU is taken from whoever had it.
pub fn failed(what: impl fmt::Display) -> Told {
    println!("@@ {what}");
    let mut screen = Console::take(Colour::new(31, 31, 31), Colour::new(12, 4, 2));
    // The console never fails, it only runs out of lines.
    let _ = write!(screen, "OVERWORLD CANNOT GO ON\n\n{what}");
    screen.hold();
    Told
}

/// Run a program to its end; one that fails ends with that mark.
pub fn run(program: impl FnOnce() -> Result<(), Told>) {
    if program().is_err() {
        tty::end(Verdict::Fail);
    }
}

/// The console's screen.
type Screens = Display<gpu::Hardware>;

/// What frames are made with.
#[derive(Debug)]
pub struct Stage {
    /// The geometry engine.
    pub gte: Cop2,
    drive: CdDrive<cd::Hardware>,
    /// Staging for what is read; free but while something is.
    sectors: &'static mut [Sector],
    screen: Screens,
    /// What is drawn.
    ready: DisplayList<'static>,
    /// What is composed meanwhile.
    next: DisplayList<'static>,
    pads: Pads,
    timer: Timer,
    budget: Budget,
    /// The vertical blank in which the picture was shown that is on the screen.
    shown: u32,
    /// The most models that a counted picture had no room for.
    left_out: u32,
    /// Frames that lead to the next picture: one, or as many as vertical blanks have gone by if the last one was late.
    due: u32,
}

/// How the poses and matrices of a picture are made once more, to be measured by themselves.
pub type Poses<P> = fn(&mut P, &mut Cop2);

impl Stage {
    /// Take the machine and the memory, once; and the place for a scene's assets.
    ///
    /// # Errors
    /// They are taken, or the GPU takes no commands.
    pub fn take() -> Result<(Self, &'static mut [u8]), Told> {
        let Psx {
            mut screen,
            drive,
            gte,
            timer,
            pads,
            ..
        } = match Psx::take() {
            Some(Ok(machine)) => machine,
            Some(Err(error)) => return Err(failed(error)),
            None => return Err(failed("the machine is taken")),
        };
        let (Some(sectors), Some(assets), Some(words)) =
            (SECTORS.take(), UNPACKED.take(), WORDS.take())
        else {
            return Err(failed("the memory is taken"));
        };
        let [red, green, blue] = scene::BACKGROUND;
        screen.set_background(red, green, blue);
        let [ready, next] = &mut words.0;
        let stage = Self {
            gte,
            drive,
            sectors: &mut sectors.0,
            screen,
            ready: DisplayList::new(ready, BUCKETS),
            next: DisplayList::new(next, BUCKETS),
            pads,
            timer,
            budget: Budget::default(),
            shown: 0,
            left_out: 0,
            due: 1,
        };
        Ok((stage, &mut assets.0))
    }

    /// Load a scene into `assets`, and tell of what was unpacked.
    ///
    /// # Errors
    /// Those of [`scene::load`], told.
    pub fn load(
        &mut self,
        which: Which<'_>,
        assets: &'static mut [u8],
    ) -> Result<Scene<'static>, Told> {
        let memory = Memory {
            sectors: self.sectors,
            assets,
        };
        let start = interrupt::vblanks();
        let scene =
            scene::load(&mut self.drive, &mut self.screen, which, memory).map_err(failed)?;
        println!(
            "@@ scene {} loaded in {} vblanks, {} sectors read again",
            scene.name(),
            interrupt::vblanks().wrapping_sub(start),
            self.drive.rereads()
        );
        for asset in scene.assets() {
            println!("@@ASSET {}", AssetLine(asset));
        }
        Ok(scene)
    }

    /// Read the map of a scene, and what lies behind it.
    ///
    /// All reading is done here: a program that instantiated it would have the drivers a second time.
    ///
    /// # Errors
    /// Those of [`scene::read_map`], told.
    pub fn read_map(&mut self, scene: &Scene<'_>, out: &mut MapRead) -> Result<(), Told> {
        let (name, drive) = (scene.name(), &mut self.drive);
        scene::read_map::<_, Screens>(drive, name.as_str(), self.sectors, out).map_err(failed)
    }

    /// Read the entry behind a scene's bundle, if it is there and `out` holds it.
    ///
    /// # Errors
    /// Those of [`scene::read_further`], told.
    pub fn read_further<'m>(
        &mut self,
        scene: &Scene<'_>,
        out: &'m mut [Sector],
    ) -> Result<Option<&'m [u8]>, Told> {
        let (name, drive) = (scene.name(), &mut self.drive);
        scene::read_further::<_, Screens>(drive, name.as_str(), self.sectors, out).map_err(failed)
    }

    /// Play: [`FRAMES`] frames that are counted, the end mark, and on for good. A frame is a vertical blank, and has
    /// its picture; after a picture that is late, some have none. While the GPU draws a picture, the CPU makes the next
    /// one. `held` tells the buttons of a frame, from 0 on.
    ///
    /// # Errors
    /// What cannot be drawn in the counted frames, told. Later on it is told, and that is the end.
    pub fn play<P: Play>(
        mut self,
        scene: &mut P,
        mut held: impl FnMut(u32, &mut Pads) -> u16,
        poses: Option<Poses<P>>,
    ) -> Result<(), Told> {
        let (mut frame, mut pictures) = (0, 0_u32);
        self.first(scene, &mut frame, &mut held).map_err(failed)?;
        // The count begins with a picture, not somewhere between two.
        self.screen.present().map_err(failed)?;
        let start = interrupt::vblanks();
        self.shown = start;
        loop {
            // It ends with one, too, and none is made behind it.
            self.due = self.due.min(FRAMES - frame);
            let last = self.due == 0;
            self.show(scene, &mut frame, &mut held, poses)
                .map_err(failed)?;
            pictures += 1;
            if last {
                break;
            }
        }
        println!(
            "@@FRAMES {frame} pictures {pictures} vblanks {} cycles {} hash {:08X}",
            interrupt::vblanks().wrapping_sub(start),
            self.budget.work(),
            scene.state_hash()
        );
        println!("@@ budget of a picture, in cycles; a frame lasts {FRAME_CYCLES} on a console");
        for (phase, cost) in self.budget.phases() {
            // Not every program measures its poses by themselves.
            if cost.mean() != 0 {
                println!("@@ budget {phase:<14} {cost}");
            }
        }
        if self.left_out != 0 {
            println!(
                "@@ models left out of a picture, whose list has no room: {}",
                self.left_out
            );
        }
        tty::end(Verdict::Pass);

        let mut result = self.first(scene, &mut frame, &mut held);
        while result.is_ok() {
            result = self.show(scene, &mut frame, &mut held, poses);
        }
        if let Err(error) = result {
            // The end mark is out already.
            failed(error);
        }
        Ok(())
    }

    /// Compose a picture while none is drawn.
    fn first<P: Play>(
        &mut self,
        scene: &mut P,
        frame: &mut u32,
        held: &mut impl FnMut(u32, &mut Pads) -> u16,
    ) -> Result<(), DrawError<Error>> {
        let Self {
            gte,
            screen,
            ready,
            pads,
            timer,
            budget,
            left_out,
            ..
        } = self;
        let mut makers = Makers {
            gte,
            pads,
            timer,
            budget,
            left_out,
        };
        let begun = makers.begin(ready, screen);
        let composed = makers.picture(scene, ready, begun, (frame, 1), held);
        composed.map_err(DrawError::Model)
    }

    /// Draw the picture that is composed, compose the next one meanwhile if one is due, and show the drawn one.
    fn show<P: Play>(
        &mut self,
        scene: &mut P,
        frame: &mut u32,
        held: &mut impl FnMut(u32, &mut Pads) -> u16,
        poses: Option<Poses<P>>,
    ) -> Result<(), DrawError<Error>> {
        let Self {
            gte,
            screen,
            ready,
            next,
            pads,
            timer,
            budget,
            left_out,
            due,
            ..
        } = self;
        let (words, head) = (ready.words(), ready.head());
        let mut makers = Makers {
            gte,
            pads,
            timer,
            budget,
            left_out,
        };
        // The two halves of `Screen::draw`.
        makers.timer.start();
        let checked = screen.check(words, head);
        makers.budget.check.add(makers.timer.cycles());
        checked.map_err(DrawError::Screen)?;
        let begun = makers.begin(next, screen);
        let mut composed = Ok(());
        let drawn = screen.execute_while(words, head, DRAW_LIMIT, &mut || {
            if *due != 0 {
                composed = makers.picture(scene, next, begun, (frame, *due), held);
            }
            makers.timer.start();
        });
        budget.draw.add(timer.cycles());
        drawn.map_err(DrawError::Screen)?;
        composed.map_err(DrawError::Model)?;
        core::mem::swap(ready, next);
        if let Some(poses) = poses {
            timer.start();
            poses(scene, gte);
            budget.pose.add(timer.cycles());
        }
        timer.start();
        let shown = screen.present();
        budget.wait.add(timer.cycles());
        shown.map_err(DrawError::Screen)?;
        let now = interrupt::vblanks();
        self.due = now.wrapping_sub(self.shown).clamp(1, MOST_FRAMES);
        self.shown = now;
        Ok(())
    }
}

/// What a picture is made with while the GPU draws the one before.
struct Makers<'s> {
    gte: &'s mut Cop2,
    pads: &'s mut Pads,
    timer: &'s mut Timer,
    budget: &'s mut Budget,
    left_out: &'s mut u32,
}

impl Makers<'_> {
    /// Begin a list; how many cycles that took.
    fn begin(&mut self, list: &mut DisplayList<'_>, screen: &mut Screens) -> u32 {
        self.timer.start();
        list.begin(screen);
        self.timer.cycles()
    }

    /// So many frames from `frame` on, and their picture into a list that has `begun`.
    fn picture<P: Play>(
        &mut self,
        scene: &mut P,
        list: &mut DisplayList<'_>,
        begun: u32,
        (frame, due): (&mut u32, u32),
        held: &mut impl FnMut(u32, &mut Pads) -> u16,
    ) -> Result<(), draw::Error> {
        let mut ticks = 0;
        for _ in 0..due {
            let held = held(*frame, self.pads);
            self.timer.start();
            scene.tick(held);
            ticks += self.timer.cycles();
            *frame = frame.saturating_add(1);
        }
        self.budget.tick.add(ticks);
        self.timer.start();
        let composed = scene.compose(self.gte, list);
        self.budget.compose.add(begun + self.timer.cycles());
        composed.map(|stats| *self.left_out = stats.left_out.max(*self.left_out))
    }
}

/// Poses and matrices of the picture that [`Scene::compose`] has just made, without its packets. What the actor's
/// own matrix holds costs nothing.
pub fn poses(scene: &Scene<'_>, gte: &mut Cop2) {
    use overworld_runtime::model::pose::{self, Transform};

    let (cursor, end) = scene.moment();
    if let Ok(clip) = scene.bank().clip(scene.playback().number) {
        for pose in clip.sample(cursor, end).poses() {
            core::hint::black_box(pose::load(gte, &Transform::default(), &pose));
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
