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
settings-density-hint = Room around rows of lists and settings
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

## The rail

rail-chat = Chat
rail-discover = Discover
rail-models = My models
rail-server = Server
rail-downloads = Downloads
rail-settings = Settings

## Shortcuts and keys

settings-shortcuts-hint = Click the keys of an action, then press others.
settings-shortcut-reset = Usual keys
settings-shortcut-reset-all = Reset all
shortcut-press = Press keys. Esc gives up, Del takes none
shortcut-none = None
shortcut-taken = { $keys } is taken by “{ $other }”. Give that other keys first.
shortcut-fault-types = These keys type. Add Ctrl, Cmd or Alt.
shortcut-fault-edits = Text fields need these keys.
shortcut-palette = Open the command palette
shortcut-search = Search chats
shortcut-new-chat = New chat
shortcut-rename = Rename
shortcut-chat-above = Previous chat
shortcut-chat-below = Next chat
shortcut-regenerate = Regenerate the answer
shortcut-older-version = Previous version of the answer
shortcut-newer-version = Next version of the answer
shortcut-copy-answer = Copy the last answer
shortcut-insert = Add the message without an answer
shortcut-pick-model = Choose a model
shortcut-eject = Eject the model
shortcut-show-panel = Chat settings
shortcut-show-chat = Show chats
shortcut-show-discover = Show Discover
shortcut-show-models = Show my models
shortcut-show-server = Show the server
shortcut-show-downloads = Show downloads
shortcut-show-settings = Show settings
shortcut-zoom-in = Larger
shortcut-zoom-out = Smaller
shortcut-zoom-usual = Usual size
key-control = Ctrl
key-command = Cmd
key-alt = Alt
key-option = Option
key-shift = Shift
key-left = Left
key-right = Right
key-up = Up
key-down = Down
key-home = Home
key-end = End
key-page-up = Page Up
key-page-down = Page Down
key-enter = Enter
key-space = Space
key-delete = Del
key-backspace = Backspace

## Menus, questions and the palette

palette-commands = Commands
palette-models = Models
palette-chats = Chats
command-load = Load { $model }
command-new-folder = New folder
command-import = Import chats
command-eject = Eject { $model }
command-light-theme = Light theme
command-dark-theme = Dark theme
command-zoom-in = Zoom in
command-zoom-out = Zoom out
command-zoom-usual = Reset the zoom
key-escape = Esc
command-stop = Stop the answer
command-continue = Continue the answer
command-pin = Pin this chat
command-unpin = Unpin this chat
command-rename = Rename this chat
command-duplicate = Duplicate this chat
command-export-markdown = Export this chat as Markdown
command-export-json = Export this chat as JSON
command-delete = Delete this chat
menu-as-markdown = As Markdown, to read
menu-as-json = As JSON, to import again
menu-rename = Rename
menu-delete = Delete
menu-send = Send
menu-add-message = Add without an answer
menu-add-answer = Add as an answer
menu-unpin = Unpin
menu-pin = Pin
menu-move = Move to folder
menu-duplicate = Duplicate
action-export = Export
menu-no-folder = No folder
menu-copy-markdown = Copy as Markdown
menu-copy-plain = Copy as plain text
menu-edit = Edit
menu-answer = Answer
menu-regenerate = Regenerate
menu-continue = Continue
menu-branch = Branch from here
path-export-markdown-title = Export as Markdown
path-export-json-title = Export as JSON
path-import-title = Import chats
path-export-preset-title = Export a preset
path-import-preset-title = Import a preset
path-export-markdown-text = The messages that are shown, to read. A file that is there already stays as it is.
path-export-json-text = All versions of all messages, to import again. A file that is there already stays as it is.
path-import-text = From a file that Hearth, ChatGPT or LM Studio exported.
path-export-preset-text = The preset with all it sets, to import elsewhere. A file that is there already stays as it is.
path-import-preset-text = From a file that Hearth exported.
action-import = Import
path-missing = Type the path of a file, or choose one.
link-open-title = Open this link?
link-never-title = This link cannot be opened
link-open-text = It is no web page: another program opens it, or a file on this machine.
link-never-text = It has no address that Hearth hands to another program. You can copy it.
link-copy = Copy address
action-open = Open
path-empty = Path of the file
path-browse = Browse
palette-empty = Search commands, models and chats
palette-nothing = Nothing matches
palette-move = Up and Down move
palette-run = Enter runs
palette-signs = Type > for commands, @ for chats, # for models
action-eject = Eject
picker-empty-title = No models yet
picker-empty-text = Put a GGUF file into the models folder. Settings says where it is.
picker-words = Search your models
picker-no-match-title = No model matches
picker-no-match-text = Try a part of its name, or its quantisation.
ability-vision = Vision
ability-tools = Tools
ability-reasoning = Thinking
ability-embedding = Embedding

## Days, lists, models, and what went right or wrong

date-today = Today
date-yesterday = Yesterday
date-last-week = Last week
date-earlier = Earlier
date-weekday = { $weekday ->
     [1] Mon
     [2] Tue
     [3] Wed
     [4] Thu
     [5] Fri
     [6] Sat
    *[7] Sun
    }
date-month = { $month ->
     [1] January
     [2] February
     [3] March
     [4] April
     [5] May
     [6] June
     [7] July
     [8] August
     [9] September
     [10] October
     [11] November
    *[12] December
    }
date-month-and-year = { $month ->
     [1] January
     [2] February
     [3] March
     [4] April
     [5] May
     [6] June
     [7] July
     [8] August
     [9] September
     [10] October
     [11] November
    *[12] December
    } { $year }
