"""The modules of tessera-report. Only drawing.py and page.py need packages outside of the standard library.
structure.py is faster with NumPy."""
