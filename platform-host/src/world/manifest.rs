//! `world.json`: read from a folder and written to one.

use std::path::{Path, PathBuf};

use overworld_runtime::disc::bundle::{self, AssetType, MAX_MEMBERS};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::{Error, Member, Other, World};
use crate::object::Object;
use crate::{input, json, output, signals};

/// The manifest's file name.
pub const MANIFEST: &str = "world.json";

/// The manifest.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Manifest {
    scene: String,
    pub(super) textures: Vec<String>,
    models: Vec<String>,
    bank: String,
    map: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    man: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    patch: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    stager: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    members: Vec<Object<Entry>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    creature: Option<String>,
    /// A remark: JSON has no other way to make one. It may be anything.
    #[serde(rename = "//", default, skip_serializing_if = "Value::is_null")]
    remark: Value,
}

/// One of the manifest's `members`.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    #[serde(rename = "type")]
    ty: Type,
    file: String,
}

/// A type as the manifest names it: `"MES"`, `4`, `"0x04"`.
#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(try_from = "Value", into = "&'static str")]
struct Type(AssetType);

impl From<Type> for &'static str {
    fn from(Type(ty): Type) -> Self {
        ty.name()
    }
}

impl TryFrom<Value> for Type {
    type Error = String;

    fn try_from(written: Value) -> Result<Self, String> {
        let number = |number: u64| AssetType::from_byte(u8::try_from(number).ok()?);
        let (found, text) = match written {
            Value::Number(it) => (it.as_u64().and_then(number), it.to_string()),
            Value::String(name) => {
                // No sign behind the prefix.
                let digits = name.strip_prefix("0x").filter(|it| !it.contains('+'));
                let found = match digits.and_then(|it| u64::from_str_radix(it, 16).ok()) {
                    Some(it) => number(it),
                    None => AssetType::ALL
                        .into_iter()
                        .find(|ty| ty.name().eq_ignore_ascii_case(&name)),
                };
                (found, name)
            }
            found => {
                let found = match found {
                    Value::Null | Value::Bool(_) => found.to_string(),
                    Value::Array(_) => "a list".to_owned(),
                    _ => "an object".to_owned(),
                };
                return Err(format!("expected the type's name or number, found {found}"));
            }
        };
        let key = match found {
            Some(AssetType::TimList) => "textures",
            Some(AssetType::Tmd) => "models",
            Some(AssetType::Man) => "man",
            Some(AssetType::Move) => "bank",
            Some(ty) => return Ok(Self(ty)),
            None => {
                let names = AssetType::ALL.into_iter().filter(|ty| !has_key(*ty));
                let names: Vec<_> = names.map(AssetType::name).collect();
                return Err(format!(
                    "UnknownType: expected one of {}, or its number, found \"{}\"",
                    names.join(", "),
                    text.escape_debug()
                ));
            }
        };
        Err(format!(
            "a member of type {} is named by the key \"{key}\"",
            text.escape_debug()
        ))
    }
}

/// Whether the manifest has a key of its own for this type.
const fn has_key(ty: AssetType) -> bool {
    matches!(
        ty,
        AssetType::TimList | AssetType::Tmd | AssetType::Man | AssetType::Move
    )
}

/// The optional keys that the world does not use, as they would stand beside the others.
fn example(world: &World) -> Value {
    let scene = &world.scene;
    let mut keys = Map::new();
    for (key, ending, used) in [
        ("man", "man", world.man.is_some()),
        ("patch", "PCH", world.patch.is_some()),
        ("stager", "stager", world.stager.is_some()),
        ("creature", "dat", world.creature.is_some()),
    ] {
        if !used {
            keys.insert(key.to_owned(), format!("{scene}.{ending}").into());
        }
    }
    if world.others.is_empty() {
        let mes = json!([{ "type": "MES", "file": format!("{scene}.mes") }]);
        keys.insert("members".to_owned(), mes);
    }
    if keys.is_empty() {
        return Value::Null;
    }
    let about = "these keys are optional: move what you need out of here, beside \"scene\"";
    keys.insert("about".to_owned(), about.into());
    Value::Object(keys)
}

