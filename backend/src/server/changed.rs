//! What a change of the settings means for a server that runs.

use hearth_protocol::server::ServerConfig;

/// How a server that is `running` goes on, where the settings were `before` and are `after`. What differs between those is
/// taken; what was said for this start alone, and has not changed since, stays.
pub(super) fn changed(running: &ServerConfig, before: &ServerConfig, after: &ServerConfig) -> ServerConfig {
    fn newest<T: Clone + PartialEq>(running: &T, before: &T, after: &T) -> T {
        if before == after { running } else { after }.clone()
    }
    ServerConfig {
        port: newest(&running.port, &before.port, &after.port),
        network: newest(&running.network, &before.network, &after.network),
        keys_required: newest(
            &running.keys_required,
            &before.keys_required,
            &after.keys_required,
        ),
        cors_origins: newest(&running.cors_origins, &before.cors_origins, &after.cors_origins),
        hosts: newest(&running.hosts, &before.hosts, &after.hosts),
        tls: newest(&running.tls, &before.tls, &after.tls),
        log_prompts: newest(&running.log_prompts, &before.log_prompts, &after.log_prompts),
        // It has started.
        start_with_hearth: running.start_with_hearth,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_said_for_one_start_stays_and_what_has_changed_counts() {
        let before = ServerConfig::default();
        let running = ServerConfig {
            port: 0,
            keys_required: true,
            ..before.clone()
        };
        let cases = [
            (before.clone(), running.clone()),
            (
                ServerConfig {
                    log_prompts: true,
                    hosts: vec!["a.local".into()],
                    ..before.clone()
                },
                ServerConfig {
                    log_prompts: true,
                    hosts: vec!["a.local".into()],
                    ..running.clone()
                },
            ),
            (
                ServerConfig {
                    port: 8080,
                    ..before.clone()
                },
                ServerConfig {
                    port: 8080,
                    ..running.clone()
                },
            ),
            (
                ServerConfig {
                    start_with_hearth: true,
                    ..before.clone()
                },
                running.clone(),
            ),
        ];
        for (after, expected) in cases {
            assert_eq!(changed(&running, &before, &after), expected, "{after:?}");
        }
        // What is taken back in the settings is taken back here too.
        let open = ServerConfig {
            network: true,
            ..before.clone()
        };
        assert_eq!(changed(&open, &open, &before), before);
    }
}
