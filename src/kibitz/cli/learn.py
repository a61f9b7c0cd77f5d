"""`kibitz learn`: one run, or several seeds side by side."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kibitz.cli import options
from kibitz.cli.output import INTERRUPTED, print_json

STEP, ASKING, REPLAY = "The step", "What is asked, and of whom", "Judgements taken again"


def learn(
    task: Annotated[
        str | None,
        typer.Argument(
            metavar="TASK",
            help="chunking, handwriting, sequence, rerank or translation; --resume knows its own.",
        ),
    ] = None,
    objective: Annotated[
        str | None,
        typer.Option(help="el, pr-bin, pr-cont, ce or likelihood.  [default: el]", rich_help_panel=STEP),
    ] = None,
    preset: Annotated[
        str | None,
        typer.Option(help="Where options not named come from: recommended or paper.  [default: recommended]"),
    ] = None,
    rate: Annotated[float | None, typer.Option(help="The learning rate.", rich_help_panel=STEP)] = None,
    schedule: Annotated[
        str | None,
        typer.Option(help="How the rate falls: constant, sqrt, inverse or linear.", rich_help_panel=STEP),
    ] = None,
    iterations: Annotated[int | None, typer.Option(help="How many times the model asks.")] = None,
    feedback: Annotated[int | None, typer.Option(metavar="N", help="Stop after N judgements.")] = None,
    seed: Annotated[int | None, typer.Option(help="Fixes every random choice.  [default: 1]")] = None,
    seeds: Annotated[
        int | None, typer.Option(metavar="N", help="N runs side by side, with the seeds from --seed on.")
    ] = None,
    clip: Annotated[
        float | None,
        typer.Option(help="ce: the smallest probability divided by (the paper's k).", rich_help_panel=STEP),
    ] = None,
    l2: Annotated[
        float | None,
        typer.Option(help="The paper's lambda; a step shrinks by lambda/T.", rich_help_panel=STEP),
    ] = None,
    momentum: Annotated[
        float | None, typer.Option(help="sgd: the share of the last step in the next.", rich_help_panel=STEP)
    ] = None,
    temperature: Annotated[
        float | None,
        typer.Option(help="Entropy annealing from this temperature (T0); 0: none.", rich_help_panel=STEP),
    ] = None,
    pair_loss: Annotated[
        str | None,
        typer.Option(
            help="pr: violation (the paper's), shortfall, signed or logistic.", rich_help_panel=STEP
        ),
    ] = None,
    opponent: Annotated[
        str | None,
        typer.Option(
            help="pr: contrast draws it under -w (the paper's), self under w.", rich_help_panel=STEP
        ),
    ] = None,
    baseline: Annotated[
        str | None,
        typer.Option(
            help="Subtracted from the coefficient: none, mean, input, linear, optimal, leave-one-out.",
            rich_help_panel=STEP,
        ),
    ] = None,
    draws: Annotated[
        int | None,
        typer.Option(
            metavar="K",
            help="Outputs of an input that are each rated, or all compared.",
            rich_help_panel=STEP,
        ),
    ] = None,
    coupling: Annotated[
        str | None,
        typer.Option(
            help="How they are drawn: independent, antithetic or without-replacement.", rich_help_panel=STEP
        ),
    ] = None,
    control_variate: Annotated[
        str | None,
        typer.Option(
            help="Taken from the step, its mean put back: none, score, or parts.", rich_help_panel=STEP
        ),
    ] = None,
    asks: Annotated[
        str | None,
        typer.Option(
            help="all: about every input; unsure: where two guesses of the model differ; gradient: the more so, the "
            "more they differ.",
            rich_help_panel=ASKING,
        ),
    ] = None,
    replay: Annotated[
        int | None,
        typer.Option(
            metavar="N", help="After each judgement, take N remembered ones again.", rich_help_panel=REPLAY
        ),
    ] = None,
    replay_of: Annotated[
        str | None,
        typer.Option(
            help="judgements; or best: towards the best output seen of an input.", rich_help_panel=REPLAY
        ),
    ] = None,
    replay_age: Annotated[
        int | None,
        typer.Option(
            metavar="M", help="Forget judgements after M more.  [default: never]", rich_help_panel=REPLAY
        ),
    ] = None,
    replay_size: Annotated[
        int | None, typer.Option(metavar="N", help="Judgements remembered.", rich_help_panel=REPLAY)
    ] = None,
    replay_clip: Annotated[
        float | None, typer.Option(help="The largest importance weight; 0: any.", rich_help_panel=REPLAY)
    ] = None,
    replay_normalised: Annotated[
        bool | None,
        typer.Option(
            "--replay-normalised",
            help="Divide importance weights by their mean so far.",
            rich_help_panel=REPLAY,
        ),
    ] = None,
    optimizer: Annotated[
        str | None,
        typer.Option(help="sgd, adagrad, adam, or normalized, which needs no tuning.", rich_help_panel=STEP),
    ] = None,
    exponent: Annotated[
        float | None,
        typer.Option(
            help="adagrad: the power of past gradients that steps are divided by.", rich_help_panel=STEP
        ),
    ] = None,
    rater: Annotated[
        str | None,
        typer.Option(
            help="Who judges: clean, or e.g. careless:0.3, a share of random answers.  [default: clean]",
            rich_help_panel=ASKING,
        ),
    ] = None,
    late: Annotated[
        int | None,
        typer.Option(metavar="N", help="Answers come N asks after the question.", rich_help_panel=ASKING),
    ] = None,
    missing: Annotated[
        float | None, typer.Option(help="The share of answers that never come.", rich_help_panel=ASKING)
    ] = None,
    inputs: Annotated[
        str | None, typer.Option(help="random: drawn anew each time; epochs: each once an epoch.")
    ] = None,
    select: Annotated[
        str | None, typer.Option(help="The weights kept: dev (the best there), last, average or random.")
    ] = None,
    order: options.Order = None,
    features: options.Features = None,
    evaluate_every: Annotated[int | None, typer.Option(help="Iterations between two looks at dev.")] = None,
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
    start: Annotated[
        Path | None, typer.Option(metavar="MODEL", help="Begin with the weights of a saved model.")
    ] = None,
    resume: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Go on with the run saved in DIR, bit for bit.")
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Save model/, curve.jsonl, settings.json, report.html here."),
    ] = None,
    workers: options.Workers = None,
    json: options.Json = False,
) -> None:
    """Learn a task from simulated feedback.

    The gold answers judge the outputs, the learner never sees them. Options not named take the values
    recommended for the task and objective; --preset paper takes the paper's. Ctrl-C saves the run to --out
    and says how to go on with it.

    \b
    Examples:
      kibitz learn chunking
      kibitz learn chunking --objective pr-cont --preset paper --seeds 3 --out paper-pr
      kibitz learn handwriting --iterations 300000 --out letters
      kibitz learn sequence --train my.txt --dev my-dev.txt --loss hamming --out my-model
      kibitz learn rerank --train nbest.jsonl --dev dev.jsonl --test test.jsonl --out my-reranker
      kibitz learn translation --system model --weights weights --train news.fr --references news.en --out run
      kibitz learn chunking --feedback 20000 --objective pr-bin
      kibitz learn --resume letters
    """
    from kibitz.cli.learning import Wanted, learned

    settings = {
        "objective": objective, "rate": rate, "schedule": schedule, "iterations": iterations,
        "feedback": feedback, "clip": clip, "l2": l2, "momentum": momentum, "temperature": temperature,
        "pair_loss": pair_loss, "opponent": opponent, "baseline": baseline, "optimizer": optimizer,
        "inputs": inputs, "select": select, "evaluate_every": evaluate_every, "draws": draws, "coupling": coupling,
        "control_variate": control_variate, "asks": asks, "exponent": exponent, "rater": rater, "late": late,
        "missing": missing, "replay": replay, "replay_of": replay_of, "replay_age": replay_age,
        "replay_size": replay_size, "replay_clip": replay_clip, "replay_normalised": replay_normalised,
    }  # fmt: skip
    of_task = {
        "order": order, "features": features, "train": train, "dev": dev, "test": test, "loss": loss,
        "scheme": scheme, "templates": templates, "references": references,
        "dev_references": dev_references, "test_references": test_references, "system": system,
        "grammar": grammar, "lm": lm, "sparse": sparse, "weights": weights, "pop_limit": pop_limit,
        "best_pop_limit": best_pop_limit,
    }  # fmt: skip
    wanted = Wanted(task, preset, settings, of_task, seed, seeds, start, resume, out, workers)
    figures = learned(wanted)
    if json:
        print_json(figures)
    if figures["interrupted"]:
        raise typer.Exit(INTERRUPTED)
