// Tables of contents that are refused (disc sheet, section 9): words, sectors of the archive, why.
[
    (&[0, 0, 3], 53, Error::BadToc { offset: 4, found: 0 }),
    (&[0, 1534, 3], 53, Error::BadToc { offset: 4, found: 1534 }),
    (&[0, u32::MAX, 3], 53, Error::BadToc { offset: 4, found: u32::MAX }),
    (&[0, 1, 2, 9], 53, Error::BadToc { offset: 8, found: 2 }),
    (&[0, 6, 3, 4, 5, 41, 42, 43, 53], 52, Error::TocNotTiled { raw: 5 }),
    (&[0, 2, 3, 3, 9], 53, Error::TocNotTiled { raw: 0 }),
    (&[0, 2, 3, 9, 8], 53, Error::TocNotTiled { raw: 1 }),
    (&[0, 3, 3, 9, 60, 12], 53, Error::TocNotTiled { raw: 1 }),
    (&[0, 2, 3, 9], 53, Error::TocNotTiled { raw: 1 }),
]
