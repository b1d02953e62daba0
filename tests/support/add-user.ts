import { Database } from 'bun:sqlite'
import { join } from 'node:path'
import { logIn, type Operator } from './operator.ts'
import type { Tollgate } from './server.ts'

const password = 'a-long-password'

/** An ordinary person with a balance, put into the SQLite database of a running gateway, and logged in. */
export async function addUser(gateway: Tollgate, username: string, quota: number): Promise<Operator> {
  const database = new Database(join(gateway.dataDir, 'tollgate.db'))
  database.run('pragma busy_timeout = 5000')
  database.run(
    `insert into users select null, ?, ?, ?, 1, 1, "group", email, github_id, oidc_id, wechat_id, telegram_id,
      linux_do_id, '', ?, 0, 0, 0, 0, '', created_at, null from users where id = 1`,
    [username, username, await Bun.password.hash(password), username],
  )
  database.run('insert into user_accounts (id, quota) select id, ? from users where username = ?', [
    quota,
    username,
  ])
  database.run(
    `insert into ledger_entries
      select null, 'user', id, 'initial', ?, created_at, id, '' from users where username = ?`,
    [quota, username],
  )
  database.close()
  return logIn(gateway.url, { username, password })
}
