//! An empty Makepad window, beside which `./x bench ui` measures Hearth's. It prints when it is drawn first, in
//! microseconds since 1970.
#![allow(clippy::print_stdout, reason = "it speaks to the program that measures")]
#![allow(missing_docs, reason = "Makepad's macros make functions without any")]

use std::time::{SystemTime, UNIX_EPOCH};

use makepad_widgets::*;

live_design! {
    use link::theme::*;
    use link::shaders::*;
    use link::widgets::*;

    App = {{App}} {
        ui: <Root> {
            main_window = <Window> {
                window: { inner_size: vec2(1280, 800), title: "Empty" }
                body = <View> {}
            }
        }
    }
}

app_main!(App);

#[derive(Live, LiveHook)]
struct App {
    #[live]
    ui: WidgetRef,
    #[rust]
    is_drawn: bool,
}

impl LiveRegister for App {
    fn live_register(cx: &mut Cx) {
        makepad_widgets::live_design(cx);
    }
}

impl AppMain for App {
    fn handle_event(&mut self, cx: &mut Cx, event: &Event) {
        self.ui.handle_event(cx, event, &mut Scope::empty());
        if let Event::Draw(_) = event
            && !self.is_drawn
        {
            self.is_drawn = true;
            let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
            println!("{}", since.as_micros());
        }
    }
}

fn main() {
    app_main();
}
