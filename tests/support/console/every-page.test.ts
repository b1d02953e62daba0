import { describe, expect, it } from 'bun:test'
import { consoleRoutes } from './console-routes.ts'
import { everyPage, looksHere, pagesOfOwner, unwalkedRoutes } from './every-page.ts'

const walked = new Set(everyPage.map(({ path }) => path))

describe('the walk of every page', () => {
  it('has every route of the console, or the reason why another suite opens it', async () => {
    const routes = await consoleRoutes()
    const paths = routes.map(({ path }) => path)
    expect(paths).toContain('/charge/$token')
    expect(paths.filter((path) => !walked.has(path) && unwalkedRoutes[path] === undefined)).toEqual([])
    // A reason goes with its route, and once the walk has it.
    const idle = Object.keys(unwalkedRoutes).filter((path) => !paths.includes(path) || walked.has(path))
    expect(idle).toEqual([])
  })

  it('opens every page behind the login in an empty installation as well', async () => {
    const behindLogin = (await consoleRoutes()).filter(({ loggedIn }) => loggedIn).map(({ path }) => path)
    const missing = behindLogin.filter((path) => walked.has(path) && !pagesOfOwner.includes(path))
    expect(missing).toEqual([])
  })

  it('checks each page that no suite of its own looks at in both themes and at two widths', () => {
    const looks = everyPage.map(looksHere).filter(({ length }) => length > 0)
    expect(looks.length).toBeGreaterThan(10)
    for (const look of looks) {
      expect(new Set(look.map(([width]) => width)).size).toBe(2)
      expect(new Set(look.map(([, theme]) => theme)).size).toBe(2)
    }
  })
})
