#!/usr/bin/env python3
"""Compares the imports of a graph with the interpreter's own resolution, and draws edges to be read.

usage: compare.py imports GRAPH TREE PATH FOLDER...  every name that is imported below the folders
       compare.py draw GRAPH TREE [N [SEED [BY]]]    N calls with the lines of their source and their targets

GRAPH is what scripts/graph-lines writes of the tree. PATH is the folders of it that would stand in sys.path, with ":" between them; that in which a
file lies comes first for it. Modules are found with the finders of importlib, without running any code.
"""
import ast
import importlib.machinery
import json
import os
import random
import sys

LOADERS = [
    (importlib.machinery.ExtensionFileLoader, importlib.machinery.EXTENSION_SUFFIXES),
    (importlib.machinery.SourceFileLoader, importlib.machinery.SOURCE_SUFFIXES),
]


def edges(graph):
    with open(graph, encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            if "edge" in record:
                yield record


def find(name, path):
    """The file of a module, "" for a namespace package, None where there is none in the folders of path."""
    found = None
    for part in name.split("."):
        found, portions = None, []
        for folder in path:
            spec = importlib.machinery.FileFinder(folder, *LOADERS).find_spec(part)
            if spec is not None and spec.loader is not None:
                found, portions = spec.origin, spec.submodule_search_locations or []
                break
            portions += spec.submodule_search_locations if spec is not None else []
        if found is None and not portions:
            return None
        path = portions
    return found or ""


def names_of(file, cache={}):
    """The names that a module binds at its top level."""
    if file not in cache:
        names = set()
        stack = list(ast.parse(open(file, "rb").read()).body)
        while stack:
            node = stack.pop()
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                names.add(node.name)
                continue
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                names.update((a.asname or a.name.split(".")[0]) for a in node.names)
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                names.add(node.id)
            stack.extend(ast.iter_child_nodes(node))
        cache[file] = names
    return cache[file]


def expected(path, file):
    """(line, module, name, file of the module, file of the name if that is a module of it) of what a file imports, which lies
    below one of the folders of path."""
    root = max((folder for folder in path if file.startswith(folder + os.sep)), key=len)
    path = [root] + [folder for folder in path if folder != root]
    package = os.path.relpath(os.path.dirname(file), root).split(os.sep)
    for node in ast.walk(ast.parse(open(file, "rb").read())):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name, "", find(alias.name, path), None
        elif isinstance(node, ast.ImportFrom):
            written = module = node.module or ""
            if node.level:
                written = "." * node.level + module
                module = ".".join(package[: len(package) - node.level + 1] + ([module] if module else []))
            found = find(module, path)
            for alias in node.names:
                inner = None
                if found is not None and alias.name != "*" and not (found.endswith(".py") and alias.name in names_of(found)):
                    inner = find(module + "." + alias.name, path)
                yield node.lineno, written, alias.name, found, inner


def imports(graph, tree, path, folders):
    tree = os.path.realpath(tree)
    path = [os.path.realpath(os.path.join(tree, folder)) for folder in path.split(":")]
    known = {}
    for edge in edges(graph):
        if edge["edge"] == "imports":
            for line in edge["lines"]:
                known[edge["from"].split("#")[0], line, edge.get("module", ""), edge.get("name", "")] = edge
    total = right = inside = 0
    for folder in folders:
        for at, _, names in os.walk(os.path.realpath(os.path.join(tree, folder))):
            for file in sorted(os.path.join(at, name) for name in names if name.endswith(".py")):
                short = os.path.relpath(file, tree)
                try:
                    wanted = list(expected(path, file))
                except (SyntaxError, UnicodeDecodeError, ValueError) as e:
                    print(f"{short}: {e}")
                    continue
                for line, module, name, found, inner in wanted:
                    want = [os.path.relpath(f, tree) for f in (found, inner) if f and f.startswith(tree + os.sep)]
                    edge = known.get((short, line, module, name))
                    # The module comes first, then what is taken from it, which may come from another one.
                    got = [t for t in edge.get("to", []) if "#" not in t] if edge else None
                    total += 1
                    inside += bool(want)
                    if got is not None and (got[: len(want)] == want if want else not got):
                        right += 1
                    else:
                        print(f"{short}:{line}: {module} {name}: want {want}, got {got}")
    print(f"{right} of {total} imports as the interpreter has them, {inside} of them in the tree")
    return right == total


def draw(graph, tree, count, seed, by):
    lines = {}

    def source(path):
        if path not in lines:
            lines[path] = open(os.path.join(tree, path), encoding="utf-8", errors="replace").read().splitlines()
        return lines[path]

    starts = {}
    for line in open(graph, encoding="utf-8"):
        record = json.loads(line)
        if "node" in record:
            starts[record["node"]] = record.get("start_line", 1), record.get("signature", "")
    all_calls = [e for e in edges(graph) if e["edge"] in ("calls", "instantiates") and e.get("to") and (e["by"] == by if by else e["by"] != "candidates")]
    for number, edge in enumerate(random.Random(seed).sample(all_calls, min(count, len(all_calls))), 1):
        path = edge["from"].split("#")[0]
        written = (edge["receiver"] + "." if edge.get("receiver") else "") + edge["name"]
        print(f"{number}. {edge['by']} {edge['from']} {edge['edge']} {written}")
        for line in edge["lines"][:1]:
            print(f"     {line}: {source(path)[line - 1].strip()}")
        for target in edge["to"]:
            print(f"  -> {target}:{starts.get(target, (0, ''))[0]} {starts.get(target, (0, ''))[1][:100]}")
    return True


def main(arguments):
    if len(arguments) >= 5 and arguments[0] == "imports":
        return imports(*arguments[1:4], arguments[4:])
    if len(arguments) >= 3 and arguments[0] == "draw":
        count, seed, by = (arguments[3:] + ["200", "1", ""][len(arguments) - 3 :])[:3]
        return draw(*arguments[1:3], int(count), int(seed), by)
    print(__doc__, file=sys.stderr)
    sys.exit(2)


if __name__ == "__main__":
    sys.exit(not main(sys.argv[1:]))
