import { afterEach, beforeEach, describe, expect, it } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDurableFile, replaceDurableFile } from './durable-file.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-durable-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const source = new URL('./durable-file.ts', import.meta.url).pathname
const traced = ['openat', 'write', 'fsync', 'rename', 'renameat', 'renameat2'].join(',')

/** The system calls of `code` on files under the folder. */
function callsOf(code: string): string[] {
  const script = `import { createDurableFile, replaceDurableFile } from ${JSON.stringify(source)}; ${code}`
  const command = ['-f', '-y', '-e', `trace=${traced}`, process.execPath, '-e', script]
  const { stderr } = spawnSync('strace', command, { encoding: 'utf8' })
  const calls = stderr.split('\n').filter((line) => line.includes(folder) && !line.includes(' ENOENT'))
  return calls.flatMap((line) => /(write|fsync|rename)\w*\((?:\d+<([^>]*)>)?/.exec(line)?.slice(1, 3) ?? [])
}

const canTrace = spawnSync('strace', ['-e', 'trace=none', 'true']).status === 0

describe('a durable file', () => {
  it('is created once, readable by the owner alone', () => {
    const path = join(folder, 'file')
    createDurableFile(path, 'first')
    expect(() => createDurableFile(path, 'second')).toThrow('EEXIST')
    expect(readFileSync(path, 'utf8')).toBe('first')
    expect(statSync(path).mode & 0o777).toBe(0o600)
    replaceDurableFile(path, 'third')
    expect(readFileSync(path, 'utf8')).toBe('third')
  })

  it.skipIf(!canTrace)('and its name are synced when it is created', () => {
    const path = join(folder, 'file')
    const calls = callsOf(`createDurableFile(${JSON.stringify(path)}, 'text')`)
    expect(calls).toEqual(['write', path, 'fsync', path, 'fsync', folder])
  })

  it.skipIf(!canTrace)('replaces the old one only when it is synced', () => {
    const path = join(folder, 'file')
    const calls = callsOf(`replaceDurableFile(${JSON.stringify(path)}, 'text')`)
    const aside = `${path}.new`
    expect(calls).toEqual(['write', aside, 'fsync', aside, 'rename', undefined as never, 'fsync', folder])
  })
})
