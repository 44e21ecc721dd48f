//! Where the window opens: where it stood, as far as the screens still allow it.

use hearth_protocol::settings::WindowPlace;

/// A screen of the desktop, in pixels of the whole desktop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Screen {
    /// Left edge.
    pub(crate) left: i32,
    /// Upper edge.
    pub(crate) top: i32,
    /// Width.
    pub(crate) width: i32,
    /// Height.
    pub(crate) height: i32,
}

/// How much of the window's upper edge must be on a screen, so that it can be taken hold of, in pixels.
const HOLD: (i32, i32) = (120, 24);
/// The smallest window that is opened, in pixels.
const SMALLEST: (u32, u32) = (480, 360);

/// The place brought to these screens: no larger than the largest, and without a corner where nothing could be taken
/// hold of. Where no screen is known it stays as it is.
pub(crate) fn fitted(place: WindowPlace, screens: &[Screen]) -> WindowPlace {
    let largest =
        |side: fn(&Screen) -> i32| screens.iter().map(side).max().unwrap_or(i32::MAX).unsigned_abs();
    let (width, height) = (largest(|screen| screen.width), largest(|screen| screen.height));
    let is_held = |(left, top): (i32, i32)| {
        screens.is_empty()
            || screens
                .iter()
                .any(|screen| overlaps(left, top, place.width, screen))
    };
    WindowPlace {
        at: place.at.filter(|at| is_held(*at)),
        width: place.width.min(width).max(SMALLEST.0),
        height: place.height.min(height).max(SMALLEST.1),
        ..place
    }
}

/// Whether enough of a window's upper edge lies on a screen.
fn overlaps(left: i32, top: i32, width: u32, screen: &Screen) -> bool {
    let right = left
        .saturating_add_unsigned(width)
        .min(screen.left.saturating_add(screen.width));
    let wide = right.saturating_sub(left.max(screen.left));
    let bottom = screen.top.saturating_add(screen.height);
    wide >= HOLD.0 && top >= screen.top && top.saturating_add(HOLD.1) <= bottom
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIRST: Screen = Screen {
        left: 0,
        top: 0,
        width: 1920,
        height: 1080,
    };
    const LEFT: Screen = Screen {
        left: -1280,
        top: 0,
        width: 1280,
        height: 1024,
    };

    #[test]
    fn a_window_opens_where_it_can_be_taken_hold_of() {
        let cases: [((i32, i32), &[Screen], bool); 8] = [
            ((100, 50), &[FIRST], true),
            ((1850, 50), &[FIRST], false),
            ((100, 1070), &[FIRST], false),
            ((100, -30), &[FIRST], false),
            ((-1180, 50), &[FIRST, LEFT], true),
            // 120 pixels of it reach over from a screen that is gone, then 119.
            ((-1180, 50), &[FIRST], true),
            ((-1181, 50), &[FIRST], false),
            ((5000, 5000), &[], true),
        ];
        for (at, screens, kept) in cases {
            let place = WindowPlace {
                at: Some(at),
                width: 1300,
                height: 800,
                maximised: false,
            };
            assert_eq!(fitted(place, screens).at.is_some(), kept, "{at:?}");
        }
    }

    #[test]
    fn a_window_is_no_larger_than_the_largest_screen_and_never_too_small() {
        let place = |width, height| WindowPlace {
            width,
            height,
            ..WindowPlace::default()
        };
        let cases = [
            ((1280, 800), (1280, 800)),
            ((4000, 3000), (1920, 1080)),
            ((10, 10), (480, 360)),
            ((0, u32::MAX), (480, 1080)),
        ];
        for ((width, height), expected) in cases {
            let fitted = fitted(place(width, height), &[FIRST, LEFT]);
            assert_eq!((fitted.width, fitted.height), expected);
        }
    }
}
