//! The loaded scene: its clock and its picture.

use super::camera::{Camera, place};
use super::load::Assets;
use super::man::Man;
use super::{Asset, BACKGROUND, DrawError, Name};
use crate::anim::legaia::{Bank, Clip, ClipEnd, Playback};
use crate::bytes::Crc32;
use crate::disc::pack::Pack;
use crate::fixed::{Matrix, SVector};
use crate::gpu::DisplayList;
use crate::gte::Geometry;
use crate::model::draw::{self, Cue, Motion, Options, Stats};
use crate::model::tmd::Tmd;
use crate::platform::Screen;

/// Ticks for which a clip plays before the next one has its turn.
const CLIP_TICKS: u32 = 150;

/// How far the model turns each tick, in 4096ths: once around in 512 ticks.
const TURN: u16 = 8;

/// A scene that is ready to be played.
#[derive(Clone, Debug)]
pub struct Scene<'a> {
    name: Name,
    assets: Assets,
    tmd: Tmd<'a>,
    meshes: Pack<'a>,
    bank: Bank<'a>,
    man: Option<Man<'a>>,
    playback: Playback,
    camera: Camera,
    cue: Option<Cue>,
    heading: u16,
    ticks: u32,
}

impl<'a> Scene<'a> {
    /// A scene at tick 0, with the first mesh of a pack. Every clip must have as many parts as the
    /// mesh has objects.
    pub(super) fn new(
        name: Name,
        assets: Assets,
        (tmd, meshes): (Tmd<'a>, Pack<'a>),
        bank: Bank<'a>,
        man: Option<Man<'a>>,
    ) -> Self {
        let (middle, radius) = ball(&tmd, bank.clip(1).ok().as_ref());
        let camera = Camera::framing(middle, radius);
        Self {
            name,
            assets,
            tmd,
            meshes,
            bank,
            man,
            playback: Playback::new(1),
            cue: haze(&camera, radius),
            camera,
            heading: 0,
            ticks: 0,
        }
    }

    /// Its name on the disc.
    #[must_use]
    pub const fn name(&self) -> Name {
        self.name
    }

    /// What was unpacked, in the order of the bundle.
    #[must_use]
    pub fn assets(&self) -> &[Asset] {
        &self.assets
    }

    /// The number of the scene's slots in the mesh pool: the members of its pack, meshes or not (disc
    /// sheet, section 7).
    #[must_use]
    pub const fn slots(&self) -> usize {
        self.meshes.len()
    }

    /// The mesh in a slot, from 0; `None` when there is none. All of it is checked again: ask once,
    /// not in every frame.
    #[must_use]
    pub fn mesh(&self, slot: usize) -> Option<Tmd<'a>> {
        Tmd::parse_lenient(self.meshes.get(slot)?).ok()
    }

    /// The model: the first mesh.
    #[must_use]
    pub const fn model(&self) -> &Tmd<'a> {
        &self.tmd
    }

    /// The animation bank.
    #[must_use]
    pub const fn bank(&self) -> &Bank<'a> {
        &self.bank
    }

    /// The scene's program; `None` where it has none.
    #[must_use]
    pub const fn man(&self) -> Option<&Man<'a>> {
        self.man.as_ref()
    }

    /// The animation's state.
    #[must_use]
    pub const fn playback(&self) -> &Playback {
        &self.playback
    }

    /// The view.
    #[must_use]
    pub const fn camera(&self) -> &Camera {
        &self.camera
    }

    /// Look at the scene another way; the world does not notice.
    pub fn set_camera(&mut self, camera: Camera) {
        self.camera = camera;
    }

    /// How colours fade into the background with the depth; `None` when they do not.
    #[must_use]
    pub const fn cue(&self) -> Option<Cue> {
        self.cue
    }

    /// Let colours fade another way, or not at all; the world does not notice. A cue belongs to a
    /// camera, so one that was set by [`Scene::set_camera`] may want another.
    pub fn set_cue(&mut self, cue: Option<Cue>) {
        self.cue = cue;
    }

    /// How far the model has turned about Y, 4096 a turn.
    #[must_use]
    pub const fn heading(&self) -> u16 {
        self.heading
    }

    /// Ticks since the scene was loaded.
    #[must_use]
    pub const fn ticks(&self) -> u32 {
        self.ticks
    }

    /// Advance the world by one tick: the animation moves on, the model turns, and every 150
    /// ticks the next clip has its turn.
    pub fn tick(&mut self) {
        self.ticks = self.ticks.wrapping_add(1);
        if self.ticks.is_multiple_of(CLIP_TICKS) {
            let last = i16::try_from(self.bank.len()).unwrap_or(i16::MAX);
            let number = self.playback.number;
            self.playback
                .set_clip(if number < last { number + 1 } else { 1 });
        }
        // The number is always that of a clip; if it were not, nothing would move.
        _ = self.playback.tick(&self.bank, 1);
        self.heading = self.heading.wrapping_add(TURN) & 0xFFF;
    }

    /// Build this tick's picture in `list` and have `screen` draw it. Call
    /// [`Screen::present`] to show it.
    ///
    /// # Errors
    /// [`DrawError::Model`] when `list` is too small (nothing is drawn), [`DrawError::Screen`]
    /// as [`Screen::draw`].
    pub fn draw<G: Geometry, S: Screen>(
        &mut self,
        gte: &mut G,
        screen: &mut S,
        list: &mut DisplayList<'_>,
    ) -> Result<Stats, DrawError<S::Error>> {
        list.begin(screen);
        let stats = self.compose(gte, list).map_err(DrawError::Model)?;
        list.draw(screen).map_err(DrawError::Screen)?;
        Ok(stats)
    }

    /// The geometry half of [`Scene::draw`]: packets into `list`, which has begun.
    ///
    /// # Errors
    /// [`draw::Error::Full`].
    pub fn compose<G: Geometry>(
        &mut self,
        gte: &mut G,
        list: &mut DisplayList<'_>,
    ) -> Result<Stats, draw::Error> {
        let options = Options {
            bank: draw::Bank::cued(self.cue),
            ..Options::for_buckets(list.buckets())
        };
        self.camera.load_screen(gte);
        let view = self.camera.view();
        let turn = Matrix::euler(0, self.heading, 0);
        let actor = place(gte, &view, &turn, &SVector::default());
        let mut stats = Stats::default();
        if let Ok(clip) = self.bank.clip(self.playback.number) {
            let (cursor, end) = self.moment();
            let motion = Motion { clip, cursor, end };
            stats = draw::posed(gte, list, &self.tmd, &motion, &actor, &options)?;
        }
        // Pushed last into the farthest bucket: the first thing the GPU sees.
        list.push(list.head(), &[options.draw_mode()])?;
        Ok(stats)
    }

    /// Cursor and end rule of the picture. Before the first tick the clip is at its start.
    #[must_use]
    pub fn moment(&self) -> (i16, ClipEnd) {
        let bound = self.playback.number == self.playback.bound;
        (
            if bound { self.playback.cursor } else { 0 },
            self.playback.end(),
        )
    }

    /// A check sum of the world's state: equal on every machine after the same ticks.
    ///
    /// CRC-32 (EDB88320h) over, little-endian: ticks u32; heading u16; clip number, bound
    /// number, cursor, speed i16; mode u16; for each part the interpolated pose (three i16
    /// translations, three u16 angles); for each asset its CRC-32 u32.
    #[must_use]
    pub fn state_hash(&self) -> u32 {
        let mut crc = Crc32::new();
        crc.update(&self.ticks.to_le_bytes());
        crc.update(&self.heading.to_le_bytes());
        let Playback {
            number,
            bound,
            cursor,
            speed,
            mode,
        } = self.playback;
        for word in [number, bound, cursor, speed] {
            crc.update(&word.to_le_bytes());
        }
        crc.update(&mode.to_le_bytes());
        if let Ok(clip) = self.bank.clip(number) {
            let (cursor, end) = self.moment();
            for pose in clip.sample(cursor, end).poses() {
                for t in pose.t {
                    crc.update(&t.to_le_bytes());
                }
                for r in pose.r {
                    crc.update(&r.to_le_bytes());
                }
            }
        }
        for asset in &self.assets {
            crc.update(&asset.crc32.to_le_bytes());
        }
        crc.finish()
    }
}

