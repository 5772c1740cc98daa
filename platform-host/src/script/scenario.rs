//! Scenarios: a script, its context, and how far it runs, read from JSON.

use overworld_runtime::script::context::{Context, Place};
use overworld_runtime::script::task::Task;
use overworld_runtime::script::{Compat, PLAYER, SYSTEM, Vm};
use serde_json::{Map, Value};

use super::source::{Source, is_digits};
use super::{Error, MOST, bad};
use crate::json;
use crate::number;
use crate::pads::Pads;

/// How far a scenario runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Length {
    Steps(u64),
    Slices(u64),
    Frames(u64),
}

/// What begins the conversation of a scenario of frames.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Begin {
    /// The button.
    #[default]
    Button,
    /// The player walks into the actor.
    Contact,
    /// Nobody: the script runs by itself, and may come to text.
    Itself,
}

/// What interprets a motion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Interpreter {
    Walk,
    Ambient,
}

/// A script and its context.
#[derive(Clone, Debug)]
pub struct Scenario {
    pub(super) code: Vec<u8>,
    pub(super) context: Context<'static>,
    /// Where the parked instruction stands, when the context has one.
    pub(super) saved_pc: Option<u16>,
    pub(super) pc: u16,
    pub(super) system: Vec<u16>,
    pub(super) global: u32,
    pub(super) compat: Compat,
    pub(super) length: Length,
    pub(super) interpreter: Option<Interpreter>,
    pub(super) delta: u8,
    /// Whether the context is the player; told by its id when absent.
    pub(super) player: Option<bool>,
    pub(super) pads: Pads,
    pub(super) begin: Begin,
}

/// Name, reader and writer of a context's fields. Writers refuse what does not fit.
pub(super) type Field = (
    &'static str,
    fn(&Context<'_>) -> i64,
    fn(&mut Context<'_>, i64) -> Option<()>,
);

macro_rules! fields {
    ($($name:ident)*) => {
        [$((
            stringify!($name),
            |it| i64::from(it.$name),
            |it, value| value.try_into().ok().map(|value| it.$name = value),
        )),*]
    };
}

pub(super) const FIELDS: [Field; 33] = fields! {
    script_id flags x y z f24 heading f28 touch_count f42 wait_accum move_substate f58
    saved_heading move_id f5e local_flags model f68 f6a anim_count scale tint_ctrl tint_amt
    face face_lerp model_high enable amb_cursor grid_x grid_z y_mirror sm_state
};

/// A whole number of a key, within limits; it may be a text such as `"0x400"`.
fn number(key: &str, value: &Value, low: i64, high: i64) -> Result<i64, Error> {
    let found = match value {
        Value::String(text) => number::whole(text),
        _ => value.as_i64(),
    };
    match found {
        Some(number) if (low..=high).contains(&number) => Ok(number),
        _ => bad(format!(
            "\"{key}\": expected a whole number of {low} to {high}, found {value}"
        )),
    }
}

/// A number of steps, slices or frames.
fn length(key: &str, value: &Value) -> Result<u64, Error> {
    number(key, value, 0, MOST as i64).map(|it| it as u64)
}

/// One of a few words.
fn one_of<T: Copy>(key: &str, value: &Value, known: &[(&str, T)]) -> Result<T, Error> {
    let found = known.iter().find(|it| value.as_str() == Some(it.0));
    match found {
        Some(&(_, word)) => Ok(word),
        None => {
            let words: Vec<_> = known.iter().map(|it| format!("{:?}", it.0)).collect();
            let words = words.join(" or ");
            bad(format!("\"{key}\": expected {words}, found {value}"))
        }
    }
}

fn object<'v>(key: &str, value: &'v Value) -> Result<&'v Map<String, Value>, Error> {
    match value.as_object() {
        Some(map) => Ok(map),
        None => bad(format!("\"{key}\": expected an object, found {value}")),
    }
}

fn code(value: &Value) -> Result<Vec<u8>, Error> {
    let Some(text) = value.as_str() else {
        return bad(format!(
            "\"code\": expected digits in quotes, found {value}"
        ));
    };
    let mut digits = Vec::new();
    for (at, it) in text.chars().enumerate() {
        match it.to_digit(16) {
            Some(digit) => digits.push(digit as u8),
            None if it.is_whitespace() => {}
            None => {
                return bad(format!(
                    "\"code\": {it:?} at character {at} is no hexadecimal digit"
                ));
            }
        }
    }
    if !digits.len().is_multiple_of(2) {
        return bad("\"code\": expected two digits a byte, found an odd number of them");
    }
    Ok(digits
        .chunks(2)
        .map(|pair| pair[0] << 4 | pair[1])
        .collect())
}

