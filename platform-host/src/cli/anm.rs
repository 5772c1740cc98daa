//! `overworld anm ...`

use std::path::PathBuf;

use clap::{Args, Subcommand};
use overworld_host::fault;
use overworld_runtime::anim::legaia::{Bank, Clip, ClipEnd, Playback};
use serde_json::json;

use super::files::Input;
use super::{Elements, Failure, Output, list, number, within};

/// Ticks that are played at most; more is surely a slip.
const MOST: u32 = 10_000_000;

#[derive(Subcommand)]
pub enum Anm {
    /// List the clips of a bank
    Info(Info),
    /// Show the pose of one part at one moment
    Pose(Pose),
    /// Run the playback clock and list its cursor and mode word
    Play(Play),
}

#[derive(Args)]
pub struct Source {
    /// A decoded animation bank
    #[arg(value_name = "BANK")]
    bank: PathBuf,
    /// Accept clips that are longer than their poses, or do not end in zeros
    #[arg(long)]
    lenient: bool,
}

#[derive(Args)]
pub struct Info {
    #[command(flatten)]
    source: Source,
}

#[derive(Args)]
pub struct Pose {
    #[command(flatten)]
    source: Source,
    /// Number of the clip, from 1
    #[arg(long, value_name = "N", value_parser = number::<i16>, allow_hyphen_values = true)]
    clip: i16,
    /// The part, from 0
    #[arg(long, value_name = "P", value_parser = number::<u8>)]
    part: u8,
    /// The moment, in sixteenths of a frame
    #[arg(long, value_name = "C", value_parser = number::<i16>, allow_hyphen_values = true)]
    cursor: i16,
    /// Let the last frame run into itself, not into the first
    #[arg(long)]
    hold: bool,
}

#[derive(Args)]
pub struct Play {
    #[command(flatten)]
    source: Source,
    /// Number of the clip, from 1
    #[arg(long, value_name = "N", value_parser = number::<i16>, allow_hyphen_values = true)]
    clip: i16,
    /// Sixteenths of a frame that a tick advances; a clip with blending advances by
    /// ceil(2 * S / rate), its rate as `anm info` tells it
    #[arg(long, value_name = "S", value_parser = number::<i16>, allow_hyphen_values = true)]
    speed: i16,
    /// Mode word: 0 loops; the sum of 0x2 hold, 0x8 stop at the end, 0x80 reverse, 0x200 restart
    #[arg(long, value_name = "M", value_parser = number::<u16>)]
    mode: u16,
    /// Where to begin, in sixteenths of a frame
    #[arg(long, value_name = "C", default_value = "0", value_parser = number::<i16>, allow_hyphen_values = true)]
    cursor: i16,
    /// Frames that a tick stands for: multiplies what it advances
    #[arg(long, value_name = "D", default_value = "1", value_parser = number::<u8>)]
    dt: u8,
    /// How many ticks
    #[arg(long, value_name = "T", value_parser = within(0, MOST))]
    ticks: u32,
}

impl Anm {
    pub fn execute(self, out: &Output) -> Result<(), Failure> {
        match self {
            Self::Info(info) => info.execute(out),
            Self::Pose(pose) => pose.execute(out),
            Self::Play(play) => play.execute(out),
        }
    }
}

impl Source {
    fn read(&self) -> Result<Input, Failure> {
        Input::part(&self.bank)
    }

    fn parse<'a>(&self, input: &'a Input) -> Result<Bank<'a>, Failure> {
        let parse = if self.lenient {
            Bank::parse_lenient
        } else {
            Bank::parse
        };
        parse(&input.data).map_err(|error| input.failure(fault::bank(&input.data, &error)))
    }
}

fn clip<'a>(bank: &Bank<'a>, number: i16, input: &Input) -> Result<Clip<'a>, Failure> {
    bank.clip(number)
        .map_err(|error| input.failure(format_args!("{error}; the bank has 1 to {}", bank.len())))
}

impl Info {
    fn execute(self, out: &Output) -> Result<(), Failure> {
        let input = self.source.read()?;
        let bank = self.source.parse(&input)?;
        out.say("clip  parts  frames  rate  blend   bytes")?;
        let mut clips = Vec::new();
        for (number, clip) in (1_u32..).zip(bank.clips()) {
            // The size law; a lenient bank's clips may be longer.
            let bytes = 16 + 8 * usize::from(clip.parts()) * usize::from(clip.frames());
            out.say(format_args!(
                "{number:4}  {:5}  {:6}  {:4}  {:5}  {bytes:6}",
                clip.parts(),
                clip.frames(),
                clip.rate(),
                if clip.blend() { "yes" } else { "no" }
            ))?;
            clips.push(json!({
                "number": number,
                "parts": clip.parts(),
                "frames": clip.frames(),
                "rate": clip.rate(),
                "blend": clip.blend(),
                "bytes": bytes,
            }));
        }
        out.document(&json!({ "clips": clips }))
    }
}

impl Pose {
    fn execute(self, out: &Output) -> Result<(), Failure> {
        let input = self.source.read()?;
        let bank = self.source.parse(&input)?;
        let clip = clip(&bank, self.clip, &input)?;
        clip.check_cursor(self.cursor)
            .map_err(|error| input.failure(error))?;
        let end = if self.hold {
            ClipEnd::Hold
        } else {
            ClipEnd::Wrap
        };
        let pose = clip.pose_at(self.cursor, self.part, end).ok_or_else(|| {
            input.failure(format_args!(
                "NoSuchPart: expected a part from 0 to {}, found {}",
                clip.parts() - 1,
                self.part
            ))
        })?;
        out.say(format_args!(
            "translation {}  angles {} (4096 a turn)",
            list(pose.t),
            list(pose.r)
        ))?;
        out.document(&json!({ "t": pose.t, "r": pose.r }))
    }
}

impl Play {
    fn execute(self, out: &Output) -> Result<(), Failure> {
        let input = self.source.read()?;
        let bank = self.source.parse(&input)?;
        clip(&bank, self.clip, &input)?;
        let mut playback = Playback {
            number: self.clip,
            // Bound already, so that the cursor is kept.
            bound: self.clip,
            cursor: self.cursor,
            speed: self.speed,
            mode: self.mode,
        };
        // Numbers only, since there may be ten million of them.
        let mut ticks = Vec::new();
        for tick in 1..=self.ticks {
            playback
                .tick(&bank, self.dt)
                .map_err(|error| input.failure(error))?;
            out.say(format_args!(
                "tick {tick:4}  cursor {:5}  mode {:04X}",
                playback.cursor, playback.mode
            ))?;
            if out.json {
                ticks.push((playback.cursor, playback.mode));
            }
        }
        let mut ticks = ticks
            .into_iter()
            .map(|(cursor, mode)| json!({ "cursor": cursor, "mode": mode }));
        out.arrays(&json!({}), [("ticks", &mut ticks as Elements<'_>)])
    }
}
