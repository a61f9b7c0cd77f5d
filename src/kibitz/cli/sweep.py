"""`kibitz sweep`: meta-parameters chosen on dev, every run recorded."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from kibitz.cli import options
from kibitz.cli.output import print_json


def _axis(what: str) -> Any:
    return typer.Option(metavar="VALUES", help=what)


def sweep(
    task: options.TaskName,
    objective: Annotated[
        str, typer.Option(metavar="VALUES", help="el, pr-bin, pr-cont, ce, likelihood.")
    ] = "el",
    rate: Annotated[str | None, _axis("The learning rate.")] = None,
    schedule: Annotated[str | None, _axis("constant, sqrt, inverse, linear.")] = None,
    iterations: Annotated[str | None, _axis("How many times the model asks.")] = None,
    feedback: Annotated[str | None, _axis("How many judgements it gets.")] = None,
    clip: Annotated[str | None, _axis("ce: the smallest probability divided by.")] = None,
    l2: Annotated[str | None, _axis("The paper's lambda.")] = None,
    momentum: Annotated[str | None, _axis("sgd: the share of the last step in the next.")] = None,
    temperature: Annotated[str | None, _axis("Entropy annealing from this temperature.")] = None,
    pair_loss: Annotated[str | None, _axis("pr: violation, shortfall, signed.")] = None,
    opponent: Annotated[str | None, _axis("pr: contrast, self.")] = None,
    baseline: Annotated[str | None, _axis("none, mean, input, linear, optimal, leave-one-out.")] = None,
    draws: Annotated[str | None, _axis("Outputs of an input that are each rated, or all compared.")] = None,
    coupling: Annotated[str | None, _axis("independent, antithetic, without-replacement.")] = None,
    control_variate: Annotated[str | None, _axis("none, score, parts.")] = None,
    optimizer: Annotated[str | None, _axis("sgd, adagrad, adam, normalized.")] = None,
    inputs: Annotated[str | None, _axis("random, epochs.")] = None,
    order: Annotated[str | None, _axis("1, 2: labels the model looks back.")] = None,
    features: Annotated[str | None, _axis("handwriting: pixels, pairs.")] = None,
    preset: Annotated[
        str, typer.Option(help="Where settings not named come from: recommended or paper.")
    ] = "recommended",
    per_decade: Annotated[int, typer.Option(help="Steps of a range to every factor of ten.")] = 2,
    seed: Annotated[int, typer.Option(help="The first seed.")] = 1,
    seeds: Annotated[
        int, typer.Option(metavar="N", help="Runs of every combination, each with its own seed.")
    ] = 1,
    train: options.Train = None,
    dev: options.Dev = None,
    test: options.Test = None,
    loss: options.LossName = None,
    scheme: options.SchemeName = None,
    templates: options.TemplateFile = None,
    references: options.References = None,
    dev_references: options.DevReferences = None,
    test_references: options.TestReferences = None,
    system: options.System = None,
    grammar: options.GrammarFiles = None,
    lm: options.LanguageModels = None,
    sparse: options.Sparse = None,
    weights: options.WeightsFile = None,
    pop_limit: options.PopLimit = None,
    best_pop_limit: options.BestPopLimit = None,
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="The record, a JSON line a run.  [default: sweep-TASK.jsonl]"),
    ] = None,
    workers: options.Workers = None,
    json: options.Json = False,
) -> None:
    """Choose settings on dev, every run recorded.

    Runs every combination of VALUES side by side. VALUES is a number or a name, a list like 0,0.2,0.4, or a
    range like 1e-3..1e-1, spaced by the logarithm. Every run is a line of the record; the same sweep begun
    again does only what is missing. The mean dev score decides; the test score of the best is shown once, at
    the end.

    \b
    Examples:
      kibitz sweep chunking --rate 1e-3..1e-1 --iterations 1000000
      kibitz sweep chunking --objective el,pr-cont --rate 1e-4..1e-1 --seeds 3 --out rates.jsonl
      kibitz sweep handwriting --rate 0.02,0.05 --temperature 0,0.2,0.4 --iterations 300000
    """
    from kibitz.cli.sweeping import swept

    axes = {
        "objective": objective, "rate": rate, "schedule": schedule, "iterations": iterations,
        "feedback": feedback, "clip": clip, "l2": l2, "momentum": momentum, "temperature": temperature,
        "pair_loss": pair_loss,
        "opponent": opponent, "baseline": baseline, "optimizer": optimizer, "inputs": inputs, "order": order,
        "features": features, "draws": draws, "coupling": coupling,
        "control_variate": control_variate,
    }  # fmt: skip
    of_task = {
        "train": train,
        "dev": dev,
        "test": test,
        "loss": loss,
        "scheme": scheme,
        "templates": templates,
        "references": references,
        "dev_references": dev_references,
        "test_references": test_references,
        "system": system,
        "grammar": grammar,
        "lm": lm,
        "sparse": sparse,
        "weights": weights,
        "pop_limit": pop_limit,
        "best_pop_limit": best_pop_limit,
    }
    record = out or Path(f"sweep-{task}.jsonl")
    figures = swept(task, preset, axes, per_decade, range(seed, seed + seeds), of_task, record, workers)
    if json:
        print_json(figures)
