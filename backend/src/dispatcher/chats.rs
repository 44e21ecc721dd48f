//! The commands to chats and presets.

use hearth_protocol::command::{ChatCommand, PresetCommand};
use tokio::runtime::Runtime;

use super::answer;
use super::stored::Stored;

impl Stored {
    /// Routes what happens within a chat.
    pub(super) fn chat(self, runtime: &Runtime, command: ChatCommand) {
        let (chats, changes) = (self.chats.clone(), self.changes.clone());
        match command {
            ChatCommand::Send { turn, events } => {
                drop(runtime.spawn(async move { chats.send(*turn, events).await }))
            }
            ChatCommand::Regenerate {
                message,
                options,
                events,
            } => {
                drop(runtime.spawn(chats.regenerate(message, *options, events)));
            }
            ChatCommand::Continue {
                message,
                options,
                events,
            } => {
                drop(runtime.spawn(chats.go_on(message, *options, events)));
            }
            ChatCommand::Stop { request, reply } => {
                answer(runtime, reply, async move { chats.stop(request).await })
            }
            ChatCommand::Open { chat, reply } => {
                answer(runtime, reply, async move { chats.open(chat).await })
            }
            ChatCommand::Insert { message, reply } => {
                changes.answer(reply, async move { chats.insert(*message).await });
            }
            ChatCommand::Edit { message, text, reply } => {
                changes.answer(reply, async move { chats.edit(message, &text).await });
            }
            ChatCommand::SelectVersion {
                message,
                version,
                reply,
            } => {
                changes.answer(
                    reply,
                    async move { chats.select_numbered(message, version).await },
                );
            }
            ChatCommand::DeleteMessage { message, reply } => {
                changes.answer(reply, async move { chats.delete_message(message).await });
            }
            ChatCommand::ReadAttachment { path, reply } => {
                answer(runtime, reply, async move { chats.read_attachment(path).await });
            }
            ChatCommand::CountTokens { draft, reply } => {
                answer(runtime, reply, async move { chats.count_tokens(*draft).await });
            }
            command => self.list_of_chats(runtime, command),
        }
    }

    /// Routes what happens to the list of chats, and what is kept with each.
    fn list_of_chats(self, runtime: &Runtime, command: ChatCommand) {
        let (chats, changes) = (self.chats.clone(), self.changes.clone());
        match command {
            ChatCommand::List { reply } => answer(runtime, reply, async move { chats.list().await }),
            ChatCommand::Watch { events } => drop(runtime.spawn(async move { chats.watch(events).await })),
            ChatCommand::Search { words, reply } => {
                answer(runtime, reply, async move { chats.search(&words).await });
            }
            ChatCommand::Rename { chat, title, reply } => {
                changes.answer(reply, async move { chats.rename(chat, &title).await });
            }
            ChatCommand::Pin { chat, pinned, reply } => {
                changes.answer(reply, async move { chats.pin(chat, pinned).await });
            }
            ChatCommand::Move { chat, folder, reply } => {
                changes.answer(reply, async move { chats.move_to(chat, folder).await });
            }
            ChatCommand::Duplicate { chat, reply } => {
                changes.answer(reply, async move { chats.duplicate(chat).await });
            }
            ChatCommand::Branch { message, reply } => {
                changes.answer(reply, async move { chats.branch(message).await });
            }
            ChatCommand::Delete { chat, reply } => {
                changes.answer(reply, async move { chats.delete(chat).await });
            }
            ChatCommand::Undo { token, reply } => {
                changes.answer(reply, async move { chats.undo(token).await });
            }
            // Files of a person's can lie where the disk is slow, and what follows in the lane must not wait for them.
            ChatCommand::Export { request, reply } => {
                answer(runtime, reply, async move { chats.export(request).await });
            }
            ChatCommand::ExportAll { path, reply } => {
                answer(runtime, reply, async move { chats.export_all(path).await });
            }
            ChatCommand::Import { path, reply } => {
                answer(runtime, reply, async move { chats.import(path).await });
            }
            ChatCommand::ListFolders { reply } => {
                answer(runtime, reply, async move { chats.folders().await });
            }
            ChatCommand::MakeFolder { name, reply } => {
                changes.answer(reply, async move { chats.make_folder(&name).await });
            }
            ChatCommand::RenameFolder { folder, name, reply } => {
                changes.answer(reply, async move { chats.rename_folder(folder, &name).await });
            }
            ChatCommand::DeleteFolder { folder, reply } => {
                changes.answer(reply, async move { chats.delete_folder(folder).await });
            }
            command => self.kept_of_chats(runtime, command),
        }
    }

    /// Routes what is kept of how chats are answered, of drafts and of places.
    fn kept_of_chats(self, runtime: &Runtime, command: ChatCommand) {
        let (chats, changes) = (self.chats, self.changes);
        match command {
            ChatCommand::WriteOptions { chat, options, reply } => {
                changes.answer(reply, async move { chats.write_options(chat, *options).await });
            }
            ChatCommand::ReadDefaults { file, reply } => {
                answer(
                    runtime,
                    reply,
                    async move { Ok(chats.read_defaults(&file).await) },
                );
            }
            ChatCommand::WriteDefaults { file, options, reply } => {
                changes.answer(reply, async move { chats.write_defaults(&file, *options).await });
            }
            ChatCommand::ReadDraft { chat, reply } => {
                answer(runtime, reply, async move { chats.read_draft(chat).await });
            }
            ChatCommand::WriteDraft { chat, text, reply } => {
                changes.answer(reply, async move { chats.write_draft(chat, &text).await });
            }
            ChatCommand::WritePlace { chat, place, reply } => {
                changes.answer(reply, async move { chats.write_place(chat, place).await });
            }
            command => super::refuse(hearth_protocol::Command::Chat(command)),
        }
    }

    /// Routes what is asked of presets.
    pub(super) fn preset(self, runtime: &Runtime, command: PresetCommand) {
        let (presets, changes) = (self.presets, self.changes);
        match command {
            PresetCommand::List { reply } => answer(runtime, reply, async move { presets.list().await }),
            PresetCommand::Save { name, options, reply } => {
                changes.answer(reply, async move { presets.save(&name, *options).await });
            }
            PresetCommand::Rename { name, to, reply } => {
                changes.answer(reply, async move { presets.rename(&name, &to).await });
            }
            PresetCommand::Delete { name, reply } => {
                changes.answer(reply, async move { presets.delete(&name).await });
            }
            PresetCommand::Export { name, path, reply } => {
                answer(runtime, reply, async move { presets.export(&name, path).await });
            }
            PresetCommand::Import { path, reply } => {
                answer(runtime, reply, async move { presets.import(path).await });
            }
        }
    }
}
