//! Who may name whom: the invariants of ARCHITECTURE.md that are absences, and texts that belong in no file.

use super::{SourceFile, names};

/// Names that only some files may use.
struct Border {
    /// The names, as whole words.
    names: &'static [&'static str],
    /// The files it holds for, by the start of their paths.
    within: &'static [&'static str],
    /// The files among them that may, by the start of their paths.
    except: &'static [&'static str],
    /// Why.
    reason: &'static str,
}

const BORDERS: &[Border] = &[
    Border {
        names: &["tokio", "makepad_widgets", "std::fs", "std::net", "std::process"],
        within: &["protocol/src/"],
        // The one type that says where a server listens.
        except: &["protocol/src/server.rs"],
        reason: "the protocol is plain data and channels",
    },
    Border {
        names: &["makepad_widgets", "Cx", "LiveId", "WidgetRef"],
        within: &[
            "app/src/state/",
            "app/src/state.rs",
            "app/src/msg.rs",
            "app/src/effect.rs",
        ],
        except: &[],
        reason: "the window's state is plain data, tested without a window",
    },
    Border {
        names: &[
            "std::fs",
            "sleep",
            "block_on",
            "recv",
            "recv_timeout",
            "next_timeout",
            "wait",
        ],
        within: &["app/src/"],
        // Before the window opens; a thread of its own; the one rest that is meant; a test that reads the sources.
        except: &[
            "app/src/main.rs",
            "app/src/desktop.rs",
            "app/src/probe.rs",
            "app/src/probe/",
            "app/src/pacer.rs",
            "app/src/text/tests.rs",
        ],
        reason: "the window's thread never waits",
    },
    Border {
        names: &["sqlx"],
        within: &[""],
        except: &[
            "backend/src/store/",
            "backend/src/store.rs",
            // Fills a catalogue of a size that no hub search would bring in a day.
            "bench/src/rows/catalogue.rs",
            "bench/src/rows/search.rs",
            "xtask/",
        ],
        reason: "only the store speaks to the database",
    },
    Border {
        names: &["llama_cpp_2", "llama_cpp_sys_2"],
        within: &[""],
        except: &[
            "backend/src/engine/worker/",
            "backend/src/engine/worker.rs",
            "xtask/",
        ],
        reason: "llama.cpp runs in the worker process only",
    },
    Border {
        names: &["reqwest", "TcpStream", "UdpSocket", "lookup_host"],
        within: &["protocol/", "backend/src/", "app/src/", "cli/src/"],
        // Connections that come in.
        except: &[
            "backend/src/net.rs",
            "backend/src/net/",
            "backend/src/server/listener.rs",
            // The clients of its tests.
            "backend/src/server/connection/tests.rs",
        ],
        reason: "every outbound connection goes through one door",
    },
    Border {
        names: &["hf_hub"],
        within: &[""],
        except: &[
            "backend/src/net.rs",
            "backend/src/library",
            "backend/src/config.rs",
            "xtask/",
        ],
        reason: "only the door and the library know the hub's client",
    },
    Border {
        names: &["hearth_backend"],
        within: &[""],
        except: &[
            "app/src/main.rs",
            "cli/src/main.rs",
            // The Hearth that runs beside the command under test.
            "cli/tests/it/neighbour.rs",
            "backend/tests/",
            "bench/",
            "xtask/",
        ],
        reason: "everyone else holds a Client",
    },
];

/// Texts that name one machine or one registry. Split, so that this file does not hold them.
const FOREIGN: &[&str] = &[
    concat!("/wo", "rk/"),
    concat!("/ro", "ot/"),
    concat!("crates", ".io"),
    concat!("py", "pi.org"),
    concat!("python", "hosted.org"),
    concat!("deb.", "debian.org"),
];

/// The lock files are cargo's; they name the registry of every crate.
const FOREIGN_EXCEPT: &[&str] = &["Cargo.lock", "fuzz/Cargo.lock"];

pub(super) fn check(file: &SourceFile, breaches: &mut Vec<String>) {
    if file.is_rust() {
        for border in BORDERS.iter().filter(|border| border.holds_for(&file.path)) {
            check_border(file, border, breaches);
        }
    }
    if !FOREIGN_EXCEPT.contains(&file.path.as_str()) {
        for (index, line) in file.text.lines().enumerate() {
            for foreign in FOREIGN.iter().filter(|foreign| line.contains(**foreign)) {
                breaches.push(format!(
                    "{}:{}: {foreign} is a place of one machine or registry",
                    file.path,
                    index + 1
                ));
            }
        }
    }
}

fn check_border(file: &SourceFile, border: &Border, breaches: &mut Vec<String>) {
    for (number, code) in file.code() {
        for name in border.names.iter().filter(|name| names(code, name)) {
            breaches.push(format!(
                "{}:{number}: names {name}, but {}",
                file.path, border.reason
            ));
        }
    }
}

impl Border {
    fn holds_for(&self, path: &str) -> bool {
        let starts = |folders: &[&str]| folders.iter().any(|folder| path.starts_with(folder));
        starts(self.within) && !starts(self.except)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn breaches(path: &str, text: &str) -> Vec<String> {
        let (path, text) = (path.to_owned(), text.to_owned());
        let mut breaches = Vec::new();
        check(&SourceFile { path, text }, &mut breaches);
        breaches
    }

    #[test]
    fn each_border_holds_where_it_should_and_nowhere_else() {
        let cases = [
            ("protocol/src/chat.rs", "use tokio::sync::mpsc;", 1),
            ("protocol/src/chat.rs", "// unlike tokio", 0),
            ("protocol/src/chat.rs", "std::fs::read(path)", 1),
            ("app/src/state/chats.rs", "use makepad_widgets::*;", 1),
            ("app/src/ui/shell.rs", "use makepad_widgets::*;", 0),
            ("app/src/bridge.rs", "let chats = client.list_chats().wait();", 1),
            ("app/src/pacer.rs", "std::thread::sleep(rest)", 0),
            ("backend/src/chat.rs", "sqlx::query!()", 1),
            ("backend/src/store/chats.rs", "sqlx::query!()", 0),
            ("backend/src/engine.rs", "use llama_cpp_2::model::LlamaModel;", 1),
            (
                "backend/src/engine/worker/model.rs",
                "use llama_cpp_2::model::LlamaModel;",
                0,
            ),
            ("backend/src/library.rs", "reqwest::get(url)", 1),
            ("backend/src/net.rs", "reqwest::Client::builder()", 0),
            ("app/src/bridge.rs", "hearth_backend::start(config)", 1),
            ("cli/src/main.rs", "hearth_backend::start(config)", 0),
        ];
        for (path, text, count) in cases {
            assert_eq!(breaches(path, text).len(), count, "{path}: {text}");
        }
    }

    #[test]
    fn a_place_of_one_machine_is_found_in_any_file() {
        let text = format!("see {}models", FOREIGN[0]);
        assert_eq!(breaches("README.md", &text).len(), 1);
        assert_eq!(breaches("Cargo.lock", &text).len(), 0);
    }
}
