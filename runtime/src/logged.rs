//! That every error of the core, and what a person wants to see of its values, can be logged with `defmt`.
//!
//! The build for a microcontroller in `cargo xtask test` compiles this; a type without its derive stops it.

const fn logged<T: defmt::Format>() {}

const _: () = {
    logged::<crate::bytes::Misaligned>();
    logged::<crate::bytes::Full>();
    logged::<crate::fixed::SVector>();
    logged::<crate::fixed::Vector>();
    logged::<crate::fixed::Matrix>();
    logged::<crate::lzs::Error>();
    logged::<crate::disc::sector::Error>();
    logged::<crate::disc::iso::Error<u8>>();
    logged::<crate::disc::prot::Error>();
    logged::<crate::disc::cdname::Error>();
    logged::<crate::disc::bundle::Error>();
    logged::<crate::disc::pack::Error>();
    logged::<crate::disc::chunk::Error>();
    logged::<crate::anim::ff8::Error>();
    logged::<crate::anim::ff8::Progress>();
    logged::<crate::anim::legaia::Error>();
    logged::<crate::anim::legaia::Pose>();
    logged::<crate::gpu::Full>();
    logged::<crate::model::tim::Error>();
    logged::<crate::model::tim::UploadError<u8>>();
    logged::<crate::model::tmd::Error>();
    logged::<crate::model::draw::Error>();
    logged::<crate::model::ff8::Error>();
    logged::<crate::field::map::Error>();
    logged::<crate::field::map::patch::Error>();
    logged::<crate::field::map::PaintError>();
    logged::<crate::field::stager::Error>();
    logged::<crate::script::Fault>();
    logged::<crate::script::decode::DecodeError>();
    logged::<crate::script::asm::Error<'_>>();
    logged::<crate::script::save::SaveError>();
    logged::<crate::scene::man::Error>();
    logged::<crate::scene::man::ResizeError>();
    logged::<crate::scene::LoadError<u8, u8>>();
    logged::<crate::scene::DrawError<u8>>();
};
