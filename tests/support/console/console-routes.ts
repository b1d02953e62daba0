import { readSources } from '../../../scripts/boundaries/sources.ts'

/** An address of the console's router, with `$name` for each parameter, and whether it is behind the login. */
export interface ConsoleRoute {
  readonly path: string
  readonly loggedIn: boolean
}

const route =
  /const (\w+) = createRoute\(\{\s*getParentRoute: \(\) => (\w+),\s*(?:path: '([^']*)'|validateSearch)/g

/** Reads every address from the sources of the router: what draws the pages cannot be loaded without a browser. */
export async function consoleRoutes(): Promise<readonly ConsoleRoute[]> {
  const sources = await readSources('apps/web/src/routes/*-routes.ts')
  const found = new Map<string, { readonly parent: string; readonly path: string }>()
  for (const source of sources.values())
    for (const [, name = '', parent = '', path] of source.matchAll(route))
      if (path !== undefined) found.set(name, { parent, path })
  return [...found.keys()].map((name) => routeOf(name, found))
}

function routeOf(
  name: string,
  routes: ReadonlyMap<string, { readonly parent: string; readonly path: string }>,
): ConsoleRoute {
  const own = routes.get(name)
  if (own === undefined) return { path: '', loggedIn: name !== 'plainRoute' }
  const parent = routeOf(own.parent, routes)
  return { path: parent.path + own.path, loggedIn: parent.loggedIn }
}
