//! The field map file, its trigger blocks, the `.PCH` patch and the stager table: the field sheet's
//! vectors (sections J to N as far as they concern the file), every error, round trips.

mod blocks;
mod common;
mod files;
mod grids;
mod objects;
mod properties;
mod triggers;
