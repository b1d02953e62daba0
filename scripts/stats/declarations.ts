import { type Comment, type Node, parseSync, Visitor } from 'oxc-parser'

/** What one source file declares, as `npm run stats` counts it. */
export interface Declarations {
  /** Lines of each named function: declarations, methods, and functions that a variable or property holds. */
  readonly functions: readonly { readonly name: string; readonly lines: number }[]
  /** Each exported function, class, interface and type, and whether it has a docstring. */
  readonly exports: readonly { readonly name: string; readonly isDocumented: boolean }[]
  /** Lines that hold more than blanks and comments. */
  readonly codeLines: number
}

/** Reads the declarations of a TypeScript or JavaScript file. Throws when it does not parse. */
export function declarationsOf(path: string, source: string): Declarations {
  const { program, comments, errors } = parseSync(path, source)
  if (errors[0] !== undefined) throw new Error(`${path} does not parse: ${errors[0].message}`)
  const lineAt = lineFinder(source)
  const functions: { name: string; lines: number }[] = []
  const add = (name: string, { start, end }: { start: number; end: number }) =>
    functions.push({ name, lines: lineAt(end - 1) - lineAt(start) + 1 })
  new Visitor({
    FunctionDeclaration: (node) => add(node.id?.name ?? 'default', node),
    MethodDefinition: (node) => add(nameOf(node.key), node),
    PropertyDefinition: (node) => isFunction(node.value) && add(nameOf(node.key), node),
    Property: (node) => isFunction(node.value) && add(nameOf(node.key), node),
    VariableDeclarator: (node) => isFunction(node.init) && add(nameOf(node.id), node),
  }).visit(program)
  const exports = new Map<string, boolean>()
  for (const statement of program.body) {
    if (statement.type !== 'ExportNamedDeclaration' && statement.type !== 'ExportDefaultDeclaration') continue
    const isDocumented = hasDocstring(statement.start, source, comments)
    // The overloads of one function share the docstring of the first.
    for (const name of declaredNames(statement.declaration))
      exports.set(name, exports.get(name) === true || isDocumented)
  }
  return {
    functions,
    exports: [...exports].map(([name, isDocumented]) => ({ name, isDocumented })),
    codeLines: codeLines(source, comments),
  }
}

/** Lines of a text that hold more than blanks and what lies in the given spans. */
export function codeLines(source: string, comments: readonly { start: number; end: number }[]): number {
  let code = ''
  let place = 0
  for (const { start, end } of comments) {
    code += source.slice(place, start) + source.slice(start, end).replace(/[^\n]/g, ' ')
    place = end
  }
  return (code + source.slice(place)).split('\n').filter((line) => line.trim() !== '').length
}

function isFunction(node: Node | null | undefined): boolean {
  return node?.type === 'ArrowFunctionExpression' || node?.type === 'FunctionExpression'
}

function nameOf(node: Node): string {
  return node.type === 'Identifier' || node.type === 'PrivateIdentifier' ? node.name : '(computed)'
}

/** Names of the functions, classes and types that an export statement declares; constants are no part of the count. */
function declaredNames(declaration: Node | null): readonly string[] {
  switch (declaration?.type) {
    case 'FunctionDeclaration':
    case 'TSDeclareFunction':
    case 'ClassDeclaration':
      return [declaration.id?.name ?? 'default']
    case 'TSInterfaceDeclaration':
    case 'TSTypeAliasDeclaration':
      return [declaration.id.name]
    case 'VariableDeclaration':
      return declaration.declarations.filter(({ init }) => isFunction(init)).map(({ id }) => nameOf(id))
    default:
      return []
  }
}

function hasDocstring(start: number, source: string, comments: readonly Comment[]): boolean {
  return comments.some(
    ({ type, value, end }) =>
      type === 'Block' && value.startsWith('*') && end <= start && source.slice(end, start).trim() === '',
  )
}

function lineFinder(source: string): (offset: number) => number {
  const starts = [0]
  for (let at = source.indexOf('\n'); at >= 0; at = source.indexOf('\n', at + 1)) starts.push(at + 1)
  return (offset) => {
    let low = 0
    let high = starts.length
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if ((starts[middle] ?? 0) <= offset) low = middle
      else high = middle
    }
    return low
  }
}