/// The depth cue of a model that is looked at by [`Camera::framing`]: it begins at the model's
/// nearest point, and would be over a model's width behind its farthest one.
///
/// `None` for models so small that the engine has no number for it.
fn haze(camera: &Camera, radius: u32) -> Option<Cue> {
    let depth = i64::from(camera.eye.z);
    let radius = i64::from(radius) * i64::from(camera.scale) / 4096;
    let end = |depth: i64| depth.clamp(1, u16::MAX.into()) as u16;
    Cue::between(
        BACKGROUND,
        end(depth - radius),
        end(depth + 3 * radius),
        camera.h,
    )
}

/// A ball about a point of the Y axis that holds the model as the clip's first frame assembles it:
/// centre and radius. The model turns about Y.
pub(super) fn ball(tmd: &Tmd<'_>, clip: Option<&Clip<'_>>) -> (SVector, u32) {
    sphere(|| {
        tmd.objects().enumerate().flat_map(move |(part, object)| {
            let pose = clip.and_then(|clip| clip.pose(0, u8::try_from(part).ok()?));
            let pose = pose.unwrap_or_default();
            let [rx, ry, rz] = pose.r;
            let turn = Matrix::rotation_z(rz)
                .multiply(&Matrix::rotation_y(ry))
                .multiply(&Matrix::rotation_x(rx));
            let t = pose.t.map(i32::from);
            object.vertices().map(move |v| {
                let v = turn.transform(&v);
                [v.x + t[0], v.y + t[1], v.z + t[2]]
            })
        })
    })
}

/// A ball about a point of the Y axis that holds some corners, which are each within 3 * 2^17 of the origin on every
/// axis: centre and radius.
pub(super) fn sphere<I: Iterator<Item = [i32; 3]>>(corners: impl Fn() -> I) -> (SVector, u32) {
    let top = corners().map(|[_, y, _]| y).min().unwrap_or(0);
    let bottom = corners().map(|[_, y, _]| y).max().unwrap_or(0);
    let middle = (top + bottom) / 2;
    let square = |c: i32| u64::from(c.unsigned_abs()) * u64::from(c.unsigned_abs());
    let reach = corners()
        .map(|[x, y, z]| square(x) + square(y - middle) + square(z))
        .max();
    // Below 3 * (2^19)^2, so the root fits 32 bits.
    let radius = reach.unwrap_or(0).isqrt() as u32;
    let middle = middle.clamp(i16::MIN.into(), i16::MAX.into()) as i16;
    (SVector::new(0, middle, 0), radius)
}