impl Scenario {
    /// A record, to be run for a slice from its beginning.
    #[must_use]
    pub fn of(code: Vec<u8>) -> Self {
        Self {
            code,
            context: Context {
                live: true,
                ..Context::EMPTY
            },
            saved_pc: None,
            pc: 0,
            system: Vec::new(),
            global: 0,
            compat: Compat::Retail,
            length: Length::Slices(1),
            interpreter: None,
            delta: 1,
            player: None,
            pads: Pads::default(),
            begin: Begin::Button,
        }
    }

    /// A script as text or as the bytes of a record, to be run as [`Scenario::of`].
    ///
    /// # Errors
    /// [`Error`]: the text cannot be assembled.
    pub fn of_script(data: &[u8]) -> Result<Self, Error> {
        match Source::read(data) {
            Ok(source) => Ok(Self::of(source.code)),
            Err(_) if is_digits(data) => bad(
                "expected a script, found the digits of one: in a scenario they stand as \"code\"",
            ),
            Err(error) => bad(format!(
                "{error} (read as a script, since a scenario in JSON begins with {{)"
            )),
        }
    }

    /// Read a scenario from JSON, which names no file.
    ///
    /// # Errors
    /// [`Error`]: what is wrong, and with which key.
    pub fn read(data: &[u8]) -> Result<Self, Error> {
        Self::read_with(data, |name| {
            Err(format!("expected no file here, found {name:?}"))
        })
    }

    /// Read a scenario from JSON. `file` reads a file that it names.
    ///
    /// # Errors
    /// [`Error`]: what is wrong, and with which key.
    pub fn read_with(
        data: &[u8],
        file: impl FnOnce(&str) -> Result<Vec<u8>, String>,
    ) -> Result<Self, Error> {
        let value: Value = match json::read(data) {
            Ok(value) => value,
            Err(error) => return bad(error.to_string()),
        };
        let keys = object("scenario", &value)?;
        for (one, other) in [
            ("steps", "slices"),
            ("steps", "frames"),
            ("slices", "frames"),
            ("code", "source"),
        ] {
            if keys.contains_key(one) && keys.contains_key(other) {
                return bad(format!("\"{one}\" and \"{other}\": expected one of them"));
            }
        }
        let source = match (keys.get("code"), keys.get("source")) {
            (Some(digits), _) => Source::of(code(digits)?),
            (None, Some(Value::String(name))) => {
                let read = file(name).and_then(|data| {
                    Source::read(&data).map_err(|error| format!("{name}: {error}"))
                });
                read.map_err(|error| Error(format!("\"source\": {error}")))?
            }
            (None, Some(other)) => {
                return bad(format!(
                    "\"source\": expected the name of a file, found {other}"
                ));
            }
            (None, None) => return bad("\"code\" is missing"),
        };
        let mut scenario = Self::of(source.code.clone());
        scenario.length = Length::Steps(1);
        for (key, value) in keys {
            match key.as_str() {
                "code" | "source" => {}
                "pc" => {
                    let label = value.as_str().and_then(|name| source.labels.get(name));
                    scenario.pc = match (label, value.as_str()) {
                        (Some(&at), _) => at,
                        (None, Some(name)) if number::whole(name).is_none() => {
                            return bad(source.no_label(name));
                        }
                        _ => number(key, value, 0, 0xFFFF)? as u16,
                    };
                }
                "context" => scenario.context(object(key, value)?)?,
                "flags" => scenario.flags(object(key, value)?)?,
                "compat" => {
                    let known = [("retail", Compat::Retail), ("port", Compat::Port)];
                    scenario.compat = one_of(key, value, &known)?;
                }
                "steps" => scenario.length = Length::Steps(length(key, value)?),
                "slices" => scenario.length = Length::Slices(length(key, value)?),
                "frames" => scenario.length = Length::Frames(length(key, value)?),
                "interpreter" => {
                    let known = [
                        ("walk", Interpreter::Walk),
                        ("ambient", Interpreter::Ambient),
                    ];
                    scenario.interpreter = Some(one_of(key, value, &known)?);
                }
                "delta" => scenario.delta = number(key, value, 1, 4)? as u8,
                "player" => {
                    scenario.player = Some(match value.as_bool() {
                        Some(player) => player,
                        None => {
                            return bad(format!(
                                "\"player\": expected true or false, found {value}"
                            ));
                        }
                    });
                }
                "pads" => {
                    let pads = serde_json::from_value(value.clone());
                    scenario.pads = pads.map_err(|error| Error(format!("\"pads\": {error}")))?;
                    if !["steps", "slices", "frames"]
                        .iter()
                        .any(|it| keys.contains_key(*it))
                    {
                        scenario.length = Length::Frames(scenario.pads.length());
                    }
                }
                "talk" => {
                    let known = [
                        ("button", Begin::Button),
                        ("contact", Begin::Contact),
                        ("itself", Begin::Itself),
                    ];
                    scenario.begin = one_of(key, value, &known)?;
                }
                _ => return bad(format!("\"{key}\": no scenario has this key")),
            }
        }
        let is_frames = matches!(scenario.length, Length::Frames(_));
        let wants = ["pads", "talk"]
            .into_iter()
            .find(|it| keys.contains_key(*it));
        match wants.filter(|_| !is_frames) {
            Some(key) => bad(format!(
                "\"{key}\": expected \"frames\" beside it, the number of frames that are played"
            )),
            None => Ok(scenario),
        }
    }

