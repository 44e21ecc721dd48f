# What the window says in English. Names are `part-of-the-window-what-it-is`; each must stand in every file of this
# folder, with the same variables.

## Words of many places

action-cancel = Cancel
action-close = Close

## The first start. Each language is called in its own words, for those who cannot read the others

first-welcome-title = Welcome to Hearth
first-welcome-text = Hearth answers with models that run on this machine. Your chats stay here, and nothing is sent anywhere.
first-look-title = How it looks
first-model-title = Your first model
first-model-starter = { $model } came with Hearth. It is small, needs no network, and answers as soon as you ask something. Larger models can follow whenever you like.
first-model-own = Your model runs on this machine and answers as soon as you ask something.
first-count = { $step } of { $steps }
first-skip = Skip
first-back = Back
first-next = Next
first-begin = Begin
language-english = English
language-german = Deutsch

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
shortcut-search = Search this page, or the chats
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
shortcut-next-pane = Next part of the window
shortcut-pane-before = Previous part of the window
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
command-first-start = Show the welcome again
command-stop = Stop the answer
command-continue = Continue the answer
command-pin = Pin this chat
command-unpin = Unpin this chat
command-rename = Rename this chat
command-duplicate = Duplicate this chat
command-export-markdown = Export this chat as Markdown
command-export-json = Export this chat as JSON
command-delete = Delete this chat
command-attach = Attach a file
command-select-text = Select text of the last answer
command-edit-last = Edit your last message
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
menu-select-text = Select text
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
path-attach-title = Attach a file
path-export-markdown-text = The messages that are shown, to read. A file that is there already stays as it is.
path-export-json-text = All versions of all messages, to import again. A file that is there already stays as it is.
path-import-text = From a file that Hearth, ChatGPT or LM Studio exported.
path-export-preset-text = The preset with all it sets, to import elsewhere. A file that is there already stays as it is.
path-import-preset-text = From a file that Hearth exported.
path-attach-text = A file of text, such as notes, code or CSV. The model reads it before your message.
action-import = Import
action-attach = Attach
path-missing = Type the path of a file, or choose one.
link-open-title = Open this link?
link-never-title = This link cannot be opened
link-open-text = It is no web page: another program opens it, or a file on this machine.
link-never-text = It has no address that Hearth hands to another program. You can copy it.
link-copy = Copy address
action-open = Open
text-view-message = Your message
text-view-answer = The answer
text-view-hint = Select what you need, and copy it
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
failed-attach = The file was not attached
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
composer-remove-file = Take the file away
composer-tokens = { $tokens ->
     [one] { $count } token
    *[other] { $count } tokens
    }
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

## Failures, by what happened

error-not-yet = { $command } is not in this version of Hearth yet.
error-backend-gone = Hearth's backend has stopped. Restart Hearth; chats and downloads are kept.
error-not-found = There is no { $what } “{ $name }”.
error-not-found-known = There is no { $what } “{ $name }”. There is: { $known }.
error-no-model = There is no model on this computer yet. Name a GGUF file by its path, or put one into the models folder.
error-invalid = { $field } { $problem }.
error-bad-model-file = { $file } cannot be loaded: { $reason }.
error-load-failed = The model did not load: { $reason }.
error-memory-short = { $model } does not fit in memory: { $reason }.
error-worker-died = The engine stopped while it was { $during }: { $cause }. Nothing of your chats is lost; try again to go on.
error-context-overflow = The prompt has { $tokens } tokens and the context holds { $length }. Shorten it, start a new chat, or load the model with a larger context.
error-text-too-long = Text { $place } has { $tokens } tokens and the model reads { $most } at most. Shorten it, or let it be cut.
error-model-cannot = { $model } { $problem }.
error-model-ejected = { $model } was taken out of memory before it was done. Ask again to load it anew.
error-template = The chat template of this model failed: { $reason }.
error-busy = { $what } is busy: { $reason }.
error-port-taken = Port { $port } is taken by another program. Choose another one.
error-port-taken-free = Port { $port } is taken by another program. Port { $free } is free.
error-server-stopped = The server was stopped before the answer was done.
error-cancelled = Cancelled.
error-storage = The database of chats: { $reason }.
error-newer-database = These chats were written by a newer Hearth ({ $found }, this one knows { $known }). They can be read; update Hearth to go on writing.
error-file = { $path }: { $reason }.
error-offline = { $what } needs the network: { $reason }.
error-not-signed-in = You are not signed in at the hub. Add a token in the settings, or with hearth-cli login.
error-token-needed = { $model } cannot be had without a Hugging Face token: it is gated or private, or it is not there. Add a token in the settings or with hearth-cli login, or check the name.
error-token-refused = The hub does not accept your Hugging Face token: it is wrong, expired or revoked. Make a new one at { $page }.
error-no-access = Your Hugging Face token has no access to { $model }. Accept its licence or ask for access at { $page }, then try again.
error-renamed = { $from } is called { $to } now. Use that name.
error-too-many-requests = The hub asks to wait for { $seconds } s: there were too many requests.
error-hub-down = The hub cannot be reached: { $reason }. It is tried again when you ask again.
error-disk-full = The disk is full: { $folder } needs { $needs }, some of it to spare, and has { $has }. Free some space, then try again; a download goes on by itself.
error-transfer = The download of { $file } broke off: { $reason }. What came is kept; go on when the network is better.
error-wrong-hash = { $file } arrived with other bytes than the hub promises, so nothing of it was kept. Try again; if it happens twice, the hub or the network changes the file.
error-unconfirmed = { $file } belongs to { $owner }, which may need it. Confirm that it may be deleted all the same.
error-other-hearth = A Hearth runs on these data already, and { $problem }.
error-internal = Hearth made a mistake: { $reason }. A report with the log helps to mend it.
banner-no-storage = Chats cannot be stored. { $reason }

