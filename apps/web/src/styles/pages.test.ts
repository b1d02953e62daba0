import { describe, expect, it } from 'bun:test'
import { dirname, join } from 'node:path'
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

/** Files of what a guest opens on the login page: the page and the frame, and what comes later when it is pressed. */
const guestFiles = [
  'main.tsx',
  ...['page', 'login-dialogs'].map((name) => `features/login/${name}.tsx`),
  ...['phone-menu', 'hotkey-help', 'palette/command-palette'].map((name) => `components/frame/${name}.tsx`),
  ...['menu-popup', 'dialog-popup'].map((name) => `components/ui/overlay/${name}.tsx`),
  'components/sign-in/code-form.tsx',
]

/** These files, and all that they import at once. */
async function withImports(files: readonly string[]): Promise<ReadonlySet<string>> {
  const found = new Set(files)
  // The set grows during the iteration.
  for (const file of found) {
    const code = await Bun.file(source + file).text()
    for (const [, path = ''] of code.matchAll(/^import (?!type ).*?from '(\.[^']+\.tsx)'/gms))
      found.add(join(dirname(file), path))
  }
  return found
}

/** Files whose classes the first styles leave out. */
async function leftOut(): Promise<readonly Glob[]> {
  const css = await Bun.file(`${import.meta.dir}/index.css`).text()
  return [...css.matchAll(/^@source not "\.\.\/([^"]+)"/gm)].map(
    ([, path = '']) => new Glob(path.endsWith('.tsx') ? path : `${path}/**`),
  )
}

describe('styles of the pages', () => {
  it('have the classes of all that a guest sees in the first file', async () => {
    const globs = await leftOut()
    expect(globs.length).toBeGreaterThan(3)
    const files = [...(await withImports(guestFiles))]
    expect(files.filter((file) => globs.some((glob) => glob.match(file)))).toEqual([])
  })

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
