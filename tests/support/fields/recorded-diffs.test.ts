import { describe, expect, it } from 'bun:test'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { at } from '../../../scripts/lib/root.mjs'
import { applyDiff, diffsIn, positionsIn } from './recorded-diffs.ts'

const markdown = `# Title

## Add a box

\`\`\`diff
--- a/box.ts
+++ b/box.ts
   lid: 1,
+  size: 2,
+  hue: 3,
   end: 4,
+  key: 5,
--- /dev/null
+++ b/new/size.ts
+export const size = 2
\`\`\`

## Another

\`\`\`diff
--- a/other.ts
\`\`\`
`

describe('what CONTRIBUTING adds', () => {
  const guide = readFileSync(at('CONTRIBUTING.md'), 'utf8')
  const fields = diffsIn(guide, 'Add a field')
  const [provider = []] = diffsIn(guide, 'Add a provider')
  const options = diffsIn(guide, 'Add an option')
  const examples = [...fields, provider, ...options]

  it('is a field of a channel, of a user and of an order, in four places at most', () => {
    expect(fields.map(positionsIn)).toEqual([4, 4, 2])
  })

  it('is a channel type with its profile in one place, and an option in three beside its use', () => {
    expect(positionsIn(provider)).toBe(1)
    expect(options.map(positionsIn)).toEqual([3])
  })

  it('stands after lines that the sources have', () => {
    const folder = mkdtempSync(join(tmpdir(), 'tollgate-examples-'))
    const files = new Set(examples.flat().flatMap(({ file, isNew }) => (isNew ? [] : [file])))
    for (const file of files) cpSync(at(file), join(folder, file), { recursive: true })
    for (const diff of examples) applyDiff(folder, diff)
    rmSync(folder, { recursive: true, force: true })
  })
})

describe('a recorded diff', () => {
  const [diff = [], ...others] = diffsIn(markdown, 'Add a box')

  it('is that of its section, with a place for each run of lines and for each new file', () => {
    expect(others).toEqual([])
    expect(diff.map(({ file }) => file)).toEqual(['box.ts', 'new/size.ts'])
    expect(positionsIn(diff)).toBe(3)
  })

  it('is applied after the lines that it shows, or is stale', () => {
    const folder = mkdtempSync(join(tmpdir(), 'tollgate-diff-'))
    writeFileSync(join(folder, 'box.ts'), '  lid: 1,\n  end: 4,\n')
    applyDiff(folder, diff)
    expect(readFileSync(join(folder, 'box.ts'), 'utf8')).toBe(
      '  lid: 1,\n  size: 2,\n  hue: 3,\n  end: 4,\n  key: 5,\n',
    )
    expect(readFileSync(join(folder, 'new/size.ts'), 'utf8')).toBe('export const size = 2\n')
    writeFileSync(join(folder, 'box.ts'), '  end: 4,\n')
    expect(() => applyDiff(folder, diff)).toThrow('box.ts has 0 times:   lid: 1,')
    rmSync(folder, { recursive: true, force: true })
  })
})