## Answers that ended, what they cost, and what stands beside them

failure-load = The model did not load
failure-too-long = The chat is too long
failure-not-stored = The answer is not stored yet
failure-no-answer = There is no answer
failure-stopped = The answer stopped
failure-cut-off = Hearth ended while it was written. The text so far is kept.
stop-end-of-text = end of text
stop-string = stop string
stop-token-limit = length limit
stop-context-full = context full
stop-tool-calls = tool call
stop-by-person = stopped by you
stop-ejected = model ejected
stop-failed = failed
stats-stop = stop: { $reason }
stats-first-token = TTFT { $time }
stats-speed = { $speed } tok/s
number-seconds = { $seconds } s
number-tokens = { $count ->
     [one] { $number } token
    *[other] { $number } tokens
    }
number-part = { $part } of { $whole }
aside-thinking = Thinking
aside-thinking-for = Thinking for { $time }
aside-thought-for = Thought for { $time }
aside-thoughts = Thoughts
aside-used = Used { $tool }
aside-asked-for = Asked for { $tool }
picture-unseen = A picture that cannot be shown. { $text }

## The panel beside the chat

panel-title = Chat settings
panel-preset = Preset
panel-preset-none = No preset
panel-preset-changed = { $preset }, changed
panel-preset-name = Name of the preset
panel-preset-save-as = Save as a preset
panel-preset-no-name = Type a name.
panel-preset-taken = Another preset is called so.
panel-preset-shipped = It came with Hearth and stays as it is; choose another name.
panel-preset-replaces = Replaces “{ $preset }”.
panel-preset-bad-name = That name { $problem }.
panel-prompt = System prompt
panel-prompt-empty = Instructions that come before the chat
panel-sampling = Sampling
panel-fine-sampling = Finer sampling
panel-length = Length and end
panel-form = Form of the answer
panel-thinking = Thinking
panel-template = Template
panel-reset = Reset
panel-off = Off
panel-on = On
panel-mirostat = Mirostat
panel-mirostat-1 = Version 1
panel-mirostat-2 = Version 2
panel-stops = Stop strings
panel-stop-empty = Such as ### or \n\n
panel-policy = When the context is full
panel-policy-stop = Stop there
panel-policy-rolling = Drop the oldest messages
panel-policy-ends = Drop the middle
panel-as-model = As the model has it
panel-thinking-as-model = As the model has it
panel-effort = Effort
panel-effort-low = Low
panel-effort-medium = Medium
panel-effort-high = High
panel-arguments = Values for the model's chat template, as JSON.
panel-arguments-empty = { "{" }"name": "value"{ "}" }
panel-form-text = Any text
panel-form-json = Any JSON object
panel-form-schema = JSON by a schema
panel-form-regex = A regular expression
panel-form-grammar = A grammar (GBNF)
panel-make-default = Make default for { $model }
panel-forget-default = Forget that default
panel-reset-all = Reset this chat's settings
panel-note-model = What this chat does not set is as you saved it for { $model }.
panel-note-settings = What this chat does not set is as in Settings.
panel-note-no-model = Load a model to keep settings for all its chats.
panel-back-to = Back to { $usual }
problem-until-then = { $problem } Until then: { $counts }.
problem-no-number = Type a number from { $least } to { $most }.
problem-no-whole-number = Type a whole number from { $least } to { $most }.
problem-range = It goes from { $least } to { $most }.
problem-empty = Nothing is asked for until something stands here.
problem-no-object = The values are a JSON object: names and values in braces.
problem-json-end = Line { $line }, column { $column }: the text ends before the JSON does.
problem-json = Line { $line }, column { $column }: { $why }.
failed-read-defaults = The model's defaults could not be read
failed-write-defaults = The model's defaults were not stored
failed-keep-settings = The settings of the chat are not kept
failed-list-presets = Your presets could not be listed
failed-save-preset = The preset was not saved
failed-rename-preset = The preset was not renamed
failed-import-preset = The preset was not imported
failed-export-preset = The preset was not exported
failed-delete-preset = The preset was not deleted
done-imported-preset = Preset imported
done-imported-preset-text = It is called “{ $preset }”.
done-exported-preset = Preset exported
done-defaults-forgotten = Defaults forgotten
done-defaults-forgotten-text = Chats that set nothing answer as in Settings.
done-defaults-saved = Defaults saved
done-defaults-saved-text = Chats with this model that set nothing use them.
deleted-preset = Preset deleted

