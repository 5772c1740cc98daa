//! The disc sheet's containers: sectors, the archive's table, the name list, bundles, packs and
//! chunks.

mod archive;
mod bundles;
mod common;
mod packs;
mod properties;
mod sectors;
