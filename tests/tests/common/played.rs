//! What a program that plays a scene has printed and shown, and the same scene on the PC.

use std::collections::{HashMap, HashSet};
use std::convert::Infallible;
use std::ops::ControlFlow;
use std::path::Path;

use overworld_host::drive::ImageDrive;
use overworld_host::play;
use overworld_runtime::gpu::layout;
use overworld_runtime::platform::Screen;
use overworld_tests::emulator::Report;
use overworld_tests::mednafen::Mednafen;
use overworld_tests::picture::{Moment, Picture};
use overworld_tests::verdict::{Line, Outcome, parse};

use super::{TIME_OUT, installed};

/// Takes textures and shows nothing.
pub struct Blind;

impl Screen for Blind {
    type Error = Infallible;

    fn bus_address(&self, _: &[u32]) -> u32 {
        0
    }

    fn upload(&mut self, _: u16, _: u16, _: u16, _: u16, _: &[u8]) -> Result<(), Infallible> {
        Ok(())
    }

    fn draw(&mut self, _: &[u32], _: usize) -> Result<(), Infallible> {
        Ok(())
    }

    fn present(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
}

/// What a program prints that boots from a disc and passes, from the disc alone: boot ROM, SYSTEM.CNF, boot file,
/// archive. `None` where there is no emulator.
pub fn passed(rom: &Path, cue: &Path) -> Option<Report> {
    let run = Mednafen::new(rom).disc(cue).time_out(TIME_OUT);
    let report = installed(run.run(|_| {}).unwrap())?;
    assert_eq!(report.outcome, Outcome::Pass, "{report}");
    Some(report)
}

/// Frames and hash of the `@@FRAMES` line.
pub fn frames(report: &Report) -> Option<(u32, u32)> {
    report.lines.iter().find_map(|line| {
        let Line::Frames(rest) = parse(line) else {
            return None;
        };
        let words: Vec<&str> = rest.split(' ').collect();
        let after = |name| words.iter().skip_while(|word| **word != name).nth(1);
        let hash = u32::from_str_radix(after("hash")?, 16).ok()?;
        Some((words.first()?.parse().ok()?, hash))
    })
}

/// A number of that line, by its name.
pub fn number(report: &Report, name: &str) -> Option<u32> {
    report.lines.iter().find_map(|line| {
        let Line::Frames(rest) = parse(line) else {
            return None;
        };
        let mut words = rest.split(' ').skip_while(|word| *word != name);
        words.nth(1)?.parse().ok()
    })
}

/// Phase, least and mean cycles of each line of the budget.
pub fn budget(report: &Report) -> Vec<(String, u32, u32)> {
    let lines = report.lines.iter().filter_map(|line| {
        let (phase, costs) = line.strip_prefix("@@ budget ")?.split_once(" min ")?;
        let (least, rest) = costs.split_once(" mean ")?;
        let mean = rest.split_whitespace().next()?;
        let number = |text: &str| text.trim().parse().ok();
        Some((phase.trim().to_owned(), number(least)?, number(mean)?))
    });
    lines.collect()
}

/// The lines of unpacked members.
pub fn asset_lines(report: &Report) -> Vec<String> {
    let lines = report.lines.iter();
    lines
        .filter(|line| matches!(parse(line), Line::Asset(_)))
        .cloned()
        .collect()
}

/// The window of a picture of the demo.
fn window(picture: &Picture) -> Vec<u8> {
    assert_eq!((picture.width, picture.height), (320, 240));
    // It is centred among the lines; around it, and on its first lines, all is black.
    let bytes = 3 * usize::from(layout::WIDTH);
    let lines: Vec<&[u8]> = picture.rgb.chunks_exact(bytes).collect();
    let above = (lines.len() - usize::from(layout::SHOWN)) / 2;
    let [border, drawn] = [layout::BORDER, layout::DRAWN].map(usize::from);
    let (top, rest) = lines.split_at(above);
    let (shown, below) = rest.split_at(layout::SHOWN.into());
    let black = [top, &shown[..border], below].concat().concat();
    assert!(black.iter().all(|&component| component == 0));
    // A textured, shaded model in front of a background.
    let shown = shown.concat();
    let colours: HashSet<&[u8]> = shown.chunks_exact(3).collect();
    assert!(colours.len() > 16, "{} colours", colours.len());
    let black = bytes / 3 * border;
    let model = covered(&shown).iter().filter(|drawn| **drawn).count();
    let model = model.saturating_sub(black);
    assert!(
        model > 2000 && model < bytes / 3 * drawn,
        "{model} pixels are not background"
    );
    shown
}

/// Which pixels are not of the most frequent colour, the background.
fn covered(rgb: &[u8]) -> Vec<bool> {
    let mut counts: HashMap<&[u8], usize> = HashMap::new();
    let pixels = rgb.chunks_exact(3);
    for pixel in pixels.clone() {
        *counts.entry(pixel).or_default() += 1;
    }
    let background = counts.into_iter().max_by_key(|(_, count)| *count);
    let background = background.map(|(pixel, _)| pixel);
    pixels.map(|pixel| Some(pixel) != background).collect()
}

/// Both machines draw the same pictures of the disc's scene, and between the two frames of the recording that are
/// compared, counted from power-on, something moves.
pub fn same_pictures(rom: &Path, cue: &Path, scene: &str, compared: [u64; 2]) {
    // From the disc alone, as `cargo xtask boot --frame 200` does it.
    let [early, late] = compared.map(Moment::Frame);
    let run = Mednafen::new(rom)
        .disc(cue)
        .picture(early)
        .picture(late)
        .time_out(2 * TIME_OUT);
    let Some(report) = installed(run.run(|_| {}).unwrap()) else {
        return;
    };
    assert_eq!(report.outcome, Outcome::Pass, "{report}");
    let [early, late] = &report.pictures[..] else {
        panic!("{} pictures", report.pictures.len());
    };
    let shown = [early, late].map(window);
    // Not the same model in another colour or two: it covers other pixels.
    let [early, late] = [&shown[0], &shown[1]].map(|shown| covered(shown));
    let moved = early.iter().zip(&late).filter(|(a, b)| a != b).count();
    assert!(
        moved > 200,
        "only {moved} pixels are covered in one of them"
    );

    // One frame of the PC is the same, pixel by pixel. The emulator leaves the low bits of its 8 away.
    let mut drive = ImageDrive::open(cue).unwrap();
    let mut differing = [vec![], vec![]];
    let pixels = |rgb: &[u8]| -> Vec<[u8; 3]> {
        let pixels = rgb.chunks_exact(3);
        pixels.map(|p| [p[0] >> 3, p[1] >> 3, p[2] >> 3]).collect()
    };
    let shown = [pixels(&shown[0]), pixels(&shown[1])];
    let played = play::play(
        &mut drive,
        scene,
        |_| {},
        |frame| {
            let here = pixels(&frame.gpu.displayed().rgb);
            for (shown, differing) in shown.iter().zip(&mut differing) {
                assert_eq!(here.len(), shown.len());
                let others = here.iter().zip(shown).filter(|(a, b)| a != b);
                differing.push((others.count(), frame.number));
            }
            match frame.number {
                0..180 => ControlFlow::Continue(()),
                _ => ControlFlow::Break(()),
            }
        },
    );
    played.unwrap();
    let numbers = [0, 1].map(|index| {
        differing[index].sort_unstable();
        let [(least, number), (next, _)] = [differing[index][0], differing[index][1]];
        let frame = compared[index];
        println!(
            "frame {frame} of the recording is frame {number} of the PC but for {least} pixels"
        );
        // The two rasterizers interpolate with different fractions: where a pixel's middle falls on the
        // border of two texels or of two colours, they may take different ones.
        assert!(
            least <= shown[index].len() / 1000,
            "frame {number} of the PC: {least} pixels differ"
        );
        assert!(
            next > 1000,
            "another frame is like it: {next} pixels differ"
        );
        u64::from(number)
    });
    // The console shows each frame once.
    assert_eq!(numbers[1] - numbers[0], compared[1] - compared[0]);
}
