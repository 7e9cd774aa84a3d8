"""The HTML page, rendered from page.html.j2. Escapes all texts except the SVG of the figures."""
from __future__ import annotations

import pathlib

import jinja2
import markupsafe

from .drawing import svg_of


def html_of(report, data_folder):
    environment = jinja2.Environment(loader=jinja2.FileSystemLoader(pathlib.Path(__file__).parent), autoescape=True,
                                     trim_blocks=True, lstrip_blocks=True, undefined=jinja2.StrictUndefined)
    drawings = {figure.name: markupsafe.Markup(svg_of(figure))
                for section in report.sections for figure in section.figures}
    return environment.get_template("page.html.j2").render(report=report, drawings=drawings, data_folder=data_folder)
