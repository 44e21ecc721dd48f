//! Pictures that stand in a message itself, as `data:` addresses. Bounded before anything decodes them.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// Most characters of an address, and most pixels of a picture: a small file can hold a huge one.
const LONGEST: usize = 12 << 20;
const MOST_PIXELS: u64 = 24_000_000;

/// A picture as it came.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Picture {
    /// How it is encoded.
    pub(crate) format: Format,
    /// Width and height in pixels.
    pub(crate) size: (u32, u32),
    /// The encoded bytes.
    pub(crate) bytes: Vec<u8>,
}

/// Encodings that can be shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    /// PNG.
    Png,
    /// JPEG.
    Jpeg,
}

impl Picture {
    /// Reads an address; `None` where it holds no picture that can be shown.
    pub(crate) fn read(address: &str) -> Option<Self> {
        let (head, data) = address.get(..LONGEST.min(address.len()))?.split_once(',')?;
        if address.len() > LONGEST || !head.to_ascii_lowercase().ends_with(";base64") {
            return None;
        }
        let bytes = STANDARD.decode(data.trim_ascii()).ok()?;
        // By its bytes: what the address says of it may be wrong.
        let (format, size) = png(&bytes)
            .map(|size| (Format::Png, size))
            .or_else(|| Some((Format::Jpeg, jpeg(&bytes)?)))?;
        let pixels = u64::from(size.0) * u64::from(size.1);
        (1..=MOST_PIXELS)
            .contains(&pixels)
            .then_some(Self { format, size, bytes })
    }
}

/// Size of a PNG, from its first chunk (PNG specification, 11.2.1).
fn png(bytes: &[u8]) -> Option<(u32, u32)> {
    let body = bytes.strip_prefix(b"\x89PNG\r\n\x1a\n")?;
    (body.get(4..8)? == b"IHDR").then_some(())?;
    let number = |at: usize| Some(u32::from_be_bytes(body.get(at..at + 4)?.try_into().ok()?));
    Some((number(8)?, number(12)?))
}

/// Size of a JPEG, from the header of its frame (ITU T.81, B.2.2).
fn jpeg(bytes: &[u8]) -> Option<(u32, u32)> {
    let mut rest = bytes.strip_prefix(b"\xff\xd8")?;
    loop {
        let [0xff, kind, high, low, body @ ..] = rest else {
            return None;
        };
        let is_frame = matches!(kind, 0xc0..=0xcf) && !matches!(kind, 0xc4 | 0xc8 | 0xcc);
        if is_frame {
            let number = |at: usize| {
                Some(u32::from(u16::from_be_bytes(
                    body.get(at..at + 2)?.try_into().ok()?,
                )))
            };
            return Some((number(3)?, number(1)?));
        }
        let length = usize::from(u16::from_be_bytes([*high, *low]));
        rest = body.get(length.checked_sub(2)?..)?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One red pixel.
    const DOT: &str = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC";

    #[test]
    fn a_picture_is_what_its_bytes_say() {
        let dot = Picture::read(DOT).expect("a picture");
        assert_eq!((dot.format, dot.size), (Format::Png, (1, 1)));
        let jpeg = [
            0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2, 0xff, 0xc0, 0, 9, 8, 0, 3, 0, 2, 1, 0, 0, 0,
        ];
        let address = format!("data:image/png;base64,{}", STANDARD.encode(jpeg));
        let picture = Picture::read(&address).expect("a picture");
        assert_eq!((picture.format, picture.size), (Format::Jpeg, (2, 3)));
    }

    #[test]
    fn what_is_no_picture_is_none() {
        let huge = [&b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR"[..], &[0, 1, 0, 0, 0, 1, 0, 0]].concat();
        let cases = [
            String::new(),
            "data:image/png;base64,".to_owned(),
            "data:image/svg+xml,<svg onload=alert(1)>".to_owned(),
            "data:image/png;base64,!!!".to_owned(),
            format!("data:image/png;base64,{}", STANDARD.encode(b"GIF89a")),
            format!("data:image/png;base64,{}", STANDARD.encode(&huge)),
            format!("data:image/png;base64,{}", STANDARD.encode(b"\xff\xd8\xff\xc0\0")),
            format!("data:image/png;base64,{}", "A".repeat(LONGEST)),
        ];
        for address in cases {
            assert_eq!(Picture::read(&address), None, "{:.60}", address);
        }
    }
}
