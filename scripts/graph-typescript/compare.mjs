// Compares the calls and imports of a graph with what the compiler of TypeScript knows.
//
// usage: node scripts/graph-typescript/compare.mjs DIR --graph GRAPH [--tsconfig FILE] [--below FOLDER] [--wrong N] [--missed N]
//
// GRAPH is what scripts/graph-lines writes of the tree DIR. The package "typescript" is looked for from the current folder upwards: `npm install --no-save typescript@5`. With the
// dependencies of DIR installed the compiler knows the type of more receivers. Files outside of FOLDER, or that the graph does not
// have, are left out; so are calls of which the compiler does not know what they call.
//
// A call is to be found if what it calls is a function, method or class of DIR: declared as such, or a variable, field or property
// whose value is a function. An edge is right if it leads to a declaration of what is called. Edges that
// keep several candidates count as not found, and are shown apart.
import fs from "node:fs";
import path from "node:path";
import { createRequire } from "node:module";
import readline from "node:readline";

const ts = createRequire(path.join(process.cwd(), "x.js"))("typescript");

function options(args) {
  const o = { dir: "", graph: "", tsconfig: "tsconfig.json", below: "", wrong: 0, missed: 0 };
  for (let i = 0; i < args.length; i++) {
    const name = args[i].replace(/^--/, "");
    if (name === args[i]) o.dir = path.resolve(args[i]);
    else if (name in o) o[name] = typeof o[name] === "number" ? Number(args[++i]) : args[++i];
    else throw new Error(`unknown option ${args[i]}`);
  }
  if (!o.dir || !o.graph) throw new Error("name a folder and its graph");
  return o;
}

// The nodes by identifier, and the edges of calls and imports by file.
async function readGraph(graph) {
  const nodes = new Map(), edges = new Map();
  let file = "";
  const input = fs.createReadStream(graph);
  for await (const line of readline.createInterface({ input })) {
    const o = JSON.parse(line);
    if (o.node !== undefined) {
      if (o.kind === "file") edges.set((file = o.node), []);
      nodes.set(o.node, { ...o, file });
    } else if (o.edge !== undefined && o.by) {
      edges.get(file).push(o);
    }
  }
  return { nodes, edges };
}

function compile(o, files) {
  const config = path.resolve(o.dir, o.tsconfig);
  const read = ts.getParsedCommandLineOfConfigFile(config, { noEmit: true, skipLibCheck: true, allowJs: true, composite: false, incremental: false },
    { ...ts.sys, onUnRecoverableConfigFileDiagnostic: (d) => { throw new Error(ts.flattenDiagnosticMessageText(d.messageText, "\n")); } });
  const host = ts.createCompilerHost(read.options);
  return { program: ts.createProgram(files, read.options, host), options: read.options, host };
}

const unwrap = (e) => {
  while (ts.isParenthesizedExpression(e) || ts.isAsExpression(e) || ts.isSatisfiesExpression?.(e) || ts.isNonNullExpression(e) || ts.isTypeAssertionExpression(e))
    e = e.expression;
  return e;
};
const isFunction = (e) => e && (ts.isArrowFunction(e) || ts.isFunctionExpression(e) || ts.isClassExpression(e));

// What a declaration is to a call: whether it is something that can be called where it stands.
function isCallee(d) {
  if (ts.isFunctionDeclaration(d) || ts.isMethodDeclaration(d) || ts.isMethodSignature(d) || ts.isClassDeclaration(d) || ts.isConstructorDeclaration(d) ||
      ts.isFunctionExpression(d) || ts.isArrowFunction(d) || ts.isClassExpression(d)) return true;
  if (ts.isVariableDeclaration(d) || ts.isPropertyDeclaration(d) || ts.isPropertyAssignment(d))
    return d.initializer !== undefined && isFunction(unwrap(d.initializer));
  if (ts.isBinaryExpression(d)) return isFunction(unwrap(d.right));
  if (ts.isExportAssignment(d)) return isFunction(unwrap(d.expression));
  return false;
}

// The qualified name of a declaration: its name behind those of what it stands in.
function qualified(d) {
  const names = [];
  for (let n = d; n && !ts.isSourceFile(n); n = n.parent) {
    const named = ts.isFunctionLike(n) || ts.isClassLike(n) || ts.isInterfaceDeclaration(n) || ts.isTypeAliasDeclaration(n) || ts.isModuleDeclaration(n) || ts.isEnumDeclaration(n) ||
      (ts.isVariableDeclaration(n) || ts.isPropertyAssignment(n) || ts.isPropertyDeclaration(n)) && (n === d || isFunction(n.initializer && unwrap(n.initializer)) || ts.isObjectLiteralExpression(n.initializer ?? n));
    const name = named && n.name && (n.name.text ?? n.name.getText?.());
    if (name && !(isFunction(n) && n.name === undefined)) names.unshift(name);
  }
  return names.join(".");
}

