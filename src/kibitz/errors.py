"""What can go wrong, as exceptions whose message is one sentence for the person who can put it right."""


class KibitzError(Exception):
    """Any error Kibitz raises on purpose."""


class InputError(KibitzError):
    """Something the user gave is wrong: the message names what, where, and what to do."""


class DataUnavailable(InputError):
    """A data set is neither here nor to be had from any of its sources."""
