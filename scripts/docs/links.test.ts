import { describe, expect, it } from 'bun:test'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../lib/root.mjs'
import { anchorsOf, brokenLinks, linksIn } from './links.ts'

describe('links of documents', () => {
  it('lead to files and headings of the repository', () => {
    const documents = execFileSync('git', ['ls-files', '*.md'], { cwd: root, encoding: 'utf8' })
    expect(brokenLinks(documents.trim().split('\n'), root)).toEqual([])
  })

  it('are found broken by file and by heading', () => {
    const folder = mkdtempSync(join(tmpdir(), 'tollgate-links-'))
    try {
      mkdirSync(join(folder, 'docs'))
      writeFileSync(
        join(folder, 'docs', 'a.md'),
        '# One\n[b](../b.md#two) [c](c.md) [d](../b.md#three) [e](#one)\n',
      )
      writeFileSync(join(folder, 'b.md'), '## Two\n')
      expect(brokenLinks(['docs/a.md', 'b.md'], folder)).toEqual([
        { document: 'docs/a.md', target: 'c.md', why: 'no such file' },
        { document: 'docs/a.md', target: '../b.md#three', why: 'no such heading' },
      ])
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })

  it('are neither addresses of sites nor examples in code', () => {
    expect(
      linksIn('[a](https://a.example) `[b](b.md)` [c](c.md "C")\n```\n[d](d.md)\n```\n[e]: e.md'),
    ).toEqual(['c.md', 'e.md'])
  })
})

describe('anchorsOf', () => {
  it('numbers headings of one name', () => {
    expect([...anchorsOf('# A `b` & c\n## Same\n## Same')]).toEqual(['a-b--c', 'same', 'same-1'])
  })
})
