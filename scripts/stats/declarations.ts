import { type Comment, type Node, type Program, Visitor } from 'oxc-parser'

/** Declarations of one source file, as `npm run stats` counts them. */
export interface Declarations {
  /** Lines of each named function: declarations, methods, and functions that a variable or property holds. */
  readonly functions: readonly { readonly name: string; readonly lines: number }[]
  /** Each exported function, class, interface and type, and whether it has a docstring. */
  readonly exports: readonly { readonly name: string; readonly isDocumented: boolean }[]
  /** Lines that hold more than blanks and comments. */
  readonly codeLines: number
}

/** Reads the declarations of a parsed TypeScript or JavaScript file. */
export function declarationsOf(source: string, program: Program, comments: readonly Comment[]): Declarations {
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

/** Returns the same of a style sheet, which declares no functions. */
export function styleDeclarations(text: string): Declarations {
  const comments = [...text.matchAll(/\/\*[\s\S]*?\*\//g)].map(({ index, 0: { length } }) => ({
    start: index,
    end: index + length,
  }))
  return { functions: [], exports: [], codeLines: codeLines(text, comments) }
}

/** Counts the lines of a text that hold more than blanks and the spans. */
function codeLines(source: string, comments: readonly { start: number; end: number }[]): number {
  let code = ''
  let offset = 0
  for (const { start, end } of comments) {
    code += source.slice(offset, start) + source.slice(start, end).replace(/[^\n]/g, ' ')
    offset = end
  }
  return (code + source.slice(offset)).split('\n').filter((line) => line.trim() !== '').length
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
