//! What lies over the pages: one thing at a time, which has the keys until it is closed.

pub(crate) mod confirm;
pub(crate) mod menu;
pub(crate) mod palette;
pub(crate) mod path_form;
pub(crate) mod text_view;

use super::first_start::FirstStart;
use super::links::AskedLink;
use super::load_dialog::LoadDialog;
use super::models::picker::Picker;
use super::my_models::clean_up::CleanUp;
use super::my_models::import::ImportForm;
use confirm::Confirm;
use menu::Menu;
use palette::Palette;
use path_form::PathForm;
use text_view::TextView;

/// What lies over the pages.
#[derive(Debug)]
pub(crate) enum Overlay {
    /// A menu of what can be done with something.
    Menu(Menu),
    /// A question before something that cannot be undone.
    Confirm(Confirm),
    /// A link that is asked about before it is opened.
    Link(AskedLink),
    /// Where a file is to be written, or which one is to be read.
    PathForm(PathForm),
    /// A message whose text can be selected.
    TextView(TextView),
    /// The command palette.
    Palette(Palette),
    /// The picker of models.
    Picker(Picker),
    /// How a model is loaded.
    LoadDialog(Box<LoadDialog>),
    /// Which model file is to be imported, and how.
    ImportModel(ImportForm),
    /// Files that are of no use any more.
    CleanUp(CleanUp),
    /// The steps of the first start.
    FirstStart(FirstStart),
}

/// Names an icon.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Glyph {
    /// None.
    None,
    /// A speech bubble.
    Chat,
    /// A pencil on a sheet.
    NewChat,
    /// A pencil.
    Edit,
    /// A pin.
    Pin,
    /// A pin that holds.
    Unpin,
    /// A folder.
    Folder,
    /// Two sheets.
    Copy,
    /// An arrow out of a box.
    Export,
    /// An arrow into a box.
    Import,
    /// A bin.
    Trash,
    /// A turning arrow.
    Regenerate,
    /// An arrow to the right.
    Continue,
    /// A line that forks.
    Branch,
    /// An arrow upwards.
    Send,
    /// A plus.
    Add,
    /// A square.
    Stop,
    /// A stack.
    Models,
    /// A bar under a triangle.
    Eject,
    /// A compass.
    Discover,
    /// Two boxes.
    Server,
    /// An arrow down to a line.
    Downloads,
    /// A wheel.
    Settings,
    /// A magnifying glass.
    Search,
    /// A sun.
    Sun,
    /// A moon.
    Moon,
    /// A tick.
    Check,
    /// A paper clip.
    Attach,
    /// Letters.
    Text,
    /// Two bars.
    Pause,
    /// A triangle to the right.
    Play,
    /// An arrow up.
    Up,
    /// An arrow down.
    Down,
    /// A heart.
    Heart,
    /// An i in a circle.
    Info,
    /// An eye.
    Eye,
}
