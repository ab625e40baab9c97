"""What a notebook is made of, and how functions get into it.

A function is taken as it stands in its file, with all that it calls; nothing
is written a second time. The notebook needs NumPy and nothing of ours.
"""

import ast
import base64
import builtins
import inspect
import textwrap
from types import ModuleType

import numpy as np

WIDE = 4000  # numbers from which on an array is packed


def as_text(notebook):
    """A notebook as the text of a `.ipynb` file."""
    import nbformat

    return nbformat.writes(notebook)


class Notebook:
    """A notebook that is being written, cell by cell.

    Args:
        title: its heading.
        introduction: what it computes, in Markdown.
    """

    def __init__(self, title, introduction):
        self.cells = [("markdown", f"# {title}\n\n{introduction}")]
        self.imports = {"import numpy as np"}
        self.defined = set()

    def text(self, markdown):
        """Add a paragraph."""
        self.cells.append(("markdown", textwrap.dedent(markdown).strip()))
        return self

    def code(self, lines):
        """Add lines that run."""
        self.cells.append(("code", textwrap.dedent(lines).strip()))
        return self

    def functions(self, *objects):
        """Add functions and classes as they stand in their files.

        What they use and is not there yet is added before them.
        """
        for each in objects:
            self._define(each)
        return self

    def array(self, name, numbers, said=""):
        """Add an array under a name; a large one is packed.

        Args:
            numbers: floats, kept in single precision.
            said: a remark behind it.
        """
        numbers = np.asarray(numbers, np.float32)
        remark = f"  # {said or str(numbers.shape)}"
        if numbers.size < WIDE:
            listed = np.array2string(
                numbers,
                separator=", ",
                threshold=WIDE,
                floatmode="unique",
                max_line_width=79,
            )
            lines = f"{name} = np.array({listed}, np.float32){remark}"
        else:
            self.imports.add("import base64")
            packed = base64.b64encode(numbers.tobytes()).decode()
            lines = (
                f"packed = {packed!r}\n{name} = np.frombuffer("
                f"base64.b64decode(packed), np.float32)"
                f".reshape{numbers.shape}{remark}"
            )
        self.cells.append(("code", lines))
        return self

    def compared(self, expression, numbers):
        """End with a result beside the page's own numbers.

        Args:
            expression: what the notebook has computed, in Python.
            numbers: the same as the page shows it.
        """
        self.array("from_the_page", numbers)
        return self.code(f"""
        result = {expression}
        print(np.round(result, 4))
        assert np.allclose(result, from_the_page, atol=1e-4)
        print("The same numbers as on the page.")
        """)

    def made(self):
        """The finished notebook, of `nbformat`."""
        import nbformat.v4 as v4

        first, *others = self.cells
        cells = [first, ("code", "\n".join(sorted(self.imports))), *others]
        new = {"markdown": v4.new_markdown_cell, "code": v4.new_code_cell}
        notebook = v4.new_notebook(
            cells=[
                new[kind](text, id=f"cell-{number}")
                for number, (kind, text) in enumerate(cells)
            ]
        )
        notebook.metadata["language_info"] = {"name": "python"}
        return notebook

    def _define(self, each):
        """Add one function or class, after all that it uses."""
        each = inspect.unwrap(each)
        if each.__qualname__ in self.defined:
            return
        self.defined.add(each.__qualname__)
        source = textwrap.dedent(inspect.getsource(each))
        names = vars(inspect.getmodule(each))
        for name in sorted(used_names(source) & set(names)):
            self._provide(name, names[name])
        self.cells.append(("code", source.rstrip()))

    def _provide(self, name, value):
        """Make a name of another file known in the notebook."""
        if isinstance(value, ModuleType):
            self.imports.add(
                f"import {value.__name__}"
                + (f" as {name}" if name != value.__name__ else "")
            )
        elif inspect.isfunction(value) or inspect.isclass(value):
            if value.__module__.startswith("llm."):
                self._define(value)
            else:
                self.imports.add(f"from {value.__module__} import {name}")
        elif inspect.isbuiltin(value):
            self.imports.add(f"from {value.__module__} import {name}")
        elif name not in self.defined:
            self.defined.add(name)
            if type(value).__module__.startswith("llm."):
                self._define(type(value))
            self.cells.append(("code", f"{name} = {value!r}"))


def used_names(source):
    """The names that a piece of code uses and does not come with Python."""
    tree = ast.parse(source)
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    return names - set(vars(builtins))
