//! `overworld lzs ...`

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use overworld_host::fault;
use overworld_host::identify::count;
use overworld_runtime::lzs;
use serde_json::json;

use super::files::{Input, Out};
use super::{Failure, Output, number};

#[derive(Subcommand)]
pub enum Lzs {
    /// Unpack a stream
    ///
    /// The stream does not say how long its content is, so the size must be given; what follows
    /// the stream is ignored.
    Decode(Decode),
    /// Pack a file
    ///
    /// The result is a bare stream: note the size of the input, unpacking needs it. A file has at most 16 MiB, more than
    /// any table can say of a stream.
    Encode(Encode),
}

#[derive(Args)]
pub struct Decode {
    /// The stream
    #[arg(value_name = "IN")]
    input: PathBuf,
    /// Bytes to unpack
    #[arg(long, value_name = "N", value_parser = number::<u32>)]
    size: u32,
    #[command(flatten)]
    output: Out,
    /// Refuse a size that ends inside a back-reference
    #[arg(long)]
    strict: bool,
}

#[derive(Args)]
pub struct Encode {
    /// The file
    #[arg(value_name = "IN")]
    input: PathBuf,
    #[command(flatten)]
    output: Out,
    /// How tokens are chosen
    #[arg(long, value_enum, default_value_t = Parse::Optimal)]
    parse: Parse,
}

#[derive(Clone, Copy, ValueEnum)]
enum Parse {
    /// The longest match at each position
    Greedy,
    /// A literal where the next position has a longer match
    Lazy,
    /// The shortest stream that the matches found allow
    Optimal,
}

impl Lzs {
    pub fn execute(self, out: &Output) -> Result<(), Failure> {
        match self {
            Self::Decode(decode) => decode.execute(out),
            Self::Encode(encode) => encode.execute(out),
        }
    }
}

impl Decode {
    fn execute(self, out: &Output) -> Result<(), Failure> {
        let target = self.output.target(&self.input, out)?;
        let input = Input::read(&self.input)?;
        let size = self.size as usize;
        let bad = |error| input.failure(fault::lzs(input.data.len(), &error));
        // A size that the stream cannot have costs no memory.
        lzs::measure(&input.data, size).map_err(bad)?;
        let mut data = vec![0; size];
        let decode = if self.strict {
            lzs::decode_strict
        } else {
            lzs::decode
        };
        let consumed = decode(&input.data, &mut data).map_err(bad)?;
        target.write(&data)?;
        target.say(
            out,
            format_args!(
                "{} from {consumed} of {}",
                count(size, "byte"),
                input.data.len()
            ),
        )?;
        out.document(&json!({ "produced": size, "consumed": consumed }))
    }
}

impl Encode {
    fn execute(self, out: &Output) -> Result<(), Failure> {
        let target = self.output.target(&self.input, out)?;
        let input = Input::part(&self.input)?;
        let data = &input.data;
        let mut steps = Vec::new();
        let parse = match self.parse {
            Parse::Greedy => lzs::Parse::Greedy,
            Parse::Lazy => lzs::Parse::Lazy,
            Parse::Optimal => {
                steps.resize(data.len(), lzs::Step::NEW);
                lzs::Parse::Optimal(&mut steps)
            }
        };
        let mut stream = vec![0; lzs::bound(data.len())];
        let mut scratch = Box::new(lzs::Scratch::new());
        let length = lzs::encode_with(parse, data, &mut stream, &mut scratch)
            .map_err(|error| input.failure(fault::lzs(data.len(), &error)))?;
        stream.truncate(length);
        target.write(&stream)?;
        target.say(
            out,
            format_args!("{} from {}", count(length, "byte"), data.len()),
        )?;
        out.document(&json!({ "input": data.len(), "output": length }))
    }
}
