import './test-support/dom.ts'
import { describe, expect, it } from 'bun:test'
import { QueryClient } from '@tanstack/react-query'
import { createMemoryHistory } from '@tanstack/react-router'
import { createConsoleRouter } from './router.ts'

type Validate = (search: Readonly<Record<string, unknown>>) => Record<string, unknown>

const routes = Object.values(
  createConsoleRouter(new QueryClient(), createMemoryHistory()).routesById,
).flatMap(({ id, fullPath, options }) =>
  typeof options.validateSearch === 'function'
    ? [{ id, path: fullPath.replaceAll(/\$\w+/g, '1'), validate: options.validateSearch as Validate }]
    : [],
)

describe('an address with values that do not fit', () => {
  it('is that of most pages', () => {
    expect(routes.length).toBeGreaterThan(20)
  })

  it.each(routes)('reaches the page of $id without them', ({ id, path, validate }) => {
    const names = Object.keys(validate({}))
    expect(names).not.toEqual([])
    const typed = Object.fromEntries(names.map((name) => [name, 'nonsense']))
    const address = `${path}?${new URLSearchParams(typed)}`
    const router = createConsoleRouter(new QueryClient(), createMemoryHistory({ initialEntries: [address] }))
    const search = router.matchRoutes(router.latestLocation).find(({ routeId }) => routeId === id)?.search
    for (const name of names)
      expect([name, search?.[name as never]]).toEqual([name, validate(typed)[name] as never])
  })
})