## The numbers of the panel: what each is called, and what it does

number-temperature = Temperature
number-temperature-help = Higher is more surprising, 0 takes the likeliest word
number-top-p = Top-p
number-top-p-help = Leaves out the unlikely words at the end; 1 keeps all
number-top-k = Top-k
number-top-k-help = Chooses among so many words; 0 keeps all
number-min-p = Min-p
number-min-p-help = Leaves out words much less likely than the best; 0 keeps all
number-repeat-penalty = Repeat penalty
number-repeat-penalty-help = Above 1 repeats itself less
number-repeat-last = Penalties look back
number-repeat-last-help = How many tokens count as repeated; 0 switches penalties off
number-presence = Presence penalty
number-presence-help = Above 0 prefers words that were not said yet
number-frequency = Frequency penalty
number-frequency-help = Above 0 avoids words the more, the more often they were said
number-typical = Typical-p
number-typical-help = Keeps words that surprise as usual; 1 is off
number-top-n-sigma = Top-n-sigma
number-top-n-sigma-help = Keeps words close to the best by their scores; 0 is off
number-xtc-probability = XTC probability
number-xtc-probability-help = How often the likeliest words are left out; 0 is off
number-xtc-threshold = XTC threshold
number-xtc-threshold-help = Only words likelier than this are left out
number-dry-multiplier = DRY strength
number-dry-multiplier-help = How much repeated phrases are avoided; 0 is off
number-dry-base = DRY growth
number-dry-base-help = How fast that grows with the length of the phrase
number-dry-allowed = DRY free length
number-dry-allowed-help = Phrases up to so many tokens may repeat
number-dry-last = DRY looks back
number-dry-last-help = How many tokens are searched for phrases
number-dynamic-range = Dynamic temperature
number-dynamic-range-help = How far the temperature may move by itself; 0 is off
number-dynamic-exponent = Dynamic exponent
number-dynamic-exponent-help = How it moves where the model is unsure
number-mirostat-tau = Mirostat target
number-mirostat-tau-help = How surprising the text shall be
number-mirostat-eta = Mirostat rate
number-mirostat-eta-help = How fast it is held there
number-seed = Seed
number-seed-help = The same seed repeats the same choices
number-max-tokens = Max tokens
number-max-tokens-help = The answer ends after so many tokens
number-thinking-budget = Thinking budget
number-thinking-budget-help = Then the thought is closed and the answer begins
number-empty-all = All
number-empty-random = Random
number-empty-no-limit = No limit

## The page that finds models

discover-title = Discover
discover-field = Search models on Hugging Face, or paste a link
discover-clear-words = Clear the search
discover-fits = Fits this machine
ability-code = Code
discover-size = Size
discover-size-any = Any size
discover-size-tiny = Up to 3 B
discover-size-small = 3 to 9 B
discover-size-medium = 9 to 35 B
discover-size-large = Over 35 B
discover-sort = Sort by
discover-sort-best = Best match
discover-sort-downloads = Most downloaded
discover-sort-likes = Most liked
discover-sort-trending = Trending
discover-sort-updated = Recently updated
discover-sort-created = Newest
discover-sort-parameters = Largest
discover-sort-name = Name
discover-vram = { $size } VRAM
discover-ram = { $size } RAM
discover-picked = Picked by Hearth first
discover-found = Found here and on Hugging Face
discover-asking = Asking Hugging Face
discover-count = { $count ->
    [one] { $number } model
   *[other] { $number } models
    }
discover-count-more = { $count ->
    [one] { $number } model and more
   *[other] { $number } models and more
    }
discover-downloads = { $count ->
    [one] { $number } download
   *[other] { $number } downloads
    }
