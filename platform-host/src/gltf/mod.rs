//! Models and animations as glTF 2.0, for programs that have never heard of the game's formats.
//!
//! What is written is one binary file (`.glb`). The numbers are floating point: what a game rounds, this
//! does not.

pub mod ff8;

use gltf_json::accessor::{ComponentType, GenericComponentType, Type};
use gltf_json::validation::{Checked::Valid, USize64};
use gltf_json::{Accessor, Buffer, Index, Root, buffer};
use serde_json::Value;

/// Magic and version of a binary file, type of its two chunks.
const MAGIC: u32 = 0x4654_6C67;
const VERSION: u32 = 2;
const JSON: u32 = 0x4E4F_534A;
const BIN: u32 = 0x004E_4942;

/// The document, and the bytes that it refers to.
#[derive(Default)]
struct File {
    root: Root,
    bytes: Vec<u8>,
}

impl File {
    /// Put numbers into the buffer, four bytes each or as the last `pad` of them fill up; a view of them.
    fn view(&mut self, bytes: &[u8], target: Option<buffer::Target>) -> Index<buffer::View> {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(bytes);
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        self.root.push(buffer::View {
            buffer: Index::new(0),
            byte_length: USize64::from(bytes.len()),
            byte_offset: Some(USize64::from(start)),
            byte_stride: None,
            name: None,
            target: target.map(Valid),
            extensions: None,
            extras: Default::default(),
        })
    }

    fn accessor(
        &mut self,
        view: Index<buffer::View>,
        count: usize,
        component: ComponentType,
        kind: Type,
        [min, max]: [Option<Value>; 2],
    ) -> Index<Accessor> {
        self.root.push(Accessor {
            buffer_view: Some(view),
            byte_offset: Some(USize64(0)),
            count: USize64::from(count),
            component_type: Valid(GenericComponentType(component)),
            extensions: None,
            extras: Default::default(),
            type_: Valid(kind),
            min,
            max,
            name: None,
            normalized: false,
            sparse: None,
        })
    }

    /// Rows of `N` numbers; `bounds` as positions and times must have them.
    fn floats<const N: usize>(
        &mut self,
        rows: &[[f32; N]],
        kind: Type,
        target: Option<buffer::Target>,
        bounds: bool,
    ) -> Index<Accessor> {
        let bytes: Vec<u8> = rows
            .iter()
            .flatten()
            .flat_map(|it| it.to_le_bytes())
            .collect();
        let view = self.view(&bytes, target);
        let bound = |pick: fn(f32, f32) -> f32, start: f32| {
            let column = |at: usize| rows.iter().map(|row| row[at]).fold(start, pick);
            let columns: [f32; N] = std::array::from_fn(column);
            bounds.then(|| serde_json::json!(&columns[..]))
        };
        let bounds = [
            bound(f32::min, f32::INFINITY),
            bound(f32::max, f32::NEG_INFINITY),
        ];
        self.accessor(view, rows.len(), ComponentType::F32, kind, bounds)
    }

    /// The whole file.
    fn finish(mut self) -> Vec<u8> {
        if !self.bytes.is_empty() {
            self.root.push(Buffer {
                byte_length: USize64::from(self.bytes.len()),
                name: None,
                uri: None,
                extensions: None,
                extras: Default::default(),
            });
        }
        // Numbers, names and lists only: nothing that could not be written.
        let mut json = self.root.to_vec().unwrap_or_default();
        json.resize(json.len().next_multiple_of(4), b' ');
        let chunks = [(JSON, json), (BIN, self.bytes)];
        let chunks = chunks.iter().filter(|(_, bytes)| !bytes.is_empty());
        let mut out = Vec::new();
        let word = |out: &mut Vec<u8>, it: u32| out.extend(it.to_le_bytes());
        word(&mut out, MAGIC);
        word(&mut out, VERSION);
        word(&mut out, 0);
        for (kind, bytes) in chunks {
            word(&mut out, bytes.len() as u32);
            word(&mut out, *kind);
            out.extend(bytes);
        }
        let length = (out.len() as u32).to_le_bytes();
        out[8..12].copy_from_slice(&length);
        out
    }
}
