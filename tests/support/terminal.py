"""Functions that run a program on a pseudo-terminal."""

import os
import pty


def start(words, **environment):
    """Starts a program; returns its process id and the descriptor of the terminal."""
    process, terminal = pty.fork()
    if process == 0:
        try:
            os.execvpe(words[0], words, os.environ | environment)
        finally:
            os._exit(127)
    return process, terminal


def on_a_terminal(words, **environment):
    """Runs a program; returns its output on the terminal and its exit code."""
    process, terminal = start(words, **environment)
    text = b""
    while True:
        try:
            text += os.read(terminal, 4096)
        except OSError:  # end of a terminal whose program has exited
            break
    os.close(terminal)
    return text.decode(), os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
