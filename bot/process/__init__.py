"""The running bot: its parts built in order, signals, the gateway and its shards, what Discord is told once."""
