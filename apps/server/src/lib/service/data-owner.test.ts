import { afterEach, beforeEach, describe, expect, it } from 'bun:test'
import {
  chmodSync,
  chownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDurableFile } from '../durable-file.ts'
import { foreignFiles, keepingOwner, ownerOf } from './data-owner.ts'

const service = 65_534
let folder: string
let outside: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-owner-'))
  outside = mkdtempSync(join(tmpdir(), 'tollgate-outside-'))
})
afterEach(() => {
  for (const one of [folder, outside]) rmSync(one, { recursive: true, force: true })
})

const at = (name: string) => join(folder, name)
const uidOf = (path: string) => lstatSync(path).uid

describe.skipIf(process.geteuid?.() !== 0)('what root writes in a folder of another user', () => {
  beforeEach(() => chownSync(folder, service, service))

  it('belongs to that user when the work ends, however it ends, and before it begins', async () => {
    writeFileSync(at('left'), 'by a killed one')
    await keepingOwner(folder, 'reads', async () => writeFileSync(at('made'), ''))
    expect([uidOf(at('left')), uidOf(at('made'))]).toEqual([0, service])
    await keepingOwner(folder, 'writes', async () => {
      expect(uidOf(at('left'))).toBe(service)
      mkdirSync(at('journal'))
      writeFileSync(at('journal/node'), 'n')
      createDurableFile(at('secret.key'), 's')
      expect(uidOf(at('secret.key'))).toBe(service)
    })
    expect([uidOf(at('journal')), uidOf(at('journal/node'))]).toEqual([service, service])
    expect(foreignFiles(folder, { uid: service, gid: service })).toEqual([])
  })

  it('is given away alone: no link, no second name and nothing behind them', async () => {
    writeFileSync(join(outside, 'shadow'), 'of root')
    linkSync(join(outside, 'shadow'), at('second-name'))
    symlinkSync(outside, at('link'))
    await keepingOwner(folder, 'writes', async () => undefined)
    expect([uidOf(outside), uidOf(join(outside, 'shadow'))]).toEqual([0, 0])
  })

  it('is found by its fault', () => {
    writeFileSync(at('roots'), '')
    writeFileSync(at('closed'), '')
    chownSync(at('closed'), service, service)
    chmodSync(at('closed'), 0o200)
    const found = foreignFiles(folder, { uid: service, gid: service })
    expect(found.toSorted((a, b) => a.path.localeCompare(b.path))).toEqual([
      { path: at('closed'), fault: 'cannot be read and written by its owner' },
      { path: at('roots'), fault: 'belongs to uid 0' },
    ])
  })
})

describe.skipIf(process.geteuid?.() !== 0)('ownerOf', () => {
  it('is who wrote in a mounted folder of root', () => {
    expect(ownerOf(folder)?.uid).toBe(0)
    mkdirSync(at('journal'))
    chownSync(at('journal'), service, service)
    expect(ownerOf(folder)).toEqual({ uid: service, gid: service })
    expect(ownerOf(at('missing'))).toBeUndefined()
  })
})
