"""The running bot: its parts built in order, signals, the gateway and its shards, syncing commands and emojis."""

from bot.platform.database.without_orm import leave_out_orm

leave_out_orm()  # before any part of the bot imports its store
