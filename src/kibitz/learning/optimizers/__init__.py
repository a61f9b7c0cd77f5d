"""From a gradient to a step: one file for each rule; the state is data in the weights."""

from kibitz.learning.optimizers.adagrad import AdaGrad
from kibitz.learning.optimizers.adam import Adam
from kibitz.learning.optimizers.normalized import Normalized
from kibitz.learning.optimizers.optimizer import Optimizer
from kibitz.learning.optimizers.registry import OPTIMIZERS, optimizer_from
from kibitz.learning.optimizers.sgd import SGD

__all__ = ["OPTIMIZERS", "SGD", "AdaGrad", "Adam", "Normalized", "Optimizer", "optimizer_from"]
