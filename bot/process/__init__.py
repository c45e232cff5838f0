"""The running bot: its parts built in order, signals, the gateway and its shards, syncing commands and emojis."""
