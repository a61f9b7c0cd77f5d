"""What can be predicted: spaces of outputs with exact inference on each."""
