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
    TEXT_DISCOVER_TITLE "discover-not-yet-title"
    TEXT_DISCOVER_TEXT "discover-not-yet-text"
    TEXT_MODELS_TITLE "models-not-yet-title"
    TEXT_MODELS_TEXT "models-not-yet-text"
    TEXT_DOWNLOADS_TITLE "downloads-not-yet-title"
    TEXT_DOWNLOADS_TEXT "downloads-not-yet-text"

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
    TEXT_DATA "settings-data"
    TEXT_DATA_CHATS "settings-data-chats"
    TEXT_DATA_MODELS "settings-data-models"
    TEXT_VERSION "settings-version"
    TEXT_SHORTCUTS_HINT "settings-shortcuts-hint"
    TEXT_SHORTCUT_RESET "settings-shortcut-reset"
    TEXT_SHORTCUT_RESET_ALL "settings-shortcut-reset-all"

    // The parts of the settings.
    TEXT_SETTING_RESET "setting-reset"
    TEXT_SHOW "action-show"
    TEXT_EXPORT "action-export"
    TEXT_IMPORT "action-import"
    TEXT_FIRST_STEPS "settings-first-steps"
    TEXT_FIRST_STEPS_HINT "settings-first-steps-hint"
    TEXT_MODELS_PART "settings-models"
    TEXT_MODEL_FOLDERS "settings-model-folders"
    TEXT_ADD_FOLDER "settings-add-folder"
    TEXT_FOLDER_REMOVE "settings-folder-remove"
    TEXT_DOWNLOADS_GO_HERE "settings-downloads-go-here"
    TEXT_DOWNLOADS "settings-downloads"
    TEXT_NETWORK_PART "settings-network-part"
    TEXT_HUB "settings-hub"
    TEXT_TOKEN "settings-token"
    TEXT_TOKEN_HINT "settings-token-hint"
    TEXT_TOKEN_EMPTY "settings-token-empty"
    TEXT_SIGNED_IN "settings-signed-in"
    TEXT_SIGN_OUT "settings-sign-out"
    TEXT_NETWORK "settings-network"
    TEXT_HARDWARE "settings-hardware"
    TEXT_CHECK_AGAIN "settings-check-again"
    TEXT_USAGE "usage-title"
    TEXT_USAGE_HINT "usage-hint"
    TEXT_USAGE_MEMORY "usage-memory"
    TEXT_USAGE_CPU "usage-cpu"
    TEXT_USAGE_VIDEO "usage-video"
    TEXT_MEMORY "settings-memory"
    TEXT_KEPT "settings-kept"
    TEXT_KEPT_NOW "settings-kept-now"
    TEXT_KEPT_NOW_HINT "settings-kept-now-hint"
    TEXT_KEPT_EMPTY "settings-kept-empty"
    TEXT_LOADING "settings-loading"
    TEXT_LOADING_HINT "settings-loading-hint"
    TEXT_ANSWERS "settings-answers"
    TEXT_ANSWERS_HINT "settings-answers-hint"
    TEXT_DEFAULT_MODEL "setting-default-model"
    TEXT_DEFAULT_MODEL_HINT "setting-default-model-help"
    TEXT_DATA_PLACE "settings-data-place"
    TEXT_DATA_OPEN "settings-data-open"
    TEXT_DATA_MOVE "settings-data-move"
    TEXT_DATA_ALL "settings-data-all"
    TEXT_EXPORT_ALL "settings-export-all"
    TEXT_EXPORT_ALL_HINT "settings-export-all-hint"
    TEXT_IMPORT_CHATS "settings-import"
    TEXT_IMPORT_CHATS_HINT "settings-import-hint"
    TEXT_DELETE_ALL "settings-delete-all"
    TEXT_DELETE_ALL_HINT "settings-delete-all-hint"
    TEXT_DELETE_ALL_BUTTON "settings-delete-all-button"
    TEXT_PRIVACY "settings-privacy"
    TEXT_NO_TELEMETRY "privacy-no-telemetry"
    TEXT_NO_TELEMETRY_HINT "privacy-no-telemetry-hint"
    TEXT_STAYS "privacy-stays"
    TEXT_STAYS_HINT "privacy-stays-hint"
    TEXT_LEAVES "privacy-leaves"
    TEXT_LEAVES_HINT "privacy-leaves-hint"
    TEXT_NEVER "privacy-never"
    TEXT_NEVER_HINT "privacy-never-hint"
    TEXT_LICENCE "about-licence"
    TEXT_LICENCE_NAMES "about-licence-names"
    TEXT_LICENCES "about-licences"
    TEXT_LICENCES_HINT "about-licences-hint"
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
