import { describe, expect, it } from 'bun:test'
import { Glob } from 'bun'

const source = `${import.meta.dir}/../`

/** Files of the pages below the plain layout, which brings no styles of its own, as the routes import them. */
async function plainPages(): Promise<readonly string[]> {
  const pages: string[] = []
  for await (const name of new Glob('routes/*-routes.ts').scan(source)) {
    const code = await Bun.file(source + name).text()
    if (!code.includes('=> plainRoute')) continue
    for (const [, page = ''] of code.matchAll(/import\('\.\.\/(features\/[^']+)'\)/g)) pages.push(page)
  }
  return pages
}

describe('styles of the pages', () => {
  it('come with every public page but the login page', async () => {
    const pages = await plainPages()
    expect(pages).toContain('features/login/page.tsx')
    for (const page of pages.filter((name) => !name.startsWith('features/login/')))
      expect([page, await Bun.file(source + page).text()]).toEqual([
        page,
        expect.stringContaining("styles/pages.css'"),
      ])
  })
})
