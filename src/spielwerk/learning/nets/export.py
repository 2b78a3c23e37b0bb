"""From PyTorch to a file that ONNX Runtime plays."""

import io
import warnings
from pathlib import Path

import onnx
import torch

from spielwerk.files import write_whole
from spielwerk.games.catalogue import parse_game
from spielwerk.learning.nets.architectures import BoardNet
from spielwerk.values.model import HEADER
from spielwerk.values.net import INPUT, POLICY, VALUE, NetHeader
from spielwerk.values.net_inputs import input_shape


def net_bytes(net: BoardNet, header: NetHeader) -> bytes:
    """The file's content; the same net and header give the same bytes."""
    shape = input_shape(header.representation, parse_game(header.game))
    names = [VALUE, POLICY] if header.policy else [VALUE]
    device = next(net.parameters()).device
    buffer = io.BytesIO()
    was_training = net.training
    net.eval()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the newer exporter needs more packages, for the same file
        torch.onnx.export(
            net,
            (torch.zeros(2, *shape, device=device),),
            buffer,  # type: ignore[arg-type]
            dynamo=False,
            input_names=[INPUT],
            output_names=names,
            dynamic_axes={name: {0: "positions"} for name in (INPUT, *names)},
        )
    net.train(was_training)
    model = onnx.load_from_string(buffer.getvalue())
    entry = model.metadata_props.add()
    entry.key, entry.value = HEADER, header.to_json()
    return bytes(model.SerializeToString(deterministic=True))


def export_net(net: BoardNet, header: NetHeader, path: Path) -> None:
    write_whole(path, net_bytes(net, header))
