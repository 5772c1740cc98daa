//! `overworld bundle ...`

use std::path::PathBuf;

use clap::{Args, Subcommand};
use overworld_host::{fault, identify};
use overworld_runtime::bytes::{crc32, u32_at};
use serde_json::{Value, json};

use super::files::{Input, Out};
use super::{Failure, Output, complain, number};

#[derive(Subcommand)]
pub enum Bundle {
    /// List the members, unpack each and tell what it is
    Info(Info),
    /// Unpack one member
    Extract(Extract),
}

#[derive(Args)]
pub struct Info {
    /// A bundle, as it lies in the archive; its table need not count the members
    file: PathBuf,
}

#[derive(Args)]
pub struct Extract {
    /// A bundle, as it lies in the archive; its table need not count the members
    file: PathBuf,
    /// The member: its place in the table, from 0
    #[arg(long, value_name = "N", value_parser = number::<u8>)]
    member: u8,
    #[command(flatten)]
    output: Out,
}

impl Bundle {
    pub fn execute(self, out: &Output) -> Result<(), Failure> {
        match self {
            Self::Info(info) => info.execute(out),
            Self::Extract(extract) => extract.execute(out),
        }
    }
}

fn parse(input: &Input) -> Result<identify::Members<'_>, Failure> {
    identify::members(&input.data).map_err(|error| input.failure(fault::bundle(&error)))
}

impl Info {
    fn execute(self, out: &Output) -> Result<(), Failure> {
        let input = Input::part(&self.file)?;
        let bundle = parse(&input)?;
        out.say(format_args!(
            "{}, {} bytes{}",
            identify::count(bundle.list.len(), "member"),
            input.data.len(),
            if bundle.counted {
                ""
            } else {
                "; the table does not count them"
            }
        ))?;
        out.say("member  type          offset  stream    size  crc       what")?;
        let mut members = Vec::new();
        let mut failures = Vec::new();
        for member in &bundle.list {
            let offset = u32_at(&input.data, 12 + 8 * usize::from(member.index)).unwrap_or(0);
            let unpacked = identify::unpack(member);
            let crc = format!("{:08X}", crc32(&unpacked.data));
            let (what, stream) = match &unpacked.verdict {
                Ok(verdict) => (
                    format!("{}: {}", verdict.kind, verdict.evidence),
                    unpacked.stored.to_string(),
                ),
                Err(fault) => (fault.to_string(), "-".to_owned()),
            };
            out.say(format_args!(
                "{:6}  {:02X} {:9}  {offset:#8x}  {stream:>6}  {:6}  {crc}  {what}",
                member.index,
                member.ty.byte(),
                member.ty,
                member.size
            ))?;
            let mut row = json!({
                "index": member.index,
                "type": member.ty.byte(),
                "name": member.ty.name(),
                "size": member.size,
                "offset": offset,
            });
            match unpacked.verdict {
                Ok(verdict) => {
                    row["stored"] = unpacked.stored.into();
                    row["crc"] = crc.into();
                    row["kind"] = verdict.kind.name().into();
                    row["evidence"] = verdict.evidence.into();
                }
                Err(fault) => {
                    let fault = fault.moved(offset as usize);
                    row["error"] = fault.to_string().into();
                    failures.push(format!(
                        "{}: member {} ({}): {fault}",
                        input.name, member.index, member.ty
                    ));
                }
            }
            members.push(row);
        }
        out.document(&json!({
            "count": bundle.list.len(),
            "counted": bundle.counted,
            "meta": u32_at(&input.data, 4),
            "bytes": input.data.len(),
            "members": Value::from(members),
        }))?;
        let Some(last) = failures.pop() else {
            return Ok(());
        };
        failures.iter().for_each(complain);
        Err(Failure::new(last))
    }
}

impl Extract {
    fn execute(self, out: &Output) -> Result<(), Failure> {
        let target = self.output.target(&self.file, out)?;
        let input = Input::part(&self.file)?;
        let bundle = parse(&input)?;
        let member = bundle.list.get(usize::from(self.member)).ok_or_else(|| {
            input.failure(format_args!(
                "NoSuchMember: expected 0 to {}, found {}",
                bundle.list.len() - 1,
                self.member
            ))
        })?;
        let unpacked = identify::unpack(member);
        if let Err(fault) = unpacked.verdict {
            return Err(input.failure(format_args!("member {}: {fault}", self.member)));
        }
        target.write(&unpacked.data)?;
        target.say(
            out,
            format_args!(
                "{} of type {}",
                identify::count(unpacked.data.len(), "byte"),
                member.ty
            ),
        )?;
        out.document(&json!({
            "index": self.member,
            "type": member.ty.byte(),
            "size": unpacked.data.len(),
        }))
    }
}