date-day = { $day } { $month ->
     [1] Jan
     [2] Feb
     [3] Mar
     [4] Apr
     [5] May
     [6] Jun
     [7] Jul
     [8] Aug
     [9] Sep
     [10] Oct
     [11] Nov
    *[12] Dec
    }
date-day-and-year = { $day } { $month ->
     [1] Jan
     [2] Feb
     [3] Mar
     [4] Apr
     [5] May
     [6] Jun
     [7] Jul
     [8] Aug
     [9] Sep
     [10] Oct
     [11] Nov
    *[12] Dec
    } { $year }
list-pinned = Pinned
list-folders = Folders
search-titles = Titles
search-messages = Messages
picker-loaded = Loaded
picker-here = On this machine
picker-loading = Loading
load-cancelling = Cancelling { $model }
load-loading = Loading { $model }
header-cancelling = Cancelling
header-loading = Loading, { $share }
header-loaded = Loaded, { $size }
header-generating = Generating
header-ejecting = Ejecting
header-failed = Did not load
header-choose = Choose a model
header-nothing-loaded = Nothing loaded
header-loading-model = Loading a model
header-reading = Reading the prompt
failed-link = The link did not open
failed-read-settings = The settings could not be read
failed-write-settings = The settings were not stored
failed-keep-draft = What you typed is not kept
failed-list-models = Your models could not be listed
failed-anything = That did not work
failed-delete-message = The message was not deleted
failed-read-chats = Your chats could not be read
failed-delete-chat = The chat was not deleted
failed-make-folder = The folder was not made
failed-rename-folder = The folder was not renamed
failed-delete-folder = The folder was not deleted
failed-read-draft = What you typed last was not read
failed-eject = The model was not ejected
failed-engine = The engine has ended
failed-server = The server tells no more
failed-read-keys = The API keys could not be read
failed-make-key = The key was not made
failed-revoke-key = The key was not revoked
failed-send = The message was not sent
failed-regenerate = The answer was not made anew
failed-insert = The message was not added
failed-edit = The message was not changed
failed-version = The other version is not shown
failed-rename-chat = The chat was not renamed
failed-pin-chat = The chat was not pinned or unpinned
failed-move-chat = The chat was not moved
failed-duplicate-chat = The chat was not duplicated
failed-branch-chat = The chat was not branched
failed-export = The chat was not exported
failed-import = The chats were not imported
failed-store-answer-in = The answer in “{ $chat }” is not stored yet
failed-answer-in = The answer in “{ $chat }” stopped
deleted-chat = Chat deleted
deleted-message = Message deleted
failed-undo = What was deleted did not come back
action-undo = Undo
action-show = Show
confirm-delete-folder = Delete the folder “{ $folder }”?
confirm-delete-folder-text = { $chats ->
        [0] There is no chat in it.
        [one] The chat in it stays, outside of it.
       *[other] The { $chats } chats in it stay, outside of it.
    }
confirm-delete-folder-button = Delete folder
done-exported = Chat exported
done-imported = { $chats ->
        [0] No new chats
        [one] 1 chat imported
       *[other] { $chats } chats imported
    }
imported-known = { $chats ->
        [one] 1 was imported before and is still there.
       *[other] { $chats } were imported before and are still there.
    }
imported-empty = { $chats ->
        [one] 1 holds no message.
       *[other] { $chats } hold no message.
    }
failed-load = { $model } did not load

## The list of chats

list-title = Chats
list-search-empty = Search chats
list-leave-search = Leave the search  Esc
list-empty-title = No chats yet
list-empty-text = Chats you start appear here.
list-stays-here = Chats stay on this machine.
list-nothing-sent = Nothing is sent anywhere.
action-more = More
search-nothing-title = No chats match
search-nothing-text = Try another word.
search-clear = Clear search
search-failed = The search failed

## The conversation

tip-older-version = Previous version
tip-newer-version = Next version
action-copy = Copy
message-copied = Copied
composer-send = Send  Enter
composer-stop = Stop  Esc
conversation-newest = Newest
edit-hint = Esc gives up
edit-save = Save
edit-save-and-answer = Save and answer
queue-remove = Do not send
action-try-again = Try again
chat-unreadable = This chat could not be read
composer-hint = Enter sends  ·  Shift Enter starts a new line
formula-copy = Copy the formula as LaTeX
code-wrap = Wrap
greeting-look = Look again
list-folder-name = Name of the folder
message-answer = Answer

## An empty chat, the composer, and waiting

suggestion-tidy = Tidy up a paragraph
suggestion-tidy-hint = Paste text and name a tone
suggestion-tidy-draft = Tidy up this paragraph in a friendly tone:
suggestion-explain = Explain some code
suggestion-explain-hint = Line by line, in plain words
suggestion-explain-draft = Explain this code line by line, in plain words:
suggestion-summarise = Summarise a text
suggestion-summarise-hint = Paste it and get the main points
suggestion-summarise-draft = Summarise this text in three points:
suggestion-choose = Think through a choice
suggestion-choose-hint = Lay out the options and trade-offs
suggestion-choose-draft = Help me decide. Lay out the options and trade-offs of this choice:
composer-no-model = Choose a model first
composer-read-only = These chats can only be read
composer-no-storage = Chats cannot be stored
composer-restart = Restart Hearth to go on
composer-next = Write the next message while this one finishes
composer-empty = Write a message
greeting-missing-title = There is no model yet
greeting-missing-text = Put a model file, which ends in .gguf, into { $folder } and look again.
greeting-loaded = { $model } is loaded and runs on this machine.
greeting-starter = A small starter model runs on this machine. It is loaded with your first message.
greeting-model = Your model runs on this machine. It is loaded with your first message.
greeting-title = What would you like to ask?
waiting-stopping = Stopping
waiting-model = Waiting for the model
waiting-loading = Loading the model
waiting-reading = Reading the prompt