discover-as-of = Told by Hugging Face: { $date }
discover-clear = Clear filters
discover-open-settings = Open settings
discover-nothing-title = No models match
discover-nothing-text = Nothing fits these filters. Clear them, or search for a shorter name.
discover-no-link-title = This link leads to no model
discover-no-link-text = Paste the address of a model's page, or type a part of its name.
discover-offline-title = Offline mode is on
discover-offline-text = Turn it off in the settings to search and download.
discover-offline-known = Offline mode is on. These models are known here.
discover-offline-details = Offline mode is on. This is what is known here.
discover-down-title = Hugging Face cannot be reached
discover-choose-title = Choose a model
discover-choose-text = Its files, what they need and how they fit this machine are shown here.
discover-back = Back to the list
discover-picked-tag = Picked by Hearth
discover-model-page = Model page
discover-gated-text = This model is gated. Accept its licence on Hugging Face, then add your access token.
discover-licence-page = Open licence page
discover-add-token = Add token
discover-author = Author
discover-licence = Licence
discover-parameters = Parameters
discover-context = Context
discover-likes = Likes
discover-monthly = Downloads in 30 days
discover-updated = Updated
discover-architecture = Architecture
discover-memory-for = Memory for a context of
discover-memory-unknown = How much memory it needs is not known.
discover-needs = { $file } needs { $total }: { $weights } for the weights and { $context } for the context.
discover-needs-rough = { $file } needs about { $total }: { $weights } for the weights and about { $context } for the context.
discover-has = Models may take { $memory } on this machine.
discover-has-both = Models may take { $cards } on the graphics card and { $memory } of the main memory.
discover-files-title = Files
discover-files = { $count ->
    [one] { $number } file
   *[other] { $number } files
    }
discover-file = File
discover-file-size = Size
discover-on-this-machine = On this machine
discover-recommended = Recommended
fit-gpu = Fits on GPU
fit-partly = Partly
fit-cpu = CPU only
fit-too-large = Too large
discover-download = Download
discover-downloaded = Downloaded
discover-failed = Failed
discover-queued = Waits
discover-verifying = Checking
discover-paused = Paused
discover-pause = Pause the download
discover-resume = Go on with the download
discover-retry = Try the download again
discover-part-missing = Part { $part } of it is missing on Hugging Face.
discover-lacks-memory = { $size } of memory are missing.
discover-chat = Chat
discover-chat-file = Chat with this file
discover-get-and-chat = Download and chat, { $size }
discover-chat-then = Chat when it is here
discover-chat-comes = The chat opens when it is here
failed-edit-model = The favourite was not stored
number-billions = { $number } B
number-millions = { $number } M
number-millions-short = { $number } M
number-thousands = { $number } k
number-per-second = { $size }/s

## The local server

server-title = Local server
server-starting = Starting
server-stopping = Stopping
server-running = Running
server-off = Off
server-in-flight = { $count ->
     [one] { $number } request in flight
    *[other] { $number } requests in flight
    }
server-connection = Connection
server-copy-address = Copy the address
server-port = Port
server-bad-port = A port is a number from 1 to 65 535.
server-use-port = Use { $port }
server-reach-here = Only programs on this machine can reach it.
server-reach-port = Other devices use this machine's address with port { $port }.
server-reach-one = Other devices use { $address }.
server-reach-two = Other devices use { $address } or { $other }.
server-network = Serve on the local network
server-network-help = Other devices can connect, with a key
server-keys-required = Require an API key
server-keys-network = Always, while other devices can connect
server-keys-on = Programs without a key are refused
server-keys-any-page = Always, while any web page may call
server-keys-off = Off, any program on this machine can connect
server-cors = Allow browser apps (CORS)
server-cors-help = Only pages of the origins listed
server-origins = { $count ->
     [0] No origins
     [one] 1 origin
    *[other] { $count } origins
    }
server-bad-origin = An origin looks like https://chat.example.org, or is * for any page.
server-start-with = Start with Hearth
server-start-with-help = The server is on whenever Hearth runs
server-keys = API keys
server-new-key = New key
server-key-first = This needs an API key, and there is none yet. Make one first.
server-key-name = What the key is for, such as Laptop
server-key-no-name = Say what the key is for, such as Laptop.
server-key-make = Make key
server-key-made = Key for { $name }
server-key-copy-now = Copy it now. It is not shown again.
server-key-copy = Copy key
server-key-revoke = Revoke
server-key-keep = Keep it
server-keys-note = A key is shown once, when you make it.
server-keys-none = No keys yet. A key is shown once, when you make it.
server-key-used = Used { $when }
server-key-never-used = Never used
server-revoke-question = Revoke { $name }? Programs that use it are refused at once.
server-revoke-last-network = Revoke { $name }? Programs that use it are refused at once. It is the last key: other devices can no longer connect.
server-revoke-last = Revoke { $name }? Programs that use it are refused at once. It is the last key: the server stops until you make another.
server-endpoints = Endpoints
server-compatible = OpenAI compatible
server-endpoint-models = List
server-endpoint-chat = Chat
server-endpoint-text = Text
server-endpoint-vectors = Vectors
server-models = Loaded models
server-models-none = No model is loaded
server-model-busy = busy
server-model-idle = idle
server-stays = stays
server-goes = goes when unused
server-goes-after = goes after { $time } unused
server-stay = { $count ->
     [one] A model that a request loads leaves after 1 minute without work.
    *[other] A model that a request loads leaves after { $number } minutes without work.
    }
