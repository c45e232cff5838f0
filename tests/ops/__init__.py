"""What operators are given beside the bot: compose, monitoring, the workflow of the code host."""
