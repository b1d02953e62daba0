import { afterEach, beforeEach, describe, expect, it } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { lockDirectory } from './directory-lock.ts'

let directory: string

beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'tollgate-lock-'))
})

afterEach(() => rmSync(directory, { recursive: true }))

const holder = `
  const { lockDirectory } = await import(${JSON.stringify(path.join(import.meta.dir, 'directory-lock.ts'))})
  console.log(lockDirectory(process.argv[1]) !== undefined)
  Bun.gc(true)
  setInterval(() => undefined, 1000)
`

describe('lockDirectory', () => {
  it('gives a directory to one holder at a time', () => {
    const first = lockDirectory(directory)
    expect(first).toBeDefined()
    expect(lockDirectory(directory)).toBeUndefined()
    first?.release()
    const second = lockDirectory(directory)
    expect(second).toBeDefined()
    second?.release()
  })

  it('excludes other processes, and is free as soon as its holder is killed', async () => {
    const process = Bun.spawn([globalThis.process.execPath, '-e', holder, directory], { stdout: 'pipe' })
    try {
      const { value } = await process.stdout.getReader().read()
      expect(new TextDecoder().decode(value).trim()).toBe('true')
      expect(lockDirectory(directory)).toBeUndefined()
    } finally {
      process.kill('SIGKILL')
      await process.exited
    }
    const lock = lockDirectory(directory)
    expect(lock).toBeDefined()
    lock?.release()
  })

  it('names a missing directory in its error', () => {
    expect(() => lockDirectory(path.join(directory, 'missing'))).toThrow()
  })
})