server-stay-for-ever = A model that a request loads stays until you eject it.
server-log = Log
server-log-pause = Pause
server-log-follow = Follow
server-log-copy = Copy the lines
server-log-clear = Clear
server-log-filter = Filter
server-log-all = All
server-log-requests = Requests
server-log-warnings = Warnings
server-log-errors = Errors
server-log-lines = { $count ->
     [one] { $number } line
    *[other] { $number } lines
    }
server-log-shown = { $count ->
     [one] { $shown } of { $number } line
    *[other] { $shown } of { $number } lines
    }
server-log-left-out = { $count ->
     [one] { $number } line came too fast to be shown
    *[other] { $number } lines came too fast to be shown
    }
action-add = Add
action-remove = Remove
action-save = Save
action-done = Done

## The dialog that sets how a model is loaded

load-estimate = Estimated memory
load-used = In use
load-weights = Weights
load-context-memory = Context
load-working = Working memory
load-fine = Finer options
load-auto = Automatic
load-on = On
load-off = Off
load-flash = Flash attention
load-flash-help = Faster, and needs less memory
load-kv-k = K cache
load-kv-k-help = Precision of keys
load-kv-v = V cache
load-kv-v-help = Precision of values
load-mmap = Memory-map the file
load-mmap-help = Starts sooner, and reads from the disk what is needed
load-mlock = Keep in RAM
load-mlock-help = Never swapped to the disk
load-speculation = Guess ahead
load-speculation-help = Faster where the answer repeats what stands in the chat
load-kv-on-cpu = Keep the context in RAM
load-kv-on-cpu-help = Leaves the graphics card to the weights; slower
load-devices = Devices
load-devices-help = Names with commas between, such as Vulkan0; empty for all
load-split = Several cards
load-split-help = How the model is split over them
load-split-layer = By layers
load-split-row = By rows
load-split-none = One card
load-shares = Share of each card
load-shares-help = Numbers with commas between, such as 3, 1; empty splits by free memory
load-rope = Stretch positions (RoPE)
load-rope-help = For a context longer than the model was trained for
load-rope-own = As the model says
load-rope-none = None
load-rope-linear = Linear
load-template = Chat template
load-template-help = Jinja, or the name of a built-in one such as chatml; empty takes the model’s own
load-adapters = LoRA adapters
load-adapters-help = One path a line, with its strength behind “ * ” where that is not 1
load-ends = Texts that end an answer
load-ends-help = One a line; \n stands for a line break
load-remember = Remember for this model
load-reset = Reset
load-anyway = Load anyway
load-load = Load model
load-stop = Cancel load
load-title = Load { $model }
load-fits = Fits
load-short = Does not fit
load-reckoning = Reckoning
load-unknown = Not known
load-ram = RAM
load-of-free = { $wanted } of { $free } free
load-empty-auto = Auto
load-empty-own = Own
load-context = Context length
load-context-help = Tokens that the model keeps in sight
load-context-picked = Automatic picks { $tokens }
load-context-most = Up to { $tokens } tokens
load-gpu-layers = GPU layers
load-gpu-layers-help = Layers kept on the graphics card
load-gpu-layers-picked = Automatic picks { $layers } of { $all }
load-gpu-layers-most = Of { $all } in all
load-threads = CPU threads
load-threads-help = Empty takes one for each core
load-slots = Answers at once
load-slots-help = They share the context
load-batch = Batch size
load-batch-help = Tokens read at a time
load-micro-batch = Micro-batch size
load-micro-batch-help = Tokens computed at a time
load-moe-layers = Experts in RAM
load-moe-layers-help = Layers of a mixture of experts
load-seed = Seed
load-seed-help = For answers that bring none
load-rope-base = RoPE base
load-rope-base-help = Base frequency
load-rope-scale = RoPE scale
load-rope-scale-help = Factor of the frequencies
load-yarn-context = Trained context
load-yarn-context-help = That YaRN stretches, in tokens
load-shares-bad = Type numbers with commas between, such as 3, 1.
load-adapters-bad = The strength behind “ * ” is a number, such as 0.8.
action-set-load = Load settings
shortcut-set-load = Set how a model is loaded
failed-read-load-options = The load settings could not be read
failed-keep-load-options = The load settings were not remembered
command-set-load = Load settings of { $model }

## Downloads

downloads-title = Downloads
downloads-active = { $count } active, { $speed }
downloads-paused = { $count } paused
downloads-limited = at most { $speed }
downloads-free = { $size } free on this disk
downloads-pause-all = Pause all
downloads-resume-all = Resume all
downloads-clear = Clear finished
downloads-limits = Speed and number
downloads-close = Close  Esc
downloads-limit = At most { $speed }
downloads-no-limit = No speed limit
downloads-at-once = { $count ->
    [one] One at a time
   *[other] { $count } at a time
    }
