//! Pictures that stand beside a message.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{Error, Result};

/// A picture as it came: the bytes of its file, and what they are.
#[derive(Clone, PartialEq, Eq)]
pub struct Image {
    media_type: &'static str,
    bytes: Vec<u8>,
}

impl Image {
    /// A picture from the bytes of its file, by their first few.
    ///
    /// # Errors
    /// [`Error::Invalid`] where they are no PNG, JPEG, WebP or GIF.
    pub fn new(bytes: Vec<u8>) -> Result<Self> {
        let media_type = match bytes.as_slice() {
            [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n', ..] => "image/png",
            [0xff, 0xd8, 0xff, ..] => "image/jpeg",
            [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => "image/webp",
            [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', ..] => "image/gif",
            _ => return Err(Error::invalid("image", "is no PNG, JPEG, WebP or GIF picture")),
        };
        Ok(Self { media_type, bytes })
    }

    /// What it is, such as `image/png` (RFC 6838).
    pub fn media_type(&self) -> &str {
        self.media_type
    }

    /// The bytes of its file.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

/// As the text of its bytes in base64 (RFC 4648, section 4).
impl Serialize for Image {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.serialize_str(&STANDARD.encode(&self.bytes))
    }
}

impl<'de> Deserialize<'de> for Image {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let bytes = STANDARD.decode(text).map_err(serde::de::Error::custom)?;
        Self::new(bytes).map_err(serde::de::Error::custom)
    }
}

impl std::fmt::Debug for Image {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} of {} bytes", self.media_type, self.bytes.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_are_known_by_their_first_bytes() {
        let cases: [(&[u8], Option<&str>); 6] = [
            (b"\x89PNG\r\n\x1a\n...", Some("image/png")),
            (b"\xff\xd8\xff\xe0..", Some("image/jpeg")),
            (b"RIFF\x10\0\0\0WEBPVP8 ", Some("image/webp")),
            (b"GIF89a..", Some("image/gif")),
            (b"<svg></svg>", None),
            (b"", None),
        ];
        for (bytes, media_type) in cases {
            let image = Image::new(bytes.to_vec());
            assert_eq!(
                image.as_ref().ok().map(Image::media_type),
                media_type,
                "{image:?}"
            );
        }
    }

    #[test]
    fn a_picture_survives_json() {
        let image = Image::new(b"GIF89a..".to_vec()).expect("a picture");
        let text = serde_json::to_string(&image).expect("serialise");
        assert_eq!(serde_json::from_str::<Image>(&text).expect("parse"), image);
        assert!(serde_json::from_str::<Image>("\"AAAA\"").is_err());
    }
}
