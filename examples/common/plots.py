"""The common style of the pictures of the examples."""

try:
    import matplotlib
except ImportError:
    raise SystemExit("Pictures need matplotlib, which this Python does not have. `scripts/bootstrap --developer` puts "
                     "it into .venv (then begin the command with .venv/bin/python), as does `pip install matplotlib`. "
                     "The figures need no more than Python: leave --picture out.") from None

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

INK, QUIET, GRID = "#222222", "#8a8a8a", "#e6e6e6"
RUN, SECOND, THIRD = "#1f5fa8", "#c4403a", "#3c8d5a"  # colors of results of the run
REFERENCE = "#222222"  # color of values of theory or other programs, drawn as dashed lines or open marks


def panels(count, width=9.6, height=3.5, **options):
    """Returns a figure with `count` panels side by side; sizes in inches."""
    plt.rcParams.update({"font.size": 9, "axes.titlesize": 10, "axes.edgecolor": QUIET, "text.color": INK,
                         "axes.labelcolor": INK, "xtick.color": INK, "ytick.color": INK, "axes.grid": True,
                         "grid.color": GRID, "axes.axisbelow": True, "axes.spines.top": False,
                         "axes.spines.right": False, "legend.frameon": False, "legend.fontsize": 8,
                         "lines.linewidth": 1.5})
    figure, axes = plt.subplots(1, count, figsize=(width, height), layout="constrained", squeeze=False, **options)
    return figure, axes[0]


def save(figure, file, title):
    figure.suptitle(title, fontsize=11)
    figure.savefig(file, dpi=100)
    plt.close(figure)
