//! `overworld tmd ...`

use std::path::PathBuf;

use clap::{Args, Subcommand};
use overworld_host::bodies::{self, Body};
use overworld_host::fault::{self, Fault};
use overworld_runtime::model::tmd;
use serde_json::{Value, json};

use super::files::Input;
use super::{Failure, Output};

#[derive(Subcommand)]
pub enum Tmd {
    /// List the objects of a mesh and their groups of primitives
    Info(Info),
}

#[derive(Args)]
pub struct Info {
    /// A TMD, or a pack of them
    file: PathBuf,
    /// Accept records that are longer than their kind needs, and wrong primitive counts
    #[arg(long)]
    lenient: bool,
}

impl Tmd {
    pub fn execute(self, out: &Output) -> Result<(), Failure> {
        let Self::Info(info) = self;
        let input = Input::part(&info.file)?;
        let parse = if info.lenient {
            tmd::Tmd::parse_lenient
        } else {
            tmd::Tmd::parse
        };
        let pack = match pack(&input.data).map_err(|fault| input.failure(fault))? {
            Some(pack) => pack,
            None => {
                let mesh = parse(&input.data).map_err(|error| input.failure(fault::tmd(&error)))?;
                let document = describe(&mesh, input.data.len(), out)?;
                return out.document(&document);
            }
        };
        let mut meshes = Vec::new();
        for (index, body) in pack.iter().enumerate() {
            let offset = body.offset;
            // Its slot counts all the same (disc sheet, section 7).
            if !tmd::Tmd::is_tmd(body.data) {
                out.say(format_args!("mesh {index} at offset {offset:#x}: no TMD"))?;
                meshes.push(Value::Null);
                continue;
            }
            let mesh = parse(body.data).map_err(|error| {
                let fault = fault::tmd(&error).moved(offset);
                input.failure(format_args!("member {index}: {fault}"))
            })?;
            out.say(format_args!("mesh {index} at offset {offset:#x}"))?;
            meshes.push(describe(&mesh, body.data.len(), out)?);
        }
        out.document(&json!({ "meshes": meshes }))
    }
}

/// The bodies of a pack, of which at least one begins as a mesh; `None` when the file is no pack.
fn pack(file: &[u8]) -> Result<Option<Vec<Body<'_>>>, Fault> {
    // A mesh's first word is no count that a pack of this length could have.
    match bodies::read(file).transpose()? {
        Some(pack) if pack.list.iter().any(|it| tmd::Tmd::is_tmd(it.data)) => Ok(Some(pack.list)),
        _ => Ok(None),
    }
}

fn describe(mesh: &tmd::Tmd<'_>, bytes: usize, out: &Output) -> Result<Value, Failure> {
    out.say("object  vertices  normals  primitives  groups")?;
    let mut objects = Vec::new();
    for (index, object) in mesh.objects().enumerate() {
        let groups: Vec<_> = object.groups().collect();
        let count = |group: &tmd::Group<'_>| group.records.len() / group.stride.max(1);
        let text: Vec<String> = groups
            .iter()
            .map(|it| format!("{} {:?} ({:02X})", count(it), it.kind, it.flags))
            .collect();
        out.say(format_args!(
            "{index:6}  {:8}  {:7}  {:10}  {}",
            object.vertices().len(),
            object.normals().len(),
            object.count(),
            text.join(", ")
        ))?;
        let groups: Vec<_> = groups
            .iter()
            .map(|it| {
                json!({
                    "flags": it.flags,
                    "kind": it.flags >> 1,
                    "shape": format!("{:?}", it.kind),
                    "count": count(it),
                    "mode": it.mode,
                    "stride": it.stride,
                })
            })
            .collect();
        objects.push(json!({
            "vertices": object.vertices().len(),
            "normals": object.normals().len(),
            "primitives": object.count(),
            "groups": groups,
        }));
    }
    Ok(json!({ "bytes": bytes, "objects": objects }))
}