    fn context(&mut self, map: &Map<String, Value>) -> Result<(), Error> {
        for (key, value) in map {
            match key.as_str() {
                "pc" => self.pc = number(key, value, 0, 0xFFFF)? as u16,
                "cursor" => self.context.stream_pc = number(key, value, 0, 0xFFFF)? as u16,
                "saved_pc" if value.is_null() => self.saved_pc = None,
                "saved_pc" => self.saved_pc = Some(number(key, value, 0, 0xFFFF)? as u16),
                _ => {
                    let Some((_, _, set)) = FIELDS.iter().find(|it| it.0 == key) else {
                        return bad(format!("\"{key}\": no context has this field"));
                    };
                    let wide = number(key, value, i64::from(i32::MIN), i64::from(u32::MAX))?;
                    if set(&mut self.context, wide).is_none() {
                        return bad(format!("\"{key}\": {wide} does not fit into the field"));
                    }
                }
            }
        }
        Ok(())
    }

    fn flags(&mut self, map: &Map<String, Value>) -> Result<(), Error> {
        for (key, value) in map {
            match (key.as_str(), value.as_array()) {
                ("system", Some(list)) => {
                    for it in list {
                        self.system.push(number(key, it, 0, 0xFFF)? as u16);
                    }
                }
                ("system", None) => {
                    return bad(format!(
                        "\"system\": expected a list of flags, found {value}"
                    ));
                }
                ("global", _) => self.global = number(key, value, 0, i64::from(u32::MAX))? as u32,
                _ => return bad(format!("\"{key}\": no bank of flags has this name")),
            }
        }
        Ok(())
    }

    /// The bytes from its place on, if the walk kernel gets them.
    pub(super) fn walk(&self) -> Option<&[u8]> {
        let code = self.code.get(usize::from(self.pc)..).unwrap_or_default();
        let walks = match self.interpreter {
            Some(interpreter) => interpreter == Interpreter::Walk,
            // Anything that is no walk is done at once.
            None => code.first().is_some_and(|it| it & 0x7F > 0x20),
        };
        walks.then_some(code)
    }

    pub(super) fn machine(&self) -> Box<Vm<'_, 1>> {
        let mut vm = Box::new(Vm::<1>::new(self.compat));
        vm.contexts[0] = Context {
            task: Task::new(&self.code),
            pc: self.pc,
            saved: self.saved_pc.map(|pc| Place::new(&self.code, pc)),
            ..self.context
        };
        for &flag in &self.system {
            vm.state.system.set(flag);
        }
        vm.state.global = self.global;
        // A scenario says by the id who it is.
        let is = |name| self.context.script_id == u16::from(name);
        vm.player = self.player.unwrap_or(is(PLAYER)).then_some(0);
        vm.system = is(SYSTEM).then_some(0);
        vm
    }
}
