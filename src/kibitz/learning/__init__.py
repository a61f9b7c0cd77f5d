"""Learners that ask and are told, the optimizers they use, and simulations of both."""