downloads-pause = Pause
downloads-resume = Resume
downloads-retry = Retry
downloads-remove = Remove the download
downloads-forget = Remove from the list
downloads-open-page = Open page
downloads-use = Use in chat
downloads-show = Show in folder
downloads-copy-name = Copy the file's name
downloads-move-up = Move up
downloads-move-down = Move down
downloads-move-first = Move to the top
downloads-move-last = Move to the end
downloads-waiting = Waiting
downloads-left = { $time } left
downloads-paused-at = Paused at { $amount }
downloads-kept = { $amount } is kept
downloads-size-unknown = Asking the hub
downloads-verifying = Checking the file
downloads-verified = Verified
downloads-hash-matches = SHA-256 matches
downloads-no-hash = not verified, the hub told no SHA-256
downloads-empty-title = No downloads yet
downloads-empty-text = What you download shows here, with how far it is.
downloads-offline-title = Offline mode is on
downloads-offline-text = Turn it off in the settings to download models.
downloads-ready = { $model } is ready
downloads-stopped = { $model } did not download
confirm-remove-download = Remove the download of { $model }?
confirm-remove-download-text = It ends, and the { $amount } that have come are deleted from this machine.
confirm-remove-download-button = Delete { $amount }
command-pause-downloads = Pause all downloads
command-resume-downloads = Resume all downloads
failed-downloads = The list of downloads did not come
failed-download-start = The download of { $model } did not start
failed-download-change = The download was not changed
failed-show-in-folder = The file was not shown
## The page of model files

my-models-title = My models
my-models-filter = Filter by name or quant
my-models-favourites = Favourites only
my-models-import = Import file
my-models-find = Find models
my-models-none-title = No models yet
my-models-none-text = Find models in Discover, or import a GGUF file.
my-models-looking = Looking for models…
my-models-no-match = No model matches
my-models-clear = Clear filters
my-models-select-none = Select none
my-models-name = Name
my-models-publisher = Publisher
my-models-architecture = Architecture
my-models-parameters = Params
my-models-quantisation = Quant
my-models-size = Size
my-models-source = Source
my-models-used = Last used
my-models-chat = Chat
my-models-damaged = Damaged
my-models-folders = Folders
my-models-discover = Show in Discover
my-models-add-folder = Add folder
my-models-favourite = Favourite
my-models-no-favourite = No longer a favourite
my-models-copy-path = Copy path
my-models-open-folder = Open folder
my-models-remove-folder = Remove from the list
my-models-leave-out = Leave its models out
my-models-list-again = List its models again
my-models-details = Details
my-models-now = Now
my-models-never = Never
my-models-loaded = Loaded
my-models-loading = Loading, { $share }
my-models-count = { $count ->
    [one] in { $number } model
   *[other] in { $number } models
}
my-models-free = { $size } free on this disk
my-models-leftovers = Clean up { $size }
my-models-selected = { $count } selected, { $size }
my-models-delete-selected = Delete { $count }
my-models-folder-count = { $count ->
    [one] { $number } model
   *[other] { $number } models
}
my-models-downloads-here = Downloads go here
my-models-imports-here = Imports go here
my-models-your-folder = Your folder
my-models-left-out = Left out

source-starter = Hearth, starter
source-hearth = Hearth
source-lm-studio = LM Studio
source-ollama = Ollama
source-jan = Jan
source-gpt4all = GPT4All
source-llama-cpp = llama.cpp
source-folder = Your folder

details-about = About
details-metadata = Metadata
details-template = Template
details-tensors = Tensors
details-name = Display name
details-tags = Tags, with commas between them
details-notes = Notes
details-template-text = The file's template
details-sample-system = Sample instructions
details-sample-message = Sample message
details-preview = What the model reads
details-repository = Repository
details-context = Context
details-written = Written
details-path = Path
details-has-template = Yes
details-no-template = None
details-reading = Reading the file…
sample-system = You are a helpful assistant.
sample-message = What is the capital of Italy?
preview-now = Load and show
preview-no-template = This file brings no template, so that no chat is written with it.
preview-runs = The model writes it…
preview-loads = The model is loaded first…
preview-needs-memory = The model itself writes the preview, and must be in memory for that.
failed-read-records = Notes cannot be read
failed-write-notes = The notes were not kept

import-model-title = Import a model
import-model-text = One GGUF file; of several parts any one stands for all.
import-copy = Copy
import-copy-help = The file stays where it is. Takes its size once more.
import-move = Move
import-move-help = The file leaves its place for Hearth's folder.
import-link = Link
import-link-help = The file stays where it is, and Hearth's folder leads there.
import-hard-link = Hard link
import-hard-link-help = A second name on the same disk. Either can be deleted alone.
import-runs = Importing { $name }
failed-import-model = { $name } was not imported
done-import = { $name } was imported


