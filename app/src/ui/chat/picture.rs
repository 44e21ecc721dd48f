//! A picture that came in a message, with its description. Nothing is ever fetched: what is not here is a link.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;
use std::sync::Arc;

use makepad_widgets::*;

use crate::state::blocks::picture::{Format, Picture as Data};
use crate::text::{Texts, say};
use crate::ui::widget::text::*;

live_design! {
    use link::theme::*;
    use link::shaders::*;
    use link::widgets::*;
    use crate::ui::theme::*;
    use crate::ui::widget::text::*;

    pub Picture = {{Picture}} {
        width: Fill, height: Fit, flow: Down, spacing: 6
        image = <Image> { width: 100, height: 100 }
        caption = <Caption> { width: Fill }
    }
}

/// Largest it is shown, in pixels.
const WIDEST: f64 = 480.0;
const HIGHEST: f64 = 360.0;

/// A picture of a message.
#[derive(Live, LiveHook, Widget)]
pub struct Picture {
    #[deref]
    view: View,
    /// The address that is shown.
    #[rust]
    shown: Option<String>,
    /// Its size on screen; `None` where it cannot be shown.
    #[rust]
    size: Option<(f64, f64)>,
}

impl Widget for Picture {
    fn handle_event(&mut self, cx: &mut Cx, event: &Event, scope: &mut Scope) {
        self.view.handle_event(cx, event, scope);
    }

    fn draw_walk(&mut self, cx: &mut Cx2d, scope: &mut Scope, walk: Walk) -> DrawStep {
        self.view.draw_walk(cx, scope, walk)
    }

    fn text(&self) -> String {
        self.view.text_line(id!(caption)).text()
    }
}

impl PictureRef {
    /// Shows the picture in an address, with what it shows in words. Decoding is done by threads of the toolkit.
    pub(super) fn set(&self, cx: &mut Cx, texts: &Texts, text: &str, address: &str) {
        let Some(mut picture) = self.borrow_mut() else {
            return;
        };
        let image = picture.view.image(id!(image));
        if picture.shown.as_deref() != Some(address) {
            picture.shown = Some(address.to_owned());
            picture.size = Data::read(address).and_then(|data| {
                let size = shown_size(data.size);
                let loads = image.load_image_from_data_async(cx, &name(&data), Arc::new(data.bytes));
                loads.is_ok().then_some(size)
            });
        }
        // Each time, since a change of colours sets them back.
        let loads = picture.size.is_some();
        if let Some((width, height)) = picture.size {
            image.apply_over(cx, live! { width: (width), height: (height) });
        }
        image.set_visible(cx, loads);
        let caption = picture.view.text_line(id!(caption));
        let text = if loads {
            text.to_owned()
        } else {
            say!(texts, "picture-unseen", text = text)
        };
        caption.set_text(cx, text.trim_end());
        caption.set_visible(cx, !text.is_empty());
    }
}

/// The name under which the toolkit keeps a picture; its ending tells how it is encoded.
fn name(data: &Data) -> PathBuf {
    let mut hasher = DefaultHasher::new();
    data.bytes.hash(&mut hasher);
    let ending = match data.format {
        Format::Png => "png",
        Format::Jpeg => "jpg",
    };
    PathBuf::from(format!("message-{:016x}.{ending}", hasher.finish()))
}

/// As large as it is, up to the bounds, in its own shape.
fn shown_size((width, height): (u32, u32)) -> (f64, f64) {
    let (width, height) = (f64::from(width), f64::from(height));
    let share = (WIDEST / width).min(HIGHEST / height).min(1.0);
    (
        (width * share).round().max(1.0),
        (height * share).round().max(1.0),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_keeps_its_shape_within_the_bounds() {
        let cases = [
            ((100, 50), (100.0, 50.0)),
            ((960, 100), (480.0, 50.0)),
            ((400, 3_600), (40.0, 360.0)),
            ((10_000, 1), (480.0, 1.0)),
        ];
        for (size, expected) in cases {
            assert_eq!(shown_size(size), expected);
        }
    }
}
