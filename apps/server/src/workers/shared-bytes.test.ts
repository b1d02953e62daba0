import { afterAll, expect, it } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createByteBudget } from '@tollgate/http/server'
import { BytesPage, createBytesPage } from './shared-bytes.ts'

const folder = mkdtempSync(join(tmpdir(), 'tollgate-bytes-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('gives several processes one budget, and what one had that has ended is free', () => {
  const file = join(folder, 'bytes')
  const supervisor = createBytesPage(file, 2)
  const of = (worker: number) => createByteBudget(100, new BytesPage(file, 2).of('requests', worker))
  const [first, second, replacing] = [of(1), of(2), of(3)]
  expect([first.tryTake(60), second.tryTake(50), second.tryTake(40), replacing.tryTake(1)]).toEqual([
    true,
    false,
    true,
    false,
  ])
  expect(createByteBudget(100, supervisor.of('responses', 2)).tryTake(100)).toBe(true)
  first.release(10)
  expect(replacing.tryTake(10)).toBe(true)
  supervisor.clear(2)
  expect([replacing.tryTake(41), replacing.tryTake(40)]).toEqual([false, true])
})
