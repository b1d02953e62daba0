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

  it('checks each page in both themes and at two widths, here or in its own suite', () => {
    for (const page of everyPage) {
      const looks = looksHere(page)
      expect(new Set(looks.map(([width]) => width)).size).toBe(2)
      expect(new Set(looks.map(([, theme]) => theme)).size).toBe(2)
    }
  })
})
