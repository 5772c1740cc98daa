//! The sample disc, and what the same disc gives on the PC.

use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use overworld_host::drive::ImageDrive;
use overworld_host::{play, sample};
use overworld_tests::artefacts;
use overworld_tests::verdict::{Line, parse};

use crate::workspace::{self, Workspace};

/// Write the disc with this PS-EXE as the program it boots; answers the `.cue`.
///
/// # Errors
/// The program cannot be read or the disc not be written.
pub fn write(workspace: &Workspace, exe: &Path) -> Result<PathBuf> {
    let program = fs::read(exe).with_context(|| format!("cannot read {}", exe.display()))?;
    let bin = sample::image(Some(&program)).with_context(|| format!("{}", exe.display()))?;
    workspace::write(&workspace.image(artefacts::DISC_BIN), &bin)?;
    let cue = workspace.image(artefacts::DISC_CUE);
    workspace::write(&cue, sample::cue_text(artefacts::DISC_BIN).as_bytes())?;
    Ok(cue)
}

/// What a machine said about the disc: each asset, and the state after so many frames.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Account {
    /// The assets, as they are printed.
    assets: Vec<String>,
    /// Number of frames and state hash after the last one.
    frames: Option<(u32, u32)>,
}

impl Account {
    /// What the console printed.
    fn of_console(lines: &[String]) -> Self {
        let mut account = Self::default();
        for line in lines {
            match parse(line) {
                Line::Asset(text) => account.assets.push(text.trim().to_owned()),
                Line::Frames(text) => account.frames = frames(text),
                _ => {}
            }
        }
        account
    }

    /// What the PC makes of the same disc in the same number of frames.
    fn of_pc(disc: &Path, count: u32) -> Result<Self> {
        let mut drive = ImageDrive::open(disc).with_context(|| disc.display().to_string())?;
        let mut account = Self::default();
        let loaded = |assets: &[overworld_runtime::scene::Asset]| {
            let text = |asset: &overworld_runtime::scene::Asset| {
                let text = asset.to_string();
                text.strip_prefix("asset ").unwrap_or(&text).to_owned()
            };
            account.assets = assets.iter().map(text).collect();
        };
        let each = |frame: play::Frame<'_>| {
            if frame.number + 1 < count {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        };
        let last = play::play(&mut drive, sample::SCENE, loaded, each)
            .map_err(|error| anyhow!("{}: {error}", disc.display()))?;
        account.frames = Some(last);
        Ok(account)
    }

    /// How many things two machines agree on; they must agree on all.
    fn agrees(&self, other: &Self) -> Result<usize> {
        if self.assets.is_empty() {
            bail!("the console names no asset");
        }
        for (console, pc) in self.assets.iter().zip(&other.assets) {
            if console != pc {
                bail!("the console has \"{console}\", the PC \"{pc}\"");
            }
        }
        if self.assets.len() != other.assets.len() {
            bail!(
                "the console has {} assets, the PC {}",
                self.assets.len(),
                other.assets.len()
            );
        }
        if self.frames != other.frames {
            bail!(
                "frames and state hash: the console has {:08X?}, the PC {:08X?}",
                self.frames,
                other.frames
            );
        }
        Ok(self.assets.len() + 1)
    }
}

/// The count and the hash in `300 vblanks 600 cycles 12345 hash DEADBEEF`.
fn frames(text: &str) -> Option<(u32, u32)> {
    let mut words = text.split_whitespace();
    let count = words.next()?.parse().ok()?;
    let hash = words.skip_while(|word| *word != "hash").nth(1)?;
    Some((count, u32::from_str_radix(hash, 16).ok()?))
}

/// Compare what the console printed with what the PC makes of the same disc: every asset byte for
/// byte (by its CRC-32), and the state after the console's frames. Answers how many things agree.
///
/// # Errors
/// They differ, or one of the machines got nowhere.
pub fn compare(lines: &[String], disc: &Path) -> Result<usize> {
    let console = Account::of_console(lines);
    let (count, _) = console
        .frames
        .context("the console printed no `@@FRAMES` line")?;
    console.agrees(&Account::of_pc(disc, count)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<String> {
        text.lines().map(str::to_owned).collect()
    }

    #[test]
    fn the_consoles_account_is_read() {
        let account = Account::of_console(&lines(
            "noise\n@@ reading\n@@ASSET 0 type 01 size 4640 crc DEADBEEF\n@@FRAMES 300 vblanks 600 cycles 120000 hash 0A0B0C0D\n@@END pass",
        ));
        assert_eq!(account.assets, ["0 type 01 size 4640 crc DEADBEEF"]);
        assert_eq!(account.frames, Some((300, 0x0A0B_0C0D)));
        assert_eq!(frames("300 vblanks 600"), None);
    }

    #[test]
    fn any_difference_is_named() {
        let one = Account {
            assets: vec!["0 crc 1".to_owned()],
            frames: Some((3, 7)),
        };
        assert_eq!(one.agrees(&one).unwrap(), 2);
        let said = |other: Account| one.agrees(&other).unwrap_err().to_string();
        assert!(
            said(Account {
                assets: vec!["0 crc 2".to_owned()],
                ..one.clone()
            })
            .contains("\"0 crc 1\"")
        );
        assert!(
            said(Account {
                assets: vec!["0 crc 1".to_owned(); 2],
                ..one.clone()
            })
            .contains("1 assets")
        );
        assert!(
            said(Account {
                frames: Some((3, 8)),
                ..one.clone()
            })
            .contains("state hash")
        );
        assert!(Account::default().agrees(&Account::default()).is_err());
    }

    #[test]
    fn the_sample_disc_plays_the_same_twice() {
        let folder = tempfile::tempdir().unwrap();
        let cue = folder.path().join(artefacts::DISC_CUE);
        fs::write(
            folder.path().join(artefacts::DISC_BIN),
            sample::image(None).unwrap(),
        )
        .unwrap();
        fs::write(&cue, sample::cue_text(artefacts::DISC_BIN)).unwrap();
        let first = Account::of_pc(&cue, 5).unwrap();
        assert_eq!(first.frames.map(|(count, _)| count), Some(5));
        assert_eq!(
            first.agrees(&Account::of_pc(&cue, 5).unwrap()).unwrap(),
            first.assets.len() + 1
        );
        assert!(
            first.agrees(&Account::of_pc(&cue, 6).unwrap()).is_err(),
            "the world moves"
        );
    }
}
