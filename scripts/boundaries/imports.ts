import { type Expression, parseSync, Visitor, type VisitorObject } from 'oxc-parser'

/** One mention of another module in a source file. */
export interface ImportSite {
  readonly specifier: string
  readonly line: number
  /** Named by URL: a file that is read or started as a worker, and not part of this module. */
  readonly isSeparateProgram: boolean
}

/**
 * Every module that a file names: imports and re-exports (types too), lazy imports, imports inside types, and files it
 * starts as workers or reads (`new URL('./x', import.meta.url)`). Throws when the file does not parse.
 */
export function importsOf(path: string, source: string): readonly ImportSite[] {
  const { program, module, errors } = parseSync(path, source)
  if (errors[0] !== undefined) throw new Error(`${path} does not parse: ${errors[0].message}`)
  const sites: ImportSite[] = []
  const add: Add = (specifier, offset, isSeparateProgram = false) =>
    sites.push({ specifier, line: lineAt(source, offset), isSeparateProgram })
  for (const { moduleRequest } of module.staticImports) add(moduleRequest.value, moduleRequest.start)
  for (const { entries } of module.staticExports) {
    for (const { moduleRequest } of entries) if (moduleRequest) add(moduleRequest.value, moduleRequest.start)
  }
  new Visitor({
    ...lazyVisitor(add),
    TSImportType: ({ source: named }) => addText(named, add),
  }).visit(program)
  return distinct(sites)
}

/** The modules that a file loads later, and the files it starts as workers or reads. */
export function lazyImportsOf(path: string, source: string): readonly Pick<ImportSite, 'specifier'>[] {
  const found: Pick<ImportSite, 'specifier'>[] = []
  if (!/\bimport\s*\(|\bnew URL\(/.test(source)) return found
  new Visitor(lazyVisitor((specifier) => found.push({ specifier }))).visit(parseSync(path, source).program)
  return found
}

type Add = (specifier: string, offset: number, isSeparateProgram?: boolean) => void

function lazyVisitor(add: Add): VisitorObject {
  return {
    ImportExpression: ({ source: named }) => addText(named, add),
    NewExpression: ({ callee, arguments: [file, base] }) => {
      const isOwnFile =
        callee.type === 'Identifier' && callee.name === 'URL' && base?.type === 'MemberExpression'
      if (isOwnFile && file?.type !== 'SpreadElement') addText(file, add, true)
    },
  }
}

function addText(expression: Expression | undefined, add: Add, isSeparateProgram = false): void {
  if (expression?.type === 'Literal' && typeof expression.value === 'string')
    add(expression.value, expression.start, isSeparateProgram)
}

function lineAt(source: string, offset: number): number {
  return source.slice(0, offset).split('\n').length
}

/** `export { a, b } from './x.ts'` names its module once per entry. */
function distinct(sites: readonly ImportSite[]): readonly ImportSite[] {
  return [...new Map(sites.map((site) => [`${site.specifier}:${site.line}`, site])).values()]
}
