// Changes of the disc sheet's bundle of 307 bytes, and the errors that they make (section 9).
[
    (0, &[0], Error::BadDescriptorCount { count: 0 }),
    (0, &[33], Error::BadDescriptorCount { count: 33 }),
    (0, &[0xFF; 4], Error::BadDescriptorCount { count: u32::MAX }),
    (12, &[0x1C], Error::BadDescriptorOffset { index: 0 }),
    (20, &[0x17], Error::BadDescriptorOffset { index: 1 }),
    (20, &[0x33, 0x01], Error::BadDescriptorOffset { index: 1 }),
    (20, &[0, 0, 0, 0x80], Error::BadDescriptorOffset { index: 1 }),
    (19, &[0x0C], Error::UnknownType { index: 1, ty: 0x0C }),
    (19, &[0x0D], Error::UnknownType { index: 1, ty: 0x0D }),
    (19, &[0x0E], Error::UnknownType { index: 1, ty: 0x0E }),
    (19, &[0x10], Error::UnknownType { index: 1, ty: 0x10 }),
    (19, &[0x13], Error::UnknownType { index: 1, ty: 0x13 }),
    (19, &[0x15], Error::UnknownType { index: 1, ty: 0x15 }),
    (19, &[0xFF], Error::UnknownType { index: 1, ty: 0xFF }),
    (8, &[1, 0, 0x40], Error::SizeLimit { index: 0 }),
]
