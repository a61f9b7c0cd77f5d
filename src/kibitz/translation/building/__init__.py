"""From parallel text to the files of a translation system, in stages that are done once each."""
