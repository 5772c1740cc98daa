//! A WAD as a JSON document and back, without loss: `dump` and `build`.

mod node;

use std::collections::BTreeMap;

use overworld_runtime::llama::map::{
    Alternative, Fixed, Point, Region, Strat, Tile, Type, Waypoint, Zone,
};
use overworld_runtime::llama::{Flags, Float, Level, Tag, Wad};
use serde_json::{Value, json};

use super::parts::PathPart;
use super::{Parts, slip};
use crate::json::{self, Lines};
use crate::text;
use node::Node;

/// A chunk: its bytes, or the parts of its map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// As it is stored.
    Bytes(Vec<u8>),
    /// A map.
    Map(Box<Parts>),
}

/// A WAD.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    /// The size word, if it is wrong.
    pub stated: Option<u32>,
    /// Chunks in order, without the end.
    pub chunks: Vec<(Tag, Content)>,
    /// The size of the end, which is 0.
    pub end: u32,
    /// Bytes behind the end.
    pub after: Vec<u8>,
}

impl Document {
    /// Take a WAD apart. A map that cannot be read stays as it is stored.
    #[must_use]
    pub fn of(wad: &Wad<'_>) -> Self {
        let level = Level::parse(wad.bytes()).ok();
        let chunks = wad.chunks().map(|chunk| {
            let content = match &level {
                Some(level) if chunk.tag == Tag::MAP => {
                    Content::Map(Box::new(Parts::of(&level.map)))
                }
                _ => Content::Bytes(chunk.data.to_vec()),
            };
            (chunk.tag, content)
        });
        let behind = wad.bytes().len() - wad.after().len();
        let end = overworld_runtime::bytes::u32_at(wad.bytes(), behind.saturating_sub(4));
        Self {
            stated: (!wad.is_stated_right()).then(|| wad.stated()),
            chunks: chunks.collect(),
            end: end.unwrap_or(0),
            after: wad.after().to_vec(),
        }
    }

    /// The chunk's bytes, if it is there as such.
    #[must_use]
    pub fn data(&self, tag: Tag) -> Option<&[u8]> {
        self.chunks.iter().find_map(|(it, content)| match content {
            Content::Bytes(data) if *it == tag => Some(&data[..]),
            _ => None,
        })
    }

    /// The chunk's bytes, to be changed.
    pub fn data_mut(&mut self, tag: Tag) -> Option<&mut Vec<u8>> {
        self.chunks
            .iter_mut()
            .find_map(|(it, content)| match content {
                Content::Bytes(data) if *it == tag => Some(data),
                _ => None,
            })
    }

    /// The flags of `WFPC`.
    #[must_use]
    pub fn flags(&self) -> Option<Flags> {
        let data: [u8; 4] = self.data(Tag::WFPC)?.try_into().ok()?;
        Some(Flags(u32::from_le_bytes(data)))
    }

    /// Put the WAD together.
    ///
    /// # Errors
    /// A sentence: a map has no form, its flags are missing, or it is not what they say.
    pub fn bytes(&self) -> Result<Vec<u8>, String> {
        let mut out = vec![0; 4];
        for (at, (tag, content)) in self.chunks.iter().enumerate() {
            let map;
            let data = match content {
                Content::Bytes(data) => data,
                Content::Map(parts) => {
                    let flags = self
                        .flags()
                        .ok_or("MissingDependency: a map needs the chunk WFPC")?;
                    slip::gate(at, parts, flags)?;
                    map = parts.bytes(flags).map_err(|error| error.to_string())?;
                    &map
                }
            };
            let size = u32::try_from(data.len()).map_err(|_| "a chunk has more than 4 GiB")?;
            out.extend(tag.0.to_le_bytes());
            out.extend(size.to_le_bytes());
            out.extend(data);
        }
        out.extend(Tag::END.0.to_le_bytes());
        out.extend(self.end.to_le_bytes());
        out.extend(&self.after);
        let size = u32::try_from(out.len() - 4).map_err(|_| "the file has more than 4 GiB")?;
        let stated = self.stated.unwrap_or(size);
        out[..4].copy_from_slice(&stated.to_le_bytes());
        Ok(out)
    }

