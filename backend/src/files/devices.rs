//! Names that are no files. Pure.

/// What Windows takes for devices, whatever ending stands behind.
const DEVICES: [&str; 6] = ["con", "prn", "aux", "nul", "conin$", "conout$"];

/// Devices of which there are several, each with a digit behind. Raised ones count too.
const NUMBERED: [&str; 2] = ["com", "lpt"];
const RAISED: [char; 3] = ['¹', '²', '³'];

/// Whether Windows takes a name for a device.
pub(crate) fn is_device(name: &str) -> bool {
    let name = name.split('.').next().unwrap_or(name).trim_end().to_lowercase();
    let is_number = |rest: &str| {
        let mut rest = rest.chars();
        let is_digit = |char: char| char.is_ascii_digit() || RAISED.contains(&char);
        rest.next().is_some_and(is_digit) && rest.next().is_none()
    };
    let is_numbered = |kind: &&str| name.strip_prefix(kind).is_some_and(is_number);
    DEVICES.contains(&name.as_str()) || NUMBERED.iter().any(is_numbered)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn devices_are_known_by_every_name() {
        for name in [
            "nul",
            "NUL.gguf",
            "Con .x",
            "CONIN$",
            "com1",
            "LPT9.tar.gz",
            "COM¹",
            "lpt².bin",
            "COM³.x",
        ] {
            assert!(is_device(name), "{name}");
        }
        for name in [
            "", "null", "com", "com10", "com.gguf", "comet", "com¹¹", "com-", "1com1", "coma",
        ] {
            assert!(!is_device(name), "{name}");
        }
    }
}
