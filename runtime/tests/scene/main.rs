//! A scene from a disc in memory to a display list, and every way in which that can fail.

mod creatures;
mod disc;
mod failures;
mod play;
mod unpack;