    /// As JSON.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let chunks = self.chunks.iter().map(|(tag, content)| match content {
            Content::Bytes(data) => json!({ "tag": tag_text(*tag), "data": hex(data) }),
            Content::Map(parts) => json!({ "tag": tag_text(*tag), "map": map_json(parts) }),
        });
        let mut document = json!({ "chunks": chunks.collect::<Vec<_>>() });
        if let Some(stated) = self.stated {
            document["stated"] = stated.into();
        }
        if self.end != 0 {
            document["end"] = self.end.into();
        }
        if !self.after.is_empty() {
            document["after"] = hex(&self.after).into();
        }
        document
    }

    /// As the text of JSON, in lines. Nothing of it is there twice but for a part of a map.
    #[must_use]
    pub fn to_text(&self) -> String {
        const SHORT: usize = 256;
        let length = |content: &Content| match content {
            Content::Bytes(data) => data.len(),
            Content::Map(_) => usize::MAX,
        };
        let few = self.chunks.iter().all(|(_, it)| length(it) <= SHORT);
        if few && self.after.len() <= SHORT {
            return json::pretty(&text::json(&self.to_json().to_string()));
        }
        let all = self.chunks.iter().map(|(_, it)| match it {
            Content::Bytes(data) => 2 * data.len(),
            Content::Map(parts) => 128 * parts.tiles.len(),
        });
        let mut out = Lines::with_capacity(all.sum::<usize>() + 2 * self.after.len() + 4096);
        out.begin('{');
        if !self.after.is_empty() {
            out.feed("\"after\":");
            out.string(|out| push_hex(out, &self.after));
            out.feed(",");
        }
        out.feed("\"chunks\":");
        if few {
            out.feed(&text::json(&self.to_json()["chunks"].to_string()));
        } else {
            self.put_chunks(&mut out, SHORT);
        }
        for (key, number) in [("end", Some(self.end)), ("stated", self.stated)] {
            if let Some(number) = number.filter(|it| key == "stated" || *it != 0) {
                out.feed(&format!(",\"{key}\":{number}"));
            }
        }
        out.feed("}");
        out.finish()
    }

    /// The list of chunks, of which one has more than `short` bytes.
    fn put_chunks(&self, out: &mut Lines, short: usize) {
        out.begin('[');
        for (index, (tag, content)) in self.chunks.iter().enumerate() {
            if index != 0 {
                out.feed(",");
            }
            let name = json!(tag_text(*tag)).to_string();
            let name = text::json(&name);
            match content {
                Content::Bytes(data) if data.len() <= short => {
                    let chunk = json!({ "tag": tag_text(*tag), "data": hex(data) });
                    out.feed(&text::json(&chunk.to_string()));
                    continue;
                }
                Content::Bytes(data) => {
                    out.begin('{');
                    out.feed("\"data\":");
                    out.string(|out| push_hex(out, data));
                }
                Content::Map(parts) => {
                    out.begin('{');
                    out.feed("\"map\":");
                    out.begin('{');
                    for (index, (key, part)) in map_parts(parts).into_iter().enumerate() {
                        let comma = if index == 0 { "" } else { "," };
                        out.feed(&format!("{comma}\"{key}\":"));
                        put(out, part);
                    }
                    out.feed("}");
                }
            }
            out.feed(&format!(",\"tag\":{name}}}"));
        }
        out.feed("]");
    }

    /// The same by way of the text, as a level maker goes: each part of it is written as JSON and read again.
    ///
    /// # Errors
    /// A sentence: what was written cannot be read.
    pub fn through_text(self) -> Result<Self, String> {
        let Self {
            stated,
            chunks,
            end,
            after,
        } = self;
        let chunk = |(tag, content)| {
            let content = match content {
                Content::Bytes(data) => Content::Bytes(bytes_through_text(tag, data)?),
                Content::Map(parts) => Content::Map(Box::new(map_through_text(tag, *parts)?)),
            };
            Ok((tag, content))
        };
        let chunks: Result<_, String> = chunks.into_iter().map(chunk).collect();
        let frame = Self {
            stated,
            chunks: Vec::new(),
            end,
            after,
        };
        let text = frame.to_json().to_string();
        Ok(Self {
            chunks: chunks?,
            ..Self::parse(text.as_bytes())?
        })
    }

    /// From the text of JSON, in which no key may stand twice.
    ///
    /// # Errors
    /// A sentence that says where, what was expected and what was found.
    pub fn parse(text: &[u8]) -> Result<Self, String> {
        let value: Value = json::read(text).map_err(|error| error.to_string())?;
        Self::from_json(&value)
    }

    /// From JSON.
    ///
    /// # Errors
    /// A sentence that says where, what was expected and what was found.
    pub fn from_json(value: &Value) -> Result<Self, String> {
        let node = Node::root(value);
        node.keys(&["chunks", "stated", "end", "after"])?;
        let chunk = |node: Node<'_>| {
            node.keys(&["tag", "data", "map"])?;
            let tag = node.key("tag")?;
            let tag = match tag.tag()? {
                Tag::END => return Err(tag.expected("another tag, for the end is written anyway")),
                other => other,
            };
            let content = match (node.optional("data"), node.optional("map")) {
                (Some(data), None) => Content::Bytes(data.hex()?),
                (None, Some(map)) => Content::Map(Box::new(parts(&map)?)),
                _ => return Err(node.expected("one of the keys data and map")),
            };
            Ok((tag, content))
        };
        Ok(Self {
            stated: node.optional("stated").map(|it| it.number()).transpose()?,
            chunks: node.key("chunks")?.list(chunk)?,
            end: node.optional("end").map_or(Ok(0), |it| it.number())?,
            after: node
                .optional("after")
                .map_or(Ok(Vec::new()), |it| it.hex())?,
        })
    }
}

