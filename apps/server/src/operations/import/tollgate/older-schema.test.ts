import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SQL } from 'bun'
import { deadline } from '../../../../../../scripts/deadline/deadline.mjs'
import { hasPostgres, type Postgres, startPostgres } from '../../../../../../tests/support/postgres.ts'
import { createLogger } from '../../../lib/logger.ts'
import { Database, dialects } from '../../../store/engine/copy/test-support/raw-database.ts'
import { currentName } from '../../../store/engine/upgrade/landed.ts'
import formerSchemas from '../../../store/engine/upgrade/test-support/former-schemas.json' with {
  type: 'json',
}
import { statementsOf } from '../../../store/schema/migrate.ts'
import { openSourceInstallation } from './open-database.ts'

setDefaultTimeout(deadline(60_000))

const logger = createLogger('silent')
const secret = 's'.repeat(64)

/** The first schema, one with migrations under former names, and the last: the history of them all is proven where they run. */
const former = formerSchemas.filter(
  ({ commit }, index) => index === 0 || commit === '2599b33b4b6c' || index === formerSchemas.length - 1,
)

/** Returns the statements of a former commit's installation, with one person. */
function statementsOfFormer(names: readonly string[], dialect: typeof dialects.sqlite): string[] {
  return [
    'create table "kysely_migration" ("name" varchar(255) not null primary key, "timestamp" varchar(255) not null)',
    'create table "kysely_migration_lock" ("id" varchar(255) not null primary key, "is_locked" integer default 0 not null)',
    `insert into kysely_migration_lock values ('migration_lock', 0)`,
    ...names.flatMap((name) => [
      ...statementsOf(currentName(name), dialect),
      `insert into kysely_migration values ('${name}', '2026-11-20T00:00:00.000Z')`,
    ]),
    `insert into users (id, username, display_name, password_hash, role, status, "group", email, github_id, oidc_id, wechat_id,
      telegram_id, linux_do_id, access_token_hash, aff_code, aff_count, aff_quota, aff_history_quota, inviter_id, setting,
      created_at, search_text, oidc_issuer) values (4, 'anna', '', '', 1, 1, 'default', '', '', '', '', '', '', '', '', 0, 0, 0, 0, '', 9,
      'anna', '')`,
    'insert into user_accounts (id, quota) values (4, 12345)',
  ]
}

async function peopleIn(address: string): Promise<unknown> {
  const installation = await openSourceInstallation({ address, secret, logger })
  try {
    const pages = installation.database.pages('users', 'user_accounts')
    const { value } = await pages.next()
    return value.map((row: Record<string, unknown>) => [row['username'], row['quota'], row['oidc_issuer']])
  } finally {
    await installation.close()
  }
}

describe('a Tollgate of an older version', () => {
  let folder: string
  let postgres: Postgres | undefined
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tollgate-older-'))
    if (hasPostgres()) postgres = await startPostgres()
  })
  afterAll(async () => {
    await postgres?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  for (const { commit, migrations } of former) {
    it(`of ${commit} is read from a copy, and its file stays as it is`, async () => {
      const directory = mkdtempSync(join(folder, 'data-'))
      const file = join(directory, 'tollgate.db')
      using database = new Database(file)
      for (const statement of statementsOfFormer(migrations, dialects.sqlite)) database.run(statement)
      database.close()
      const before = readFileSync(file)
      expect(await peopleIn(directory)).toEqual([['anna', 12_345, '']])
      expect(readFileSync(file).equals(before)).toBe(true)
      expect(readdirSync(directory)).toEqual(['tollgate.db'])
    })

    it.skipIf(!hasPostgres())(`of ${commit} on PostgreSQL is read from a copy`, async () => {
      const url = (await postgres?.createDatabase()) ?? ''
      await using sql = new SQL(url, { max: 1 })
      await sql.unsafe(statementsOfFormer(migrations, dialects.postgres).join(';\n'))
      expect(await peopleIn(url)).toEqual([['anna', 12_345, '']])
    })
  }
})
