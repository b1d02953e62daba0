import { fileURLToPath } from 'node:url'

/** Part of the bundler's module graph. */
export interface ModuleGraph {
  getModuleInfo(id: string): {
    readonly importedIds: readonly string[]
    readonly dynamicallyImportedIds: readonly string[]
    readonly dynamicImporters: readonly string[]
  } | null
}

const source = fileURLToPath(new URL('../src/', import.meta.url))
const entry = `${source}main.tsx`
const pageStyles = `${source}styles/pages.css`
/** A guest's first page: what it shares with other pages comes with the console's entry. */
const guestPage = `${source}features/login/page.tsx`

const frameworkPackages =
  /node_modules\/(react|react-dom|scheduler|i18next|react-i18next|use-sync-external-store|@tanstack\/(react-router|router-core|history|react-query|query-core|react-store|store))\//
/** Parts of those packages that the login page needs none of, though their index names them: a form's question before it is left, and one feature's queries. */
const besideFramework = /\/useBlocker\.js$|\/(queriesObserver|useQueries)\.js$/
/** Files of modules that a few pages share and the others do not need. */
const sharedByFew: Readonly<Record<string, RegExp>> = {
  form: /node_modules\/(react-hook-form|@hookform)\/|\/src\/components\/form\/|\/packages\/api\/src\/errors\/refused-fields\.ts$/,
  prices: /\/src\/(components\/prices\/|lib\/format\/price\.ts$)/,
  // The dashboard has both.
  overview: /\/src\/components\/(histogram|incidents)\//,
}
/** Shared by pages: the console's own code and what it shows tables with; heavier packages stay in files of their own. */
const kitModules =
  /\/apps\/web\/|slim-contract|packages\/base\/src\/|node_modules\/(lucide-react|@tanstack\/(react-)?table(-core)?)\//
/** Parts of the contract that its slim form hands on, of which guests need nothing. */
const consoleContract =
  /\/packages\/api\/src\/(channel-reasons|audit-actions|chat-targets|resources\/limits|calendar)\.ts$|slim-contract\/console$/
const popupModules =
  /node_modules\/(@base-ui|@floating-ui|aria-hidden)\/|\/src\/components\/(?!charts\/|operator-content\/)/

/**
 * Addresses whose code is no part of their feature's file. Sheets open over a page that is there; few people open a charge's link or a
 * request, whose parts the log shows in a sheet.
 */
const besidePages =
  /\/(?:[\w-]+-)?sheet\.tsx$|\/features\/logs\/(?:explained\/linked|request\/request)-page\.tsx$/

/** Creates the function that names a module's file. */
export function createChunkNames(): (id: string, graph: ModuleGraph) => string | null {
  let reach: Reach | undefined
  return (id, graph) => {
    if (id === pageStyles) return 'pages'
    if (besideFramework.test(id)) return id.endsWith('useBlocker.js') ? 'kit' : null
    if (frameworkPackages.test(id)) return 'framework'
    reach ??= readReach(graph)
    return chunkOf(id, reach)
  }
}

interface Reach {
  readonly everyPage: ReadonlySet<string>
  /** Page components. */
  readonly pages: ReadonlySet<string>
  /** Pages, and lazy parts of pages, that load a module at once, by the module. */
  readonly users: ReadonlyMap<string, ReadonlySet<string>>
}

function chunkOf(id: string, { everyPage, pages, users }: Reach): string | null {
  if (consoleContract.test(id)) return 'kit'
  if (everyPage.has(id)) return 'app'
  const usersOfIt = users.get(id) ?? new Set()
  const pagesOfIt = [...usersOfIt].filter((user) => pages.has(user))
  if (pagesOfIt.includes(guestPage) && usersOfIt.size > 1) return 'app'
  const shared = Object.keys(sharedByFew).find((file) => sharedByFew[file]?.test(id))
  if (shared !== undefined) return shared
  if (pagesOfIt.length === 0) return usersOfIt.size > 1 && popupModules.test(id) ? 'popups' : null
  if (usersOfIt.size > 1 && !kitModules.test(id)) return null
  const [feature, ...others] = new Set([...usersOfIt].map(featureOf))
  return feature === undefined || others.length > 0 ? 'kit' : fileOf(feature)
}

/** Returns the feature of a page: the pages of a feature are one file. */
function featureOf(page: string): string {
  return (
    page
      .slice(source.length)
      .replace(/^features\//, '')
      .split('/')[0] ?? ''
  )
}

/** Returns the file of a feature; the layout around console pages is for all of them. */
function fileOf(feature: string): string {
  return feature === 'components' ? 'kit' : `${feature}-page`
}

function readReach(graph: ModuleGraph): Reach {
  const everyPage = staticClosure(entry, graph)
  const lazyOf = (ids: Iterable<string>) =>
    new Set([...ids].flatMap((id) => graph.getModuleInfo(id)?.dynamicallyImportedIds ?? []))
  const routed = lazyOf([...everyPage].filter((id) => id.startsWith(`${source}routes/`)))
  const pages = new Set([...routed].filter((id) => !besidePages.test(id)))
  const users = new Map<string, Set<string>>()
  const roots = new Set(lazyOf(everyPage))
  // The set grows during the iteration: lazy parts have lazy parts.
  for (const root of roots) {
    const closure = staticClosure(root, graph)
    for (const id of closure) users.set(id, (users.get(id) ?? new Set()).add(root))
    for (const id of lazyOf(closure)) roots.add(id)
  }
  return { everyPage, pages, users }
}

/** A module and all that is imported at once with it. */
function staticClosure(root: string, graph: ModuleGraph): Set<string> {
  const closure = new Set<string>()
  const visit = (id: string): void => {
    if (closure.has(id)) return
    closure.add(id)
    for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) visit(imported)
  }
  visit(root)
  return closure
}