/// A part of a map, with lines of its own for the values of a list that has many.
fn put(out: &mut Lines, part: Part<'_>) {
    const FEW: usize = 4;
    let mut list = match part {
        Part::Value(value) => return out.feed(&text::json(&value.to_string())),
        Part::List(list) => list.peekable(),
    };
    let first: Vec<Value> = list.by_ref().take(FEW).collect();
    if list.peek().is_none() {
        let first = Value::Array(first).to_string();
        return out.feed(&text::json(&first));
    }
    out.begin('[');
    for (index, value) in first.into_iter().chain(list).enumerate() {
        if index != 0 {
            out.feed(",");
        }
        out.feed(&text::json(&value.to_string()));
    }
    out.feed("]");
}

/// One chunk, as text and back.
fn chunk_through_text(tag: Tag, content: Content) -> Result<Content, String> {
    let document = Document {
        stated: None,
        chunks: vec![(tag, content)],
        end: 0,
        after: Vec::new(),
    };
    let text = document.to_json().to_string();
    drop(document);
    let mut again = Document::parse(text.as_bytes())?;
    let chunk = again.chunks.pop().filter(|it| it.0 == tag);
    Ok(chunk.ok_or("a chunk has become another one")?.1)
}

/// Bytes as text and back, piece by piece: digits are digits wherever they stand.
fn bytes_through_text(tag: Tag, data: Vec<u8>) -> Result<Vec<u8>, String> {
    const PIECE: usize = 1 << 20;
    let mut out = Vec::with_capacity(data.len());
    for piece in data.chunks(PIECE) {
        match chunk_through_text(tag, Content::Bytes(piece.to_vec()))? {
            Content::Bytes(piece) => out.extend(piece),
            Content::Map(_) => return Err("bytes have become a map".to_owned()),
        }
    }
    Ok(out)
}