impl World {
    /// Read a world from its folder.
    ///
    /// # Errors
    /// [`Error::Io`], [`Error::Manifest`], also for more members than a bundle may have,
    /// [`Error::SizeLimit`]; the members are looked at by [`World::check`].
    pub fn load(folder: &Path) -> Result<Self, Error> {
        if folder.is_file() {
            return Err(Error::Io {
                path: folder.to_owned(),
                error: std::io::Error::other(
                    "expected a world's folder, found a file; name the folder in which it lies",
                ),
            });
        }
        let read = |name: &str| input::read(&folder.join(name), input::MEMBER);
        let text = read(MANIFEST).map_err(|error| Error::Io {
            path: folder.join(MANIFEST),
            error,
        })?;
        let Object::<Manifest>(manifest) = json::read(&text).map_err(|error| Error::Manifest {
            path: folder.join(MANIFEST),
            error,
        })?;
        let member = |key: &'static str, name: String| match read(&name) {
            Ok(data) => Ok((name, data)),
            Err(error) => Err(Error::Member {
                path: folder.join(MANIFEST),
                key,
                name,
                error,
            }),
        };
        let optional = |key, name: Option<String>| name.map(|name| member(key, name)).transpose();
        let members = |list: &'static str, names: Vec<String>| {
            // As a pack has them: a count, an offset each, whole words. Counted as they come, since a
            // manifest can name more than any memory holds.
            let mut size = 4;
            let mut members = Vec::new();
            for name in names {
                let (name, data) = member(list, name)?;
                size += 4 + data.len().next_multiple_of(4) as u64;
                if size > input::MEMBER {
                    let path = folder.join(MANIFEST);
                    return Err(Error::SizeLimit { path, list, name });
                }
                members.push((name, data));
            }
            Ok(members)
        };
        let count = manifest.members.len();
        if count > MAX_MEMBERS as usize {
            let count = u32::try_from(count).unwrap_or(u32::MAX);
            // A fault of the manifest, which the message names.
            return Err(Error::Manifest {
                path: folder.join(MANIFEST),
                error: json::Error::of(bundle::Error::BadDescriptorCount { count }),
            });
        }
        let other = |Object(entry): Object<Entry>| {
            let Type(ty) = entry.ty;
            member("members", entry.file).map(|file| Other { ty, file })
        };
        Ok(Self {
            scene: manifest.scene,
            textures: members("textures", manifest.textures)?,
            models: members("models", manifest.models)?,
            bank: member("bank", manifest.bank)?,
            map: member("map", manifest.map)?,
            man: optional("man", manifest.man)?,
            patch: optional("patch", manifest.patch)?,
            stager: optional("stager", manifest.stager)?,
            creature: optional("creature", manifest.creature)?,
            others: manifest
                .members
                .into_iter()
                .map(other)
                .collect::<Result<_, _>>()?,
        })
    }

    /// The files that [`World::save`] writes: the manifest, then the members.
    #[must_use]
    pub fn places(&self, folder: &Path) -> Vec<PathBuf> {
        let names = self.members().map(|(name, _)| name.as_str());
        let names = std::iter::once(MANIFEST).chain(names);
        names.map(|name| folder.join(name)).collect()
    }

    /// Write a world to a folder, which is made if it does not exist. Answers the files. A remark in
    /// the manifest shows the optional keys.
    ///
    /// # Errors
    /// [`Error::NotEmpty`] if one of the files exists with other content and `force` is not set;
    /// nothing is written then. [`Error::Io`].
    pub fn save(&self, folder: &Path, force: bool) -> Result<Vec<PathBuf>, Error> {
        let names = |members: &[Member]| members.iter().map(|(name, _)| name.clone()).collect();
        let name = |member: &Option<Member>| member.as_ref().map(|(name, _)| name.clone());
        let entry = |other: &Other| {
            Object(Entry {
                ty: Type(other.ty),
                file: other.file.0.clone(),
            })
        };
        let manifest = Manifest {
            scene: self.scene.clone(),
            textures: names(&self.textures),
            models: names(&self.models),
            bank: self.bank.0.clone(),
            map: self.map.0.clone(),
            man: name(&self.man),
            patch: name(&self.patch),
            stager: name(&self.stager),
            members: self.others.iter().map(entry).collect(),
            creature: name(&self.creature),
            remark: example(self),
        };
        let mut text = serde_json::to_vec_pretty(&manifest).map_err(|error| Error::Manifest {
            path: folder.join(MANIFEST),
            error: json::Error::of(error),
        })?;
        text.push(b'\n');
        let io = |path: &Path| {
            let path = path.to_owned();
            move |error| Error::Io { path, error }
        };
        let bytes = self.members().map(|(_, data)| data.as_slice());
        let bytes = std::iter::once(text.as_slice()).chain(bytes);
        let files: Vec<_> = self.places(folder).into_iter().zip(bytes).collect();
        for (path, bytes) in &files {
            if !force && !output::is_free_or_equal(path, bytes).map_err(io(path))? {
                return Err(Error::NotEmpty { path: path.clone() });
            }
        }
        // A signal waits until the folder is removed again.
        let _guard = signals::Guard::new();
        let made = output::Folder::make(folder).map_err(io(folder))?;
        output::replace_all(&files).map_err(|(index, error)| {
            let path = files.get(index).map_or(folder, |(path, _)| path);
            io(path)(error)
        })?;
        made.keep();
        Ok(files.into_iter().map(|(path, _)| path).collect())
    }
}
