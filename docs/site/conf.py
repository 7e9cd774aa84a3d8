"""Sphinx configuration of the documentation site. scripts/site builds the site."""

from html import escape

from sphinx import addnodes

project = html_title = "Tessera"
extensions = ["myst_parser", "breathe"]
myst_heading_anchors = 4
breathe_default_project = "tessera"
breathe_show_include = False
highlight_language = "text"
toc_object_entries = False
html_theme = "furo"
html_static_path = ["style"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_copyright = False


def add_contents(app, page, template, context, doctree):
    """Makes the contents beside a page from titles alone. Sphinx would copy all headings of all pages for each page,
    which took most of the time."""
    root = app.config.root_doc

    def trees(name):
        return list(app.env.tocs[name].findall(addnodes.toctree))

    def entry(name, level):
        children = [child for tree in trees(name) for child in tree["includefiles"]] if name != root else []
        inner, inside = entries(children, level + 1)
        here = name == page
        current = "current " if here or inside else ""
        link = (f'<a class="{current}reference internal" href="{"#" if here else context["pathto"](name)}">'
                f"{escape(app.env.titles[name].astext())}</a>")
        return f'<li class="{current}toctree-l{level}">{link}{inner}</li>', here or inside

    def entries(names, level):
        """The list of some pages, and whether the present page is among them or below them."""
        found = [entry(name, level) for name in names]
        text = "".join(item for item, _ in found)
        return f"<ul>{text}</ul>" if text else "", any(inside for _, inside in found)

    context["toctree"] = lambda **_: "".join(
        f'<p class="caption" role="heading"><span class="caption-text">{tree["caption"]}</span></p>'
        + entries(tree["includefiles"], 1)[0] for tree in trees(root))


def setup(app):
    app.connect("html-page-context", add_contents, priority=100)