/// A map as text and back, a part of each of its lists at a time.
fn map_through_text(tag: Tag, parts: Parts) -> Result<Parts, String> {
    const PIECE: usize = 1 << 14;
    let mut all: Option<Parts> = None;
    for piece in parts.pieces(PIECE) {
        let Content::Map(piece) = chunk_through_text(tag, Content::Map(Box::new(piece)))? else {
            return Err("a map has become bytes".to_owned());
        };
        match &mut all {
            Some(all) => all.append(*piece),
            None => all = Some(*piece),
        }
    }
    all.ok_or_else(|| "a map has become nothing".to_owned())
}

/// A tag as it is written: its characters, or a number where they are no letters.
#[must_use]
pub fn tag_text(tag: Tag) -> String {
    let text = tag.text();
    let plain = |byte: &u8| byte.is_ascii_graphic() || *byte == b' ';
    if text.iter().all(plain) {
        String::from_utf8_lossy(&text).into_owned()
    } else {
        format!("{:#010x}", tag.0)
    }
}

fn hex(data: &[u8]) -> String {
    let mut out = String::with_capacity(2 * data.len());
    push_hex(&mut out, data);
    out
}

fn push_hex(out: &mut String, data: &[u8]) {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    let digit = |value: u8| char::from(DIGITS[usize::from(value & 15)]);
    let pairs = data
        .iter()
        .flat_map(|&byte| [digit(byte >> 4), digit(byte)]);
    out.extend(pairs);
}

/// A coordinate: a number, or the bits of what is none.
fn float(bits: Float) -> Value {
    let value = f32::from_bits(bits.0);
    if value.is_finite() {
        f64::from(value).into()
    } else {
        format!("{:#010x}", bits.0).into()
    }
}

/// A part of a map's document.
enum Part<'p> {
    /// A value that is short, or a list of numbers.
    Value(Value),
    /// A list, value by value: all of them at once take many times what they stand for.
    List(Box<dyn Iterator<Item = Value> + 'p>),
}

/// A list, made one by one.
fn listed<'p, T>(list: &'p [T], each: impl Fn(&'p T) -> Value + 'p) -> Part<'p> {
    Part::List(Box::new(list.iter().map(each)))
}

/// The parts of a map's document by their keys, in the order in which a document has them.
fn map_parts(parts: &Parts) -> BTreeMap<&'static str, Part<'_>> {
    let tiles = parts.tiles.iter().zip(&parts.colours).map(|(it, colours)| {
        json!({
            "at": it.at.map(float),
            "angle": it.angle,
            "model": it.model,
            "alternative": it.alternative,
            "colours": hex(colours),
        })
    });
    let zone = |it: &Zone| {
        json!({
            "cell": it.cell, "target": it.target, "level_type": it.level_type,
            "target_rotation": it.target_rotation, "flags": it.flags, "fade": it.fade,
            "background": it.background, "background_rotation": it.background_rotation,
            "background_height": it.background_height, "draw_mode": it.draw_mode,
            "forward": it.forward, "fog": it.fog, "object_fog": it.stored_object_fog,
            "ambient": it.ambient, "backdrop": it.backdrop, "effects": it.effects,
            "reverb": it.reverb, "music": it.music,
        })
    };
    let waypoint = |it: &Waypoint| {
        json!({
            "next": it.next, "previous": it.previous, "angles": it.angles, "at": it.at,
            "values": it.values,
        })
    };
    let fixed = |it: &Fixed| json!({ "angles": it.angles, "at": it.at });
    let alternative =
        |it: &Alternative| json!({ "at": it.at, "normal": it.normal, "model": it.model });
    let strat = |it: &Strat| {
        json!({
            "angles": it.angles, "at": it.at, "code": it.ty.code, "parameters": it.parameters,
            "pool": it.pool, "variables": it.ty.variables, "slots": it.ty.slots,
            "type_flags": it.ty.flags, "extra": it.ty.extra, "waypoint": it.waypoint,
            "tail": it.tail, "flags": it.flags, "pad": it.pad,
        })
    };
    let point = |it: &Point| json!({ "at": it.at, "y": it.y, "type": it.ty, "angle": it.angle });
    let path = move |path: &Vec<PathPart>| {
        let parts = path.iter().map(|(flags, points)| {
            json!({ "flags": flags, "points": points.iter().map(point).collect::<Vec<_>>() })
        });
        parts.collect()
    };
    let value = |value: Value| Part::Value(value);
    let mut map = BTreeMap::from([
        ("width", value(parts.width.into())),
        ("height", value(parts.height.into())),
        ("tiles", Part::List(Box::new(tiles))),
        ("pool", value(json!(parts.pool))),
        ("zones", listed(&parts.zones, zone)),
        ("waypoints", listed(&parts.waypoints, waypoint)),
        (
            "regions",
            value(json!(parts.regions.map(|it| [it.flags, it.value]))),
        ),
        ("grid", value(json!(parts.grid))),
        ("alternatives", listed(&parts.alternatives, alternative)),
        ("strats", listed(&parts.strats, strat)),
        ("pool_extra", value(parts.pool_extra.into())),
        ("paths", listed(&parts.paths, path)),
        ("particles", value(json!(parts.particles))),
        ("tail", value(parts.tail.into())),
    ]);
    if let Some(table) = &parts.fixed {
        map.insert("fixed", listed(table, fixed));
    }
    if let Some(table) = &parts.models {
        map.insert("models", value(json!(table)));
    }
    map
}