delete-model-title = Delete { $name }?
delete-models-title = Delete { $count } models?
delete-from-hearth = { $count ->
    [one] This removes one model from Hearth's folder.
   *[other] This removes { $count } models from Hearth's folder.
}
delete-starter = { $count ->
    [one] One model came with Hearth, and comes back when Hearth is installed again.
   *[other] { $count } models came with Hearth, and come back when Hearth is installed again.
}
delete-from-folder = { $count ->
    [one] One model is removed from a folder of yours.
   *[other] { $count } models are removed from folders of yours.
}
delete-from-program = { $count ->
    [one] One model belongs to { $owner }, which lacks it then too.
   *[other] { $count } models belong to { $owner }, which lacks them then too.
}
delete-loaded = { $count ->
    [one] It leaves memory first.
   *[other] { $count } of them leave memory first.
}
delete-stays = Names and load settings go with it; chats stay. This cannot be undone.
delete-do = Delete { $size }
done-delete-model = { $name } was deleted
done-delete-models = { $count } models were deleted
failed-delete-model = { $name } was not deleted

clean-up-title = Clean up
clean-up-looking = Looking for files that are of no use any more…
clean-up-nothing = Nothing lies about. All files are in use.
clean-up-text = These files are of no use any more. What is ticked is removed for good; what other programs left is only removed where you tick it.
clean-up-do = Remove { $count }, { $size }
leftover-partial = Part of a download or an import
leftover-orphan = Bytes that no model uses
leftover-link = A link that leads nowhere
failed-clean-up = Nothing was cleaned up
failed-clean-up-some = { $count ->
    [one] One file stays
   *[other] { $count } files stay
}
done-clean-up = { $size } are free again
done-clean-up-count = { $count ->
    [one] One file was removed.
   *[other] { $count } files were removed.
}

command-import-model = Import a model file
command-add-folder = Add a folder with models
command-clean-up = Clean up leftover files
## The parts of the settings

setting-reset = Back to the default
settings-first-steps = First steps
settings-first-steps-hint = What Hearth shows when it is opened for the first time
settings-models = Models
settings-model-folders = Model folders
settings-folder-remove = Look for models there no longer
settings-downloads-go-here = Downloads go here
settings-downloads = Downloads
settings-network-part = Hub & network
command-settings-part = Settings: { $part }
settings-hub = Hugging Face
settings-token = Access token
settings-token-hint = Only needed for gated and private models. Kept in the system's keyring where there is one.
settings-token-empty = hf_…
settings-signed-in = Signed in as
settings-sign-out = Forget token
settings-network = Network
settings-hardware = Hardware
settings-check-again = Check again
settings-memory = Memory
settings-kept = Kept on the disk
settings-kept-now = In use now
settings-kept-now-hint = Emptying it loses no message; chats are read anew
settings-kept-empty = Empty
settings-loading = Loading models
settings-loading-hint = Unless a model has settings of its own
settings-answers = Answers
settings-answers-hint = Unless a chat or its model says otherwise
settings-data-place = Where it lives
settings-data-open = Open folder
settings-data-move = Move all data
settings-data-move-button = Move…
settings-data-move-hint = Hearth closes, moves them, and opens again. They are whole in one place at every moment.
settings-data-all = All of it
settings-export-all = Export all chats
settings-export-all-hint = One file with all versions of all messages, to be imported again
settings-import = Import chats
settings-import-hint = From Hearth, ChatGPT or LM Studio; nothing is doubled or written over
settings-delete-all = Delete everything
settings-delete-all-hint = Chats, presets, settings, keys, logs and your token. Model files stay.
settings-delete-all-button = Delete…
settings-privacy = Privacy

