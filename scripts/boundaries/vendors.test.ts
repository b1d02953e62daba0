import { expect, it } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Glob } from 'bun'
import { providerTable } from '../../packages/providers/src/table.ts'

const root = join(import.meta.dir, '../..')

/** Vendors whose form callers speak, so that the gateway serves it itself; and words that mean other things, too. */
const spoken = 'openai anthropic gemini midjourney suno custom together replicate fireworks'.split(' ')

/** Places that speak of something else by a vendor's name. */
const elsewhere: readonly RegExp[] = [
  /aws-event-stream/, // The framing.
  /cloudflare/i, // Turnstile, which shows that a person is there: its files alone, below.
  /in-host metadata address/, // Of Azure's machines.
]
const turnstile = /security-headers|human-check|self-service|turnstile/
/** They tell models by their names, as their specification does. */
const byModelName = /pricing\/completion-ratio\.ts$|home\/sample-model\.ts$|store\/migrations\//

it('names no single vendor in apps: what one needs is said in packages/providers', () => {
  const names = [...new Set(providerTable.map(({ id }) => id))].filter((id) => !spoken.includes(id))
  const vendor = new RegExp(`\\b(${names.join('|')})\\b`, 'i')
  const isNamed = (line: string, path: string) =>
    vendor.test(line) &&
    !elsewhere.some(
      (position) => position.test(line) && (position.source !== 'cloudflare' || turnstile.test(path)),
    )
  const files = [...new Glob('apps/*/src/**/*.{ts,tsx}').scanSync(root)].filter(
    (path) => !/\.test\.tsx?$|\/test-support\/|\/i18n\//.test(path),
  )
  const found = files.flatMap((path) => {
    if (byModelName.test(path)) return []
    const lines = readFileSync(join(root, path), 'utf8').split('\n')
    return lines.flatMap((line, index) =>
      isNamed(line, path) ? [`${path}:${index + 1} ${line.trim()}`] : [],
    )
  })
  expect(found).toEqual([])
})
