# What the window says in English. Names are `part-of-the-window-what-it-is`; each must stand in every file of this
# folder, with the same variables.

## Words of many places

action-cancel = Cancel
action-close = Close

## Pages that are not here yet

discover-not-yet-title = Discover is not here yet
discover-not-yet-text = Finding and downloading models comes with a later version.
models-not-yet-title = My models is not here yet
models-not-yet-text = Managing your model files comes with a later version. Load one from the chat page.
downloads-not-yet-title = Downloads are not here yet
downloads-not-yet-text = They come together with Discover in a later version.

## Settings

settings-title = Settings
settings-general = General
settings-shortcuts = Shortcuts
settings-about = About
settings-appearance = Appearance
settings-theme = Theme
settings-theme-system = System
settings-theme-light = Light
settings-theme-dark = Dark
settings-accent = Accent
settings-accent-ember = Ember
settings-accent-moss = Moss
settings-accent-lake = Lake
settings-accent-iris = Iris
settings-accent-rose = Rose
settings-language = Language
settings-language-hint = Applies at once
settings-language-system = System
settings-text-size = Text size
settings-text-size-hint = Messages and code
settings-text-size-small = Small
settings-text-size-default = Default
settings-text-size-large = Large
settings-density = Density
settings-density-hint = Room around rows of lists and menus
settings-density-comfortable = Comfortable
settings-density-compact = Compact
settings-zoom = Zoom
settings-zoom-hint = The whole window
settings-zoom-smaller = Smaller
settings-zoom-larger = Larger
settings-zoom-usual = Reset
zoom-value = { $percent } %
settings-data = Data
settings-data-chats = Chats and settings
settings-data-models = Models
settings-version = Version