fn map_json(parts: &Parts) -> Value {
    let parts = map_parts(parts).into_iter().map(|(key, part)| {
        let value = match part {
            Part::Value(value) => value,
            Part::List(list) => list.collect(),
        };
        (key.to_owned(), value)
    });
    Value::Object(parts.collect())
}

fn parts(node: &Node<'_>) -> Result<Parts, String> {
    node.keys(&[
        "width",
        "height",
        "tiles",
        "pool",
        "zones",
        "waypoints",
        "regions",
        "grid",
        "fixed",
        "models",
        "alternatives",
        "strats",
        "pool_extra",
        "paths",
        "particles",
        "tail",
    ])?;
    let list = |key, each: fn(Node<'_>) -> Result<u32, String>| {
        node.optional(key)
            .map_or(Ok(Vec::new()), |it| it.list(each))
    };
    let tiles = node.key("tiles")?;
    let regions = match node.optional("regions") {
        None => Vec::new(),
        Some(it) => it.list(|it| it.array::<u32, 2>())?,
    };
    if regions.len() > 32 {
        return Err(node.key("regions")?.expected("at most 32 regions"));
    }
    let region = |index: usize| {
        let &[flags, value] = regions.get(index).unwrap_or(&[0, 0]);
        Region { flags, value }
    };
    let fixed = |it: Node<'_>| {
        it.keys(&["angles", "at"])?;
        Ok(Fixed {
            angles: it.key("angles")?.array()?,
            at: it.key("at")?.array()?,
        })
    };
    let colours = |it: Node<'_>| it.key("colours")?.hex();
    Ok(Parts {
        width: node.key("width")?.number()?,
        height: node.key("height")?.number()?,
        tiles: tiles.list(tile)?,
        colours: tiles.list(colours)?,
        pool: list("pool", |it| it.number())?,
        zones: node.all("zones", zone)?,
        waypoints: node.all("waypoints", waypoint)?,
        regions: std::array::from_fn(region),
        grid: list("grid", |it| it.number())?,
        fixed: node
            .optional("fixed")
            .map(|it| it.list(fixed))
            .transpose()?,
        models: node
            .optional("models")
            .map(|it| it.list(|it| it.number()))
            .transpose()?,
        alternatives: node.all("alternatives", |it| {
            it.keys(&["at", "normal", "model"])?;
            Ok(Alternative {
                at: it.key("at")?.array()?,
                normal: it.key("normal")?.number()?,
                model: it.key("model")?.number()?,
            })
        })?,
        strats: node.all("strats", strat)?,
        pool_extra: node.key("pool_extra")?.number()?,
        paths: node.all("paths", |path| {
            path.list(|part| {
                part.keys(&["flags", "points"])?;
                let points = part.key("points")?.list(|it| {
                    it.keys(&["at", "y", "type", "angle"])?;
                    Ok(Point {
                        at: it.key("at")?.array()?,
                        y: it.or("y", 0)?,
                        ty: it.key("type")?.number()?,
                        angle: it.key("angle")?.number()?,
                    })
                })?;
                Ok((part.key("flags")?.number()?, points))
            })
        })?,
        particles: node
            .optional("particles")
            .map(|it| it.number())
            .transpose()?,
        tail: node.or("tail", 0)?,
    })
}

