import { type EcmaScriptModule, parseSync, type StaticExportEntry, type StaticImport } from 'oxc-parser'

/** A module that a file needs when it runs, with the names it takes of it; `all` of a namespace, and of an import for its effect. */
interface Taken {
  readonly specifier: string
  readonly names: readonly string[] | 'all'
}

/** Names of another module that a file passes on: one name under its own or another, or all of them. */
export interface Passed {
  readonly specifier: string
  /** The name in the other module; absent where all are passed on. */
  readonly name?: string
  readonly as?: string
}

/** A file as its importers need to know it: no types, which are gone when it runs. */
export interface SourceModule {
  readonly taken: readonly Taken[]
  readonly passed: readonly Passed[]
  /** Names that it exports of its own. */
  readonly own: readonly string[]
  /** It has no statement but those that pass on what others export. */
  readonly isBarrel: boolean
}

/** Reads what a file imports and exports. Throws when it does not parse. */
export function moduleOf(path: string, source: string): SourceModule {
  const { program, module, errors } = parseSync(path, source)
  if (errors[0] !== undefined) throw new Error(`${path} does not parse: ${errors[0].message}`)
  const entries = module.staticExports
    .flatMap((statement) => statement.entries)
    .filter(({ isType }) => !isType)
  return {
    taken: takenOf(module),
    passed: entries.flatMap(passedOf),
    own: entries.filter(({ moduleRequest }) => moduleRequest === null).map(exportedName),
    isBarrel:
      program.body.length > 0 &&
      program.body.every(
        (statement) =>
          statement.type === 'ExportAllDeclaration' ||
          (statement.type === 'ExportNamedDeclaration' && statement.source !== null),
      ),
  }
}

function takenOf({ staticImports }: EcmaScriptModule): readonly Taken[] {
  return staticImports
    .map((statement) => ({ specifier: statement.moduleRequest.value, names: namesOf(statement) }))
    .filter(({ names }) => names === 'all' || names.length > 0)
}

function namesOf({ entries }: StaticImport): Taken['names'] {
  const values = entries.filter(({ isType }) => !isType)
  if (entries.length === 0 || values.some(({ importName }) => importName.kind === 'NamespaceObject'))
    return 'all'
  return values.map(({ importName }) => importName.name ?? 'default')
}

function passedOf({ moduleRequest, importName, exportName }: StaticExportEntry): Passed[] {
  if (moduleRequest === null) return []
  const specifier = moduleRequest.value
  const [name, as] = [importName.name, exportName.name]
  // `export * from` has no name in either; `export * as x from` passes on all of it under one.
  return [{ specifier, ...(name !== null && { name }), ...(as !== null && { as }) }]
}

function exportedName({ exportName }: StaticExportEntry): string {
  return exportName.name ?? 'default'
}
