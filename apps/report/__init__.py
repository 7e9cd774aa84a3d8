"""The modules of tessera-report. Everything but drawing.py and page.py needs Python alone; structure.py is faster with
NumPy."""
