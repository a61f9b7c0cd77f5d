"""How many judgements each method needs: the room of `kibitz bench feedback`."""
