"""What operators are given besides the bot: compose, monitoring, the code host's workflow."""
