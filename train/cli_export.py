"""The command `backalley export`: a trained network as an ONNX file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def export(
    checkpoint: Annotated[Path, typer.Argument(metavar="NETWORK", help="Network file, or the folder of a run.")],
    destination: Annotated[Path, typer.Argument(metavar="FILE", help="File to write, such as network.onnx.")],
) -> None:
    """Write a trained network as an ONNX model, which plays without torch as the policy onnx:FILE.

    Needs `pip install 'backalley[train,onnx]'`. For example:

        $ backalley export runs/quickstart network.onnx

        $ backalley eval onnx:network.onnx simple
    """
    from backalley.policies.extras import needed
    from backalley.train.output import check_destination

    check_destination(str(destination))
    onnx = needed("backalley.policies.onnx_export", "backalley[train,onnx]", "the export")
    typer.echo(f"wrote {onnx.export_network(checkpoint, destination)}")