function calleeName(node) {
  let e = ts.isTaggedTemplateExpression(node) ? node.tag : ts.isJsxOpeningElement(node) || ts.isJsxSelfClosingElement(node) ? node.tagName : node.expression;
  e = unwrap(e);
  if (ts.isPropertyAccessExpression(e)) return e.name;
  if (ts.isIdentifier(e) || e.kind === ts.SyntaxKind.SuperKeyword) return e;
  return undefined;
}

function truth(o, graph) {
  const inTree = (file) => {
    const rel = path.relative(o.dir, file).split(path.sep).join("/");
    return graph.edges.has(rel) ? rel : "";
  };
  const files = [...graph.edges.keys()].filter((f) => f.startsWith(o.below) && /\.[cm]?[jt]sx?$/.test(f)).map((f) => path.join(o.dir, f));
  const { program, options, host } = compile(o, files);
  const checker = program.getTypeChecker();
  const calls = [], imports = [];
  for (const source of program.getSourceFiles()) {
    const file = inTree(source.fileName);
    if (!file || !file.startsWith(o.below)) continue;
    const line = (n) => source.getLineAndCharacterOfPosition(n.getEnd() - 1).line + 1;
    const call = (node, name) => {
      let symbol;
      if (name.kind === ts.SyntaxKind.SuperKeyword) {
        symbol = checker.getTypeAtLocation(name).symbol;
      } else {
        symbol = checker.getSymbolAtLocation(name);
        if (symbol && symbol.flags & ts.SymbolFlags.Alias) symbol = checker.getAliasedSymbol(symbol);
      }
      const declarations = (symbol?.declarations ?? []).filter((d) => !ts.isSourceFile(d));
      if (declarations.length === 0) {
        // The compiler does not know, but for a module that it does not have.
        calls.push({ file, line: line(name), name: name.text ?? "super", to: undefined });
        return;
      }
      const to = declarations.filter((d) => inTree(d.getSourceFile().fileName)).map((d) => {
        const at = ts.getNameOfDeclaration(d) ?? d;
        const where = d.getSourceFile();
        return {
          id: `${inTree(where.fileName)}#${qualified(d)}`, file: inTree(where.fileName), name: at.text ?? symbol.name,
          line: where.getLineAndCharacterOfPosition(at.getEnd() - 1).line + 1, callee: isCallee(d), kind: ts.SyntaxKind[d.kind],
        };
      });
      calls.push({ file, line: line(name), name: name.text ?? "super", to, wanted: to.some((t) => t.callee) });
    };
    const module = (specifier) => {
      if (!specifier || !ts.isStringLiteralLike(specifier)) return;
      const mode = ts.getModeForUsageLocation?.(source, specifier, options);
      const found = ts.resolveModuleName(specifier.text, source.fileName, options, host, undefined, undefined, mode).resolvedModule;
      imports.push({ file, line: line(specifier), module: specifier.text, to: found ? inTree(found.resolvedFileName) : "", found: found?.resolvedFileName ?? "" });
    };
    const visit = (node) => {
      if (ts.isCallExpression(node) || ts.isNewExpression(node) || ts.isTaggedTemplateExpression(node) || ts.isJsxOpeningElement(node) || ts.isJsxSelfClosingElement(node)) {
        const name = calleeName(node);
        if (name) {
          const intrinsic = (ts.isJsxOpeningElement(node) || ts.isJsxSelfClosingElement(node)) && ts.isIdentifier(name) && /^[a-z]/.test(name.text);
          if (ts.isCallExpression(node) && ts.isIdentifier(name) && name.text === "require") module(node.arguments[0]);
          else if (!intrinsic) call(node, name);
        } else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
          module(node.arguments[0]);
        }
      } else if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) {
        module(node.moduleSpecifier);
      } else if (ts.isExternalModuleReference(node)) {
        module(node.expression);
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return { calls, imports };
}

const key = (file, line, name) => `${file}\0${line}\0${name}`;

// What stands under one qualified name in a file is one node, wherever it begins.
function leadsTo(graph, id, targets) {
  const n = graph.nodes.get(id);
  return n !== undefined && targets.some((t) => t.id === id || `${t.id}.constructor` === id ||
    n.file === t.file && n.start_line <= t.line && t.line <= n.end_line && (n.name === t.name || n.start_line === t.line));
}

const percent = (a, b) => (b === 0 ? "-" : (a / b).toFixed(3));

function compareCalls(o, graph, calls) {
  const known = new Map();
  for (const c of calls) {
    const k = key(c.file, c.line, c.name);
    known.has(k) ? known.get(k).push(c) : known.set(k, [c]);
  }
  const ways = new Map(), hit = new Set();
  let unknown = 0;
  const wrong = [];
  for (const [file, edges] of graph.edges) {
    if (!file.startsWith(o.below)) continue;
    for (const e of edges) {
      if (e.edge !== "calls" && e.edge !== "instantiates") continue;
      for (const l of e.lines) {
        const at = known.get(key(file, l, e.name));
        if (!at || at.every((c) => c.to === undefined)) {
          unknown++;
          continue;
        }
        const w = ways.get(e.by) ?? { edges: 0, right: 0 };
        ways.set(e.by, w);
        w.edges++;
        let right = false;
        if (e.by === "external") right = at.some((c) => c.to !== undefined && c.to.length === 0);
        for (const id of e.to ?? [])
          for (const c of at)
            if (c.to && leadsTo(graph, id, c.to)) {
              right = true;
              if (e.by !== "candidates") hit.add(c);
            }
        if (right) w.right++;
        else wrong.push({ file, line: l, name: e.name, receiver: e.receiver, by: e.by, to: e.to ?? e.external, want: at.map((c) => c.to) });
      }
    }
  }
  let inside = 0, rightInside = 0;
  for (const [by, w] of [...ways].sort()) {
    console.log(`  ${by.padEnd(12)} ${String(w.edges).padStart(7)} ${percent(w.right, w.edges)}`);
    if (by !== "external" && by !== "candidates") inside += w.edges, rightInside += w.right;
  }
  const wanted = calls.filter((c) => c.wanted);
  const symbols = wanted.filter((c) => c.to.some((t) => graph.nodes.has(t.id)));
  const found = wanted.filter((c) => hit.has(c)).length;
  const foundSymbols = symbols.filter((c) => hit.has(c)).length;
  console.log(`calls       precision ${percent(rightInside, inside)} of ${inside}   recall ${percent(foundSymbols, symbols.length)} of ${symbols.length}   not judged ${unknown}`);
  console.log(`            recall with what is no symbol, such as functions in objects that are returned ${percent(found, wanted.length)} of ${wanted.length}`);
  const spread = (list, n) => list.filter((_, i) => n > 0 && i % Math.max(1, Math.floor(list.length / n)) === 0);
  const judged = wrong.filter((w) => w.by !== "external" && w.by !== "candidates");
  for (const w of spread(judged, o.wrong)) console.log("wrong", JSON.stringify(w));
  for (const c of spread(symbols.filter((c) => !hit.has(c)), o.missed)) console.log("missed", JSON.stringify(c));
}

function compareImports(o, graph, imports) {
  const made = new Map();
  for (const [file, edges] of graph.edges)
    for (const e of edges)
      if (e.edge === "imports") {
        const k = key(file, 0, e.module);
        const set = made.get(k) ?? new Set();
        made.set(k, set);
        for (const id of e.to ?? []) set.add(id);
        if (e.external) set.add("external");
      }
  let right = 0, total = 0, unknown = 0;
  const shown = new Set();
  for (const i of imports) {
    const k = key(i.file, 0, i.module);
    if (shown.has(k)) continue;
    shown.add(k);
    const got = [...(made.get(k) ?? [])].map((id) => graph.nodes.get(id)?.file ?? id);
    if (!i.found && got.some((id) => id !== "external")) {
      unknown++; // a package of the tree that is not linked in node_modules
      continue;
    }
    total++;
    const ok = i.to ? got.includes(i.to) : got.every((id) => id === "external");
    if (ok) right++;
    else if (o.wrong) console.log("import", JSON.stringify({ ...i, got }));
  }
  console.log(`imports     right ${percent(right, total)} of ${total}   not judged ${unknown}`);
}

const o = options(process.argv.slice(2));
const graph = await readGraph(o.graph);
const { calls, imports } = truth(o, graph);
compareCalls(o, graph, calls);
compareImports(o, graph, imports);
