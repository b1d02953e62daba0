import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { changedTables, contentsOf } from '../../support/console/database-contents.ts'
import {
  callWith,
  expectAccounts,
  type ImportedPerson,
  leadChannelsTo,
  linesOf,
} from '../../support/imports/imported.ts'
import { logIn } from '../../support/operator.ts'
import { hasPostgres, type Postgres, startPostgres } from '../../support/postgres.ts'
import { type CommandResult, runTollgate, startTollgate, type Tollgate } from '../../support/server.ts'
import { respond } from '../../support/upstream/behaviours.ts'
import { startUpstream, type Upstream } from '../../support/upstream/upstream.ts'

setDefaultTimeout(deadline(60_000))

/** A database that new-api itself wrote, with the keys that its clients hold. */
const folder = process.env.TOLLGATE_IMPORTS
const reason = folder === undefined ? ' (not run: TOLLGATE_IMPORTS names no folder)' : ''

const clientKeys = z.object({
  users: z.record(z.string(), z.array(z.object({ name: z.string(), key: z.string() }))),
})

/** People of its tables, read apart from the import. */
const people: readonly Omit<ImportedPerson, 'keys' | 'password'>[] = [
  { username: 'root', status: 1, quota: 100_000_000, usedQuota: 0, requestCount: 0 },
  { username: 'anna', status: 1, quota: 349_730, usedQuota: 270, requestCount: 30 },
  { username: 'bert', status: 1, quota: 98_765_432, usedQuota: 270, requestCount: 30 },
  { username: 'chloe', status: 1, quota: 0, usedQuota: 0, requestCount: 0 },
  { username: 'dong', status: 2, quota: 100_000, usedQuota: 0, requestCount: 0 },
]

for (const over of ['SQLite', 'PostgreSQL'] as const)
  describe.skipIf(folder === undefined || (over === 'PostgreSQL' && !hasPostgres()))(
    `a database of new-api into ${over}${reason}`,
    () => {
      let temporary: string
      let postgres: Postgres | undefined
      let env: Record<string, string>
      let upstream: Upstream
      let gateway: Tollgate
      let report: CommandResult
      const source = join(folder ?? '', 'new-api.db')
      const run = (...more: readonly string[]) =>
        runTollgate(['import', '--from', 'new-api', source, ...more], env)
      const keys = () =>
        clientKeys.parse(JSON.parse(readFileSync(join(folder ?? '', 'new-api-keys.json'), 'utf8'))).users

      beforeAll(async () => {
        temporary = mkdtempSync(join(tmpdir(), 'tollgate-new-api-'))
        env = { DATA_DIR: join(temporary, 'data') }
        if (over === 'PostgreSQL') {
          postgres = await startPostgres()
          env = { ...env, DATABASE_URL: await postgres.createDatabase() }
        }
        upstream = await startUpstream()
        upstream.otherwise(respond({ usage: { promptTokens: 9, completionTokens: 28 } }))
        expect(await run()).toMatchObject({ code: 0 })
        report = await run('--apply')
        expect(report).toMatchObject({ code: 0 })
      })
      afterAll(async () => {
        await gateway?.stop()
        await upstream?.stop()
        await postgres?.stop()
        rmSync(temporary, { recursive: true, force: true })
      })

      it('takes everything, to the unit', () => {
        expect(report.output).not.toContain('DIFFERENT')
        expect(linesOf(report, 'options')).toEqual(['options: 16 read, 16 taken, 0 left out'])
        expect(linesOf(report, 'channels')[0]).toBe('channels: 5 read, 5 taken (1 changed), 0 left out')
        expect(linesOf(report, 'keys')[0]).toBe('keys: 9 read, 9 taken, 0 left out')
        expect(linesOf(report, 'redemption codes')).toEqual([
          'redemption codes: 5 read, 5 taken, 0 left out',
          'worth of unused codes: 1,000,000',
        ])
        expect(linesOf(report, 'log')[0]).toBe('log: 60 read, 60 taken, 0 left out')
      })

      it('changes nothing the second time', async () => {
        const before = over === 'SQLite' ? contentsOf(env['DATA_DIR'] ?? '') : undefined
        const again = await run('--apply')
        for (const [table, count] of [
          ['options', 16],
          ['channels', 5],
          ['users', 5],
          ['keys', 9],
          ['redemption codes', 5],
        ] as const)
          expect(linesOf(again, table)[0]).toBe(
            `${table}: ${count} read, 0 taken, ${count} taken before, 0 left out`,
          )
        if (before !== undefined) expect(changedTables(before, contentsOf(env['DATA_DIR'] ?? ''))).toEqual([])
        expect(await runTollgate(['audit'], env)).toMatchObject({ code: 0 })
      })

      it('lets each person in with their old password, to their old balance', async () => {
        gateway = await startTollgate({ dataDir: env['DATA_DIR'] ?? '', env })
        await expectAccounts(
          gateway.url,
          people.map((person) => ({ ...person, keys: [], password: `import-${person.username}-1` })),
        )
      })

      it('serves each key that clients hold at once', async () => {
        const root = await logIn(gateway.url, { username: 'root', password: 'import-root-1' })
        await leadChannelsTo(root, upstream.url)
        for (const [owner, own] of Object.entries(keys()))
          for (const { name, key } of own) {
            const status = await callWith(gateway.url, key, 'gpt-4o-mini')
            // No channel serves chloe's group there either, and the key "over" has one unit left.
            const expected = owner === 'chloe' ? 503 : name === 'over' ? 403 : 200
            expect([owner, name, status]).toEqual([owner, name, expected])
          }
        const bert = await logIn(gateway.url, { username: 'bert', password: 'import-bert-1' })
        expect(await bert.api<object>('GET', '/api/user/self')).toMatchObject({
          role: 10,
          group: 'vip',
          aff_quota: 7000,
          aff_history_quota: 9000,
          aff_count: 2,
        })
      })

      it('leaves an audit that adds up', async () => {
        await gateway.kill()
        expect(await runTollgate(['audit'], env)).toMatchObject({ code: 0 })
      })
    },
  )
