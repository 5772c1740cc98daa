//! The disc and what lies on it (disc sheet): raw sectors, the ISO9660 volume, the `PROT.DAT`
//! archive with its name list, and the containers inside an archive entry.
//!
//! | Module | Sheet section |
//! |---|---|
//! | [`sector`] | 1, image geometry |
//! | [`iso`] | 2, ISO9660 |
//! | [`prot`] | 3, `PROT.DAT` |
//! | [`cdname`] | 4, `CDNAME.TXT` |
//! | [`block`] | 5, scene blocks and numbering |
//! | [`bundle`], [`pack`], [`chunk`] | 7, scene bundles, packs, streaming chunks |

pub mod block;
pub mod bundle;
pub mod cdname;
pub mod chunk;
pub mod iso;
pub mod pack;
pub mod prot;
pub mod sector;
