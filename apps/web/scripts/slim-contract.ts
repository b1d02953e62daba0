import { fileURLToPath } from 'node:url'
import { type Plugin, runnerImport } from 'vite'

const contract = fileURLToPath(new URL('../../../packages/api/src/', import.meta.url))
const slimId = '\0slim-contract'
/** Before the name of a group of calls: the module that holds them. */
const groupId = `${slimId}/calls/`
/** Module of the constants that no address needs: guests load none of them. */
const consoleId = `${slimId}/console`
/** Constants that addresses are read by, which every page loads. */
const addressConstants = ['channelFilters', 'userFilters', 'modelCapabilities', 'incidentStates']
/** Before the name of a module of fields. */
const fieldsId = `${slimId}/fields/`
const groupPath = 'slim-contract/calls/'

/** Fields of a form, in a module of their own each: they load with the form, not with every page. */
const formFields: Readonly<Record<string, string>> = {
  '@tollgate/api/channel-fields': 'resources/channel-fields.ts',
  '@tollgate/api/user-fields': 'resources/user-fields.ts',
}

/** Table of models with their default costs: the server reports the prices in force, so browsers need none of it. */
const modelTable = /\/packages\/api\/src\/models\/models\.json$/
const emptyTable = JSON.stringify({
  date: '',
  sources: {},
  surcharges: { tools: [], tiers: [], steps: [] },
  releases: [],
  models: [],
})

/** Rows that browsers have without what upstreams accept, which is the server's to know. */
const addedRows = /\/packages\/providers\/src\/added-rows\.ts$/

/** Files of the contract that need no zod: the browser gets them as they are. */
const plainFiles = [
  'roles.ts',
  'admin-parts.ts',
  'audit-actions.ts',
  'errors/localized-texts.ts',
  'channel-fields.ts',
  'channel-reasons.ts',
  'chat-targets.ts',
  'resources/limits.ts',
] as const

/**
 * Gives the browser `@tollgate/api` without its schemas: calls keep their method, path and access, constants their
 * values. Types are untouched, so the contract still checks every call; but zod and all schemas (a quarter of the
 * first load) stay out of it. Forms import schemas from `@tollgate/api/schemas`, in code that loads with the form.
 * Each group of calls is a module of its own, so that a page brings only the groups it uses.
 */
export function slimContract(): Plugin {
  return {
    name: 'slim-contract',
    enforce: 'pre',
    resolveId(source, importer) {
      if (source === consoleId) return consoleId
      if (source.startsWith(groupPath)) return groupId + source.slice(groupPath.length)
      if (!importer?.includes('/apps/web/')) return undefined
      if (formFields[source] !== undefined) return `${fieldsId}${source}`
      return source === '@tollgate/api' ? slimId : undefined
    },
    transform(code, id) {
      if (!/\/apps\/web\/src\/.*\.tsx?$/.test(id) || !importsCalls.test(code)) return undefined
      return { code: importGroups(code), map: null }
    },
    async load(id) {
      if (modelTable.test(id)) return emptyTable
      if (addedRows.test(id)) return await constantsOf(this, id)
      if (!id.startsWith(slimId)) return undefined
      if (id.startsWith(fieldsId))
        return await constantsOf(this, `${contract}${formFields[id.slice(fieldsId.length)]}`)
      const { module, dependencies } = await runnerImport<Record<string, unknown>>(`${contract}index.ts`)
      for (const file of dependencies) this.addWatchFile(file)
      if (id === slimId) return slimSource(module)
      if (id === consoleId) return constantsIn(module, await withoutConstants(addressConstants)).join('\n')
      return groupSource(module, id.slice(groupId.length))
    },
  }
}

/** Recognises a module to which `calls` are the contract's: elsewhere the word names what a page has of its own. */
const importsCalls = /import\s*\{[^}]*\bcalls\b[^}]*\}\s*from\s*'@tollgate\/api'/

/** `calls.token.list` → `tokenCalls.list`, with an import of that group; lines stay where they are. */
export function importGroups(code: string): string {
  const groups = new Set<string>()
  const changed = code.replaceAll(/\bcalls\.(\w+)\./g, (_, group: string) => {
    groups.add(group)
    return `${group}Calls$.`
  })
  const imports = [...groups].map(
    (group) => `import { group as ${group}Calls$ } from '${groupPath}${group}';`,
  )
  return imports.join(' ') + changed
}

/** @throws Error for a name that is no group: a module that imports `calls` has given it to something else too */
function groupSource(module: Record<string, unknown>, group: string): string {
  const found = slimCalls(module.calls as CallGroups)[group]
  if (found === undefined) throw new Error(`the contract has no calls.${group}: rename what is called so`)
  return `export const group = ${JSON.stringify(found)}`
}

async function slimSource(module: Record<string, unknown>): Promise<string> {
  const others = Object.keys(module).filter((name) => !addressConstants.includes(name))
  const constants = constantsIn(module, await withoutConstants(others))
  return [
    ...plainFiles.map((file) => `export * from ${JSON.stringify(contract + file)}`),
    `export * from ${JSON.stringify(consoleId)}`,
    ...constants,
    `export const calls = ${JSON.stringify(slimCalls(module.calls as CallGroups))}`,
  ].join('\n')
}

/** Returns names that a module of constants has not: these, those of the plain files, and that of all calls. */
async function withoutConstants(names: readonly string[]): Promise<ReadonlySet<string>> {
  const plain = await Promise.all(
    plainFiles.map((file) => runnerImport<Record<string, unknown>>(contract + file)),
  )
  return new Set([...plain.flatMap((file) => Object.keys(file.module)), 'calls', ...names])
}

/** The constants of one file. */
async function constantsOf(watcher: { addWatchFile(file: string): void }, file: string): Promise<string> {
  const { module, dependencies } = await runnerImport<Record<string, unknown>>(file)
  for (const each of dependencies) watcher.addWatchFile(each)
  return constantsIn(module, new Set()).join('\n')
}

function constantsIn(module: Record<string, unknown>, without: ReadonlySet<string>): readonly string[] {
  return Object.entries(module)
    .filter(([name, value]) => !without.has(name) && isConstant(value))
    .map(([name, value]) => `export const ${name} = ${JSON.stringify(value, withoutProfile)}`)
}

const withoutProfile = (key: string, value: unknown) => (key === 'profile' ? undefined : value)

type CallGroups = Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, unknown>>>>>>

/** Calls without what only the server needs. How a response reports success is for both. */
export function slimCalls(groups: CallGroups): Record<string, Record<string, unknown>> {
  return mapValues(groups, (group) =>
    mapValues(group, ({ method, path, response }) => ({
      method,
      path,
      ...(response === 'wallet' && { response }),
    })),
  )
}

function mapValues<From, To>(
  record: Readonly<Record<string, From>>,
  change: (value: From) => To,
): Record<string, To> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]))
}

/** Plain data, such as the fields of a resource. A cell of a table that is empty is none of its members. */
function isConstant(value: unknown): boolean {
  if (value === undefined) return true
  if (Array.isArray(value)) return value.every(isConstant)
  if (typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype)
    return Object.values(value).every(isConstant)
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}
