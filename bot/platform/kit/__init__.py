"""The parts that every subject uses: custom_ids, presses, the parts that handlers share, messages that follow what they
show."""
