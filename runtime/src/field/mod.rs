//! The field: where actors stand and walk, as the files of a scene say it (field sheet).
//!
//! | Module | Content |
//! |---|---|
//! | [`map`] | the `.MAP` file, its trigger block and the `.PCH` patch (field sheet, section 3) |
//! | [`stager`] | the stager table that follows them on the disc (disc sheet, section 6) |

pub mod map;
pub mod stager;