setting-automatic = Automatic
setting-download-place = Place for downloads
setting-download-place-help = The Hugging Face cache is shared with other programs
setting-download-place-cache = Shared cache
setting-download-place-folder = Hearth's folder
setting-downloads-at-once = Downloads at once
setting-downloads-at-once-help = The others wait their turn
setting-speed-limit = Speed limit
setting-speed-limit-help = For all downloads together
setting-offline = Work offline
setting-offline-help = No connection is opened. Chats and models on this computer still work.
setting-mirror = Hub address
setting-mirror-help = A mirror in place of huggingface.co
setting-mirror-empty = https://huggingface.co
setting-proxy = Proxy
setting-proxy-help = For all connections
setting-proxy-empty = As the system says
setting-guard = Memory guard
setting-guard-help = How much of the computer's memory models may take
setting-guard-off = Off
setting-guard-relaxed = 95 %
setting-guard-balanced = 85 %
setting-guard-strict = 70 %
setting-guard-limit = Fixed limit
setting-guard-limit-help = In place of a share, whatever other programs leave free
setting-guard-limit-empty = None
setting-idle = Unload idle models
setting-idle-help = Models that were loaded on request; those loaded by hand stay
setting-idle-empty = Never
setting-kv-limit = Room for chats' states
setting-kv-limit-help = So that yesterday's chat goes on without being read again; 0 keeps none
setting-context = Context length
setting-context-help = How much a model can look back on
setting-gpu-layers = Layers on the graphics card
setting-gpu-layers-help = 0 computes on the processor alone
setting-threads = Threads
setting-threads-help = Of the processor; one for each core as a rule
setting-at-once = Answers at once
setting-at-once-help = They share the context
setting-flash-attention = Flash attention
setting-flash-attention-help = Faster, with less memory, where the device has it
setting-kv-format = KV cache
setting-kv-format-help = A smaller format takes less memory and is less exact. It needs flash attention.
setting-kv-f16 = 16 bits
setting-kv-q8 = 8 bits
setting-kv-q4 = 4 bits
setting-kv-on-cpu = KV cache in main memory
setting-kv-on-cpu-help = Leaves more of the graphics card to the model, and is slower
setting-mmap = Map model files
setting-mmap-help = Starts faster; the system reads what is needed
setting-mlock = Keep models from being swapped out
setting-mlock-help = Needs the system's permission
setting-speculation = Guess ahead
setting-speculation-help = Takes words that stand in the chat already, for as long as that is faster
setting-default-model = Model that answers
setting-default-model-help = Where none is chosen and none is in memory
default-model-last = The last one
setting-serve-at-login = Local server at sign-in
setting-serve-at-login-help = The server runs from then on, without a window
setting-titles = Titles for new chats
setting-titles-help = Made by a model that has nothing to do

unit-megabytes-a-second = MB/s
unit-gigabytes = GB
unit-minutes = min
unit-tokens = tokens

usage-title = Hearth now
usage-hint = With its workers, over the last minute
usage-memory = Memory
usage-cpu = Processor
usage-video = Graphics memory, all programs
hardware-looking = Looking at what computes here…
device-cpu = Processor
device-gpu = Graphics card
device-integrated = Graphics that share the main memory
device-accelerator = Accelerator

models-total = { $total } in all
models-total-free = { $total } in all · { $free } free
models-of-source = { $count ->
    [one] 1 model · { $size }
   *[other] { $count } models · { $size }
}
source-hugging-face = Hugging Face cache

account-no-token = No token
account-token-environment = Token from the variable HF_TOKEN
account-token-keyring = Token in the system's keyring
account-token-file = Token in a file that only you can read
account-token-hugging-face = Token of the program hf
account-checking = Asking the hub…
account-offline = Not asked while offline

privacy-no-telemetry = No telemetry at all
privacy-no-telemetry-hint = Hearth counts nothing, reports nothing and has no account. It does not ask for updates by itself.
privacy-stays = What stays on this computer
privacy-stays-hint = Chats, files beside them, settings, logs and everything a model computes. No chat is sent anywhere.
privacy-leaves = What leaves it, and when
privacy-leaves-hint = What you search for among models, and the names of those you look at or download, go to the hub you chose. Your token goes there and to no other host.
privacy-never = When nothing leaves it
privacy-never-hint = While “Work offline” is on, no connection to another computer is opened.

about-licence = Licence
about-licence-names = MIT or Apache-2.0
about-licences = Licences
about-licences-hint = The open source that Hearth stands on

path-export-all-title = Export all chats
path-export-all-text = One JSON file, whole, to be imported again. An existing file is not written over.
path-move-data-title = Move all data
path-move-data-text = An empty folder, or a new one. Hearth closes, moves chats, settings and its own models there, and opens again. The Hugging Face cache and other programs' models stay where they are.
path-move-data-button = Move and restart
failed-move-data = The data were not moved
path-folder-title = Add a folder with models
path-folder-text = Hearth looks for GGUF files there and below, and changes nothing in it.
path-folder-whole = must be a whole path, from the root on

confirm-delete-all = Delete everything and quit?
confirm-delete-all-text = All chats, drafts, presets, settings, API keys, logs, kept states and your Hugging Face token go, and cannot come back. Model files in { $models } and in folders of other programs stay. Hearth closes, and opens empty next time.
confirm-delete-all-button = Delete and quit

done-emptied = Emptied
done-emptied-text = { $size } freed.
done-exported-all = { $chats ->
    [one] 1 chat exported
   *[other] { $chats } chats exported
}
failed-read-hub = The hub's settings could not be read
failed-forget-token = The token was not forgotten
failed-disk-use = The size of the models is not known
failed-read-kept = The size of what is kept is not known
failed-empty-kept = Not everything was removed
failed-export-all = The chats were not exported
failed-add-folder = The folder was not added
failed-delete-all = Nothing was deleted
