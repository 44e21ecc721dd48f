//! What designs say: each constant has the words of its key in the person's language, and each tip the keys of its action
//! behind them.
//!
//! Designs name a constant, such as `text: (TEXT_SETTINGS)`. What only Rust says is asked of `Texts` by `say!`.

use std::sync::Arc;

use hearth_protocol::settings::Settings;
use makepad_widgets::*;

use crate::state::shortcuts::{Action, with_keys};
use crate::text::{Key, Texts};

/// Where the constants stand in the registry of designs.
const MODULE: &str = module_path!();

/// Declares each constant once, one a line: `NAME "key"`, then behind a semicolon those of tips, `NAME "key" Action`.
macro_rules! texts {
    ($($name:ident $key:literal)*; $($tip:ident $tip_key:literal $action:ident)*) => {
        live_design! {
            $(pub $name = "")*
            $(pub $tip = "")*
        }

        /// Name and key of each.
        const TEXTS: &[(LiveId, Key)] = &[$((live_id!($name), Key($key)),)*];

        /// Name, key and action of each tip.
        const TIPS: &[(LiveId, Key, Action)] = &[$((live_id!($tip), Key($tip_key), Action::$action),)*];
    };
}

texts! {
    // Words of many places.
    TEXT_CANCEL "action-cancel"
    TEXT_CLOSE "action-close"
    TEXT_ADD "action-add"
    TEXT_REMOVE "action-remove"
    TEXT_DONE "action-done"
    TEXT_EJECT "action-eject"

    // How a model is loaded.
    TEXT_LOAD_ESTIMATE "load-estimate"
    TEXT_LOAD_USED "load-used"
    TEXT_LOAD_WEIGHTS "load-weights"
    TEXT_LOAD_CONTEXT "load-context-memory"
    TEXT_LOAD_WORKING "load-working"
    TEXT_LOAD_FINE "load-fine"
    TEXT_LOAD_AUTO "load-auto"
    TEXT_LOAD_ON "load-on"
    TEXT_LOAD_OFF "load-off"
    TEXT_LOAD_FLASH "load-flash"
    TEXT_LOAD_FLASH_HELP "load-flash-help"
    TEXT_LOAD_KV_K "load-kv-k"
    TEXT_LOAD_KV_K_HELP "load-kv-k-help"
    TEXT_LOAD_KV_V "load-kv-v"
    TEXT_LOAD_KV_V_HELP "load-kv-v-help"
    TEXT_LOAD_MMAP "load-mmap"
    TEXT_LOAD_MMAP_HELP "load-mmap-help"
    TEXT_LOAD_MLOCK "load-mlock"
    TEXT_LOAD_MLOCK_HELP "load-mlock-help"
    TEXT_LOAD_SPECULATION "load-speculation"
    TEXT_LOAD_SPECULATION_HELP "load-speculation-help"
    TEXT_LOAD_KV_ON_CPU "load-kv-on-cpu"
    TEXT_LOAD_KV_ON_CPU_HELP "load-kv-on-cpu-help"
    TEXT_LOAD_DEVICES "load-devices"
    TEXT_LOAD_DEVICES_HELP "load-devices-help"
    TEXT_LOAD_SPLIT "load-split"
    TEXT_LOAD_SPLIT_HELP "load-split-help"
    TEXT_LOAD_SPLIT_LAYER "load-split-layer"
    TEXT_LOAD_SPLIT_ROW "load-split-row"
    TEXT_LOAD_SPLIT_NONE "load-split-none"
    TEXT_LOAD_SHARES "load-shares"
    TEXT_LOAD_SHARES_HELP "load-shares-help"
    TEXT_LOAD_ROPE "load-rope"
    TEXT_LOAD_ROPE_HELP "load-rope-help"
    TEXT_LOAD_ROPE_OWN "load-rope-own"
    TEXT_LOAD_ROPE_NONE "load-rope-none"
    TEXT_LOAD_ROPE_LINEAR "load-rope-linear"
    TEXT_LOAD_TEMPLATE "load-template"
    TEXT_LOAD_TEMPLATE_HELP "load-template-help"
    TEXT_LOAD_ADAPTERS "load-adapters"
    TEXT_LOAD_ADAPTERS_HELP "load-adapters-help"
    TEXT_LOAD_ENDS "load-ends"
    TEXT_LOAD_ENDS_HELP "load-ends-help"
    TEXT_LOAD_REMEMBER "load-remember"
    TEXT_LOAD_RESET "load-reset"
    TEXT_LOAD_ANYWAY "load-anyway"
    TEXT_LOAD "load-load"
    TEXT_LOAD_STOP "load-stop"

    // The first start.
    TEXT_FIRST_WELCOME "first-welcome-text"
    TEXT_FIRST_SKIP "first-skip"
    TEXT_FIRST_BACK "first-back"
    TEXT_ENGLISH "language-english"
    TEXT_GERMAN "language-german"

    // What lies over the pages.
    TEXT_COPY_ADDRESS "link-copy"
    TEXT_OPEN "action-open"
    TEXT_PATH "path-empty"
    TEXT_BROWSE "path-browse"
    TEXT_VIEW_HINT "text-view-hint"
    TEXT_PALETTE_EMPTY "palette-empty"
    TEXT_KEY_ESCAPE "key-escape"
    TEXT_PALETTE_NOTHING "palette-nothing"
    TEXT_PALETTE_MOVE "palette-move"
    TEXT_PALETTE_RUN "palette-run"
    TEXT_PALETTE_SIGNS "palette-signs"
    TEXT_PICKER_WORDS "picker-words"
    TEXT_PICKER_NO_MATCH_TITLE "picker-no-match-title"
    TEXT_PICKER_NO_MATCH_TEXT "picker-no-match-text"
    TEXT_VISION "ability-vision"
    TEXT_TOOLS "ability-tools"
    TEXT_REASONING "ability-reasoning"
    TEXT_EMBEDDING "ability-embedding"
    TEXT_PICKER_EMPTY_TITLE "picker-empty-title"
    TEXT_PICKER_EMPTY_TEXT "picker-empty-text"

    // The list of chats.
    TEXT_CHATS "list-title"
    TEXT_NEW_FOLDER "command-new-folder"
    TEXT_SEARCH_CHATS "list-search-empty"
    TEXT_LEAVE_SEARCH "list-leave-search"
    TEXT_NO_CHATS_TITLE "list-empty-title"
    TEXT_NO_CHATS_TEXT "list-empty-text"
    TEXT_STAYS_HERE "list-stays-here"
    TEXT_NOTHING_SENT "list-nothing-sent"
    TEXT_PIN "menu-pin"
    TEXT_UNPIN "menu-unpin"
    TEXT_MORE "action-more"
    TEXT_NO_MATCH_TITLE "search-nothing-title"
    TEXT_NO_MATCH_TEXT "search-nothing-text"
    TEXT_CLEAR_SEARCH "search-clear"
    TEXT_SEARCH_FAILED "search-failed"

    // The conversation and its composer.
    TEXT_COPY "action-copy"
    TEXT_EDIT "menu-edit"
    TEXT_CONTINUE "menu-continue"
    TEXT_BRANCH "menu-branch"
    TEXT_DELETE "menu-delete"
    TEXT_COPIED "message-copied"
    TEXT_SEND "composer-send"
    TEXT_ATTACH "command-attach"
    TEXT_REMOVE_FILE "composer-remove-file"
    TEXT_STOP "composer-stop"
    TEXT_NEWEST "conversation-newest"
    TEXT_EDIT_HINT "edit-hint"
    TEXT_SAVE "edit-save"
    TEXT_SAVE_ANSWER "edit-save-and-answer"
    TEXT_QUEUE_REMOVE "queue-remove"
    TEXT_TRY_AGAIN "action-try-again"
    TEXT_UNREADABLE "chat-unreadable"
    TEXT_COMPOSER_HINT "composer-hint"
    TEXT_COPY_FORMULA "formula-copy"
    TEXT_WRAP "code-wrap"
    TEXT_LOOK_AGAIN "greeting-look"

    // Pages that are not here yet.

    // Downloads.
    TEXT_DOWNLOADS "downloads-title"
    TEXT_PAUSE "downloads-pause"
    TEXT_RESUME "downloads-resume"
    TEXT_RETRY "downloads-retry"
    TEXT_PAUSE_ALL "downloads-pause-all"
    TEXT_RESUME_ALL "downloads-resume-all"
    TEXT_REMOVE_DOWNLOAD "downloads-remove"
    TEXT_OPEN_PAGE "downloads-open-page"
    TEXT_USE_IN_CHAT "downloads-use"
    TEXT_SHOW_IN_FOLDER "downloads-show"
    TEXT_VERIFIED "downloads-verified"
    TEXT_DOWNLOAD_LIMITS "downloads-limits"
    TIP_CLOSE_DOWNLOADS "downloads-close"
    TEXT_CLEAR_DONE "downloads-clear"

    // The page that finds models.
    TEXT_DISCOVER "discover-title"
    TEXT_DISCOVER_FIELD "discover-field"
    TEXT_DISCOVER_CLEAR_WORDS "discover-clear-words"
    TEXT_FITS "discover-fits"
    TEXT_CODE "ability-code"
    TEXT_SIZE_FILTER "discover-size"
    TEXT_SORT "discover-sort"
    TEXT_FIT_GPU "fit-gpu"
    TEXT_FIT_PARTLY "fit-partly"
    TEXT_FIT_CPU "fit-cpu"
    TEXT_FIT_TOO_LARGE "fit-too-large"
    TEXT_LICENCE_PAGE "discover-licence-page"
    TEXT_RECOMMENDED "discover-recommended"
    TEXT_DOWNLOAD "discover-download"
    TEXT_PAUSE_DOWNLOAD "discover-pause"
    TEXT_RESUME_DOWNLOAD "discover-resume"
    TEXT_RETRY_DOWNLOAD "discover-retry"
    TEXT_DOWNLOAD_FAILED "discover-failed"
    TEXT_DOWNLOADED "discover-downloaded"
    TEXT_CHAT_WITH_FILE "discover-chat-file"
    TEXT_FILE "discover-file"
    TEXT_FILE_SIZE "discover-file-size"
    TEXT_ON_THIS_MACHINE "discover-on-this-machine"
    TEXT_DISCOVER_CHOOSE_TITLE "discover-choose-title"
    TEXT_DISCOVER_CHOOSE_TEXT "discover-choose-text"
    TEXT_DISCOVER_BACK "discover-back"
    TEXT_PICKED "discover-picked-tag"
    TEXT_MODEL_PAGE "discover-model-page"
    TEXT_AUTHOR "discover-author"
    TEXT_LICENCE "discover-licence"
    TEXT_PARAMETERS "discover-parameters"
    TEXT_CONTEXT "discover-context"
    TEXT_LIKES "discover-likes"
    TEXT_MONTHLY "discover-monthly"
    TEXT_UPDATED "discover-updated"
    TEXT_ARCHITECTURE "discover-architecture"
    TEXT_MEMORY_FOR "discover-memory-for"
    TEXT_FILES "discover-files-title"

    // The page of model files.
    TEXT_MY_MODELS "my-models-title"
    TEXT_MODELS_FILTER "my-models-filter"
    TEXT_MODELS_FAVOURITES "my-models-favourites"
    TEXT_IMPORT_FILE "my-models-import"
    TEXT_FIND_MODELS "my-models-find"
    TEXT_NO_MODELS_TITLE "my-models-none-title"
    TEXT_NO_MODELS_TEXT "my-models-none-text"
    TEXT_MODELS_LOOKING "my-models-looking"
    TEXT_MODELS_NO_MATCH "my-models-no-match"
    TEXT_CLEAR_FILTERS "my-models-clear"
    TEXT_SELECT_NONE "my-models-select-none"
    TEXT_MODEL_NAME "my-models-name"
    TEXT_MODEL_PUBLISHER "my-models-publisher"
    TEXT_MODEL_ARCHITECTURE "my-models-architecture"
    TEXT_MODEL_PARAMETERS "my-models-parameters"
    TEXT_MODEL_QUANTISATION "my-models-quantisation"
    TEXT_MODEL_SIZE "my-models-size"
    TEXT_MODEL_SOURCE "my-models-source"
    TEXT_MODEL_USED "my-models-used"
    TEXT_MODEL_CHAT "my-models-chat"
    TEXT_DAMAGED "my-models-damaged"
    TEXT_FOLDERS "my-models-folders"
    TEXT_ADD_FOLDER "my-models-add-folder"
    TEXT_FAVOURITE "my-models-favourite"
    TEXT_PART_ABOUT "details-about"
    TEXT_PART_METADATA "details-metadata"
    TEXT_PART_TEMPLATE "details-template"
    TEXT_PART_TENSORS "details-tensors"
    TEXT_DISPLAY_NAME "details-name"
    TEXT_TAGS "details-tags"
    TEXT_NOTES "details-notes"
    TEXT_TEMPLATE_TEXT "details-template-text"
    TEXT_SAMPLE_SYSTEM "details-sample-system"
    TEXT_SAMPLE_MESSAGE "details-sample-message"
    TEXT_PREVIEW "details-preview"
    TEXT_PREVIEW_NOW "preview-now"
    TEXT_IMPORT_TITLE "import-model-title"
    TEXT_IMPORT_TEXT "import-model-text"
    TEXT_IMPORT "action-import"
    TEXT_CLEAN_UP_TITLE "clean-up-title"

    // The local server.
    TEXT_SERVER "server-title"
    TEXT_CONNECTION "server-connection"
    TEXT_COPY_SERVER "server-copy-address"
    TEXT_PORT "server-port"
    TEXT_SERVER_NETWORK "server-network"
    TEXT_SERVER_NETWORK_HINT "server-network-help"
    TEXT_KEYS_REQUIRED "server-keys-required"
    TEXT_CORS "server-cors"
    TEXT_CORS_HINT "server-cors-help"
    TEXT_START_WITH "server-start-with"
    TEXT_START_WITH_HINT "server-start-with-help"
    TEXT_API_KEYS "server-keys"
    TEXT_NEW_KEY "server-new-key"
    TEXT_KEY_FIRST "server-key-first"
    TEXT_KEY_NAME "server-key-name"
    TEXT_MAKE_KEY "server-key-make"
    TEXT_COPY_KEY_NOW "server-key-copy-now"
    TEXT_COPY_KEY "server-key-copy"
    TEXT_REVOKE "server-key-revoke"
    TEXT_KEEP_KEY "server-key-keep"
    TEXT_ENDPOINTS "server-endpoints"
    TEXT_COMPATIBLE "server-compatible"
    TEXT_ENDPOINT_MODELS "server-endpoint-models"
    TEXT_ENDPOINT_CHAT "server-endpoint-chat"
    TEXT_ENDPOINT_TEXT "server-endpoint-text"
    TEXT_ENDPOINT_VECTORS "server-endpoint-vectors"
    TEXT_LOADED_MODELS "server-models"
    TEXT_NONE_LOADED "server-models-none"
    TEXT_LOG "server-log"
    TEXT_LOG_PAUSE "server-log-pause"
    TEXT_LOG_FOLLOW "server-log-follow"
    TEXT_LOG_COPY "server-log-copy"
    TEXT_LOG_CLEAR "server-log-clear"
    TEXT_LOG_FILTER "server-log-filter"
    TEXT_LOG_ALL "server-log-all"
    TEXT_LOG_REQUESTS "server-log-requests"
    TEXT_LOG_WARNINGS "server-log-warnings"
    TEXT_LOG_ERRORS "server-log-errors"

    // The panel beside the chat.
    TEXT_PANEL "panel-title"
    TEXT_PRESET "panel-preset"
    TEXT_PRESET_NAME "panel-preset-name"
    TEXT_PROMPT "panel-prompt"
    TEXT_PROMPT_EMPTY "panel-prompt-empty"
    TEXT_SAMPLING "panel-sampling"
    TEXT_FINE_SAMPLING "panel-fine-sampling"
    TEXT_LENGTH "panel-length"
    TEXT_FORM "panel-form"
    TEXT_THINKING "panel-thinking"
    TEXT_TEMPLATE "panel-template"
    TEXT_PANEL_RESET "panel-reset"
    TEXT_OFF "panel-off"
    TEXT_ON "panel-on"
    TEXT_MIROSTAT "panel-mirostat"
    TEXT_MIROSTAT_1 "panel-mirostat-1"
    TEXT_MIROSTAT_2 "panel-mirostat-2"
    TEXT_STOPS "panel-stops"
    TEXT_STOP_EMPTY "panel-stop-empty"
    TEXT_POLICY "panel-policy"
    TEXT_AS_MODEL "panel-thinking-as-model"
    TEXT_EFFORT "panel-effort"
    TEXT_ARGUMENTS "panel-arguments"
    TEXT_ARGUMENTS_EMPTY "panel-arguments-empty"

    // The settings.
    TEXT_SETTINGS "settings-title"
    TEXT_GENERAL "settings-general"
    TEXT_SHORTCUTS "settings-shortcuts"
    TEXT_ABOUT "settings-about"
    TEXT_APPEARANCE "settings-appearance"
    TEXT_THEME "settings-theme"
    TEXT_THEME_SYSTEM "settings-theme-system"
    TEXT_THEME_LIGHT "settings-theme-light"
    TEXT_THEME_DARK "settings-theme-dark"
    TEXT_ACCENT "settings-accent"
    TEXT_ACCENT_EMBER "settings-accent-ember"
    TEXT_ACCENT_MOSS "settings-accent-moss"
    TEXT_ACCENT_LAKE "settings-accent-lake"
    TEXT_ACCENT_IRIS "settings-accent-iris"
    TEXT_ACCENT_ROSE "settings-accent-rose"
    TEXT_LANGUAGE "settings-language"
    TEXT_LANGUAGE_HINT "settings-language-hint"
    TEXT_LANGUAGE_SYSTEM "settings-language-system"
    TEXT_SIZE "settings-text-size"
    TEXT_SIZE_HINT "settings-text-size-hint"
    TEXT_SIZE_SMALL "settings-text-size-small"
    TEXT_SIZE_DEFAULT "settings-text-size-default"
    TEXT_SIZE_LARGE "settings-text-size-large"
    TEXT_DENSITY "settings-density"
    TEXT_DENSITY_HINT "settings-density-hint"
    TEXT_DENSITY_COMFORTABLE "settings-density-comfortable"
    TEXT_DENSITY_COMPACT "settings-density-compact"
    TEXT_ZOOM "settings-zoom"
    TEXT_ZOOM_HINT "settings-zoom-hint"
    TEXT_ZOOM_SMALLER "settings-zoom-smaller"
    TEXT_ZOOM_LARGER "settings-zoom-larger"
    TEXT_ZOOM_USUAL "settings-zoom-usual"
    TEXT_DATA "settings-data"
    TEXT_DATA_CHATS "settings-data-chats"
    TEXT_DATA_MODELS "settings-data-models"
    TEXT_VERSION "settings-version"
    TEXT_SHORTCUTS_HINT "settings-shortcuts-hint"
    TEXT_SHORTCUT_RESET "settings-shortcut-reset"
    TEXT_SHORTCUT_RESET_ALL "settings-shortcut-reset-all"
    ;

    // Words with the keys of an action behind them.
    TIP_RAIL_CHAT "rail-chat" ShowChat
    TIP_RAIL_DISCOVER "rail-discover" ShowDiscover
    TIP_RAIL_MODELS "rail-models" ShowModels
    TIP_RAIL_SERVER "rail-server" ShowServer
    TIP_RAIL_DOWNLOADS "rail-downloads" ShowDownloads
    TIP_RAIL_SETTINGS "rail-settings" ShowSettings
    TIP_NEW_CHAT "shortcut-new-chat" NewChat
    TIP_EJECT "action-eject" Eject
    TIP_PANEL "shortcut-show-panel" ShowPanel
    TIP_REGENERATE "menu-regenerate" Regenerate
    TIP_ANSWER "menu-answer" Regenerate
    TIP_OLDER_VERSION "tip-older-version" OlderVersion
    TIP_NEWER_VERSION "tip-newer-version" NewerVersion
}

/// Gives the constants the words of a language, and the tips the keys of these settings.
pub(crate) fn set(cx: &mut Cx, texts: &Texts, settings: &Settings) {
    let tips = TIPS
        .iter()
        .map(|(name, key, action)| (*name, with_keys(texts, settings, *key, *action)));
    let texts = TEXTS.iter().map(|(name, key)| (*name, texts.say(*key, &[])));
    for (name, words) in texts.chain(tips) {
        super::tokens::set(cx, MODULE, name, LiveValue::String(Arc::new(words)));
    }
}