fn tile(it: Node<'_>) -> Result<Tile, String> {
    it.keys(&["at", "angle", "model", "alternative", "colours"])?;
    let at = it.key("at")?.list(|it| it.float())?;
    let at: [Float; 3] = at
        .try_into()
        .map_err(|_| it.expected("three coordinates in \"at\""))?;
    Ok(Tile {
        at,
        angle: it.or("angle", 0)?,
        model: it.key("model")?.number()?,
        alternative: it.or("alternative", 0)?,
    })
}

fn zone(it: Node<'_>) -> Result<Zone, String> {
    it.keys(&[
        "cell",
        "target",
        "level_type",
        "target_rotation",
        "flags",
        "fade",
        "background",
        "background_rotation",
        "background_height",
        "draw_mode",
        "forward",
        "fog",
        "object_fog",
        "ambient",
        "backdrop",
        "effects",
        "reverb",
        "music",
    ])?;
    Ok(Zone {
        cell: it.key("cell")?.array()?,
        target: it.key("target")?.array()?,
        level_type: it.or("level_type", 0)?,
        target_rotation: it.or("target_rotation", 0)?,
        flags: it.or("flags", 0)?,
        fade: it.or("fade", 0)?,
        background: it.or("background", 0)?,
        background_rotation: it.or("background_rotation", 0)?,
        background_height: it.or("background_height", 0)?,
        draw_mode: it.or("draw_mode", 0)?,
        forward: it.or("forward", 0)?,
        fog: it.key("fog")?.array()?,
        stored_object_fog: it.key("object_fog")?.array()?,
        ambient: it.or("ambient", 0)?,
        backdrop: it.or("backdrop", 0)?,
        effects: it.or("effects", 0)?,
        reverb: it.or("reverb", 0)?,
        music: it.or("music", 0)?,
    })
}

fn waypoint(it: Node<'_>) -> Result<Waypoint, String> {
    it.keys(&["next", "previous", "angles", "at", "values"])?;
    Ok(Waypoint {
        next: it.key("next")?.number()?,
        previous: it.or("previous", 0)?,
        angles: it.key("angles")?.array()?,
        at: it.key("at")?.array()?,
        values: it.key("values")?.array()?,
    })
}

fn strat(it: Node<'_>) -> Result<Strat, String> {
    it.keys(&[
        "angles",
        "at",
        "code",
        "parameters",
        "pool",
        "variables",
        "slots",
        "type_flags",
        "extra",
        "waypoint",
        "tail",
        "flags",
        "pad",
    ])?;
    Ok(Strat {
        angles: it.key("angles")?.array()?,
        at: it.key("at")?.array()?,
        ty: Type {
            code: it.key("code")?.number()?,
            variables: it.key("variables")?.number()?,
            slots: it.key("slots")?.number()?,
            flags: it.key("type_flags")?.number()?,
            extra: it.key("extra")?.number()?,
        },
        parameters: it.or("parameters", 0)?,
        pool: it.or("pool", -1)?,
        waypoint: it.or("waypoint", -1)?,
        tail: it.or("tail", 0)?,
        flags: it.or("flags", 0)?,
        pad: it.or("pad", 0)?,
    })
}
