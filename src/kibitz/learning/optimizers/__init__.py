"""From a gradient to a step: one file for each rule; the state is data in the weights."""

from kibitz.learning.optimizers.adagrad import AdaGrad
from kibitz.learning.optimizers.adam import Adam
from kibitz.learning.optimizers.dog import DoG
from kibitz.learning.optimizers.optimizer import Optimizer, optimizer_from
from kibitz.learning.optimizers.sgd import SGD

__all__ = ["SGD", "AdaGrad", "Adam", "DoG", "Optimizer", "optimizer_from"]
