"""Looking at what was learned: exact objectives, convergence, significance, tables, plots, reports."""
